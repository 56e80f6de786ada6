//! Checked types of config values.

use std::fmt;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use gryphon_env::{PlyCap, RunSeed};
use toml::Value;

/// A type that one key of a config can have.
pub trait ConfigValue: Sized {
    /// What is accepted, as the end of a sentence: `a whole number of at least 1`.
    const EXPECTED: &'static str;

    /// Reads the value; `None` if it is not what [`ConfigValue::EXPECTED`] says.
    fn parse(value: &Value) -> Option<Self>;

    /// The value as it is written to a file.
    fn print(&self) -> Value;
}

/// A finite number greater than 0.
#[derive(Copy, Clone, Debug, PartialEq, PartialOrd)]
pub struct Positive(f64);

/// A finite number of at least 0.
#[derive(Copy, Clone, Debug, PartialEq, PartialOrd)]
pub struct NonNegative(f64);

/// A number from 0 to 1.
#[derive(Copy, Clone, Debug, PartialEq, PartialOrd)]
pub struct Fraction(f64);

/// How many self-play workers run.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Workers {
    /// One for each core this process may use.
    Auto,
    /// Exactly so many.
    Count(NonZeroUsize),
}

/// What a game is worth that the ply cap cut.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum CapValue {
    /// A draw.
    Draw,
    /// The balance of material, squashed into `(-1, 1)`.
    Material,
}

/// What becomes of a search's tree when its action is played.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum TreeUse {
    /// The part below the action is the start of the next search.
    Kept,
    /// The next search begins from nothing.
    Fresh,
}

/// Which library computes the network in self-play.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Backend {
    /// OpenVINO if it is there and the network is on the CPU, else libtorch.
    Auto,
    /// libtorch, the reference.
    Libtorch,
    /// OpenVINO; an error without it.
    OpenVino,
}

/// Which rules a run plays.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum VariantChoice {
    /// A built-in variant.
    Named(String),
    /// A variant file, relative to the folder the command is started in.
    File(PathBuf),
}

/// Players that a network is measured against, as `gryphon eval --against` names them.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Opponents(Vec<String>);

macro_rules! numbers {
    ($($name:ident, $expected:literal, $unit:ident => $check:expr;)*) => {$(
        impl $name {
            /// The checked number; `None` if it is out of range.
            #[must_use]
            pub fn new(number: f64) -> Option<Self> {
                let $unit = number;
                ($unit.is_finite() && $check).then_some(Self(number))
            }

            /// The number.
            #[must_use]
            pub const fn get(self) -> f64 {
                self.0
            }

            /// The number, rounded to single precision.
            #[must_use]
            pub const fn as_f32(self) -> f32 {
                self.0 as f32
            }
        }

        impl ConfigValue for $name {
            const EXPECTED: &'static str = $expected;

            fn parse(value: &Value) -> Option<Self> {
                Self::new(value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64))?)
            }

            fn print(&self) -> Value {
                Value::Float(self.0)
            }
        }
    )*};
}

numbers! {
    Positive, "a number greater than 0", x => x > 0.0;
    NonNegative, "a number of at least 0", x => x >= 0.0;
    Fraction, "a number from 0 to 1", x => (0.0..=1.0).contains(&x);
}

impl ConfigValue for u32 {
    const EXPECTED: &'static str = "a whole number of at least 0";

    fn parse(value: &Value) -> Option<Self> {
        value.as_integer()?.try_into().ok()
    }

    fn print(&self) -> Value {
        Value::Integer((*self).into())
    }
}

macro_rules! counts {
    ($($count:ty: $inner:ty;)*) => {$(
        impl ConfigValue for $count {
            const EXPECTED: &'static str = "a whole number of at least 1";

            fn parse(value: &Value) -> Option<Self> {
                Self::new(<$inner>::try_from(value.as_integer()?).ok()?)
            }

            fn print(&self) -> Value {
                Value::Integer(i64::try_from(self.get()).unwrap_or(i64::MAX))
            }
        }
    )*};
}

counts! {
    NonZeroU32: u32;
    NonZeroU64: u64;
    NonZeroUsize: usize;
}

impl ConfigValue for RunSeed {
    const EXPECTED: &'static str = "a whole number from 0 to 9223372036854775807";

