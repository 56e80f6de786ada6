//! Games of a match as PGN.

use gryphon_env::Color;
use gryphon_play::PgnTags;

use super::game::{ArenaGame, Contestant, End};
use super::report::{MatchSummary, end_text};

/// `game` of the match `summary` as one PGN game; a game cut by the ply cap is a draw by
/// adjudication.
#[must_use]
pub fn pgn(summary: &MatchSummary, game: &ArenaGame) -> String {
    let player = |color| match game.number.contestant(color) {
        Contestant::First => summary.first.clone(),
        Contestant::Second => summary.second.clone(),
    };
    let (outcome, termination) = match game.end {
        End::Rules(outcome) => (Some(outcome), "normal"),
        End::PlyCap => (None, "adjudication"),
    };
    let tags = PgnTags {
        event: "Gryphon arena".to_owned(),
        round: format!("{}.{}", game.number.pair() + 1, game.number.0 % 2 + 1),
        white: player(Color::White),
        black: player(Color::Black),
        outcome,
        termination: termination.to_owned(),
        comment: end_text(game.end),
        opening_plies: game.opening_plies,
    };
    gryphon_play::pgn(&tags, &game.game)
}
