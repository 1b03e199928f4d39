//! What a disturbance is, and the table of them.

use std::io;

use blame::Cause;
use plan::Asked;
use rt::memory::Samples;
use rt::sched;
use units::{CpuSet, Policy};

use super::{hog, late_timer, lock, migration, page_faults, priority, quiet, stop, throttling};

/// A disturbance of known length.
pub(super) trait Disturbance: Sync {
    /// Its name.
    fn name(&self) -> &'static str;

    /// What it does, in a few words.
    fn what(&self) -> &'static str;

    /// What it must be blamed on; empty where nothing is injected.
    fn cause(&self) -> &'static str;

    /// Whether that is the cause found.
    fn is_cause(&self, found: &Cause) -> bool;

    /// Whether its time has a part in this cause too, beside the right one.
    fn takes_part(&self, _found: &Cause) -> bool {
        false
    }

    /// Whether it needs the right to real-time priorities.
    fn is_real_time(&self) -> bool {
        false
    }

    /// How many CPUs it needs.
    fn cpus(&self) -> usize {
        1
    }

    /// Its conditions, from the usual ones.
    fn conditions(&self, usual: Asked) -> Asked {
        usual
    }

    /// Whether reading the conditions back must find it.
    fn is_to_be_read_back(&self) -> bool {
        false
    }

    /// What another process does meanwhile.
    fn outside(&self, _asked: &Asked) -> Option<Outside> {
        None
    }

    /// What the measured loop does.
    ///
    /// # Errors
    /// The kernel's.
    fn within(&self, _asked: &Asked) -> io::Result<Box<dyn Within>> {
        Ok(Box::new(Nothing))
    }
}

/// Every disturbance; the stretch without any comes first.
pub(super) static DISTURBANCES: &[&dyn Disturbance] = &[
    &quiet::Quiet,
    &hog::HOG,
    &hog::SAME_CPU,
    &stop::Stop,
    &page_faults::PageFaults,
    &lock::LockHeld,
    &migration::Migration,
    &late_timer::LateTimer,
    &priority::PriorityNotApplied,
    &throttling::Throttling,
];

/// The disturbance of that name.
pub(super) fn find(name: &str) -> Option<&'static dyn Disturbance> {
    DISTURBANCES.iter().copied().find(|d| d.name() == name)
}

/// Why it cannot be injected here.
pub(super) fn unavailable(disturbance: &dyn Disturbance, usable: &CpuSet) -> Option<String> {
    let needed = disturbance.cpus();
    if disturbance.is_real_time() && !sched::may_be_real_time() {
        Some("no right to real-time priorities, which `sudo` gives".to_owned())
    } else if usable.len() < needed {
        let found = usable.len();
        Some(format!("it needs {needed} CPUs, and {found} may be used"))
    } else {
        None
    }
}

/// A process that disturbs in bursts.
pub(super) struct Outside {
    /// Its policy.
    pub(super) policy: Policy,
    /// Where it runs.
    pub(super) cpus: CpuSet,
    /// Whether it stops this process for the length of a burst, instead of taking a CPU.
    pub(super) stops: bool,
}

/// A disturbance inside of the measured loop.
pub(super) trait Within: Send {
    /// Before the first period, in the measured thread.
    fn begin(&mut self) {}

    /// When a disturbed period asks to be woken.
    fn wake_at(&mut self, due: u64) -> u64 {
        due
    }

    /// A disturbed period after it woke.
    fn disturb(&mut self, _due: u64, _notes: &mut Notes) {}

    /// After the last period.
    fn end(&mut self, _notes: &mut Notes) {}
}

/// Leaves the loop alone.
struct Nothing;

impl Within for Nothing {}

/// What an injector writes down itself.
pub(super) struct Notes {
    /// From when to when it disturbed.
    pub(super) injected: Log,
    /// From when to when the measured thread waited for a lock.
    pub(super) waited: Log,
}

impl Notes {
    /// Room for so many events.
    pub(super) fn with_capacity(events: usize) -> Self {
        Self {
            injected: Log::with_capacity(events),
            waited: Log::with_capacity(events),
        }
    }
}

/// Stretches of time (`CLOCK_MONOTONIC`, ns), and for how long of each was done what was to
/// be done.
pub(super) struct Log {
    pub(super) from: Samples,
    pub(super) to: Samples,
    pub(super) had: Samples,
}

impl Log {
    pub(super) fn with_capacity(events: usize) -> Self {
        Self {
            from: Samples::with_capacity(events),
            to: Samples::with_capacity(events),
            had: Samples::with_capacity(events),
        }
    }

    /// Nothing could come between.
    #[inline]
    pub(super) fn push(&mut self, from: u64, to: u64) {
        self.push_had(from, to, to - from);
    }

    #[inline]
    pub(super) fn push_had(&mut self, from: u64, to: u64, had: u64) {
        self.from.push(from);
        self.to.push(to);
        self.had.push(had);
    }
}
