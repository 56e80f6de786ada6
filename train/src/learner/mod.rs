//! The learner: batches from replay samples, losses, and steps of the optimizer.

mod batch;
mod loss;
mod step;

pub use batch::{Batch, TrainingSample};
pub use loss::{Losses, losses};
pub use step::{Learner, LearnerError, LearnerSettings, LearnerState, StepReport};
