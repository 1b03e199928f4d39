//! The types that every other crate uses: durations, rates, numbers, CPU sets and scheduling
//! policies. Each type is parsed in one way and printed in one way.

#![warn(missing_docs)]

mod counted;
mod cpus;
mod expected;
mod named;
mod nanos;
mod number;
mod observed;
mod parallel;
mod policy;
mod rate;
mod right_barrier;
#[cfg(feature = "schema")]
mod schema;
mod schema_version;
mod shell;
mod shown;
mod vicinity;
mod wrapped;

pub use counted::{counted, grouped};
pub use cpus::CpuSet;
pub use expected::{expected, expected_of, nearest};
pub use nanos::Nanos;
pub use number::Number;
pub use observed::Observed;
pub use parallel::{AT_ONCE, in_parallel};
pub use policy::Policy;
pub use rate::Rate;
pub use right_barrier::RightBarrier;
pub use schema_version::SchemaVersion;
#[cfg(feature = "schema")]
#[doc(hidden)]
pub use schemars;
#[doc(hidden)]
pub use serde;
pub use shell::{quoted, quoted_file};
pub use shown::{harmless, shown, shown_lines};
pub use vicinity::Vicinity;
pub use wrapped::wrapped;

/// Why a typed value was refused, in one line: what is wrong and what is expected instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParseError(String);

impl ParseError {
    fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    /// Returns why a number without a unit is refused, with the units that may be meant; `None` if
    /// the text is not a number above 0.
    fn without_unit(text: &str, units: [&str; 3]) -> Option<Self> {
        text.parse().ok().filter(|value: &f64| value.is_finite() && *value > 0.0)?;
        let [first, second, third] = units.map(|unit| format!("{text}{unit}"));
        Some(Self(format!("`{text}` has no unit; write {first}, {second} or {third}")))
    }
}

/// Serialises a type as the text that a user would type.
macro_rules! serde_as_text {
    ($type:ty) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let text = String::deserialize(from)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}
use serde_as_text;
