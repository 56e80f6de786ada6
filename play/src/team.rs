//! Several players of one kind, who share games among threads.

use std::panic::resume_unwind;
use std::thread;

use gryphon_env::{Action, Game};
use rand_chacha::ChaCha8Rng;

use crate::{Player, PlayerError};

/// Players that answer alike. Each takes a share of the games, on a thread of its own.
pub struct Team<P> {
    members: Vec<P>,
}

impl<P: Player> Team<P> {
    /// A team of `members`; `None` if there are none.
    #[must_use]
    pub fn new(members: Vec<P>) -> Option<Self> {
        (!members.is_empty()).then_some(Self { members })
    }
}

impl<P: Player> Player for Team<P> {
    fn name(&self) -> String {
        self.members[0].name()
    }

    fn choose(
        &mut self,
        games: &[&Game],
        rngs: &mut [ChaCha8Rng],
    ) -> Result<Vec<Action>, PlayerError> {
        let share = games.len().div_ceil(self.members.len()).max(1);
        if games.len() <= share {
            return self.members[0].choose(games, rngs);
        }
        let shares = games.chunks(share).zip(rngs.chunks_mut(share));
        let answers: Vec<Result<Vec<Action>, PlayerError>> = thread::scope(|scope| {
            let threads: Vec<_> = self
                .members
                .iter_mut()
                .zip(shares)
                .map(|(member, (games, rngs))| scope.spawn(move || member.choose(games, rngs)))
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
                .collect()
        });
        answers.into_iter().collect::<Result<Vec<_>, _>>().map(|shares| shares.concat())
    }
}
