//! The Gumbel root: actions sampled without replacement, sequential halving among them
//! (Danihelka et al. 2022, section 3).
//!
//! Differences from the paper, each because the budget is small:
//! - What is left of the budget is shared among the rounds that are left, so that every round is
//!   reached and exactly the budget is spent, for any budget and any number of actions.
//! - Actions proven useless drop out at once; if all of them do, the next by noise and logit enters.
//! - Visits kept from an earlier search count for values, not for the schedule.
//! - With several leaves in flight, halving waits until all of them are back.

use gryphon_env::Color;
use rand::distr::Distribution;
use rand_chacha::ChaCha8Rng;

use crate::GumbelConfig;
use crate::improved::Completion;
use crate::tree::{Edge, EdgeIndex, NodeId, Tree};

/// The state of sequential halving at one root.
#[derive(Debug)]
pub(crate) struct GumbelRoot {
    config: GumbelConfig,
    mover: Color,
    /// Noise plus logit, one an edge.
    noisy_logits: Vec<f32>,
    /// Visits kept from an earlier search, one an edge.
    kept_visits: Vec<u32>,
    /// Offsets of the edges still considered, best first.
    survivors: Vec<u16>,
    /// The survivor whose turn is next in this pass.
    cursor: usize,
    /// Passes over the survivors before the next halving, this one included.
    passes_left: u32,
    /// Rounds, this one included; the last takes all that is left.
    rounds_left: u32,
}

impl GumbelRoot {
    /// Draws the noise and the actions considered, for a root just expanded or kept.
    pub(crate) fn new(
        tree: &Tree,
        mover: Color,
        config: GumbelConfig,
        simulations: u32,
        rng: &mut ChaCha8Rng,
    ) -> Self {
        let noisy_logits: Vec<f32> = tree
            .edges_of(NodeId::ROOT)
            .map(|edge| edge.prior.max(f32::MIN_POSITIVE).ln() + noise(config.noise_scale, rng))
            .collect();
        let kept_visits = tree.edges_of(NodeId::ROOT).map(|edge| visits(tree, edge)).collect();
        let mut survivors: Vec<u16> = (0..noisy_logits.len() as u16).collect();
        survivors.sort_by(|&a, &b| {
            noisy_logits[usize::from(b)].total_cmp(&noisy_logits[usize::from(a)])
        });
        let considered = config.considered.get().min(simulations.max(1)) as usize;
        survivors.truncate(considered);
        let mut root = Self {
            config,
            mover,
            noisy_logits,
            kept_visits,
            rounds_left: rounds(survivors.len()),
            survivors,
            cursor: 0,
            passes_left: 0,
        };
        root.plan_round(simulations);
        root
    }

    /// The next edge to simulate, with `left` simulations to begin, this one included. The root must
    /// not be proven. `None` if it depends on simulations that are still in flight.
    pub(crate) fn next(&mut self, tree: &Tree, left: u32) -> Option<EdgeIndex> {
        loop {
            while let Some(&offset) = self.survivors.get(self.cursor) {
                self.cursor += 1;
                if !self.is_useless(tree, usize::from(offset)) {
                    return Some(tree.node(NodeId::ROOT).edges.edge(usize::from(offset)));
                }
            }
            if self.passes_left <= 1 && tree.node(NodeId::ROOT).in_flight > 0 {
                return None;
            }
            self.start_pass(tree, left);
        }
    }

    /// Takes the last answer of [`GumbelRoot::next`] back: its simulation did not run. Every action of a
    /// pass gets its turn, or visits would not compare equal effort.
    pub(crate) const fn take_back(&mut self) {
        self.cursor -= 1;
    }

    /// The offset of the chosen edge: among those most visited in this search, the best by noise,
    /// logit and value.
    pub(crate) fn winner(&self, tree: &Tree) -> usize {
        let completion = self.completion(tree);
        let mut best: Option<(usize, (u32, f32))> = None;
        for (offset, edge) in tree.edges_of(NodeId::ROOT).enumerate() {
            let new_visits = visits(tree, edge) - self.kept_visits[offset];
            let rank = (new_visits, self.score(tree, &completion, offset));
            if best.is_none_or(|(_, other)| rank > other) && !self.is_useless(tree, offset) {
                best = Some((offset, rank));
            }
        }
        best.map_or(0, |(offset, _)| offset)
    }

    /// Goes over the survivors once more, or halves them first.
    fn start_pass(&mut self, tree: &Tree, left: u32) {
        self.cursor = 0;
        let mut survivors = std::mem::take(&mut self.survivors);
        survivors.retain(|&offset| !self.is_useless(tree, usize::from(offset)));
        let completion = self.completion(tree);
        let score = |&offset: &u16| self.score(tree, &completion, usize::from(offset));
        survivors.sort_by(|a, b| score(b).total_cmp(&score(a)));
        if survivors.is_empty() {
            let all = 0..self.noisy_logits.len() as u16;
            let useful = all.filter(|&offset| !self.is_useless(tree, usize::from(offset)));
            survivors.extend(useful.max_by(|a, b| score(a).total_cmp(&score(b))));
            debug_assert!(!survivors.is_empty(), "a root without useful actions is proven");
        }
        self.survivors = survivors;
        self.passes_left = self.passes_left.saturating_sub(1);
        if self.passes_left == 0 {
            let half = (self.survivors.len() / 2).max(2);
            self.survivors.truncate(half);
            self.rounds_left = rounds(half);
            self.plan_round(left);
        }
    }

    /// Shares `left` simulations among the rounds left.
    fn plan_round(&mut self, left: u32) {
        let per_round = left / self.rounds_left;
        self.passes_left = if self.rounds_left == 1 {
            u32::MAX
        } else {
            (per_round / self.survivors.len() as u32).max(1)
        };
    }

    fn is_useless(&self, tree: &Tree, offset: usize) -> bool {
        let root = tree.node(NodeId::ROOT);
        tree.child(root.edges.edge(offset)).is_some_and(|child| {
            let bounds = tree.node(child).bounds.to_mover(self.mover);
            bounds.is_useless_in(root.bounds.to_mover(self.mover))
        })
    }

    fn completion(&self, tree: &Tree) -> Completion {
        Completion::of(tree, NodeId::ROOT, self.mover, &self.config)
    }

    fn score(&self, tree: &Tree, completion: &Completion, offset: usize) -> f32 {
        let edge = tree.edge(tree.node(NodeId::ROOT).edges.edge(offset));
        self.noisy_logits[offset] + completion.sigma * completion.q(tree, edge, self.mover)
    }
}

fn visits(tree: &Tree, edge: Edge) -> u32 {
    edge.child.map_or(0, |child| tree.node(child).visits)
}

/// Number of rounds until two actions are left, the round with two included.
fn rounds(n_actions: usize) -> u32 {
    if n_actions <= 2 { 1 } else { 1 + rounds((n_actions / 2).max(2)) }
}

fn noise(scale: f32, rng: &mut ChaCha8Rng) -> f32 {
    match rand_distr::Gumbel::new(0.0, scale) {
        Ok(gumbel) if scale > 0.0 => gumbel.sample(rng),
        _ => 0.0,
    }
}
