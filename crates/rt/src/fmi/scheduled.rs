//! Scheduled Execution: partitions of a model, activated by clocks. FMI 3.0.2, section 5.2.

use std::sync::atomic::Ordering;

use super::callbacks::pass_preemption;
use super::instance::{Instance, three};
use super::values::Variables;
use super::words::{Failed, Interval, Kind};

const CLOCK: &str = "clock";

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
        self.0.call(&three(self.0, CLOCK)?.activate_model_partition, |activate, model| {
            pass_preemption();
            // SAFETY: the type is the specification's.
            unsafe { activate(model, clock, time_s) }
        })
    }

    /// Returns the variables; the task's thread may use those that belong to its clock.
    #[inline]
    #[must_use]
    pub fn variables(&self) -> Variables<'_> {
        self.0.variables()
    }

    /// Returns how often a partition reported that clocks have changed.
    #[inline]
    #[must_use]
    pub fn clock_updates(&self) -> u64 {
        self.0.environment.clock_updates.load(Ordering::Relaxed)
    }

    /// Returns the interval until the next tick of a clock that a partition may have started.
    ///
    /// # Errors
    /// Fails if the model does not have such a clock.
    pub fn interval(&self, clock: u32) -> Result<Interval, Failed> {
        let (mut interval_s, mut qualifier) = (0.0, 0);
        // SAFETY: one value for one clock.
        self.0.call(&three(self.0, CLOCK)?.get_interval, |get, model| unsafe {
            get(model, &raw const clock, 1, &raw mut interval_s, &raw mut qualifier)
        })?;
        Ok(match qualifier {
            1 => Interval::Unchanged,
            2 => Interval::Changed(interval_s),
            _ => Interval::NotYetKnown,
        })
    }
}

impl Instance {
    /// Returns the instance for the threads of its clocks; `None` for the other kinds.
    #[must_use]
    pub fn task(&self) -> Option<Task<'_>> {
        (self.kind == Kind::ScheduledExecution).then_some(Task(self))
    }
}
