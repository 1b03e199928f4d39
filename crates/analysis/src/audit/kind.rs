//! What a step may do that a real-time step must not, in words, and what to change about it.

use plan::Deed;
use serde::Serialize;

/// What is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// The model ended its process.
    Crash,
    /// It never returned.
    Hang,
    /// It says itself that a step failed.
    Status,
    /// Two equal passes had different outputs.
    OutputsDiffer,
    /// An output is no finite number.
    NotFinite,
    /// The floating-point mode was left changed.
    FloatMode,
    /// Memory was asked for.
    Allocation,
    /// Memory was given back.
    Release,
    /// A lock was taken, or something waited for.
    Lock,
    /// A system call was made.
    SystemCall,
    /// A page came from a device.
    MajorFault,
    /// A page was not there.
    MinorFault,
    /// The thread waited.
    Switch,
    /// A calculation with a number below the normal range.
    Denormal,
    /// A calculation whose result is no number.
    InvalidCalculation,
    /// A division by zero.
    DivisionByZero,
    /// A result above the range.
    Overflow,
    /// A line was logged.
    LogLine,
    /// A thread was started.
    Thread,
    /// More stack was used than a run touches before it measures.
    Stack,
    /// The process was left changed.
    Change,
}

/// What a step does, as the end of a sentence about one step and about several.
pub(super) struct Verb {
    pub one: &'static str,
    pub several: &'static str,
}

impl FindingKind {
    /// The kind of a deed.
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

    /// A short name, as a table has it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Crash => "crash",
            Self::Hang => "never returns",
            Self::Status => "step failed",
            Self::OutputsDiffer => "outputs differ",
            Self::NotFinite => "NaN or infinity",
            Self::FloatMode => "floating-point mode",
            Self::Allocation => "allocation",
            Self::Release => "free",
            Self::Lock => "lock",
            Self::SystemCall => "system call",
            Self::MajorFault => "page from a device",
            Self::MinorFault => "page fault",
            Self::Switch => "voluntary switch",
            Self::Denormal => "denormals",
            Self::InvalidCalculation => "invalid calculation",
            Self::DivisionByZero => "division by zero",
            Self::Overflow => "overflow",
            Self::LogLine => "log line",
            Self::Thread => "thread",
            Self::Stack => "stack",
            Self::Change => "change",
        }
    }

    pub(super) fn verb(self) -> Verb {
        let (one, several) = match self {
            Self::Status => ("fails", "fail"),
            Self::NotFinite => ("puts out NaN or infinity", "put out NaN or infinity"),
            Self::FloatMode => {
                ("leaves the floating-point mode changed", "leave the floating-point mode changed")
            }
            Self::Allocation => ("allocates", "allocate"),
            Self::Release => ("frees memory", "free memory"),
            Self::Lock => ("takes a lock", "take a lock"),
            Self::SystemCall => ("makes a system call", "make a system call"),
            Self::MajorFault => ("waits for a page from a device", "wait for a page from a device"),
            Self::MinorFault => ("has a page fault", "have a page fault"),
            Self::Switch => ("gives its CPU away to wait", "give their CPU away to wait"),
            Self::Denormal => ("calculates with denormals", "calculate with denormals"),
            Self::InvalidCalculation => {
                ("calculates what is no number", "calculate what is no number")
            }
            Self::DivisionByZero => ("divides by zero", "divide by zero"),
            Self::Overflow => ("calculates what is too large", "calculate what is too large"),
            Self::LogLine => ("logs", "log"),
            Self::Thread => ("starts a thread", "start a thread"),
            Self::Crash | Self::Hang | Self::OutputsDiffer | Self::Stack | Self::Change => ("", ""),
        };
        Verb { one, several }
    }

    /// What to change about it.
    #[must_use]
    pub fn remedy(self) -> &'static str {
        match self {
            Self::Crash => {
                "Run the step in a debugger up to that number; a library built with -g names the line."
            }
            Self::Hang => "Bound every loop of the step by a count, and wait for nothing in it.",
            Self::Status => "Ask the model for its log, which says why.",
            Self::OutputsDiffer => {
                "Look for what the step reads besides its inputs: time, random numbers, addresses, memory that was never written."
            }
            Self::NotFinite => {
                "Find the first calculation that is not a number, and bound what goes into it."
            }
            Self::FloatMode => {
                "Give the mode back before the step returns: what is called after it calculates otherwise."
            }
            Self::Allocation | Self::Release => {
                "Take all memory when the model is initialised, and keep it to the end."
            }
            Self::Lock => {
                "Take no lock in the step, or one with priority inheritance that nobody holds for long; hand data over in a ring instead."
            }
            Self::SystemCall => {
                "Leave it to another thread, or do it when the model is initialised."
            }
            Self::MajorFault | Self::MinorFault => {
                "Touch the memory when the model is initialised; a run locks what is there then."
            }
            Self::Switch => "Wait for nothing in the step: who calls it keeps its time.",
            Self::Denormal => {
                "Flush denormals to zero when the model is initialised (MXCSR on x86, FPCR on Arm), or add a tiny constant where values decay."
            }
            Self::InvalidCalculation | Self::DivisionByZero | Self::Overflow => {
                "Bound what goes into the calculation."
            }
            Self::LogLine => "Switch the log off for real time, or log into memory.",
            Self::Thread => {
                "Threads of a model inherit the step's policy and CPUs; start none, or give them their own."
            }
            Self::Stack => {
                "Use less stack, or static memory: pages of it that nobody has touched fault in the step."
            }
            Self::Change => "Leave what the process shares as it was.",
        }
    }
}
