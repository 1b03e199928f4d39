//! Scheduled Execution: partitions of a model, activated by clocks. FMI 3.0.2, section 5.2.

use super::callbacks::pass_preemption;
use super::failed::Failed;
use super::instance::{Functions, Instance};
use super::three::Three;
use super::values::Variables;
use super::words::{Interval, Kind};

/// An instance for the thread of one clock. The threads of all clocks run on one CPU, by priority:
/// the standard's preemption is designed for that.
#[derive(Debug, Clone, Copy)]
pub struct Task<'a>(&'a Instance);

// SAFETY: several tasks may activate, read and write an instance of Scheduled Execution (FMI 3.0.2,
// section 5.2.1), and these methods and those of [`Variables`] do nothing else. The instance's
// counts are atomic.
unsafe impl Send for Task<'_> {}
// SAFETY: as above.
unsafe impl Sync for Task<'_> {}

impl Task<'_> {
    /// Runs the partition of a clock for that model time. It begins when no other partition keeps
    /// it from preempting; such a partition inherits this thread's priority while this thread
    /// waits.
    ///
    /// # Errors
    /// Fails if the model refuses or fails.
    #[inline]
    pub fn activate(&self, clock: u32, time_s: f64) -> Result<(), Failed> {
        let model = self.0.model()?;
        let slot = &three(self.0)?.activate_model_partition;
        let activate = slot.get()?;
        pass_preemption();
        // SAFETY: the type is the specification's.
        self.0.done(slot.name(), unsafe { activate(model, clock, time_s) })
    }

    /// Returns the variables; the task's thread may use those that belong to its clock.
    #[inline]
    #[must_use]
    pub fn variables(&self) -> Variables<'_> {
        self.0.variables()
    }

    /// Calls [`Instance::clock_updates`].
    #[inline]
    #[must_use]
    pub fn clock_updates(&self) -> u64 {
        self.0.clock_updates()
    }

    /// Calls [`Instance::interval`] for a clock that a partition may have started.
    ///
    /// # Errors
    /// Fails like that method.
    pub fn interval(&self, clock: u32) -> Result<Interval, Failed> {
        self.0.interval(clock)
    }
}

impl Instance {
    /// Returns the instance for the threads of its clocks; `None` for the other kinds.
    #[must_use]
    pub fn task(&self) -> Option<Task<'_>> {
        (self.kind() == Kind::ScheduledExecution).then_some(Task(self))
    }

    /// Returns the interval of a clock until its next tick.
    ///
    /// # Errors
    /// Fails if the model does not have such a clock, or is of FMI 2.0.
    pub fn interval(&self, clock: u32) -> Result<Interval, Failed> {
        let model = self.model()?;
        let slot = &three(self)?.get_interval;
        let (mut interval_s, mut qualifier) = (0.0, 0);
        let (to, how) = (&raw mut interval_s, &raw mut qualifier);
        // SAFETY: one value for one clock.
        let status = unsafe { slot.get()?(model, &raw const clock, 1, to, how) };
        self.done(slot.name(), status)?;
        Ok(match qualifier {
            1 => Interval::Unchanged,
            2 => Interval::Changed(interval_s),
            _ => Interval::NotYetKnown,
        })
    }

    /// Sets the interval of a clock, in seconds.
    ///
    /// # Errors
    /// Fails if the model refuses it, or is of FMI 2.0.
    pub fn set_interval(&self, clock: u32, interval_s: f64) -> Result<(), Failed> {
        let model = self.model()?;
        let slot = &three(self)?.set_interval;
        let (to, from) = (&raw const clock, &raw const interval_s);
        // SAFETY: one value for one clock.
        self.done(slot.name(), unsafe { slot.get()?(model, to, 1, from) })
    }

    /// Returns when a clock ticks for the first time, in seconds after the start.
    ///
    /// # Errors
    /// Fails if the model does not have such a clock, or is of FMI 2.0.
    pub fn shift(&self, clock: u32) -> Result<f64, Failed> {
        let model = self.model()?;
        let slot = &three(self)?.get_shift;
        let mut shift_s = 0.0;
        let (from, to) = (&raw const clock, &raw mut shift_s);
        // SAFETY: one value for one clock.
        self.done(slot.name(), unsafe { slot.get()?(model, from, 1, to) })?;
        Ok(shift_s)
    }
}

#[inline]
fn three(instance: &Instance) -> Result<&Three, Failed> {
    match &instance.functions {
        Functions::Two(_) => Err(Failed::Unknown("clock")),
        Functions::Three(table) => Ok(table),
    }
}
