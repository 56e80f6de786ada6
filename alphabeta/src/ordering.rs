//! Which actions to try first.

use gryphon_env::{Action, ActionKind, Position, Variant};

use crate::PieceWorth;

/// An action with what ordering needs to know about it.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) action: Action,
    pub(crate) class: Class,
    /// Higher is earlier.
    pub(crate) rank: i32,
}

/// What an action does to the material.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) enum Class {
    /// Nothing is taken and nothing promotes; `change` is what moving does to the unit's worth.
    Quiet { change: i32 },
    /// A capture or promotion with this gain, after the likely recapture if that loses material.
    Tactical { gain: i32, loses: bool },
}

impl Class {
    pub(crate) const fn is_quiet(self) -> bool {
        matches!(self, Self::Quiet { .. })
    }
}

const TABLE_RANK: i32 = 1 << 30;
const TACTICAL_RANK: i32 = 1 << 24;
const KILLER_RANK: i32 = 1 << 22;
const LOSING_RANK: i32 = -(1 << 24);
const HISTORY_LIMIT: i32 = 1 << 14;

/// Two quiet actions that cut at a ply before.
pub(crate) type Killers = [Option<Action>; 2];

/// How well quiet actions did so far, by side, kind and target square.
pub(crate) struct History {
    scores: Vec<i32>,
    n_kinds: usize,
    n_squares: usize,
}

impl History {
    pub(crate) fn new(variant: &Variant) -> Self {
        let (n_kinds, n_squares) = (variant.kinds().len(), variant.size().n_squares());
        Self { scores: vec![0; 2 * n_kinds * n_squares], n_kinds, n_squares }
    }

    pub(crate) fn clear(&mut self) {
        self.scores.fill(0);
    }

    fn slot(&self, position: &Position, action: Action) -> Option<usize> {
        let ActionKind::Move { from, to, .. } = action.kind() else { return None };
        let piece = position.piece_at(from)?;
        let side = piece.color.index() * self.n_kinds + piece.kind.index();
        Some(side * self.n_squares + to.index())
    }

    fn get(&self, position: &Position, action: Action) -> i32 {
        self.slot(position, action).map_or(0, |slot| self.scores[slot])
    }

    /// Moves the score towards ±[`HISTORY_LIMIT`] by a share of what is left.
    pub(crate) fn reward(&mut self, position: &Position, action: Action, bonus: i32) {
        if let Some(slot) = self.slot(position, action) {
            let score = &mut self.scores[slot];
            *score += bonus - *score * bonus.abs() / HISTORY_LIMIT;
        }
    }
}

/// Classes an action by what it gains.
pub(crate) fn classify(worth: &PieceWorth, position: &Position, action: Action) -> Class {
    let ActionKind::Move { from, to, promotion } = action.kind() else {
        return Class::Quiet { change: 0 };
    };
    let captured = position.captured(action);
    let own_change = worth.own_change(position, action);
    if captured.is_none() && promotion.is_none() {
        return Class::Quiet { change: own_change };
    }
    let gain = captured.map_or(0, |piece| worth.of_captured(piece)) + own_change;
    let mover = position.side_to_move();
    let own = position.piece_at(from).map_or(0, |piece| worth.of(piece.kind)) + own_change;
    let loses = own > gain && position.is_attacked(to, mover.opponent());
    Class::Tactical { gain: if loses { gain - own } else { gain }, loses }
}

/// Ranks all of `legal` into `candidates`.
pub(crate) fn rank(
    worth: &PieceWorth,
    history: &History,
    position: &Position,
    legal: &[Action],
    table: Option<Action>,
    killers: Killers,
    candidates: &mut Vec<Candidate>,
) {
    candidates.clear();
    candidates.extend(legal.iter().map(|&action| {
        let class = classify(worth, position, action);
        let rank = if table == Some(action) {
            TABLE_RANK
        } else {
            match class {
                Class::Tactical { gain, loses: false } => TACTICAL_RANK + 16 * gain,
                Class::Tactical { gain, loses: true } => LOSING_RANK + gain,
                Class::Quiet { .. } if killers[0] == Some(action) => KILLER_RANK + 1,
                Class::Quiet { .. } if killers[1] == Some(action) => KILLER_RANK,
                Class::Quiet { change } => history.get(position, action) + 4 * change,
            }
        };
        Candidate { action, class, rank }
    }));
}

/// Ranks the captures and promotions among `legal` into `candidates`.
pub(crate) fn rank_tactical(
    worth: &PieceWorth,
    position: &Position,
    legal: &[Action],
    candidates: &mut Vec<Candidate>,
) {
    candidates.clear();
    candidates.extend(legal.iter().filter_map(|&action| match classify(worth, position, action) {
        class @ Class::Tactical { gain, .. } => Some(Candidate { action, class, rank: gain }),
        Class::Quiet { .. } => None,
    }));
}

/// Brings the best of `candidates[idx..]` to `idx` and returns it; the first of equals wins.
pub(crate) fn pick(candidates: &mut [Candidate], idx: usize) -> Candidate {
    let mut best = idx;
    for other in idx + 1..candidates.len() {
        if candidates[other].rank > candidates[best].rank {
            best = other;
        }
    }
    candidates.swap(idx, best);
    candidates[idx]
}
