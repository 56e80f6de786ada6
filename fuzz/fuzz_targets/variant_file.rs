//! Any text is a variant that can be played, or is refused with a reason:
//! `cargo +nightly fuzz run variant_file`.

#![no_main]

use std::sync::atomic::{AtomicUsize, Ordering};

use gryphon_env::{Position, Variant};
use libfuzzer_sys::fuzz_target;

/// Compiled variants are never dropped: only so many are kept in one run.
const MAX_PLAYED: usize = 300;

static PLAYED: AtomicUsize = AtomicUsize::new(0);

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mistakes = Variant::mistakes("fuzz.toml", text);
    assert!(
        mistakes.iter().all(|mistake| mistake.to_string().starts_with("variant file `fuzz.toml`"))
    );
    if mistakes.is_empty() && PLAYED.fetch_add(1, Ordering::Relaxed) < MAX_PLAYED {
        let variant = Variant::from_text("fuzz.toml", text).expect("a text without mistakes");
        let start = variant.start();
        let fen = start.fen();
        assert_eq!(Position::from_fen(variant, &fen).expect("a printed FEN").key(), start.key());
        let mut actions = Vec::new();
        start.legal_actions(&mut actions);
        for &action in actions.iter().take(30) {
            let mut next = start.clone();
            next.play(action);
            assert_eq!(next.key(), next.computed_key());
            let _ = next.outcome();
        }
    }
});
