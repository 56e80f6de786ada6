//! The size of a network.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Depth and width of the residual tower, written `6x64` for 6 blocks of 64 channels.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash, Serialize, Deserialize)]
#[serde(try_from = "RawShape", into = "RawShape")]
pub struct NetShape {
    blocks: u32,
    channels: u32,
}

/// Why a size was refused.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum ShapeError {
    /// Too few or too many blocks.
    #[error("network blocks: found {found}, expected {} to {}", NetShape::BLOCKS.start(), NetShape::BLOCKS.end())]
    Blocks {
        /// The number.
        found: u32,
    },
    /// Too few or too many channels, or a number the processor's vectors do not divide.
    #[error("network channels: found {found}, expected a multiple of {} from {} to {}", NetShape::CHANNEL_STEP, NetShape::CHANNELS.start(), NetShape::CHANNELS.end())]
    Channels {
        /// The number.
        found: u32,
    },
    /// Not of the form `BLOCKSxCHANNELS`.
    #[error("network size: found `{found}`, expected blocks and channels as in `6x64`")]
    Text {
        /// The text.
        found: String,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawShape {
    blocks: u32,
    channels: u32,
}

impl NetShape {
    /// The numbers of residual blocks that are allowed. Useful nets begin at 3.
    pub const BLOCKS: RangeInclusive<u32> = 1..=20;
    /// The numbers of channels that are allowed. Useful nets begin at 32.
    pub const CHANNELS: RangeInclusive<u32> = 8..=256;
    /// Channels come in multiples of this.
    pub const CHANNEL_STEP: u32 = 8;

    /// A tower of `blocks` residual blocks with `channels` channels.
    ///
    /// # Errors
    /// If a number is outside [`NetShape::BLOCKS`] or [`NetShape::CHANNELS`].
    pub fn new(blocks: u32, channels: u32) -> Result<Self, ShapeError> {
        if !Self::BLOCKS.contains(&blocks) {
            return Err(ShapeError::Blocks { found: blocks });
        }
        if !Self::CHANNELS.contains(&channels) || !channels.is_multiple_of(Self::CHANNEL_STEP) {
            return Err(ShapeError::Channels { found: channels });
        }
        Ok(Self { blocks, channels })
    }

    /// Number of residual blocks.
    #[must_use]
    pub const fn blocks(self) -> u32 {
        self.blocks
    }

    /// Number of channels of the tower.
    #[must_use]
    pub const fn channels(self) -> u32 {
        self.channels
    }

    /// Whether block `index` also sees the whole board through pooled channels (every third block).
    pub(crate) const fn has_pool(self, index: u32) -> bool {
        index % 3 == if self.blocks == 1 { 0 } else { 1 }
    }

    /// Channels that a pooling block summarizes.
    pub(crate) fn pool_channels(self) -> i64 {
        i64::from(self.channels / 4).max(8)
    }

    /// Length of a query or key vector of the policy head.
    pub(crate) fn key_size(self) -> i64 {
        i64::from(self.channels).min(64)
    }

    /// Channels of the value head before pooling.
    pub(crate) fn value_channels(self) -> i64 {
        i64::from(self.channels).min(32).max(i64::from(self.channels / 4))
    }
}

impl fmt::Display for NetShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.blocks, self.channels)
    }
}

impl FromStr for NetShape {
    type Err = ShapeError;

    fn from_str(text: &str) -> Result<Self, ShapeError> {
        let unreadable = || ShapeError::Text { found: text.to_owned() };
        let (blocks, channels) = text.split_once('x').ok_or_else(unreadable)?;
        let number = |digits: &str| digits.parse().map_err(|_| unreadable());
        Self::new(number(blocks)?, number(channels)?)
    }
}

impl TryFrom<RawShape> for NetShape {
    type Error = ShapeError;

    fn try_from(raw: RawShape) -> Result<Self, ShapeError> {
        Self::new(raw.blocks, raw.channels)
    }
}

impl From<NetShape> for RawShape {
    fn from(shape: NetShape) -> Self {
        Self { blocks: shape.blocks, channels: shape.channels }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_json_survive_the_trip() {
        let shape = NetShape::new(6, 64).unwrap();
        assert_eq!(shape.to_string().parse(), Ok(shape));
        let json = serde_json::to_string(&shape).unwrap();
        assert_eq!(json, r#"{"blocks":6,"channels":64}"#);
        assert_eq!(serde_json::from_str::<NetShape>(&json).unwrap(), shape);
    }

    #[track_caller]
    fn check_rejects(text: &str, message: &str) {
        assert_eq!(text.parse::<NetShape>().unwrap_err().to_string(), message);
    }

    #[test]
    fn errors_say_what_is_allowed() {
        check_rejects("0x64", "network blocks: found 0, expected 1 to 20");
        check_rejects("6x63", "network channels: found 63, expected a multiple of 8 from 8 to 256");
        check_rejects(
            "6x512",
            "network channels: found 512, expected a multiple of 8 from 8 to 256",
        );
        check_rejects(
            "6*64",
            "network size: found `6*64`, expected blocks and channels as in `6x64`",
        );
        assert!(serde_json::from_str::<NetShape>(r#"{"blocks":6,"channels":7}"#).is_err());
    }

    #[test]
    fn every_size_has_a_pooling_block() {
        for blocks in NetShape::BLOCKS {
            let shape = NetShape::new(blocks, 32).unwrap();
            assert!((0..blocks).any(|index| shape.has_pool(index)), "{shape}");
        }
    }
}
