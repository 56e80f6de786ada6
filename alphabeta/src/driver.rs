//! Iterative deepening from the root.

use gryphon_env::{Action, Actor, Game, Variant};

use crate::evaluation::Evaluation;
use crate::limit::{Config, Limit};
use crate::node::{NullMove, Place, Scratch, Searcher, Window};
use crate::ordering::History;
use crate::past::Past;
use crate::score::{MAX_PLY, Score};
use crate::table::Table;

/// The deepest iteration of a search limited by nodes.
const MAX_DEPTH: u8 = 64;
/// Half the first aspiration window, in hundredths of a pawn.
const ASPIRATION: i32 = 30;

/// What a search found.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SearchReport {
    /// The action to play.
    pub action: Action,
    /// Its score, seen by the side that plays it.
    pub score: Score,
    /// The deepest iteration that was completed; 0 if none was.
    pub depth: u8,
    /// Positions visited, the root's own visits included.
    pub nodes: u64,
    /// The expected line, `action` first; it ends where the die acts.
    pub pv: Vec<Action>,
}

/// The engine: tables and buffers that are reused from search to search. No search depends on an
/// earlier one.
pub struct AlphaBeta {
    variant: &'static Variant,
    config: Config,
    evaluation: Evaluation,
    table: Table,
    table_bytes: usize,
    history: History,
    scratch: Vec<Scratch>,
}

impl AlphaBeta {
    /// An engine for games of `variant`.
    #[must_use]
    pub fn new(variant: &'static Variant, config: Config) -> Self {
        Self {
            variant,
            config,
            evaluation: Evaluation::new(variant),
            table: Table::new(0),
            table_bytes: 0,
            history: History::new(variant),
            scratch: std::iter::repeat_with(Scratch::default).take(MAX_PLY + 2).collect(),
        }
    }

    /// The variant it plays.
    #[must_use]
    pub const fn variant(&self) -> &'static Variant {
        self.variant
    }

    /// The static evaluation it uses.
    #[must_use]
    pub const fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// Searches `game`'s current position; `None` if the game is over or the die acts.
    ///
    /// # Panics
    /// If `game` is of another variant.
    pub fn search(&mut self, game: &Game, limit: Limit) -> Option<SearchReport> {
        let position = game.position();
        assert!(
            std::ptr::eq(position.variant(), self.variant),
            "an engine searches games of its own variant"
        );
        if game.outcome().is_some() || position.actor() == Actor::Chance {
            return None;
        }
        let mut legal = Vec::new();
        position.legal_actions(&mut legal);
        let fallback = *legal.first()?;
        self.prepare(limit);
        let node_limit = match limit {
            Limit::Nodes(count) => Some(count.get()),
            Limit::Depth(_) => None,
        };
        let mut searcher = Searcher {
            evaluation: &self.evaluation,
            table: &mut self.table,
            history: &mut self.history,
            scratch: &mut self.scratch,
            past: Past::new(game),
            selectivity: self.config.selectivity,
            node_limit,
            nodes: 0,
            stopped: false,
            root_depth: 0,
            root_action: None,
        };
        let report = SearchReport {
            action: fallback,
            score: Score::DRAW,
            depth: 0,
            nodes: 0,
            pv: vec![fallback],
        };
        Some(searcher.deepen(game, limit, report))
    }

    /// Forgets earlier searches and sizes the table for `limit`.
    fn prepare(&mut self, limit: Limit) {
        let useful = match limit {
            Limit::Nodes(count) => count.get().saturating_mul(32).max(1 << 12),
            Limit::Depth(_) => u64::MAX,
        };
        let bytes = usize::try_from(useful).unwrap_or(usize::MAX).min(self.config.table_bytes);
        if bytes == self.table_bytes {
            self.table.clear();
        } else {
            self.table = Table::new(bytes);
            self.table.clear();
            self.table_bytes = bytes;
        }
        self.history.clear();
        for scratch in &mut self.scratch {
            scratch.forget();
        }
    }
}

impl Searcher<'_> {
    fn deepen(&mut self, game: &Game, limit: Limit, mut report: SearchReport) -> SearchReport {
        let last = match limit {
            Limit::Depth(depth) => depth.get().min(MAX_DEPTH),
            Limit::Nodes(_) => MAX_DEPTH,
        };
        for depth in 1..=last {
            let score = self.iterate(game, depth, report.score);
            let pv = &self.scratch[0].pv;
            if let Some(&action) = pv.first() {
                report.action = action;
                report.pv.clone_from(pv);
                self.root_action = Some(action);
            }
            if self.stopped {
                break;
            }
            report.score = score;
            report.depth = depth;
            if is_settled(score, depth) {
                break;
            }
        }
        report.nodes = self.nodes;
        report
    }

    /// One iteration, with a window around the last one's score that widens until it holds.
    fn iterate(&mut self, game: &Game, depth: u8, guess: Score) -> Score {
        self.root_depth = i32::from(depth);
        let place = Place { depth: self.root_depth, ply: 0, null_move: NullMove::Forbidden };
        let mut margin = if depth < 4 || guess.is_forced() { None } else { Some(ASPIRATION) };
        loop {
            let window = match margin {
                Some(margin) => {
                    Window { alpha: guess.shifted(-margin), beta: guess.shifted(margin) }
                }
                None => Window::FULL,
            };
            let score = self.visit(game.position(), place, window);
            let inside = score > window.alpha && score < window.beta;
            if self.stopped || inside || margin.is_none() {
                return score;
            }
            margin = margin.map(|margin| margin * 4).filter(|&margin| margin < 1_000);
        }
    }
}

/// Whether a forced result is found that no deeper iteration can hasten.
fn is_settled(score: Score, depth: u8) -> bool {
    let plies = score.plies_to_win().or(score.plies_to_loss());
    plies.is_some_and(|plies| plies <= u32::from(depth))
}
