//! What follows the last ply: captures and promotions until the position is calm.

use gryphon_env::{Action, Position};

use crate::limit::Selectivity;
use crate::node::{NullMove, Place, Searcher, Window};
use crate::ordering::{self, Class};
use crate::score::{Ply, Score};

/// What an action may gain beyond the material it takes, in hundredths of a pawn.
const MARGIN: i32 = 150;

impl Searcher<'_> {
    /// The score of `position` once captures and promotions are played out. A side in check answers
    /// with any action, since it cannot stand still.
    pub(crate) fn quiesce(
        &mut self,
        position: &Position,
        place: Place,
        window: Window,
        in_check: bool,
    ) -> Score {
        let stand = (!in_check).then(|| self.evaluation.score(position));
        if let Some(stand) = stand
            && stand >= window.beta
        {
            return stand;
        }
        let ply = place.ply;
        let mut legal = std::mem::take(&mut self.scratch[ply].legal);
        position.legal_actions(&mut legal);
        let score = if legal.is_empty() {
            Self::terminal(position, ply)
        } else {
            self.rank_quiescent(position, &legal, ply, in_check);
            self.play_out(position, place, window, stand)
        };
        self.scratch[ply].legal = legal;
        score
    }

    fn rank_quiescent(&mut self, position: &Position, legal: &[Action], ply: Ply, in_check: bool) {
        let worth = self.evaluation.worth();
        let candidates = &mut self.scratch[ply].candidates;
        if in_check {
            let no_killers = [None, None];
            ordering::rank(worth, self.history, position, legal, None, no_killers, candidates);
        } else {
            ordering::rank_tactical(worth, position, legal, candidates);
        }
    }

    /// Tries the ranked actions; `stand` is the score of standing still, `None` in check.
    fn play_out(
        &mut self,
        position: &Position,
        place: Place,
        window: Window,
        stand: Option<Score>,
    ) -> Score {
        let ply = place.ply;
        let mut candidates = std::mem::take(&mut self.scratch[ply].candidates);
        let below = Place { depth: place.depth - 1, ply: ply + 1, null_move: NullMove::Forbidden };
        let mut best = stand.unwrap_or(Score::INFINITE.flipped());
        let mut alpha = window.alpha.max(best);
        self.past.push(position);
        for idx in 0..candidates.len() {
            let candidate = ordering::pick(&mut candidates, idx);
            if let Some(hopeless) = self.hopeless(candidate.class, stand, alpha) {
                best = best.max(hopeless);
                continue;
            }
            let mut next = position.clone();
            next.play(candidate.action);
            let inner = Window { alpha, beta: window.beta };
            let score = self.child(position.side_to_move(), &next, below, inner);
            if self.stopped {
                break;
            }
            best = best.max(score);
            alpha = alpha.max(best);
            if alpha >= window.beta {
                break;
            }
        }
        self.past.pop();
        self.scratch[ply].candidates = candidates;
        best
    }

    /// A bound at or below `alpha` for an action that loses material or cannot gain enough.
    fn hopeless(&self, class: Class, stand: Option<Score>, alpha: Score) -> Option<Score> {
        let Class::Tactical { gain, loses } = class else { return None };
        let stand = stand?;
        if self.selectivity == Selectivity::Exact {
            return None;
        }
        if loses {
            return Some(stand);
        }
        let reach = stand.shifted(gain + MARGIN);
        (reach <= alpha && !alpha.is_forced()).then_some(reach)
    }
}
