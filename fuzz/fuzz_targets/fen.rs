//! Any text is a FEN that survives printing and plays on, or is refused.
//!
//! The first byte chooses the variant: `cargo +nightly fuzz run fen`.

#![no_main]

use gryphon_env::{Position, Variant};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&first, rest)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let names = Variant::names();
    let variant = Variant::named(names[usize::from(first) % names.len()]).expect("a built-in name");
    let Ok(position) = Position::from_fen(variant, text) else { return };
    let fen = position.fen();
    let again = Position::from_fen(variant, &fen).expect("a printed FEN can be read");
    assert_eq!(again.fen(), fen);
    assert_eq!(again.key(), position.key());
    assert_eq!(position.key(), position.computed_key());
    let mut actions = Vec::new();
    let outcome = position.legal_actions_and_outcome(&mut actions);
    assert_eq!(outcome, position.outcome());
    for &action in actions.iter().take(40) {
        let mut next = position.clone();
        next.play(action);
        assert_eq!(next.key(), next.computed_key());
        let _ = next.outcome();
        let read =
            Position::from_fen(variant, &next.fen()).expect("a position after a legal action");
        assert_eq!(read.key(), next.key());
    }
});
