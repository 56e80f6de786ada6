//! Chess variants as data: rules, positions, legal actions, observations and action indices.
//!
//! A [`Variant`] is compiled once from a text file. A [`Position`] is what a FEN says; a [`Game`]
//! adds what only the past can tell (repetition, the ply cap). Nothing outside this crate knows a
//! rule, and nothing in it knows a network.
//!
//! ```
//! use gryphon_env::{Game, Variant};
//!
//! let variant = Variant::named("complicacious-simplified")?;
//! let mut game = Game::new(variant.start());
//! let action = game.position().parse_action("e2e4")?;
//! game.play(action);
//! assert_eq!(game.position().fen(), "4k3/pppppppp/8/8/4N3/8/PPPP1PPP/4K3 b - - 0 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod action;
mod action_space;
mod batch;
mod bits;
mod color;
mod excerpt;
mod game;
mod observation;
mod outcome;
mod past;
mod piece;
mod position;
mod rng;
mod square;
mod variant;
mod verify;

pub use action::{Action, ActionKind, Face};
pub use action_space::{ActionIndex, ActionParts, ActionSpace};
pub use batch::{
    AutoReset, Batch, BatchConfig, BatchEnv, BatchError, BatchParts, GameNumber, ObservationFormat,
    Packed, PackedPlanes, RandomPolicy,
};
pub use color::{Actor, ByColor, Color};
pub use excerpt::Excerpt;
pub use game::{Game, PlyCap, Repetitions, Status};
pub use observation::{LayoutHash, ObservationContext, ObservationLayout, PlaneContent, PlaneSpec};
pub use outcome::{DrawReason, Outcome, WinReason};
pub use piece::{Piece, PieceKind};
pub use position::{
    ActionError, ChanceOutcome, FenError, FirstMove, FirstMoveRight, Phase, Position, ZobristKey,
};
pub use rng::{RunSeed, Stream};
pub use square::{BoardSize, File, Rank, Square};
pub use variant::{Features, PossibleMove, Variant, VariantError, VariantHash, check_report};
pub use verify::{
    Difference, Failure, Golden, GoldenError, GoldenFileError, MaxLeaves, VerifyReport, verify,
};