    fn parse(value: &Value) -> Option<Self> {
        value.as_integer()?.try_into().ok().map(Self)
    }

    fn print(&self) -> Value {
        Value::Integer(i64::try_from(self.0).unwrap_or(i64::MAX))
    }
}

impl ConfigValue for PlyCap {
    const EXPECTED: &'static str = "a whole number of at least 1";

    fn parse(value: &Value) -> Option<Self> {
        NonZeroU32::parse(value).map(Self)
    }

    fn print(&self) -> Value {
        self.0.print()
    }
}

impl Workers {
    /// The number of workers to start.
    #[must_use]
    pub fn count(self) -> NonZeroUsize {
        match self {
            Self::Auto => std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            Self::Count(count) => count,
        }
    }
}

impl ConfigValue for Workers {
    const EXPECTED: &'static str = "\"auto\" or a whole number of at least 1";

    fn parse(value: &Value) -> Option<Self> {
        if value.as_str() == Some("auto") {
            return Some(Self::Auto);
        }
        NonZeroUsize::parse(value).map(Self::Count)
    }

    fn print(&self) -> Value {
        match self {
            Self::Auto => Value::String("auto".into()),
            Self::Count(count) => count.print(),
        }
    }
}

impl ConfigValue for CapValue {
    const EXPECTED: &'static str = "\"draw\" or \"material\"";

    fn parse(value: &Value) -> Option<Self> {
        match value.as_str()? {
            "draw" => Some(Self::Draw),
            "material" => Some(Self::Material),
            _ => None,
        }
    }

    fn print(&self) -> Value {
        let text = match self {
            Self::Draw => "draw",
            Self::Material => "material",
        };
        Value::String(text.into())
    }
}

impl ConfigValue for TreeUse {
    const EXPECTED: &'static str = "\"kept\" or \"fresh\"";

    fn parse(value: &Value) -> Option<Self> {
        match value.as_str()? {
            "kept" => Some(Self::Kept),
            "fresh" => Some(Self::Fresh),
            _ => None,
        }
    }

    fn print(&self) -> Value {
        let text = match self {
            Self::Kept => "kept",
            Self::Fresh => "fresh",
        };
        Value::String(text.into())
    }
}

impl ConfigValue for Backend {
    const EXPECTED: &'static str = "\"auto\", \"libtorch\" or \"openvino\"";

    fn parse(value: &Value) -> Option<Self> {
        match value.as_str()? {
            "auto" => Some(Self::Auto),
            "libtorch" => Some(Self::Libtorch),
            "openvino" => Some(Self::OpenVino),
            _ => None,
        }
    }

    fn print(&self) -> Value {
        let text = match self {
            Self::Auto => "auto",
            Self::Libtorch => "libtorch",
            Self::OpenVino => "openvino",
        };
        Value::String(text.into())
    }
}

impl fmt::Display for VariantChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(name) => f.write_str(name),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

impl ConfigValue for VariantChoice {
    const EXPECTED: &'static str = "the name of a variant, or the path of a file ending in `.toml`";

    fn parse(value: &Value) -> Option<Self> {
        let text = value.as_str()?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if text.ends_with(".toml") {
            Some(Self::File(PathBuf::from(text)))
        } else {
            (!text.is_empty() && text.chars().all(is_name)).then(|| Self::Named(text.into()))
        }
    }

    fn print(&self) -> Value {
        Value::String(self.to_string())
    }
}

impl Opponents {
    /// The players' names, in the file's order.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.0
    }
}

impl ConfigValue for Opponents {
    const EXPECTED: &'static str =
        "a list of players such as [\"random\", \"greedy\", \"alphabeta:nodes=1000\"]";

    fn parse(value: &Value) -> Option<Self> {
        let name = |entry: &Value| {
            let text = entry.as_str()?.trim();
            (!text.is_empty()).then(|| text.to_owned())
        };
        value.as_array()?.iter().map(name).collect::<Option<Vec<_>>>().map(Self)
    }

    fn print(&self) -> Value {
        Value::Array(self.0.iter().cloned().map(Value::String).collect())
    }
}
