//! Games written as PGN.

use gryphon_env::{Game, Variant};
use gryphon_play::{PgnTags, pgn};

fn tags(comment: &str) -> PgnTags {
    PgnTags {
        event: "Test \"one\"\nof two".to_owned(),
        round: "1.2".to_owned(),
        white: "a\\b".to_owned(),
        black: "greedy".to_owned(),
        outcome: None,
        termination: "unterminated".to_owned(),
        comment: comment.to_owned(),
        opening_plies: 2,
    }
}

fn played(variant: &str, actions: &[&str]) -> Game {
    let variant = Variant::named(variant).expect("it is built in");
    let mut game = Game::new(variant.start());
    for text in actions {
        let action = game.position().parse_action(text).expect("a legal action");
        game.play(action);
    }
    game
}

#[test]
fn tags_are_escaped_and_the_opening_is_marked() {
    let game = played("chess", &["e2e4", "e7e5", "g1f3", "b8c6"]);
    insta::assert_snapshot!(pgn(&tags("so {far}"), &game));
}

#[test]
fn a_turn_of_several_actions_is_numbered_once() {
    let actions = ["end", "end", "a3a4", "b3b4", "end", "a10a9", "b10b8", "c10c9", "end"];
    let game = played("gryphon-aanca", &actions);
    let text = pgn(&PgnTags { opening_plies: 0, ..tags("") }, &game);
    let moves = text.lines().last().expect("PGN ends with its moves");
    assert_eq!(moves, "1. end end 1. a3a4 b3b4 end a10a9 b10b8 c10c9 end *");
}
