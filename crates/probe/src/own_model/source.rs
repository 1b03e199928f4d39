//! Where a person's own model comes from, as the loops step it.

use super::setup::Setup;

/// An instance of a model that a person brought. Each error is what the model did, in a few
/// words.
pub(super) trait Source: Send {
    /// Makes an instance: it knows its start values, and is not initialised.
    fn make(setup: &Setup) -> Result<Self, String>
    where
        Self: Sized;

    /// Initialises it at the start of its time.
    fn initialise(&mut self) -> Result<(), String>;

    /// Sets its inputs, in the order of those of the setup.
    fn set_inputs(&mut self, _values: &[f64]) -> Result<(), String> {
        Ok(())
    }

    /// Does the step of that number, the first being 0: from `number` times the length of a step
    /// on, computed from the number.
    fn step(&mut self, number: u64) -> Result<(), String>;

    /// Reads its outputs that are numbers, in the order of those of the setup.
    fn outputs(&mut self, _values: &mut [f64]) -> Result<(), String> {
        Ok(())
    }

    /// Reads its outputs that are texts or binary data, in the order of those of the setup and as
    /// [`super::texts`] keeps them; there are some where they are recorded.
    fn texts(&mut self, _words: &mut [u64]) -> Result<(), String> {
        Ok(())
    }

    /// The names of its outputs, once it is made.
    fn output_names(&self, setup: &Setup) -> Vec<String> {
        setup.outputs.iter().map(|output| output.name.clone()).collect()
    }

    /// What became of its steps.
    fn counts(&self) -> Counts {
        Counts::default()
    }

    /// Prepares its end, after the last step and in the thread that did it.
    fn finish(&mut self) {}

    /// Ends it, in any thread; one that has failed is only dropped.
    fn end(&mut self) {}
}

/// What became of the steps of a model, beside what they computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Counts {
    /// Steps that the model discarded.
    pub(super) discarded: u64,
    /// Steps that ended before the time asked for.
    pub(super) early_returns: u64,
    /// Steps whose last successful time was another than that asked for.
    pub(super) other_times: u64,
    /// Events that were handled.
    pub(super) events: u64,
    /// Lines that it logged.
    pub(super) log_lines: u64,
    /// What the switches to the model's process and back take, in nanoseconds, where it has one.
    pub(super) switches_ns: Option<u64>,
}

impl std::ops::Add for Counts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            discarded: self.discarded + other.discarded,
            early_returns: self.early_returns + other.early_returns,
            other_times: self.other_times + other.other_times,
            events: self.events + other.events,
            log_lines: self.log_lines + other.log_lines,
            switches_ns: self.switches_ns.max(other.switches_ns),
        }
    }
}
