//! The facts that rows tell beside their times: each is declared once, with its unit and
//! what it means, in the file of what writes it. Whoever writes or reads one names the
//! constant, so that a mistyped name does not compile.

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

/// A figure of a row that is no time of its distribution. It reads as its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fact {
    /// Its name in rows, in the JSON and in the store.
    pub name: &'static str,
    /// What its value is counted in.
    pub unit: Unit,
    /// What it is: half a sentence that names no unit.
    pub meaning: &'static str,
}

impl Deref for Fact {
    type Target = str;

    fn deref(&self) -> &str {
        self.name
    }
}

/// What the value of a fact is counted in, or what it is where nothing is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A time.
    Nanoseconds,
    /// An energy.
    Microjoules,
    /// A size in memory.
    Bytes,
    /// So many a second.
    PerSecond,
    /// So many a minute.
    PerMinute,
    /// A share of 100.
    Percent,
    /// A number without a unit that need not be whole.
    Ratio,
    /// A whole number of things.
    Count,
    /// Words or a name.
    Text,
    /// True or false.
    YesNo,
    /// Several values, one after the other.
    List,
    /// Several values with names.
    Record,
}

impl Unit {
    /// How the JSON and lists call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Nanoseconds => "ns",
            Self::Microjoules => "uJ",
            Self::Bytes => "bytes",
            Self::PerSecond => "1/s",
            Self::PerMinute => "1/min",
            Self::Percent => "percent",
            Self::Ratio => "ratio",
            Self::Count => "count",
            Self::Text => "text",
            Self::YesNo => "yes or no",
            Self::List => "list",
            Self::Record => "record",
        }
    }

    /// The unit as a sentence names it, where the name of the fact ends in one.
    #[must_use]
    pub fn in_words(self) -> Option<&'static str> {
        match self {
            Self::Nanoseconds => Some("in nanoseconds"),
            Self::Microjoules => Some("in microjoules"),
            Self::Bytes => Some("in bytes"),
            Self::PerSecond => Some("a second"),
            Self::PerMinute => Some("a minute"),
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

/// Declares a group of facts, and each of them: constant, name, unit, meaning.
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

/// Every group.
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

/// Every fact that is declared here, group by group.
pub fn all() -> impl Iterator<Item = &'static Fact> {
    GROUPS.iter().copied().flatten()
}

#[cfg(test)]
mod tests;
