//! The source of the user's own model, as the loops step it.

use rt::process::{Pid, this};

use super::setup::Setup;

/// An instance of the user's model. Each error says in a few words what the model did.
pub(super) trait Source: Send {
    /// Whether the outputs at a time follow from the inputs at the same time, which are then set at
    /// the end of a step; otherwise a step begins by setting those of its start.
    fn sets_inputs_last(&self) -> bool {
        false
    }

    /// Creates an instance that has its start values and is not initialised.
    fn make(setup: &Setup) -> Result<Self, String>
    where
        Self: Sized;

    /// Returns the process in which the instance runs.
    fn process(&self) -> Pid {
        this()
    }

    /// Initialises the instance with the inputs that are known at the start, in the order of those
    /// of the setup.
    fn initialise(&mut self, inputs: &[Option<f64>]) -> Result<(), String>;

    /// Sets the inputs, in the order of those of the setup.
    fn set_inputs(&mut self, _values: &[f64]) -> Result<(), String> {
        Ok(())
    }

    /// Computes a step, the first being 0. It begins at `number` times the length of a step. Returns
    /// whether it was made as requested: not discarded, and to its end.
    fn step(&mut self, number: u64) -> Result<bool, String>;

    /// Reads the outputs that are numbers, in the order of those of the setup.
    fn outputs(&mut self, _values: &mut [f64]) -> Result<(), String> {
        Ok(())
    }

    /// Reads the outputs that are texts or binary data, in the order of those of the setup and in
    /// the form of [`super::texts`]; there are some only if they are recorded.
    fn texts(&mut self, _words: &mut [u64]) -> Result<(), String> {
        Ok(())
    }

    /// Returns the names of the outputs, once the instance is created.
    fn output_names(&self, setup: &Setup) -> Vec<String> {
        setup.outputs.iter().map(|output| output.name.clone()).collect()
    }

    fn counts(&self) -> Counts {
        Counts::default()
    }

    /// Prepares the end, after the last step and in the thread that computed it.
    fn finish(&mut self) {}

    /// Ends the instance, in any thread; a failed instance is only dropped.
    fn end(&mut self) {}
}

/// Counts of what happened in the steps of a model, apart from their results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Counts {
    pub(super) discarded: u64,
    /// Steps that ended before the requested time.
    pub(super) early_returns: u64,
    /// Steps whose last successful time differed from the requested one.
    pub(super) other_times: u64,
    pub(super) events: u64,
    pub(super) log_lines: u64,
    /// Calls that returned a warning.
    pub(super) warnings: u64,
    /// Nanoseconds to switch to the model's process and back, if it has a separate process.
    pub(super) switches_ns: Option<u64>,
}

impl Counts {
    /// Returns what was counted since `before`.
    pub(super) fn since(self, before: Self) -> Self {
        Self {
            discarded: self.discarded - before.discarded,
            early_returns: self.early_returns - before.early_returns,
            other_times: self.other_times - before.other_times,
            events: self.events - before.events,
            log_lines: self.log_lines - before.log_lines,
            warnings: self.warnings - before.warnings,
            switches_ns: self.switches_ns,
        }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            discarded: self.discarded + other.discarded,
            early_returns: self.early_returns + other.early_returns,
            other_times: self.other_times + other.other_times,
            events: self.events + other.events,
            log_lines: self.log_lines + other.log_lines,
            warnings: self.warnings + other.warnings,
            switches_ns: self.switches_ns.max(other.switches_ns),
        }
    }
}
