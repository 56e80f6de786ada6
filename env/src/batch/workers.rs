//! The threads that advance a batch.

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::BatchError;
use super::divide::Divide;

/// More parts than threads, because games take different time.
const PARTS_PER_THREAD: usize = 4;

/// The caller's thread, or a pool.
#[derive(Debug)]
pub(super) enum Workers {
    Caller,
    Pool(ThreadPool),
}

impl Workers {
    pub(super) fn try_new(n_threads: usize) -> Result<Self, BatchError> {
        if n_threads == 1 {
            return Ok(Self::Caller);
        }
        let name = |number| format!("batch-{number}");
        let pool = ThreadPoolBuilder::new().num_threads(n_threads).thread_name(name).build()?;
        Ok(Self::Pool(pool))
    }

    /// Into how many parts `n_games` games are cut.
    pub(super) fn n_parts(&self, n_games: usize) -> usize {
        match self {
            Self::Caller => 1,
            Self::Pool(pool) => n_games.min(pool.current_num_threads() * PARTS_PER_THREAD),
        }
    }

    /// Cuts what belongs to `n_games` games into one part for each of `locals`, and calls `work`
    /// with the number of the part's first game, the part and its local.
    pub(super) fn for_each_part<P, L>(
        &self,
        n_games: usize,
        part: P,
        locals: &mut [L],
        work: impl Fn(usize, P, &mut L) + Sync,
    ) where
        P: Divide + Send,
        L: Send,
    {
        match self {
            Self::Caller => cut(0..n_games, part, locals, &work),
            Self::Pool(pool) => pool.install(|| cut(0..n_games, part, locals, &work)),
        }
    }
}

fn cut<P, L>(
    games: std::ops::Range<usize>,
    part: P,
    locals: &mut [L],
    work: &(impl Fn(usize, P, &mut L) + Sync),
) where
    P: Divide + Send,
    L: Send,
{
    if let [local] = locals {
        return work(games.start, part, local);
    }
    let n_locals = locals.len() / 2;
    let n_games = games.len() * n_locals / locals.len();
    let (locals, locals_rest) = locals.split_at_mut(n_locals);
    let (part, rest) = part.divide(n_games);
    let middle = games.start + n_games;
    rayon::join(
        || cut(games.start..middle, part, locals, work),
        || cut(middle..games.end, rest, locals_rest, work),
    );
}
