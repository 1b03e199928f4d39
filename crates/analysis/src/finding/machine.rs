//! Findings about causes, the platform, rights and self-tests.

use blame::Cause;
use serde::Serialize;
use units::CpuSet;

use crate::causes::Main;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AboutMachine {
    /// The result of a self-test.
    SelfTest { result: SelfTestResult },
    /// A self-test certifies measurements, and not the machine.
    CertifiesMeasurements,
    /// Late events without injection, and the main cause.
    OwnLateness { late: u64, most: Option<(String, u64)> },
    /// A self-test without injected disturbances.
    NotInjected,
    /// Permissions that runs lacked, so that they measured without.
    NotPermitted { cause: String, remedy: String },
    /// Equal set-ups of the lab gave different samples.
    SamplesDiffer { kernel: String, run: String, place: u64, setup: String, samples: Vec<String> },
    /// How many events of a run were late, how many deadlines it missed, and the main causes.
    Late { late: u64, missed: u64, causes: Vec<MainCause> },
    /// A count that explains the lateness.
    ProbableCause { machine: Option<String>, found: String },
    /// Nothing explains the lateness, which was largest there; whether a search looked for causes,
    /// and the largest that it found; whether it is about one size of several, so that not the
    /// whole command needs to be repeated to look for causes.
    NoKnownCause {
        is_searched: bool,
        is_of_size: bool,
        stall: Option<Stall>,
        largest: Option<Part>,
    },
    /// A quota on CPU time may have held the work back, in a control group that cannot be seen.
    HiddenQuota,
    /// A real-time budget may have held the work back, in a control group that cannot be seen.
    HiddenBudget,
    /// What to change first, on which of several machines.
    FixFirst { machine: Option<String>, fixes: Vec<Fix> },
    /// Runs that used every CPU, this program's too.
    SharedCpus { shared: usize, runs: usize },
    /// Gaps in which hypervisor or firmware had the CPU.
    PlatformGaps { scan: Scan, worst_ns: f64, per_minute: f64, share: f64 },
    /// No gap was at least as long as the shortest that counts.
    NoPlatformGap { scan: Scan, shortest_ns: u64 },
    /// Latencies were judged without a scan for gaps.
    NotScanned,
    /// A loop that spins does not see the cost of waking an idle virtual CPU.
    IdleExitUnseen,
    /// The self-test of the machine that results are of, if there is one.
    SelfTested { test: Option<plan::SelfTested> },
    /// What taking a time stamp costs, and the resolution of the clock.
    StampCost { cost_ns: f64, resolution_ns: Option<f64> },
    /// A virtual machine sees time that its host took only as the host reports it, if at all.
    StealHidden { is_reported: bool },
    /// A longer run may show a worse worst case.
    WorstMayBeWorse,
    /// How exact averages, extremes and quantiles are.
    Exactness,
    /// Main causes of late events: loads with their places, each with its main cause.
    MainCauses { causes: Vec<(String, String)> },
    /// A hypervisor decides which CPUs share a core or a cache.
    GuestTopology,
}

/// A main cause of lateness.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MainCause {
    pub cause: String,
    /// Whether it is a task whose name a search for causes would show.
    pub is_unnamed: bool,
    /// Number of late events of which it is the main cause, and of deadlines missed because of them.
    pub late: u64,
    pub missed: u64,
    /// The most time that it took of one event, in nanoseconds.
    pub longest_ns: i64,
}

impl MainCause {
    /// Describes a cause on these CPUs, which a search for causes found or counters showed.
    pub(crate) fn of(main: &Main, cpus: &CpuSet, is_searched: bool) -> Self {
        let Main { late, missed, longest_ns, .. } = *main;
        let cause = match &main.cause {
            Cause::UnknownTask => format!("another task on {}", cpus.in_words()),
            cause => cause.words_for(main.tasks),
        };
        let is_unnamed = main.cause == Cause::UnknownTask && !is_searched;
        Self { cause, is_unnamed, late, missed, longest_ns }
    }
}

/// A cause that explains less than half.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
    pub cause: MainCause,
    /// Number of deadlines that the run missed in all.
    pub missed: u64,
}

/// Where and when the latest event of a run was due.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stall {
    pub cpus: CpuSet,
    /// In nanoseconds after the start of the run.
    pub at_ns: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SelfTestResult {
    /// Every disturbance was seen and named.
    Certified,
    /// Disturbances were missed or blamed on something else.
    NotCertified { reasons: Vec<String> },
    /// Stored disturbances were all seen; whether these are enough for a certificate is unknown.
    AllSeen,
    /// Too little could be injected to tell.
    HostTooBusy,
}

/// Something to change so that less is late.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Fix {
    /// The remedy of INVALID runs.
    Remedy { remedy: String },
    /// The runs requested no real-time policy.
    RealTimePolicy,
    /// What the doctor advises for one of its checks.
    Advice { check: String, change: String },
    /// A kernel thread that serves a single CPU: only its work can move.
    MoveWorkOf { task: String, cpus: CpuSet },
    /// A task, or several of that name without `pid`, that cannot move for lack of another CPU.
    StopTask { task: String, pid: Option<i64>, cpus: CpuSet },
    /// A task, or several of that name without `pid`.
    MoveTask { task: String, pid: Option<i64>, cpus: CpuSet, to: CpuSet },
    /// An interrupt of a device.
    MoveInterrupt { interrupt: String, number: u32, cpus: CpuSet, to: CpuSet },
    /// The same run with a search for causes.
    LookForCause { command: String },
    /// A run that shows whether the platform stops a CPU, where kernel and platform look alike.
    FindGaps { command: String },
    /// A run without locked memory has page faults.
    LockMemory,
    /// A step of a user's own model that touches new memory, and the command that shows where.
    TouchMemory { audit: String },
    /// A step that blocks or calls the kernel, and the command that shows where.
    RemoveWait { audit: Option<String> },
    /// A step that is too long by itself.
    ShortenStep,
    /// Something stops the process: a signal or a debugger.
    KeepFromStopping,
    /// The freezer of the process's control group stops it.
    Thaw,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scan {
    pub observed_ns: f64,
    pub cpus: CpuSet,
    pub loads: String,
}
