//! The definition of a disturbance.

use std::io;

use base::{CpuSet, Nanos, Policy};
use bench::columns::{Columns, Kinds};
use bench::shape::Holds;
use blame::Cause;
use record::{Asked, Track, remedy_for};
use rt::rights::{Capability, barrier_to};
use rt::sched;

pub(super) struct Disturbance {
    pub(super) name: &'static str,
    pub(super) what: &'static str,
    /// The expected cause, in words; empty if nothing is injected.
    pub(super) cause: &'static str,
    pub(super) is_cause: fn(&Cause) -> bool,
    /// Whether this cause may also take a part of its time, in addition to the expected one.
    pub(super) takes_part: fn(&Cause) -> bool,
    /// Whether it needs permission to use real-time priorities.
    pub(super) is_real_time: bool,
    pub(super) cpus: usize,
    pub(super) conditions: fn(Asked) -> Asked,
    /// Whether reading the conditions back must find it.
    pub(super) is_to_be_read_back: bool,
    pub(super) outside: fn(&Asked) -> Option<Outside>,
    /// The action in the measured loop; fails with the kernel's error.
    pub(super) within: fn(&Asked) -> io::Result<Box<dyn Within>>,
}

impl Disturbance {
    /// A loop on one CPU under the default conditions, without any injection.
    pub(super) const NONE: Self = Self {
        name: "",
        what: "",
        cause: "",
        is_cause: |_| false,
        takes_part: |_| false,
        is_real_time: false,
        cpus: 1,
        conditions: |usual| usual,
        is_to_be_read_back: false,
        outside: |_| None,
        within: |_| Ok(Box::new(Nothing)),
    };

    /// Nothing is injected: anything late is due to the machine or its host. The run is long enough
    /// to include rare disturbances.
    pub(super) const QUIET: Self = Self {
        name: "quiet",
        what: "nothing is injected",
        conditions: |usual| Asked { duration: Nanos(5_000_000_000), ..usual },
        ..Self::NONE
    };

    /// Returns why it cannot be injected on these usable CPUs, or `None` if it can.
    pub(super) fn unavailable(&self, usable: &CpuSet) -> Option<String> {
        let (needed, found) = (self.cpus, usable.len());
        if self.is_real_time && !sched::may_be_real_time() {
            let remedy = remedy_for(barrier_to(Capability::SysNice));
            Some(format!("real-time priorities are not permitted; {remedy}"))
        } else {
            (found < needed)
                .then(|| format!("it needs {needed} CPUs, but only {found} may be used"))
        }
    }
}

pub(super) struct Outside {
    pub(super) policy: Policy,
    pub(super) cpus: CpuSet,
    /// Whether it stops this process for the length of a burst instead of taking a CPU.
    pub(super) stops: bool,
}

pub(super) trait Within: Send {
    /// Runs before the first period, in the measured thread.
    fn begin(&mut self) {}

    /// Returns when the thread must wake up in a disturbed period.
    fn wake_at(&mut self, due: u64) -> u64 {
        due
    }

    /// Disturbs a period after the thread woke up.
    fn disturb(&mut self, _due: u64, _notes: &mut Notes) {}

    /// Runs after the last period.
    fn end(&mut self, _notes: &mut Notes) {}
}

struct Nothing;

impl Within for Nothing {}

/// The injector's own record.
pub(super) struct Notes {
    /// The times from start to end of each disturbance.
    pub(super) injected: Log,
    /// The times in which the measured thread waited for a lock.
    pub(super) waited: Log,
}

impl Notes {
    pub(super) fn with_capacity(events: usize) -> Self {
        Self { injected: Log::with_capacity(events), waited: Log::with_capacity(events) }
    }
}

/// Periods of time (`CLOCK_MONOTONIC`, ns), and for how long of each the injector did its work.
pub(super) struct Log(Columns<3>);

pub(super) const STRETCHES: Kinds<3> =
    [("from_ns", Holds::Stamps), ("to_ns", Holds::Stamps), ("had_ns", Holds::Times)];

impl Log {
    pub(super) fn with_capacity(events: usize) -> Self {
        Self(Columns::with_room(&STRETCHES, events as u64))
    }

    /// Adds a period in which nothing could interrupt the injector.
    #[inline]
    pub(super) fn push(&mut self, from: u64, to: u64) {
        self.push_had(from, to, to - from);
    }

    /// Adds a period, and for how long of it the injector did its work.
    #[inline]
    pub(super) fn push_had(&mut self, from: u64, to: u64, had: u64) {
        self.0.push([from, to, had]);
    }

    pub(super) fn track(&self, name: &str) -> Track {
        self.0.onto(Track::new(name))
    }
}
