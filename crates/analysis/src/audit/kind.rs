//! What a step may do that a real-time step must not.

use plan::Deed;
use serde::Serialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    Crash,
    /// The call never returned.
    Hang,
    Status,
    OutputsDiffer,
    /// An output is infinite or not a number.
    NotFinite,
    FloatMode,
    Allocation,
    Release,
    Lock,
    SystemCall,
    /// A page had to be read from a device.
    MajorFault,
    /// A page was not mapped yet.
    MinorFault,
    Switch,
    /// A calculation with a subnormal number.
    Denormal,
    /// A calculation whose result is not a number.
    InvalidCalculation,
    DivisionByZero,
    Overflow,
    LogLine,
    Thread,
    /// More stack was used than a run touches before it measures.
    Stack,
    /// The process's state was left changed.
    Change,
}

impl FindingKind {
    pub(super) fn of(deed: Deed) -> Self {
        macro_rules! same {
            ($($name:ident)*) => { match deed { $(Deed::$name => Self::$name),* } };
        }
        same! {
            Allocation Release Lock Thread SystemCall MinorFault MajorFault Switch Denormal
            InvalidCalculation DivisionByZero Overflow FloatMode NotFinite LogLine Status
        }
    }
}
