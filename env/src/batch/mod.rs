//! Many games at once, for reinforcement learning.
//!
//! A [`BatchEnv`] holds `N` games of one variant. [`BatchEnv::step`] plays one action in each of
//! them, over several threads, and writes what a learner needs into a [`Batch`]:
//!
//! | buffer | shape | content |
//! |---|---|---|
//! | [`observations`](Batch::observations) | `[N, C, H, W]` | the planes of [`ObservationLayout`](crate::ObservationLayout), as `u8`, as `f32`, or [`Packed`] |
//! | [`mask`](Batch::mask) | `[N, A]` | which indices of the [`ActionSpace`](crate::ActionSpace) are legal |
//! | [`rewards`](Batch::rewards) | `[N, 2]` | of White and of Black: 1 and -1 when the step won the game, else 0 |
//! | [`terminated`](Batch::terminated) | `[N]` | whether the step ended the game by rule |
//! | [`truncated`](Batch::truncated) | `[N]` | whether the step ended the game at the ply cap |
//! | [`actor`](Batch::actor) | `[N]` | who acts next: 0 for White, 1 for Black |
//!
//! Observations, mask and action indices are seen by the side that acts. Dice are rolled by the
//! environment, so that a side always acts next; every game has its own stream of rolls, and the
//! same seed and actions give the same games on any number of threads.
//!
//! Once the buffers have grown to what the games need, no step allocates memory (more than one
//! thread: but for the bookkeeping of the thread pool).
//!
//! ```
//! use gryphon_env::{AutoReset, Batch, BatchConfig, BatchEnv, RandomPolicy, RunSeed, Variant};
//!
//! let variant = Variant::named("complicacious-simplified")?;
//! let config = BatchConfig {
//!     n_games: 64,
//!     n_threads: 1,
//!     auto_reset: AutoReset::SameStep,
//!     ply_cap: variant.max_plies(),
//! };
//! let mut env = BatchEnv::try_new(variant, config, RunSeed(1))?;
//! let mut batch = Batch::<u8>::new(&env);
//! env.observe(&mut batch)?;
//! assert_eq!(batch.observations().shape(), [64, 17, 8, 8]);
//! assert_eq!(batch.mask().shape(), [64, 1792]);
//!
//! let mut policy = RandomPolicy::new(RunSeed(1));
//! let mut actions = Vec::new();
//! let mut n_ended = 0;
//! for _ in 0..500 {
//!     policy.choose(&env, &mut actions)?;
//!     env.step(&actions, &mut batch)?;
//!     n_ended += batch.terminated().iter().filter(|&&ended| ended).count();
//! }
//! assert!(n_ended > 64);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod buffers;
mod config;
mod divide;
mod env;
mod error;
mod format;
mod policy;
mod slot;
mod workers;

pub use buffers::{Batch, BatchParts};
pub use config::{AutoReset, BatchConfig, GameNumber};
pub use env::BatchEnv;
pub use error::BatchError;
pub use format::{ObservationFormat, Packed, PackedPlanes};
pub use policy::RandomPolicy;
