//! What a disturbance is.

use std::io;

use blame::Cause;
use plan::{Asked, Track};
use rt::sched;
use units::{CpuSet, Policy};

use crate::columns::{Columns, Kinds};
use crate::shape::Holds;

/// A disturbance of known length.
pub(super) struct Disturbance {
    /// Its name.
    pub(super) name: &'static str,
    /// What it does, in a few words.
    pub(super) what: &'static str,
    /// What it must be blamed on; empty where nothing is injected.
    pub(super) cause: &'static str,
    /// Whether that is the cause found.
    pub(super) is_cause: fn(&Cause) -> bool,
    /// Whether its time has a part in this cause too, beside the right one.
    pub(super) takes_part: fn(&Cause) -> bool,
    /// Whether it needs the right to real-time priorities.
    pub(super) is_real_time: bool,
    /// How many CPUs it needs.
    pub(super) cpus: usize,
    /// Its conditions, from the usual ones.
    pub(super) conditions: fn(Asked) -> Asked,
    /// Whether reading the conditions back must find it.
    pub(super) is_to_be_read_back: bool,
    /// What another process does meanwhile.
    pub(super) outside: fn(&Asked) -> Option<Outside>,
    /// What the measured loop does; fails with the kernel's error.
    pub(super) within: fn(&Asked) -> io::Result<Box<dyn Within>>,
}

impl Disturbance {
    /// A loop on one CPU under the usual conditions, into which nothing is injected.
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

    /// Why it cannot be injected where these CPUs may be used; `None` where it can.
    pub(super) fn unavailable(&self, usable: &CpuSet) -> Option<String> {
        let (needed, found) = (self.cpus, usable.len());
        if self.is_real_time && !sched::may_be_real_time() {
            Some("no right to real-time priorities, which `sudo` gives".to_owned())
        } else {
            (found < needed).then(|| format!("it needs {needed} CPUs, and {found} may be used"))
        }
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

/// Nothing leaves the loop alone.
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
        Self { injected: Log::with_capacity(events), waited: Log::with_capacity(events) }
    }
}

/// Stretches of time (`CLOCK_MONOTONIC`, ns), and for how long of each was done what was to
/// be done.
pub(super) struct Log(Columns<3>);

/// The columns of a [`Log`].
pub(super) const STRETCHES: Kinds<3> =
    [("from_ns", Holds::Stamps), ("to_ns", Holds::Stamps), ("had_ns", Holds::Times)];

impl Log {
    pub(super) fn with_capacity(events: usize) -> Self {
        Self(Columns::with_room(&STRETCHES, events as u64))
    }

    /// Adds a stretch in which nothing could come between.
    #[inline]
    pub(super) fn push(&mut self, from: u64, to: u64) {
        self.push_had(from, to, to - from);
    }

    /// Adds a stretch, and for how long of it the injector did its work.
    #[inline]
    pub(super) fn push_had(&mut self, from: u64, to: u64, had: u64) {
        self.0.push([from, to, had]);
    }

    /// The track with all stretches.
    pub(super) fn track(&self, name: &str) -> Track {
        self.0.onto(Track::new(name))
    }
}
