//! What units are worth, measured from the moves the variant gives them.

use gryphon_env::{
    Action, ActionKind, Actor, ChanceOutcome, Color, Piece, PieceKind, Position, RunSeed, Square,
    Stream, Variant,
};
use rand::RngExt;

/// Boards on which each kind's mobility is measured.
const N_SAMPLES: u64 = 48;
/// Share of the squares that are occupied on them, in percent.
const OCCUPIED_PERCENT: u32 = 30;
/// Part of what a promoted unit gains that its pawn is worth at once, in percent.
const PROMOTION_PERCENT: i32 = 6;
/// Part of a unit's worth that is what it changes to when it moves, in percent.
const CHANGE_PERCENT: i32 = 25;
/// Worth of a royal unit. Where pieces become kings, each further one is one more to be mated.
const ROYAL_WORTH: i32 = -80;
/// Mobility on a board with [`OCCUPIED_PERCENT`] over mobility on an empty one, for kinds whose
/// mobility cannot be measured.
const CROWDING: f32 = 0.6;

/// What each kind is worth in a variant, in hundredths of a pawn.
///
/// A unit with `m` moves on a moderately filled board is worth `60 m + 1.5 m²` (which gives the
/// orthodox pieces about their usual ratios), plus a part of what it may become.
#[derive(Clone, Debug, PartialEq)]
pub struct PieceWorth {
    kinds: Vec<KindWorth>,
}

#[derive(Copy, Clone, Debug, PartialEq)]
struct KindWorth {
    worth: i32,
    mobility: f32,
    promotes: bool,
    is_royal: bool,
}

/// What the sample boards show of one kind.
#[derive(Clone, Debug, Default)]
struct Sampled {
    units: u32,
    moves: u32,
    promotions: Vec<PieceKind>,
}

impl PieceWorth {
    /// Measures the kinds of `variant`.
    #[must_use]
    pub fn measure(variant: &'static Variant) -> Self {
        let sampled: Vec<Sampled> = variant.kinds().map(|kind| sample(variant, kind)).collect();
        let mobilities: Vec<f32> = variant
            .kinds()
            .zip(&sampled)
            .map(|(kind, sampled)| match sampled.units {
                0 => CROWDING * variant.empty_board_mobility(kind, Color::White),
                units => sampled.moves as f32 / units as f32,
            })
            .collect();
        let plain = |kind: PieceKind| match variant.is_royal(kind) {
            true => ROYAL_WORTH,
            false => {
                let mobility = mobilities[kind.index()];
                (60.0 * mobility + 1.5 * mobility * mobility).round() as i32
            }
        };
        let kinds = variant
            .kinds()
            .zip(&sampled)
            .map(|(kind, sampled)| KindWorth {
                worth: grown(variant, kind, &sampled.promotions, plain),
                mobility: mobilities[kind.index()],
                promotes: !sampled.promotions.is_empty(),
                is_royal: variant.is_royal(kind),
            })
            .collect();
        Self { kinds }
    }

    /// Worth of a unit of `kind`.
    #[must_use]
    pub fn of(&self, kind: PieceKind) -> i32 {
        self.kinds[kind.index()].worth
    }

    /// What taking `piece` gains; nothing for royal units, which are never taken.
    #[must_use]
    pub fn of_captured(&self, piece: Piece) -> i32 {
        self.of(piece.kind).max(0)
    }

    /// Moves of a unit of `kind` on a board with 30 % of its squares occupied, on average.
    #[must_use]
    pub fn mobility(&self, kind: PieceKind) -> f32 {
        self.kinds[kind.index()].mobility
    }

    /// Whether units of `kind` promote by reaching the far side.
    #[must_use]
    pub fn promotes(&self, kind: PieceKind) -> bool {
        self.kinds[kind.index()].promotes
    }

    /// Whether check and mate are about `kind`.
    #[must_use]
    pub fn is_royal(&self, kind: PieceKind) -> bool {
        self.kinds[kind.index()].is_royal
    }

