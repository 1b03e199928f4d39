//! The words of the interface that both versions share.

use std::ffi::c_int;

/// A version of FMI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// FMI 2.0, with all its revisions.
    Two,
    /// FMI 3.0, with all its revisions.
    Three,
}

/// What a model is instantiated for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It steps itself: FMI 2.0.4, section 4; FMI 3.0.2, section 4.
    CoSimulation,
    /// It gives derivatives to a solver: FMI 2.0.4, section 3; FMI 3.0.2, section 3.
    ModelExchange,
    /// Its partitions are activated by clocks: FMI 3.0.2, section 5.
    ScheduledExecution,
}

/// How a call ended: FMI 2.0.4, section 2.1.3; FMI 3.0.2, section 2.2.3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// All is well.
    Ok,
    /// All is well enough to go on.
    Warning,
    /// It could not do what was asked, and a shorter step may do.
    Discard,
    /// It cannot go on with this instance.
    Error,
    /// None of its instances can go on, and none may be called again.
    Fatal,
    /// It goes on by itself after the call; FMI 2.0 alone.
    Pending,
}

impl Status {
    /// The status of that number; one that FMI does not know is an error.
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

    /// Its name in the specification.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "OK",
            Self::Warning => "Warning",
            Self::Discard => "Discard",
            Self::Error => "Error",
            Self::Fatal => "Fatal",
            Self::Pending => "Pending",
        }
    }
}

/// The times of an experiment, in seconds of the model's time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Experiment {
    /// Where it starts.
    pub start_s: f64,
    /// Where it ends, at the latest.
    pub stop_s: Option<f64>,
    /// The relative tolerance of a solver inside.
    pub tolerance: Option<f64>,
}

/// How a step of Co-Simulation ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stepped {
    /// The status of the call, which is no error of this program's whatever it is.
    pub status: Status,
    /// It returned before the end of the step because it wanted to; FMI 3.0 alone.
    pub early_return: bool,
    /// It asks for the end of the simulation.
    pub terminate: bool,
    /// It asks for an event; FMI 3.0 alone.
    pub event_needed: bool,
    /// How far it came, in seconds of the model's time.
    pub last_successful_time_s: f64,
}

/// What came of a round of an event: FMI 2.0.4, section 3.2.2; FMI 3.0.2, section 2.3.5.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NewStates {
    /// Another round is needed.
    pub again: bool,
    /// It asks for the end of the simulation.
    pub terminate: bool,
    /// The nominal values of continuous states changed.
    pub nominals_changed: bool,
    /// Continuous states changed.
    pub states_changed: bool,
    /// The next event that is known by its time, in seconds of the model's time.
    pub next_event_s: Option<f64>,
}

/// The interval of a clock: FMI 3.0.2, section 2.2.9.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Interval {
    /// Not known yet.
    NotYetKnown,
    /// As it was told before.
    Unchanged,
    /// So many seconds from now on.
    Changed(f64),
}
