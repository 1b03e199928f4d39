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
        match deed {
            Deed::Allocation => Self::Allocation,
            Deed::Release => Self::Release,
            Deed::Lock => Self::Lock,
            Deed::Thread => Self::Thread,
            Deed::SystemCall => Self::SystemCall,
            Deed::MinorFault => Self::MinorFault,
            Deed::MajorFault => Self::MajorFault,
            Deed::Switch => Self::Switch,
            Deed::Denormal => Self::Denormal,
            Deed::InvalidCalculation => Self::InvalidCalculation,
            Deed::DivisionByZero => Self::DivisionByZero,
            Deed::Overflow => Self::Overflow,
            Deed::FloatMode => Self::FloatMode,
            Deed::NotFinite => Self::NotFinite,
            Deed::LogLine => Self::LogLine,
            Deed::Status => Self::Status,
        }
    }
}
