//! Openings: a few random plies, the same for both games of a pair.

use gryphon_env::{Action, Color, Game, Position, Variant};
use gryphon_play::roll_die;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

/// Openings tried before a less balanced one is accepted.
const ATTEMPTS: usize = 200;

/// How many random plies an opening has: from `min` to `max`, both included, all equally often.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct OpeningPlies {
    min: u16,
    max: u16,
}

impl OpeningPlies {
    /// Two to six plies: thousands of different openings, few of them already decided.
    pub const SHORT: Self = Self { min: 2, max: 6 };

    /// `None` if `min` is above `max`.
    #[must_use]
    pub const fn new(min: u16, max: u16) -> Option<Self> {
        if min <= max { Some(Self { min, max }) } else { None }
    }

    /// The most plies.
    #[must_use]
    pub const fn max(self) -> u16 {
        self.max
    }
}

/// No opening can be found.
#[derive(Debug, thiserror::Error)]
#[error("every random opening of up to {plies} plies ends a game of `{variant}`")]
pub struct OpeningError {
    /// The variant.
    pub variant: String,
    /// The most plies asked for.
    pub plies: u16,
}

/// Plays random plies from the variant's start. Among the first tries the opening taken is one in
/// which both sides have as many units as each other, the side to move is not in check, and no turn
/// is half done; failing that, any that is not over.
///
/// # Errors
/// If every try ends the game.
pub fn random_opening(
    variant: &'static Variant,
    plies: OpeningPlies,
    rng: &mut ChaCha8Rng,
) -> Result<Game, OpeningError> {
    let mut acceptable = None;
    for _ in 0..ATTEMPTS {
        let Some(game) = random_plies(variant, plies, rng) else { continue };
        if is_fair(game.position()) {
            return Ok(game);
        }
        acceptable = Some(game);
    }
    acceptable.ok_or_else(|| OpeningError { variant: variant.name().to_owned(), plies: plies.max })
}

/// `None` if the game ends on the way.
fn random_plies(
    variant: &'static Variant,
    plies: OpeningPlies,
    rng: &mut ChaCha8Rng,
) -> Option<Game> {
    let mut game = Game::new(variant.start());
    let mut legal = Vec::new();
    let mut left = rng.random_range(plies.min..=plies.max);
    while left > 0 {
        if game.outcome().is_some() {
            return None;
        }
        if let Some(roll) = roll_die(game.position(), rng) {
            game.play(roll);
            continue;
        }
        game.position().legal_actions(&mut legal);
        // A seed's choices must not depend on the order of generation.
        legal.sort_unstable();
        game.play(*legal.choose(rng)?);
        left -= 1;
    }
    game.outcome().is_none().then_some(game)
}

fn is_fair(position: &Position) -> bool {
    let units = |color: Color| -> u32 {
        position.variant().kinds().map(|kind| position.count(color, kind)).sum()
    };
    let mut legal = Vec::new();
    position.legal_actions(&mut legal);
    let mid_turn = legal.contains(&Action::END);
    units(Color::White) == units(Color::Black) && !position.is_check() && !mid_turn
}
