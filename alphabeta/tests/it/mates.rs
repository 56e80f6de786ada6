//! Forced mates are found, counted right and held to be nothing less.

use gryphon_alphabeta::{AlphaBeta, Config, Limit, Score};
use gryphon_env::{Actor, Color, Game, Position, Variant};

use crate::support::{legal, random_game, truncated, variants};

/// Whether `color` can force a win within `plies` actions, by trying everything.
fn forces_win(position: &Position, color: Color, plies: u32) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome.winner() == Some(color);
    }
    if plies == 0 || position.actor() == Actor::Chance {
        return false;
    }
    let mut actions = Vec::new();
    position.legal_actions(&mut actions);
    let mut wins = actions.iter().map(|&action| {
        let mut next = position.clone();
        next.play(action);
        forces_win(&next, color, plies - 1)
    });
    if position.side_to_move() == color { wins.any(|win| win) } else { wins.all(|win| win) }
}

/// The fewest plies, up to `most`, in which the side to move can force a win.
fn shortest_win(game: &Game, most: u32) -> Option<u32> {
    let position = game.position();
    let n_actions = legal(game).len();
    let affordable = if n_actions > 45 { most.min(1) } else { most };
    (1..=affordable).find(|&plies| forces_win(position, position.side_to_move(), plies))
}

/// Positions shortly before the decisive end of random games, with the plies of their shortest win.
fn puzzles(variant: &'static Variant, games: u64, most: u32) -> Vec<(Game, u32)> {
    let mut puzzles = Vec::new();
    for number in 0..games {
        let game = random_game(variant, number, 300);
        if game.outcome().and_then(|outcome| outcome.winner()).is_none() {
            continue;
        }
        for back in [1, 3] {
            let Some(plies) = game.actions().len().checked_sub(back) else { continue };
            let earlier = truncated(&game, plies);
            if earlier.position().actor() == Actor::Chance {
                continue;
            }
            if let Some(plies) = shortest_win(&earlier, most) {
                puzzles.push((earlier, plies));
            }
        }
    }
    puzzles
}

#[test]
fn mates_that_trying_everything_finds_are_found() {
    let mut solved = 0;
    let mut longer = 0;
    for variant in variants() {
        let mut engine = AlphaBeta::new(variant, Config::default());
        for (game, plies) in puzzles(variant, 60, 3) {
            let fen = game.position().fen();
            // Where a capture wins much, nodes up to five plies above the horizon are skipped by their
            // static score: the search sees a quiet mate behind them only beyond that.
            let report = engine.search(&game, Limit::depth(plies as u8 + 6)).unwrap();
            let found = report.score.plies_to_win();
            assert_eq!(found, Some(plies), "{}: {fen}: {report:?}", variant.name());
            let mut next = game.position().clone();
            next.play(report.action);
            assert!(forces_win(&next, game.position().side_to_move(), plies - 1), "{fen}");
            solved += 1;
            longer += u32::from(plies > 1);
        }
    }
    assert!(solved >= 20 && longer >= 3, "{solved} puzzles, {longer} longer than one ply");
}

#[test]
fn a_mate_in_five_plies_is_found() {
    // Two rooks drive the king up the board: Rb6+, Ra7+, Rb8#.
    let variant = Variant::named("chess").unwrap();
    let position = Position::from_fen(variant, "8/8/6k1/R7/1R6/8/8/4K3 w - - 0 1").unwrap();
    let mut engine = AlphaBeta::new(variant, Config::default());
    let report = engine.search(&Game::new(position), Limit::depth(8)).unwrap();
    assert_eq!(report.score.plies_to_win(), Some(5), "{report:?}");
}

#[test]
fn the_side_about_to_be_mated_knows_it() {
    let variant = Variant::named("chess").unwrap();
    let fen = "7k/R7/8/8/8/8/8/1R4K1 b - - 0 1";
    let position = Position::from_fen(variant, fen).unwrap();
    let mut engine = AlphaBeta::new(variant, Config::default());
    let report = engine.search(&Game::new(position), Limit::depth(4)).unwrap();
    assert_eq!(report.score.plies_to_loss(), Some(2), "{report:?}");
}

#[test]
fn a_repetition_is_taken_to_save_a_lost_game() {
    // Black has a rook and a pawn more, but White checks on e8 and h5 for ever.
    let variant = Variant::named("chess").unwrap();
    let fen = "6k1/6p1/8/7Q/8/8/qr6/7K w - - 0 1";
    let game = Game::new(Position::from_fen(variant, fen).unwrap());
    let mut engine = AlphaBeta::new(variant, Config::default());
    let report = engine.search(&game, Limit::depth(6)).unwrap();
    assert_eq!(report.score, Score::DRAW, "{report:?}");
    assert_eq!(variant.action_text(report.action), "h5e8");
}
