//! Findings about causes, the platform, rights and self-tests.

use serde::Serialize;
use units::CpuSet;

/// A finding about causes, the platform, rights and self-tests.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AboutMachine {
    SelfTest {
        result: SelfTestResult,
    },
    /// A self-test certifies measurements, and not the machine.
    CertifiesMeasurements,
    /// Late events without injection, and the main cause.
    OwnLateness {
        late: u64,
        most: Option<(String, u64)>,
    },
    /// A self-test without injected disturbances.
    NotInjected,
    /// Permissions that runs lacked, so that they measured without.
    NotPermitted {
        cause: String,
        remedy: String,
    },
    /// Equal set-ups of the lab gave different samples.
    SamplesDiffer {
        kernel: String,
        run: String,
        place: u64,
        setup: String,
        samples: Vec<String>,
    },
    /// How many events were late, and the main causes.
    Late {
        late: u64,
        causes: Vec<(String, u64)>,
    },
    /// A count that explains the lateness.
    ProbableCause {
        machine: Option<String>,
        found: String,
    },
    NoKnownCause,
    FixFirst {
        machine: Option<String>,
        fixes: Vec<Fix>,
    },
    /// Runs that used every CPU, this program's too.
    SharedCpus {
        shared: usize,
        runs: usize,
    },
    /// Gaps in which hypervisor or firmware had the CPU.
    PlatformGaps {
        scan: Scan,
        worst_ns: f64,
        per_minute: f64,
        share: f64,
    },
    NoPlatformGap {
        scan: Scan,
        shortest_ns: u64,
    },
    NotScanned,
    /// A loop that spins does not see the cost of waking an idle virtual CPU.
    IdleExitUnseen,
    /// The self-test of the machine that results are of, if there is one.
    SelfTested {
        test: Option<plan::SelfTested>,
    },
    StampCost {
        cost_ns: f64,
        resolution_ns: Option<f64>,
    },
    /// A virtual machine sees time that its host took only as the host reports it.
    StealHidden,
    WorstMayBeWorse,
    /// How exact averages, extremes and quantiles are.
    Exactness,
    /// Main causes of late events.
    MainCauses {
        /// Loads with their places, each with its main cause.
        causes: Vec<(String, String)>,
    },
    /// A hypervisor decides which CPUs share a core or a cache.
    GuestTopology,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SelfTestResult {
    Certified,
    NotCertified {
        reasons: Vec<String>,
    },
    /// Stored disturbances were all seen; whether these are enough for a certificate is unknown.
    AllSeen,
    HostTooBusy,
}

/// Something to change so that less is late.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Fix {
    Remedy {
        remedy: String,
    },
    /// The runs requested no real-time policy.
    RealTimePolicy,
    /// What the doctor advises for one of its checks.
    Advice {
        check: String,
        change: String,
    },
    /// A kernel thread that serves a single CPU: only its work can move.
    MoveWorkOf {
        task: String,
        cpus: CpuSet,
    },
    /// A task that cannot move, for lack of another CPU.
    StopTask {
        task: String,
        /// `None` for several tasks of that name.
        pid: Option<i64>,
        cpus: CpuSet,
    },
    MoveTask {
        task: String,
        /// `None` for several tasks of that name.
        pid: Option<i64>,
        cpus: CpuSet,
        to: CpuSet,
    },
    MoveInterrupt {
        interrupt: String,
        number: u32,
        cpus: CpuSet,
        to: CpuSet,
    },
    LockMemory,
    RemoveWait,
    ShortenStep,
}

/// A scan for platform gaps.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scan {
    pub observed_ns: f64,
    pub cpus: CpuSet,
    pub loads: String,
}
