//! The facts that rows contain in addition to their times. Each is declared once, with its unit and
//! meaning, in the file of the part that writes it. Code that writes or reads a fact uses its
//! constant, so a mistyped name does not compile.

mod bursts;
mod causes;
mod clock;
mod frames;
mod interrupts;
mod locks;
mod messages;
mod mix;
mod models;
mod pace;
mod platform;
mod services;

use std::fmt;
use std::ops::Deref;

pub use bursts::*;
pub use causes::*;
pub use clock::*;
pub use frames::*;
pub use interrupts::*;
pub use locks::*;
pub use messages::*;
pub use mix::*;
pub use models::*;
pub use pace::*;
pub use platform::*;
pub use services::*;

/// A figure of a row that is not part of its distribution. It dereferences to its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fact {
    /// Its name in rows, in the JSON and in the store.
    pub name: &'static str,
    /// What its value is counted in.
    pub unit: Unit,
    /// What it is: a phrase that does not name the unit.
    pub meaning: &'static str,
}

impl Deref for Fact {
    type Target = str;

    fn deref(&self) -> &str {
        self.name
    }
}

units::named! {
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

/// Declares a group of facts: constant, name, unit and meaning of each.
macro_rules! facts {
    (
        $(#[$about:meta])*
        $group:ident;
        $($constant:ident $name:literal $unit:ident $meaning:literal;)*
    ) => {
        $(
            #[doc = concat!("The fact `", $name, "`: ", $meaning, ".")]
            pub const $constant: $crate::Fact = $crate::Fact {
                name: $name,
                unit: $crate::Unit::$unit,
                meaning: $meaning,
            };
        )*
        $(#[$about])*
        pub const $group: &[$crate::Fact] = &[$($constant),*];
    };
}
use facts;

const GROUPS: &[&[Fact]] = &[
    BURSTS,
    PACE,
    OVER_TIME,
    CAUSES,
    CLOCK,
    PLATFORM,
    PLACES,
    SWITCHES,
    SEMAPHORES,
    CONTESTS,
    INVERSION,
    BREAK,
    MESSAGES,
    SWITCH_COST,
    FRAMES,
    INTERRUPTS,
    MODEL,
    THROUGHPUT,
    WARM_UP,
    PHASES,
    STEPS,
    OWN_MODEL,
    MIX,
    VIEWER,
    CEILING,
    CEILING_MEMORY,
];

/// All declared facts, group by group.
pub fn all() -> impl Iterator<Item = &'static Fact> {
    GROUPS.iter().copied().flatten()
}

#[cfg(test)]
mod tests;
