//! The terms of the interface that both versions share.

use std::ffi::c_int;
use std::fmt;

base::named! {
    /// A version of FMI, with all its revisions.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Version {
        /// FMI 2.0.
        Two = "FMI 2.0",
        /// FMI 3.0.
        Three = "FMI 3.0",
    }
}

base::named! {
    /// A way of running a model: an interface type for which it is instantiated.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Kind {
        /// The model steps itself: FMI 2.0.4, section 4; FMI 3.0.2, section 4.
        CoSimulation = "Co-Simulation",
        /// The model passes derivatives to a solver: FMI 2.0.4, section 3; FMI 3.0.2, section 3.
        ModelExchange = "Model Exchange",
        /// Clocks activate the model's partitions: FMI 3.0.2, section 5.
        ScheduledExecution = "Scheduled Execution",
    }
}

base::named! {
    /// How a call ended: FMI 2.0.4, section 2.1.3; FMI 3.0.2, section 2.2.3.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Status {
        /// The call succeeded.
        Ok = "OK",
        /// The call succeeded with a warning; the simulation can continue.
        Warning = "Warning",
        /// The model could not do what was requested; a shorter step may succeed.
        Discard = "Discard",
        /// This instance cannot continue.
        Error = "Error",
        /// None of the model's instances can continue, and none may be called again.
        Fatal = "Fatal",
        /// The model continues in the background after the call; only in FMI 2.0.
        Pending = "Pending",
    }
}

impl Status {
    /// Returns the status of that number; an unknown number counts as an error.
    pub(super) fn of(number: c_int) -> Self {
        match number {
            0 => Self::Ok,
            1 => Self::Warning,
            2 => Self::Discard,
            4 => Self::Fatal,
            5 => Self::Pending,
            _ => Self::Error,
        }
    }
}

/// How a step of Co-Simulation ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stepped {
    /// The status of the call; no status is an error of this program.
    pub status: Status,
    /// The model chose to return before the end of the step; only in FMI 3.0.
    pub early_return: bool,
    /// The model requests the end of the simulation.
    pub terminate: bool,
    /// The model requests an event; only in FMI 3.0.
    pub event_needed: bool,
    /// The time that the step reached, in seconds of model time.
    pub last_successful_time_s: f64,
}

/// The result of one round of an event: FMI 2.0.4, section 3.2.2; FMI 3.0.2, section 2.3.5.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NewStates {
    /// The model needs another round.
    pub again: bool,
    /// The model requests the end of the simulation.
    pub terminate: bool,
    /// The next time event, if one is known, in seconds of model time.
    pub next_event_s: Option<f64>,
}

/// The interval of a clock: FMI 3.0.2, section 2.2.9.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Interval {
    /// The interval is not yet known.
    NotYetKnown,
    /// The interval is the same as before.
    Unchanged,
    /// The interval is this number of seconds from now.
    Changed(f64),
}

/// Why an operation failed; displayed as one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failed {
    /// The library lacks functions that its kind must have.
    Missing(Vec<&'static str>),
    /// The library lacks the function that was called.
    Absent(&'static str),
    /// This version of FMI does not have such a feature.
    Unknown(&'static str),
    /// The model could not be instantiated; contains its last log line, if any.
    NotInstantiated(Option<String>),
    /// This function returned a status after which the caller cannot continue.
    Call(&'static str, Status),
    /// The numbers of variables and of values differ.
    Lengths {
        /// How many variables were requested.
        variables: usize,
        /// How many values there are.
        values: usize,
    },
    /// A text for the model contains a zero byte, which a C string cannot.
    ZeroByte,
    /// The model failed fatally earlier, and must not be called again.
    Dead,
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Missing(functions) => {
                let functions = functions.join(", ");
                write!(f, "the model's library lacks {functions}")
            }
            Self::Absent(function) => write!(f, "the model's library has no {function}"),
            Self::Unknown(what) => write!(f, "this version of FMI has no {what}"),
            Self::NotInstantiated(None) => f.write_str("the model refused to be instantiated"),
            Self::NotInstantiated(Some(said)) => {
                write!(f, "the model refused to be instantiated: {said}")
            }
            Self::Call(function, status) => {
                write!(f, "{function} of the model returned {}", status.name())
            }
            Self::Lengths { variables, values } => {
                write!(f, "{values} values for {variables} variables")
            }
            Self::ZeroByte => f.write_str("a text for the model contains a zero byte"),
            Self::Dead => {
                f.write_str("the model failed fatally earlier and cannot be called again")
            }
        }
    }
}

impl std::error::Error for Failed {}
