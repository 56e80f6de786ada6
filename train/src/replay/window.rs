//! The newest games, and how samples are drawn from them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::num::NonZeroUsize;

use gryphon_env::{Variant, VariantHash};
use rand::{Rng, RngExt as _};

use super::{CheckedGame, GameId, GameRecord, RecordError, ReplayError, Sample};

/// How many positions the window holds, given how many were ever played (KataGo's power law,
/// Wu 2019, appendix C): `start * (1 + growth * ((n / start)^exponent - 1) / exponent)`.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct WindowRule {
    /// Positions before the window begins to grow.
    pub start: u64,
    /// Exponent of the growth, from 0 to 1.
    pub exponent: f64,
    /// Positions gained for each new one when growth begins, from 0 to 1.
    pub growth: f64,
}

impl WindowRule {
    /// Positions of the window after `total` were played.
    #[must_use]
    pub fn size(&self, total: u64) -> u64 {
        if total <= self.start {
            return self.start;
        }
        let ratio = total as f64 / self.start as f64;
        let grown = if self.exponent > 0.0 {
            (ratio.powf(self.exponent) - 1.0) / self.exponent
        } else {
            ratio.ln()
        };
        (self.start as f64 * (1.0 + self.growth * grown)) as u64
    }
}

impl From<&crate::config::ReplaySection> for WindowRule {
    fn from(config: &crate::config::ReplaySection) -> Self {
        Self {
            start: config.window_start.get(),
            exponent: config.window_exponent.get(),
            growth: config.window_growth.get(),
        }
    }
}

/// The newest games of a run: the fewest that fill [`WindowRule::size`].
///
/// What it holds depends on the games alone, not on the order in which they came.
#[derive(Clone, Debug)]
pub struct ReplayWindow {
    variant: &'static Variant,
    variant_hash: VariantHash,
    rule: WindowRule,
    games: BTreeMap<GameId, CheckedGame>,
    n_positions: u64,
    total: u64,
    /// Running sums of positions over `games`, remade after a change.
    sums: Vec<(u64, GameId)>,
}

pub(super) fn wrong_rules(record: &GameRecord, expected: VariantHash) -> ReplayError {
    let short = |hash: VariantHash| hash.0.iter().take(6).map(|b| format!("{b:02x}")).collect();
    let source =
        RecordError { field: "variant", found: short(record.variant), expected: short(expected) };
    ReplayError::Record { game: record.id, source }
}

impl ReplayWindow {
    /// An empty window.
    #[must_use]
    pub fn new(variant: &'static Variant, rule: WindowRule) -> Self {
        Self {
            variant,
            variant_hash: variant.hash(),
            rule,
            games: BTreeMap::new(),
            n_positions: 0,
            total: 0,
            sums: Vec::new(),
        }
    }

    /// Adds a game just played, and lets the oldest go that are no longer needed.
    ///
    /// # Errors
    /// If the game cannot be played by the variant's rules; it is not added then.
    pub fn push(&mut self, record: GameRecord) -> Result<(), ReplayError> {
        let n = u64::from(record.n_positions());
        if self.insert(record)? {
            self.set_total(self.total + n);
        }
        Ok(())
    }

    /// Adds a game without counting it; `false` if it was there.
    pub(super) fn insert(&mut self, record: GameRecord) -> Result<bool, ReplayError> {
        if record.variant != self.variant_hash {
            return Err(wrong_rules(&record, self.variant_hash));
        }
        if self.games.contains_key(&record.id) {
            return Ok(false);
        }
        let id = record.id;
        let game = CheckedGame::new(self.variant, record)
            .map_err(|source| ReplayError::Record { game: id, source })?;
        self.n_positions += game.searched().len() as u64;
        self.games.insert(id, game);
        self.sums.clear();
        Ok(true)
    }

    pub(super) fn set_total(&mut self, total: u64) {
        self.total = total;
        let size = self.rule.size(total);
        while let Some(oldest) = self.games.first_entry() {
            let n = oldest.get().searched().len() as u64;
            if self.n_positions - n < size {
                break;
            }
            oldest.remove();
            self.n_positions -= n;
            self.sums.clear();
        }
    }

    /// Positions that can be drawn.
    #[must_use]
    pub const fn n_positions(&self) -> u64 {
        self.n_positions
    }

    /// Positions ever played.
    #[must_use]
    pub const fn total_positions(&self) -> u64 {
        self.total
    }

    /// The games, oldest first.
    pub fn games(&self) -> impl ExactSizeIterator<Item = &CheckedGame> {
        self.games.values()
    }

    /// Draws `n` samples by game (as likely as it has positions) and then by position. A game or
    /// a position comes twice only if the window holds too few of them.
    ///
    /// # Errors
    /// If the window is empty.
    pub fn draw(
        &mut self,
        rng: &mut impl Rng,
        n: NonZeroUsize,
    ) -> Result<Vec<Sample>, ReplayError> {
        if self.n_positions == 0 {
            return Err(ReplayError::EmptyWindow);
        }
        let picks = self.pick(rng, n.get());
        let mut samples: Vec<Option<Sample>> = Vec::new();
        samples.resize_with(picks.len(), || None);
        for (id, mut wanted) in by_game(&picks) {
            wanted.sort_unstable();
            let plies: Vec<u32> = wanted.iter().map(|&(ply, _)| ply).collect();
            for ((_, slot), sample) in wanted.into_iter().zip(self.games[&id].samples(&plies)) {
                samples[slot] = Some(sample);
            }
        }
        Ok(samples.into_iter().flatten().collect())
    }

    fn sum_up(&mut self) {
        let mut sum = 0;
        for (&id, game) in &self.games {
            if !game.searched().is_empty() {
                sum += game.searched().len() as u64;
                self.sums.push((sum, id));
            }
        }
    }

    /// Games and plies of a batch; the window must not be empty.
    fn pick(&mut self, rng: &mut impl Rng, n: usize) -> Vec<(GameId, u32)> {
        if self.sums.is_empty() {
            self.sum_up();
        }
        let per_game = (2 * n).div_ceil(self.sums.len());
        let mut of_game: HashMap<GameId, usize> = HashMap::new();
        let mut taken = HashSet::new();
        let mut picks = Vec::with_capacity(n);
        let mut refusals_left = 16 * n;
        while picks.len() < n {
            let position = rng.random_range(0..self.n_positions);
            let i = self.sums.partition_point(|&(sum, _)| sum <= position);
            let (sum, id) = self.sums[i];
            let plies = self.games[&id].searched();
            let ply = plies[plies.len() - (sum - position) as usize];
            let count = of_game.entry(id).or_default();
            let is_crowded = *count >= per_game || taken.contains(&(id, ply));
            if is_crowded && refusals_left > 0 {
                refusals_left -= 1;
                continue;
            }
            *count += 1;
            taken.insert((id, ply));
            picks.push((id, ply));
        }
        picks
    }
}

/// The picks of each game, as ply and place in the batch.
fn by_game(picks: &[(GameId, u32)]) -> BTreeMap<GameId, Vec<(u32, usize)>> {
    let mut games: BTreeMap<GameId, Vec<(u32, usize)>> = BTreeMap::new();
    for (slot, &(id, ply)) in picks.iter().enumerate() {
        games.entry(id).or_default().push((ply, slot));
    }
    games
}

#[cfg(test)]
mod tests;
