//! The improved policy, cut to its most probable actions.

use gryphon_env::ActionIndex;

/// Actions whose probability is kept one by one; what the others have is kept as one sum. Twenty
/// entries of four bytes keep an action of a game under 100 bytes.
pub const TOP_ACTIONS: usize = 20;

/// Whole of a policy, in stored steps.
const WHOLE: u32 = u16::MAX as u32;

/// One action's probability.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct PolicyEntry {
    /// The action, as the mover sees it.
    pub index: ActionIndex,
    /// Its probability in steps of 1/65535, at least one step.
    pub steps: u16,
}

impl PolicyEntry {
    /// The probability.
    #[must_use]
    pub fn probability(self) -> f32 {
        f32::from(self.steps) / WHOLE as f32
    }
}

/// A policy over the legal actions of a position: at most [`TOP_ACTIONS`] entries, sorted by index,
/// and the rest, which the other legal actions share equally.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SparsePolicy {
    entries: Box<[PolicyEntry]>,
}

impl SparsePolicy {
    /// Cuts and rounds `probabilities`, one for each legal action. They need not sum to 1; those
    /// that are not finite or not positive count as 0. Equal ones are cut by index, higher first.
    #[must_use]
    pub fn new(probabilities: &[(ActionIndex, f32)]) -> Self {
        let clean = |p: f32| if p.is_finite() { f64::from(p.max(0.0)) } else { 0.0 };
        let total: f64 = probabilities.iter().map(|&(_, p)| clean(p)).sum();
        let mut sorted: Vec<(ActionIndex, f64)> =
            probabilities.iter().map(|&(index, p)| (index, clean(p))).collect();
        sorted.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let is_cut = sorted.len() > TOP_ACTIONS;
        sorted.truncate(TOP_ACTIONS);
        let mut entries = Vec::with_capacity(sorted.len());
        let mut left = WHOLE;
        for (index, p) in sorted {
            let steps = ((p / total * f64::from(WHOLE)).round() as u32).min(left);
            if let Ok(steps @ 1..) = u16::try_from(steps) {
                left -= u32::from(steps);
                entries.push(PolicyEntry { index, steps });
            }
        }
        if let (false, Some(first)) = (is_cut, entries.first_mut()) {
            // Nothing was cut, so the rest is only what rounding left.
            first.steps = u16::try_from(u32::from(first.steps) + left).unwrap_or(u16::MAX);
        }
        entries.sort_by_key(|entry| entry.index);
        Self { entries: entries.into() }
    }

    /// Entries as stored; `None` unless they are sorted, distinct, at most [`TOP_ACTIONS`], of at
    /// least one step each and of at most the whole together.
    #[must_use]
    pub fn from_entries(entries: Vec<PolicyEntry>) -> Option<Self> {
        let is_sorted = entries.is_sorted_by(|a, b| a.index < b.index);
        let all_positive = entries.iter().all(|entry| entry.steps > 0);
        let sum: u32 = entries.iter().map(|entry| u32::from(entry.steps)).sum();
        let is_valid = is_sorted && all_positive && sum <= WHOLE && entries.len() <= TOP_ACTIONS;
        is_valid.then(|| Self { entries: entries.into() })
    }

    /// The entries, sorted by index.
    #[must_use]
    pub fn entries(&self) -> &[PolicyEntry] {
        &self.entries
    }

    /// The probability that the actions without an entry share.
    #[must_use]
    pub fn rest(&self) -> f32 {
        let sum: u32 = self.entries.iter().map(|entry| u32::from(entry.steps)).sum();
        (WHOLE - sum) as f32 / WHOLE as f32
    }

    /// Whether every entry is about one of the actions with these indices.
    #[must_use]
    pub fn is_over(&self, legal: &[ActionIndex]) -> bool {
        let n_found = legal.iter().filter(|&&index| self.entry(index).is_some()).count();
        n_found == self.entries.len()
    }

    /// Probabilities of the legal actions with these indices, in their order; they sum to 1.
    /// `None` if an entry is not among them.
    #[must_use]
    pub fn over(&self, legal: &[ActionIndex]) -> Option<Vec<f32>> {
        if !self.is_over(legal) {
            return None;
        }
        let share = self.rest() / (legal.len() - self.entries.len()).max(1) as f32;
        let probability =
            |&index: &ActionIndex| self.entry(index).map_or(share, PolicyEntry::probability);
        let mut probabilities: Vec<f32> = legal.iter().map(probability).collect();
        let sum: f32 = probabilities.iter().sum();
        if sum > 0.0 {
            probabilities.iter_mut().for_each(|p| *p /= sum);
        }
        Some(probabilities)
    }

    fn entry(&self, index: ActionIndex) -> Option<PolicyEntry> {
        let at = self.entries.binary_search_by_key(&index, |entry| entry.index);
        at.ok().map(|at| self.entries[at])
    }
}
