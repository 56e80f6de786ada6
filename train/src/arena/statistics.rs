//! What the results of paired games say about strength.
//!
//! The unit is the pair, since its two games share an opening. The score of a pair for the first
//! contestant is 0, ¼, ½, ¾ or 1. To the pairs played, half a pair lost and half a pair won are
//! added: Jeffreys' prior for a proportion, which keeps every figure finite. With these weights of
//! the five results (a Dirichlet distribution) the expected score has a known posterior mean and
//! variance; a beta distribution with the same two gives quantiles inside `[0, 1]`.

use serde::Serialize;
use statrs::distribution::{Beta, ContinuousCDF};

/// Prior weights of the five results of a pair.
const PRIOR: [f64; 5] = [0.5, 0.0, 0.0, 0.0, 0.5];
/// Scores closer to 0 or 1 than this are taken as this, so that ratings stay finite (±3600).
const EDGE: f64 = 1e-9;
/// Share of the interval.
const CONFIDENCE: f64 = 0.95;

/// How many pairs brought the first contestant 0, ½, 1, 1½ and 2 points.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Pentanomial(pub [u64; 5]);

/// A rating difference, in Elo points: 400 points are odds of ten to one.
#[derive(Copy, Clone, Debug, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Elo(pub f64);

/// The first contestant's strength against the second.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Expected points per game, `[0, 1]`: the posterior mean.
    pub score: f64,
    /// The rating difference that `score` means.
    pub elo: Elo,
    /// Lower end of the 95 % interval.
    pub elo_low: Elo,
    /// Upper end of the 95 % interval.
    pub elo_high: Elo,
    /// Probability that the first contestant is the stronger one.
    pub superiority: f64,
}

impl Elo {
    /// The difference at which `score` points a game are expected.
    #[must_use]
    pub fn of_score(score: f64) -> Self {
        let score = score.clamp(EDGE, 1.0 - EDGE);
        Self(400.0 * (score / (1.0 - score)).log10())
    }

    /// Points a game expected at this difference.
    #[must_use]
    pub fn score(self) -> f64 {
        1.0 / (1.0 + 10f64.powf(-self.0 / 400.0))
    }
}

impl Pentanomial {
    /// Adds a pair that brought `half_points`, 0 to 4.
    ///
    /// # Panics
    /// If `half_points` is above 4.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    /// Number of pairs.
    #[must_use]
    pub fn n_pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The same pairs seen by the second contestant.
    #[must_use]
    pub fn flipped(self) -> Self {
        let [a, b, c, d, e] = self.0;
        Self([e, d, c, b, a])
    }

    /// What the pairs say; with no pairs, what the prior says.
    #[must_use]
    pub fn estimate(&self) -> Estimate {
        let posterior = self.posterior();
        let tail = (1.0 - CONFIDENCE) / 2.0;
        let quantile = |share: f64| Elo::of_score(quantile(&posterior, share));
        let (mean, _) = self.moments();
        Estimate {
            score: mean,
            elo: Elo::of_score(mean),
            elo_low: quantile(tail),
            elo_high: quantile(1.0 - tail),
            superiority: 1.0 - posterior.cdf(0.5),
        }
    }

    /// Posterior mean and variance of the expected score.
    fn moments(&self) -> (f64, f64) {
        let weights: [f64; 5] = std::array::from_fn(|idx| self.0[idx] as f64 + PRIOR[idx]);
        let total: f64 = weights.iter().sum();
        let scores = [0.0, 0.25, 0.5, 0.75, 1.0];
        let mean = weights.iter().zip(scores).map(|(w, s)| w * s).sum::<f64>() / total;
        let spread = |(w, s): (&f64, f64)| w * (s - mean) * (s - mean);
        let variance = weights.iter().zip(scores).map(spread).sum::<f64>() / total;
        (mean, variance / (total + 1.0))
    }

    fn posterior(&self) -> Beta {
        let (mean, variance) = self.moments();
        let weight = mean * (1.0 - mean) / variance - 1.0;
        Beta::new(mean * weight, (1.0 - mean) * weight)
            .expect("the prior keeps mean and variance inside their ranges")
    }
}

