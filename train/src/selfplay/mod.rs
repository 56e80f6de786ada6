//! Self-play: groups of games that advance together, each group owned by one worker at a time.
//!
//! Games go on from one generation to the next: a generation is a number of rounds, and in a round
//! every game of a group advances by one action. What is played depends on the run's seed, the
//! weights and the group sizes, never on the number of threads.

mod cut;
mod group;
mod pool;
mod sample;
mod slot;
mod state;
mod work;

pub use cut::CutRule;
pub use group::{Group, GroupState, SearchMemory};
pub use pool::{SelfPlayError, Workplace, play_generation};
pub use slot::{SelfPlayRules, Slot, SlotState};
pub use state::{groups_from_bytes, groups_to_bytes};
pub use work::{SharedWork, Work};
