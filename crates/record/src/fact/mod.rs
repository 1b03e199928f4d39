//! The facts that rows contain in addition to their times. Each is declared once, with its unit and
//! meaning. Code that writes or reads a fact uses its constant, so a mistyped name does not compile.

mod table;

use std::fmt;
use std::ops::Deref;

use serde::Serialize;

pub use table::*;

/// A figure of a row that is not part of its distribution. It dereferences to its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fact {
    /// Name of the fact in rows, in the JSON and in the store.
    pub name: &'static str,
    /// Unit of the value, or its kind if it has no unit.
    pub unit: Unit,
    /// What the fact is: a phrase that does not name the unit.
    pub meaning: &'static str,
    /// Whether a row may have null instead of a value.
    #[serde(skip)]
    pub may_be_null: bool,
}

impl Deref for Fact {
    type Target = str;

    fn deref(&self) -> &str {
        self.name
    }
}

base::named! {
    /// The unit of a fact's value, or its kind if it has no unit.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Unit {
        Nanoseconds = "ns",
        Microjoules = "uJ",
        Bytes = "bytes",
        /// A number per second.
        PerSecond = "1/s",
        /// A number per minute.
        PerMinute = "1/min",
        /// A share of 100.
        Percent = "percent",
        /// A number without a unit that need not be whole.
        Ratio = "ratio",
        /// A whole number of things.
        Count = "count",
        Text = "text",
        YesNo = "yes or no",
        /// Several values in order.
        List = "list",
        /// Several named values.
        Record = "record",
    }
}

base::serialize_by_name!(Unit);

impl Unit {
    /// The unit as a phrase in a sentence; `None` for kinds without a unit.
    pub fn in_words(self) -> Option<&'static str> {
        match self {
            Self::Nanoseconds => Some("in nanoseconds"),
            Self::Microjoules => Some("in microjoules"),
            Self::Bytes => Some("in bytes"),
            Self::PerSecond => Some("per second"),
            Self::PerMinute => Some("per minute"),
            Self::Percent => Some("in percent"),
            _ => None,
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests;
