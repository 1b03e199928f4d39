//! The terms of the interface that both versions share.

use std::ffi::c_int;

/// A version of FMI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// FMI 2.0, with all its revisions.
    Two,
    /// FMI 3.0, with all its revisions.
    Three,
}

/// The interface type for which a model is instantiated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The model steps itself: FMI 2.0.4, section 4; FMI 3.0.2, section 4.
    CoSimulation,
    /// The model passes derivatives to a solver: FMI 2.0.4, section 3; FMI 3.0.2, section 3.
    ModelExchange,
    /// Clocks activate the model's partitions: FMI 3.0.2, section 5.
    ScheduledExecution,
}

units::named! {
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

/// The times of an experiment, in seconds of model time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Experiment {
    /// The start time.
    pub start_s: f64,
    /// The latest end time.
    pub stop_s: Option<f64>,
    /// The relative tolerance of a solver inside the model.
    pub tolerance: Option<f64>,
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
    /// The nominal values of continuous states changed.
    pub nominals_changed: bool,
    /// Continuous states changed.
    pub states_changed: bool,
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
