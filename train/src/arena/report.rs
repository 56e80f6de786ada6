//! What a match brought, as data and as text.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use gryphon_env::Color;
use serde::Serialize;

use super::game::{ArenaGame, Contestant, End};
use super::statistics::{Estimate, Pentanomial};

/// Wins, draws and losses of the first contestant; games cut by the ply cap are among the draws.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq, Serialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn, cut ones included.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// Number of games.
    #[must_use]
    pub const fn n_games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points a game, `[0, 1]`; `None` without games.
    #[must_use]
    pub fn score(self) -> Option<f64> {
        let games = self.n_games();
        (games > 0).then(|| (self.wins as f64 + self.draws as f64 / 2.0) / games as f64)
    }

    pub(super) const fn add(&mut self, half_points: usize) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }
}

/// The figures of a match, for `--json` and for files.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatchSummary {
    /// The variant's name.
    pub variant: String,
    /// The first contestant's name.
    pub first: String,
    /// The second contestant's name.
    pub second: String,
    /// The seed that gives the same match again.
    pub seed: u64,
    /// Whether the match was stopped before its last game.
    pub stopped: bool,
    /// Games of complete pairs; the others are not counted anywhere.
    pub games: u64,
    /// All games, seen by the first contestant.
    pub total: Tally,
    /// Its games as White.
    pub as_white: Tally,
    /// Its games as Black.
    pub as_black: Tally,
    /// Games cut by the ply cap, also counted as draws.
    pub cut: u64,
    /// Points a game of the first contestant, `[0, 1]`; `None` without games.
    pub score: Option<f64>,
    /// Pairs that brought it 0, ½, 1, 1½ and 2 points.
    pub pentanomial: Pentanomial,
    /// Its strength against the second.
    pub estimate: Estimate,
    /// Plies of a game, opening included, on average; 0 without games.
    pub mean_plies: f64,
    /// How often games ended how: `white:checkmate`, `draw:repetition`, `ply cap`.
    pub ends: BTreeMap<String, u64>,
}

/// A match's figures and games.
#[derive(Clone, Debug)]
pub struct MatchReport {
    /// The figures.
    pub summary: MatchSummary,
    /// The games of complete pairs, by number.
    pub games: Vec<ArenaGame>,
}

/// Who played what, for the figures.
pub(super) struct Heading {
    pub(super) variant: String,
    pub(super) first: String,
    pub(super) second: String,
    pub(super) seed: u64,
    pub(super) stopped: bool,
}

impl MatchReport {
    /// `games` are sorted by number and hold both games of every pair they touch.
    pub(super) fn new(heading: Heading, games: Vec<ArenaGame>) -> Self {
        let Heading { variant, first, second, seed, stopped } = heading;
        let (mut total, mut as_white, mut as_black) = Default::default();
        let mut ends = BTreeMap::new();
        let mut plies = 0;
        for game in &games {
            let half_points = game.half_points();
            Tally::add(&mut total, half_points);
            match game.number.color(Contestant::First) {
                Color::White => Tally::add(&mut as_white, half_points),
                Color::Black => Tally::add(&mut as_black, half_points),
            }
            plies += game.actions().len();
            *ends.entry(end_text(game.end)).or_default() += 1;
        }
        let mut pentanomial = Pentanomial::default();
        for pair in games.chunks_exact(2) {
            pentanomial.add(pair[0].half_points() + pair[1].half_points());
        }
        let cut = games.iter().filter(|game| game.end == End::PlyCap).count() as u64;
        let summary = MatchSummary {
            variant,
            first,
            second,
            seed,
            stopped,
            games: games.len() as u64,
            total,
            as_white,
            as_black,
            cut,
            score: total.score(),
            pentanomial,
            estimate: pentanomial.estimate(),
            mean_plies: plies as f64 / games.len().max(1) as f64,
            ends,
        };
        Self { summary, games }
    }
}

pub(super) fn end_text(end: End) -> String {
    match end {
        End::Rules(outcome) => outcome.to_string(),
        End::PlyCap => "ply cap".to_owned(),
    }
}

impl fmt::Display for MatchSummary {
    /// A small table, one figure a line, without a final line break.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Results of {} against {} ({})", self.first, self.second, self.variant)?;
        writeln!(f, "              games   wins  draws losses    score")?;
        for (name, tally) in
            [("all", self.total), ("as White", self.as_white), ("as Black", self.as_black)]
        {
            let Tally { wins, draws, losses } = tally;
            let score = tally.score().map_or("-".to_owned(), percent);
            let games = tally.n_games();
            writeln!(f, "  {name:<10} {games:>6} {wins:>6} {draws:>6} {losses:>6} {score:>8}")?;
        }
        let Estimate { elo, elo_low, elo_high, superiority, .. } = self.estimate;
        let (elo, low, high) = (elo.0, elo_low.0, elo_high.0);
        writeln!(f, "Elo: {elo:+.1}, 95 % between {low:+.1} and {high:+.1}")?;
        writeln!(f, "Likelihood of superiority: {}", percent(superiority))?;
        writeln!(f, "Pairs with 0, ½, 1, 1½, 2 points: {:?}", self.pentanomial.0)?;
        write!(f, "Ends: {}; {:.1} plies a game", self.ends_text(), self.mean_plies)?;
        if self.stopped {
            write!(f, "\nStopped early: complete pairs only")?;
        }
        Ok(())
    }
}

impl MatchSummary {
    /// The result in one line: `68.3 % against greedy (41 won, 0 drawn, 19 lost), Elo +133 (+35 to +248)`.
    #[must_use]
    pub fn line(&self) -> String {
        let Tally { wins, draws, losses } = self.total;
        let score = self.score.map_or("no game".to_owned(), percent);
        let Estimate { elo, elo_low, elo_high, .. } = self.estimate;
        format!(
            "{score} against {} ({wins} won, {draws} drawn, {losses} lost), Elo {:+.0} ({:+.0} to {:+.0})",
            self.second, elo.0, elo_low.0, elo_high.0
        )
    }

    fn ends_text(&self) -> String {
        let mut text = String::new();
        for (end, count) in &self.ends {
            let comma = if text.is_empty() { "" } else { ", " };
            write!(text, "{comma}{end} {count}").expect("writing to a string cannot fail");
        }
        if text.is_empty() { "none".to_owned() } else { text }
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}
