//! Late samples, whose causes are searched, and what their threads counted about themselves.

use base::Policy;
use record::Track;

use crate::Cause;

/// From here up, the kernel's priority numbers belong to the default policies.
pub const FIRST_ORDINARY: i64 = 100;

/// When something was due and done in a thread, from the thread's stamps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamped {
    /// Number of the period.
    pub index: i64,
    /// When it was due (`CLOCK_MONOTONIC`, ns).
    pub due: i64,
    /// When the thread began its own work.
    pub start: i64,
    pub end: i64,
    /// Number of deadlines that were missed because of it.
    pub missed: u64,
}

impl Stamped {
    pub fn took(&self) -> i64 {
        self.end - self.due
    }
}

/// All samples of a thread, and its conditions.
#[derive(Debug, Clone)]
pub struct Timed<'t> {
    pub thread: &'t str,
    /// The CPU of the thread, if it may run on only one.
    pub cpu: Option<u32>,
    /// The threads on the same CPU that work on the same steps: they are no other tasks.
    pub peers: Vec<&'t str>,
    pub policy: Policy,
    /// Time after the due time from which a sample counts as late, in nanoseconds.
    pub limit_ns: i64,
    /// Whether it works in each period; a thread that only wakes up does not.
    pub works: bool,
    pub steal: Steal,
    /// In the order of their due times.
    pub samples: &'t [Stamped],
}

impl Timed<'_> {
    /// Returns when a sample could begin: when it was due and the one before had ended.
    pub(crate) fn begin(&self, at: usize) -> i64 {
        let before = at.checked_sub(1).map_or(i64::MIN, |before| self.samples[before].end);
        self.samples[at].due.max(before)
    }

    pub(crate) fn lateness(&self, at: usize) -> i64 {
        self.samples[at].took().saturating_sub(self.limit_ns)
    }
}

/// Whether a hypervisor may stop a CPU, and whether the kernel then counts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Steal {
    /// No hypervisor was found.
    Impossible,
    Counted,
    /// The time counts as that of what ran.
    Uncounted,
}

/// A late sample: one period of one thread.
#[derive(Debug, Clone, PartialEq)]
pub struct Late {
    pub thread: String,
    pub number: i64,
    pub index: i64,
    /// When it was due (`CLOCK_MONOTONIC`, ns).
    pub due: i64,
    /// When its thread started its own work.
    pub start: i64,
    /// When it was done.
    pub end: i64,
    /// Time after the due time from which it counts as late, in nanoseconds.
    pub limit_ns: i64,
    /// Usual duration of its own work, in nanoseconds; 0 or more.
    pub usual_ns: i64,
    /// The requested priority, as the kernel counts; see [`Late::priority_of`].
    pub priority: i64,
    pub counts: Option<Counts>,
    /// Number of deadlines that were missed because it was late: its own, or the periods that were
    /// skipped until the next one.
    pub missed: u64,
    /// When it waited for its peers, by its own time stamps.
    pub waits: Vec<Wait>,
    /// The threads of one step, whose most disturbed sample represents it: the number of the first
    /// of these threads, which no other group has, and the step. `None` for a thread without peers.
    pub group: Option<(i64, i64)>,
    pub steal: Steal,
}

/// A stretch of time in which a thread waited for its peers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// Start and end, `CLOCK_MONOTONIC`, in nanoseconds.
    pub from: i64,
    pub to: i64,
    /// What it waited for: `lock` or `barrier`.
    pub on: &'static str,
}

impl Late {
    /// Returns a policy's priority as the kernel counts: smaller is more important.
    pub fn priority_of(policy: Policy) -> i64 {
        match policy {
            Policy::Deadline { .. } => -1,
            Policy::Fifo(priority) | Policy::Rr(priority) => 99 - i64::from(priority),
            Policy::Idle => 120,
            Policy::Other { nice, .. } => 120 + i64::from(nice.unwrap_or(0)),
        }
    }

    /// Returns the cause of own work that took longer and that nothing else explains.
    pub(crate) fn own_work(&self) -> Cause {
        match self.steal {
            Steal::Uncounted => Cause::Unknown {
                why:
                    "its own work took longer, or the hypervisor had the CPU; this machine reports \
                      no steal"
                        .to_owned(),
            },
            Steal::Impossible | Steal::Counted => Cause::OwnWork,
        }
    }

    pub(crate) fn shares_by_weight(&self) -> bool {
        self.priority >= FIRST_ORDINARY
    }

    pub(crate) fn lateness(&self) -> i64 {
        self.end - self.due - self.limit_ns
    }

    /// Returns the part of the lateness that exists even without a disturbance. If it is above 0,
    /// its own work usually takes longer than it may.
    pub(crate) fn own_length(&self) -> i64 {
        (self.usual_ns - self.limit_ns).clamp(0, self.lateness().max(0))
    }

    pub(crate) fn excess(&self) -> i64 {
        (self.end - self.due - self.usual_ns).max(0)
    }
}

/// Columns of a thread's track: CPU time used, page faults, voluntary switches (it waited), forced
/// switches (something else took the CPU), and its current CPU. Each column has one reading more
/// than there are samples: the first reading is from before the first sample.
pub const USED: [&str; 5] = ["used_ns", "faults", "switches_own", "switches_forced", "on_cpu"];

/// What happened to a thread from the end of one sample to the end of the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// CPU time used, in nanoseconds.
    pub cpu_time_ns: i64,
    pub faults: i64,
    /// Switches because the thread waited.
    pub waits: i64,
    /// Switches because something else took the CPU.
    pub forced: i64,
    /// True if it is on another CPU than before.
    pub moved: bool,
}

impl Counts {
    pub fn of(track: &Track, sample: usize) -> Option<Self> {
        let counted = |name: &str| {
            let readings = track.values(name);
            Some(readings.get(sample + 1)? - readings.get(sample)?)
        };
        let [used, faults, waits, forced, cpu] = USED;
        Some(Self {
            cpu_time_ns: counted(used)?,
            faults: counted(faults)?,
            waits: counted(waits)?,
            forced: counted(forced)?,
            moved: counted(cpu)? != 0,
        })
    }
}
