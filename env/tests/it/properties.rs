//! What must hold in every position of every variant.

use gryphon_env::{
    Action, ActionKind, Actor, Color, Game, Phase, Position, RunSeed, Status, Stream, Variant,
};
use proptest::prelude::*;
use rand::RngExt;

use crate::mirror::{swap_sides, swap_wings};

/// A position reached by random play.
#[derive(Clone, Debug)]
struct Reached {
    name: &'static str,
    seed: u64,
    plies: u32,
}

impl Reached {
    fn variant(&self) -> &'static Variant {
        Variant::named(self.name).unwrap()
    }

    /// Plays the random game, calling `visit` in every position; stops early where it ends.
    fn play(&self, mut visit: impl FnMut(&Position)) -> Position {
        let mut random = RunSeed(self.seed).stream(Stream::Playout(0));
        let mut position = self.variant().start();
        let mut actions = Vec::new();
        for _ in 0..self.plies {
            visit(&position);
            all_actions(&position, &mut actions);
            if actions.is_empty() {
                break;
            }
            position.play(actions[random.random_range(0..actions.len())]);
        }
        position
    }

    fn position(&self) -> Position {
        self.play(|_| {})
    }
}

fn all_actions(position: &Position, actions: &mut Vec<Action>) {
    match position.actor() {
        Actor::Player(_) => position.legal_actions(actions),
        Actor::Chance => {
            let mut outcomes = Vec::new();
            position.chance_outcomes(&mut outcomes);
            actions.clear();
            actions.extend(outcomes.iter().map(|outcome| outcome.action));
        }
    }
}

fn texts(position: &Position) -> Vec<String> {
    let mut actions = Vec::new();
    all_actions(position, &mut actions);
    let mut texts: Vec<String> =
        actions.iter().map(|&action| position.variant().action_text(action)).collect();
    texts.sort_unstable();
    texts
}

fn reached(max_plies: u32) -> impl Strategy<Value = Reached> {
    let name = proptest::sample::select(Variant::names());
    (name, any::<u64>(), 0..max_plies).prop_map(|(name, seed, plies)| Reached { name, seed, plies })
}

/// The text of `action` after both ranks or both files were mirrored.
fn mirrored_text(position: &Position, action: Action, flip_file: bool) -> String {
    let (variant, size) = (position.variant(), position.variant().size());
    let flip = |square| if flip_file { size.flip_file(square) } else { size.flip_rank(square) };
    let mirrored = match action.kind() {
        ActionKind::Move { from, to, promotion: None } => Action::new_move(flip(from), flip(to)),
        ActionKind::Move { from, to, promotion: Some(kind) } => {
            Action::new_promotion(flip(from), flip(to), kind)
        }
        ActionKind::Swap { first, second } => Action::new_swap(flip(first), flip(second)),
        ActionKind::End | ActionKind::Roll(_) => action,
    };
    variant.action_text(mirrored)
}