    /// By how much `action` changes the worth of the mover's own unit: promotion and change on
    /// moving, without what is taken.
    #[must_use]
    pub fn own_change(&self, position: &Position, action: Action) -> i32 {
        let ActionKind::Move { from, promotion, .. } = action.kind() else { return 0 };
        let Some(piece) = position.piece_at(from) else { return 0 };
        let next = promotion.unwrap_or_else(|| position.variant().changes_to(piece.kind));
        self.of(next) - self.of(piece.kind)
    }
}

/// `kind`'s own worth with a part of what it promotes or changes to.
fn grown(
    variant: &Variant,
    kind: PieceKind,
    promotions: &[PieceKind],
    plain: impl Fn(PieceKind) -> i32,
) -> i32 {
    let own = plain(kind);
    if variant.is_royal(kind) {
        return own;
    }
    if let Some(best) = promotions.iter().map(|&kind| plain(kind)).max() {
        return own + (best - own).max(0) * PROMOTION_PERCENT / 100;
    }
    let next = plain(variant.changes_to(kind));
    own + (next - own) * CHANGE_PERCENT / 100
}

/// Counts moves of `kind` on boards filled at random with units of this one kind, without kings.
fn sample(variant: &'static Variant, kind: PieceKind) -> Sampled {
    let mut sampled = Sampled::default();
    let mut positions = Vec::new();
    for number in 0..N_SAMPLES {
        if let Some(position) = filled(variant, kind, number) {
            after_rolls(position, &mut positions);
        }
    }
    let mut legal = Vec::new();
    for position in &positions {
        sampled.units += position.count(position.side_to_move(), kind);
        position.legal_actions(&mut legal);
        count_moves(&legal, &mut sampled);
    }
    sampled
}

/// The board for `number`, with as few ranks left empty at both ends as the variant accepts.
fn filled(variant: &'static Variant, kind: PieceKind, number: u64) -> Option<Position> {
    let ranks = variant.size().ranks();
    (0..ranks / 3).find_map(|margin| {
        let fen = filled_fen(variant, kind, number, margin);
        Position::from_fen_without_kings(variant, &fen).ok()
    })
}

fn filled_fen(variant: &'static Variant, kind: PieceKind, number: u64, margin: u8) -> String {
    let mut rng = RunSeed(0).stream(Stream::Playout(number));
    let size = variant.size();
    let letter = variant.letter(kind);
    let mut board = String::new();
    for rank in (0..size.ranks()).rev() {
        let is_margin = rank < margin || rank >= size.ranks() - margin;
        let mut empty = 0;
        for _ in 0..size.files() {
            let is_white = rng.random_bool(0.5);
            if is_margin || !rng.random_ratio(OCCUPIED_PERCENT, 100) {
                empty += 1;
                continue;
            }
            push_run(&mut board, &mut empty);
            board.push(if is_white { letter } else { letter.to_ascii_lowercase() });
        }
        push_run(&mut board, &mut empty);
        if rank > 0 {
            board.push('/');
        }
    }
    let has_extra = variant.start().fen().split(' ').count() > 6;
    format!("{board} w - - 0 99{}", if has_extra { " -" } else { "" })
}

fn push_run(board: &mut String, empty: &mut u32) {
    if *empty > 0 {
        board.push_str(&empty.to_string());
        *empty = 0;
    }
}

/// Adds `position`, or what it becomes after each roll if the die acts first.
fn after_rolls(position: Position, positions: &mut Vec<Position>) {
    if position.actor() != Actor::Chance {
        positions.push(position);
        return;
    }
    let mut outcomes: Vec<ChanceOutcome> = Vec::new();
    position.chance_outcomes(&mut outcomes);
    for outcome in outcomes {
        let mut rolled = position.clone();
        rolled.play(outcome.action);
        positions.push(rolled);
    }
}

/// Counts the distinct ways from square to square, and the kinds that promotions lead to.
fn count_moves(legal: &[Action], sampled: &mut Sampled) {
    let mut ways: Vec<(Square, Square)> = Vec::with_capacity(legal.len());
    for action in legal {
        let ActionKind::Move { from, to, promotion } = action.kind() else { continue };
        ways.push((from, to));
        if let Some(kind) = promotion
            && !sampled.promotions.contains(&kind)
        {
            sampled.promotions.push(kind);
        }
    }
    ways.sort_unstable();
    ways.dedup();
    sampled.moves += ways.len() as u32;
}