/// The score below which `share` of `posterior` lies, by bisection.
fn quantile(posterior: &Beta, share: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if posterior.cdf(middle) < share {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use gryphon_env::{RunSeed, Stream};
    use proptest::prelude::*;
    use rand::RngExt;

    use super::*;

    fn pairs(counts: [u64; 5]) -> Estimate {
        Pentanomial(counts).estimate()
    }

    #[track_caller]
    fn check_close(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "found {found}, expected {expected}");
    }

    /// Ratings, errors and superiority that fastchess printed for a long published test.
    #[test]
    fn a_published_test_is_reproduced() {
        let estimate = pairs([835, 6884, 13116, 7201, 852]);
        check_close(estimate.elo.0, 2.11, 0.01);
        check_close(estimate.elo_high.0 - estimate.elo.0, 1.70, 0.01);
        check_close(estimate.elo.0 - estimate.elo_low.0, 1.70, 0.01);
        check_close(estimate.superiority, 0.9925, 0.0005);
    }

    #[test]
    fn ratings_and_scores_are_each_others_inverse() {
        check_close(Elo::of_score(10.0 / 11.0).0, 400.0, 1e-9);
        check_close(Elo::of_score(0.5).0, 0.0, 1e-9);
        check_close(Elo(191.0).score(), 0.75, 1e-3);
        for score in [0.001, 0.3, 0.99] {
            check_close(Elo::of_score(score).score(), score, 1e-12);
        }
    }

    #[test]
    fn everything_is_finite_at_the_extremes() {
        for counts in [[0; 5], [0, 0, 0, 0, 4], [100_000, 0, 0, 0, 0], [0, 0, 9, 0, 0]] {
            let e = pairs(counts);
            let figures = [e.score, e.elo.0, e.elo_low.0, e.elo_high.0, e.superiority];
            assert!(figures.iter().all(|x| x.is_finite()), "{counts:?}: {e:?}");
            assert!(e.elo_low.0 < e.elo.0 && e.elo.0 < e.elo_high.0, "{counts:?}: {e:?}");
        }
        // All of 100 pairs won: Jeffreys' interval for 100 of 100 begins at 97.5255 %.
        check_close(pairs([0, 0, 0, 0, 100]).elo_low.score(), 0.975_255, 0.000_001);
    }

    #[test]
    fn the_interval_covers_the_true_score_as_often_as_it_says() {
        // Results of a pair as two games with 30 % draws would bring them, at four strengths.
        for (number, win) in [0.35, 0.45, 0.6, 0.68].into_iter().enumerate() {
            let mut rng = RunSeed(1).stream(Stream::Playout(number as u64));
            let truth = win + 0.15;
            let matches = 2_000;
            let mut covered = 0;
            for _ in 0..matches {
                let mut pentanomial = Pentanomial::default();
                for _ in 0..60 {
                    let mut game = || match rng.random::<f64>() {
                        x if x < win => 2,
                        x if x < win + 0.3 => 1,
                        _ => 0,
                    };
                    pentanomial.add(game() + game());
                }
                let estimate = pentanomial.estimate();
                let interval = estimate.elo_low.score()..estimate.elo_high.score();
                covered += u32::from(interval.contains(&truth));
            }
            let share = f64::from(covered) / f64::from(matches);
            assert!((0.935..=0.97).contains(&share), "win {win}: covered {share}");
        }
    }

    fn any_pairs() -> impl Strategy<Value = Pentanomial> {
        prop::array::uniform5(0u64..200).prop_map(Pentanomial)
    }

    proptest! {
        #[test]
        fn the_second_contestant_sees_the_opposite(pairs in any_pairs()) {
            let (a, b) = (pairs.estimate(), pairs.flipped().estimate());
            prop_assert!((a.elo.0 + b.elo.0).abs() < 1e-6);
            prop_assert!((a.elo_low.0 + b.elo_high.0).abs() < 1e-3);
            prop_assert!((a.superiority + b.superiority - 1.0).abs() < 1e-6);
        }

        #[test]
        fn a_better_pair_never_lowers_the_rating(pairs in any_pairs(), worse in 0usize..4) {
            let (mut a, mut b) = (pairs, pairs);
            a.add(worse);
            b.add(worse + 1);
            prop_assert!(a.estimate().elo < b.estimate().elo);
        }

        #[test]
        fn more_pairs_of_the_same_kind_narrow_the_interval(pairs in any_pairs()) {
            prop_assume!(pairs.n_pairs() >= 5);
            let width = |p: Pentanomial| {
                let e = p.estimate();
                e.elo_high.score() - e.elo_low.score()
            };
            let more = Pentanomial(pairs.0.map(|count| 4 * count));
            prop_assert!(width(more) < width(pairs));
        }
    }
}