fn mirrored_texts(position: &Position, flip_file: bool) -> Vec<String> {
    let mut actions = Vec::new();
    all_actions(position, &mut actions);
    let mut texts: Vec<String> =
        actions.iter().map(|&action| mirrored_text(position, action, flip_file)).collect();
    texts.sort_unstable();
    texts
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn hashes_are_those_from_scratch(reached in reached(200)) {
        let mut flaws = Vec::new();
        reached.play(|position| {
            if position.key() != position.computed_key() {
                flaws.push(position.fen());
            }
        });
        prop_assert!(flaws.is_empty(), "{flaws:?}");
    }

    #[test]
    fn fens_and_actions_survive_printing(reached in reached(200)) {
        let position = reached.position();
        let fen = position.fen();
        let read = Position::from_fen(reached.variant(), &fen).unwrap();
        prop_assert_eq!(&read.fen(), &fen);
        prop_assert_eq!(read.key(), position.key());
        prop_assert_eq!(read.repetition_key(), position.repetition_key());
        prop_assert_eq!(texts(&read), texts(&position));
        let mut actions = Vec::new();
        all_actions(&position, &mut actions);
        for &action in &actions {
            let text = position.variant().action_text(action);
            prop_assert_eq!(position.parse_action(&text).unwrap(), action, "{} in {}", text, fen);
        }
        let mut unique = texts(&position);
        unique.dedup();
        prop_assert_eq!(unique.len(), actions.len());
    }

    #[test]
    fn every_listed_action_is_possible_and_leaves_kings_safe(reached in reached(200)) {
        let position = reached.position();
        let (variant, mover) = (position.variant(), position.side_to_move());
        let possible = variant.possible_moves(mover);
        let mut actions = Vec::new();
        position.legal_actions(&mut actions);
        prop_assert_eq!(position.perft(1) as usize, {
            let mut all = Vec::new();
            all_actions(&position, &mut all);
            all.len()
        });
        for &action in &actions {
            if let ActionKind::Move { from, to, promotion } = action.kind() {
                let is_possible = possible.iter().any(|one| (one.from, one.to, one.promotion) == (from, to, promotion));
                prop_assert!(is_possible, "{} in {}", variant.action_text(action), position.fen());
            }
            let mut next = position.clone();
            next.play(action);
            let kings = variant.size().squares().filter(|&square| {
                next.piece_at(square).is_some_and(|piece| piece.color == mover && variant.is_royal(piece.kind))
            });
            for king in kings {
                prop_assert!(!next.is_attacked(king, mover.opponent()), "{} in {}", variant.action_text(action), position.fen());
            }
            let n_captured = u32::from(position.captured(action).is_some());
            let count = |position: &Position| variant.kinds().map(|kind| position.count(mover.opponent(), kind)).sum::<u32>();
            prop_assert_eq!(count(&position) - n_captured, count(&next));
        }
    }

    #[test]
    fn refused_moves_are_not_legal_by_trying_them(reached in reached(120)) {
        // Any move onto an empty or enemy square that the tables name, is not listed and blocked by
        // nothing must expose a king or break a limit: leaps are never blocked, so they tell.
        let position = reached.position();
        let (variant, mover) = (position.variant(), position.side_to_move());
        prop_assume!(position.phase() == Phase::Normal && position.die().is_none() && position.outcome().is_none());
        let listed = texts(&position);
        for from in variant.size().squares() {
            let Some(piece) = position.piece_at(from).filter(|piece| piece.color == mover) else { continue };
            if variant.betza(piece.kind) != "N" || !variant.is_royal(piece.kind) && variant.limit(variant.changes_to(piece.kind)).is_some() {
                continue;
            }
            for (file, rank) in [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)] {
                let Some(to) = variant.size().offset(from, file, rank) else { continue };
                let target = position.piece_at(to);
                if target.is_some_and(|target| target.color == mover || variant.is_royal(target.kind)) {
                    continue;
                }
                let action = Action::new_move(from, to);
                let mut next = position.clone();
                next.play(action);
                let is_safe = !variant.size().squares().any(|square| {
                    next.piece_at(square).is_some_and(|unit| unit.color == mover && variant.is_royal(unit.kind))
                        && next.is_attacked(square, mover.opponent())
                });
                let is_listed = listed.contains(&variant.action_text(action));
                prop_assert_eq!(is_safe, is_listed, "{} in {}", variant.action_text(action), position.fen());
            }
        }
    }

    #[test]
    fn colors_can_be_exchanged(reached in reached(160)) {
        let position = reached.position();
        prop_assume!(position.phase() != Phase::Setup);
        let flipped = Position::from_fen(reached.variant(), &swap_sides(position.variant(), &position.fen())).unwrap();
        prop_assert_eq!(texts(&flipped), mirrored_texts(&position, false), "{}", position.fen());
        prop_assert_eq!(flipped.perft(2), position.perft(2), "{}", position.fen());
        prop_assert_eq!(flipped.is_check(), position.is_check());
        let winner = |position: &Position| position.outcome().map(|outcome| outcome.winner());
        prop_assert_eq!(winner(&flipped).map(|side| side.map(Color::opponent)), winner(&position));
    }

    #[test]
    fn left_and_right_can_be_exchanged_where_the_file_says_so(reached in reached(160)) {
        let position = reached.position();
        prop_assume!(position.variant().is_mirror_symmetric());
        let fen = position.fen();
        let mirrored = swap_wings(position.variant(), &fen);
        let mirrored = Position::from_fen(reached.variant(), &mirrored).unwrap();
        prop_assert_eq!(texts(&mirrored), mirrored_texts(&position, true), "{}", fen);
        prop_assert_eq!(mirrored.perft(2), position.perft(2), "{}", fen);
    }

    #[test]
    fn games_end_by_outcome_or_cap(reached in reached(2)) {
        let variant = reached.variant();
        let mut random = RunSeed(reached.seed).stream(Stream::Playout(1));
        let mut game = Game::new(variant.start());
        let mut actions = Vec::new();
        let cap = variant.max_plies();
        while game.status(cap) == Status::Ongoing {
            all_actions(game.position(), &mut actions);
            prop_assert!(!actions.is_empty(), "{}", game.position().fen());
            game.play(actions[random.random_range(0..actions.len())]);
        }
        let is_cut = game.status(cap) == Status::Truncated;
        prop_assert_eq!(is_cut, game.outcome().is_none());
        prop_assert!(game.actions().len() <= cap.0.get() as usize);
    }

    #[test]
    fn a_null_move_only_passes_the_turn(reached in reached(120)) {
        let position = reached.position();
        if let Some(next) = position.after_null_move() {
            prop_assert_eq!(next.side_to_move(), position.side_to_move().opponent());
            prop_assert_eq!(next.key(), next.computed_key());
            prop_assert_eq!(next.en_passant_squares().count(), 0);
            let board = |position: &Position| position.fen().split(' ').next().map(str::to_owned);
            prop_assert_eq!(board(&next), board(&position));
        } else {
            let is_turn_open = position.moved_this_turn().count() > 0 || position.phase() == Phase::Setup;
            prop_assert!(position.is_check() || is_turn_open || !position.variant().faces().is_empty());
        }
    }

    #[test]
    fn dice_filter_the_actions_of_the_game_without(seed in any::<u64>(), plies in 1u32..200) {
        let position = Reached { name: "grant-acedrex-dice", seed, plies }.position();
        let fen = position.fen();
        let (plain, _) = fen.rsplit_once(' ').unwrap();
        let without = Position::from_fen(Variant::named("grant-acedrex").unwrap(), plain).unwrap();
        prop_assert_eq!(position.outcome(), without.outcome());
        let moves_kind = |text: &str, kind| {
            let action = without.parse_action(text).unwrap();
            let ActionKind::Move { from, .. } = action.kind() else { return false };
            without.piece_at(from).is_some_and(|piece| piece.kind == kind)
        };
        let faces = position.variant().faces();
        if let Some(face) = position.die() {
            let mut expected = texts(&without);
            expected.retain(|text| moves_kind(text, faces[usize::from(face.0) - 1]));
            prop_assert_eq!(texts(&position), expected);
        } else {
            let mut outcomes = Vec::new();
            position.chance_outcomes(&mut outcomes);
            let usable: Vec<String> = (1..).zip(faces)
                .filter(|&(_, &kind)| texts(&without).iter().any(|text| moves_kind(text, kind)))
                .map(|(face, _)| format!("roll:{face}"))
                .collect();
            prop_assert_eq!(texts(&position), usable);
            let total: f32 = outcomes.iter().map(|outcome| outcome.probability).sum();
            prop_assert!(outcomes.is_empty() || (total - 1.0).abs() < 1e-5);
        }
    }
}
