//! Any text is a legal action with that very text, or is refused: `cargo +nightly fuzz run action`.
//!
//! The first byte chooses the variant, the second how far a game went; the rest is the text.

#![no_main]

use gryphon_env::{Action, Actor, Position, Variant};
use libfuzzer_sys::fuzz_target;

/// A position of a game that always takes some action in the middle of the list.
fn position(variant: &'static Variant, plies: u8) -> Position {
    let mut position = variant.start();
    let (mut actions, mut rolls): (Vec<Action>, _) = (Vec::new(), Vec::new());
    for ply in 0..usize::from(plies) {
        if position.actor() == Actor::Chance {
            position.chance_outcomes(&mut rolls);
            actions.clear();
            actions.extend(rolls.iter().map(|roll| roll.action));
        } else {
            position.legal_actions(&mut actions);
        }
        match actions.get((ply * 7 + actions.len() / 2) % actions.len().max(1)) {
            Some(&action) => position.play(action),
            None => break,
        }
    }
    position
}

fuzz_target!(|data: &[u8]| {
    let [first, plies, rest @ ..] = data else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let names = Variant::names();
    let variant =
        Variant::named(names[usize::from(*first) % names.len()]).expect("a built-in name");
    let position = position(variant, *plies % 64);
    match position.parse_action(text) {
        Ok(action) => assert_eq!(variant.action_text(action), text),
        Err(error) => assert!(error.to_string().contains("is not a legal action")),
    }
});
