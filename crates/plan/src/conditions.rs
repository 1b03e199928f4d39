//! The conditions of a run: what was asked, and what was found.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use units::{CpuSet, Nanos, Policy};

use crate::{KnobFound, LoadSpec, ModelAudited, Tried};

/// What to do with `/dev/cpu_dma_latency` during a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LatencyHold {
    /// Hold it at 0 us: CPUs stay out of idle states that take time to leave.
    Hold,
    /// Leave it as it is.
    Leave,
}

/// The conditions a person asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// CPUs to measure on.
    pub cpus: CpuSet,
    /// Policy of the measuring threads (where priorities differ, of the highest).
    pub policy: Policy,
    /// How long to measure, in nanoseconds.
    #[serde(rename = "duration_ns")]
    pub duration: Nanos,
    /// Whether all memory is to be locked.
    pub memory_lock: bool,
    /// Whether idle states are to be held off.
    pub cpu_dma_latency: LatencyHold,
    /// Background loads.
    pub loads: Vec<LoadSpec>,
    /// Whether to measure also where another process measures on one of the CPUs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub beside: bool,
    /// The knobs of the experiment that it belongs to, each as it is tried; empty without one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tried: Vec<Tried>,
}

/// The conditions read back from the kernel.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Found {
    /// One entry for each measuring thread.
    pub threads: Vec<ThreadFound>,
    /// The machine as a whole.
    pub system: SystemFound,
    /// One entry for each load process.
    pub loads: Vec<LoadFound>,
    /// What each measured CPU did meanwhile.
    pub cpus: Vec<CpuCounters>,
    /// What became of everything else, where it was moved off the measured CPUs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others: Option<OthersFound>,
    /// One entry for each knob that was set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub knobs: Vec<KnobFound>,
    /// What decided the samples, and what they were, in a virtual machine of the lab.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lab: Option<LabFound>,
    /// The newest self-test of the machine before this run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub self_test: Option<SelfTested>,
    /// The newest audit of its model's file before this run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<ModelAudited>,
}

/// A run in the lab: equal setups and places give equal samples.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabFound {
    /// SHA-256 over QEMU and its arguments, the kernel and its parameters, and the
    /// initial file system, which holds this program and the list of runs.
    pub setup_sha256: String,
    /// Place of the run in its machine's list, from 0.
    pub place: u32,
    /// SHA-256 of everything that was recorded.
    pub samples_sha256: String,
}

/// What became of all tasks that have no part in the measurement.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct OthersFound {
    /// The CPUs that they were moved to.
    pub cpus: CpuSet,
    /// Tasks that were moved.
    pub moved: u64,
    /// Of these, and of the ones that they started meanwhile, those that were given
    /// their CPUs back; the others had ended, or had been given other CPUs.
    pub given_back: u64,
    /// Threads that the kernel keeps on their own CPU.
    pub bound: u64,
    /// Tasks that this process has no right to move.
    pub refused: u64,
}

/// What one measuring thread had, read back inside it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ThreadFound {
    /// The thread's name in the measurement.
    pub name: String,
    /// The policy that was asked for this thread.
    pub asked_policy: Policy,
    /// The CPUs that were asked for this thread.
    pub asked_cpus: CpuSet,
    /// Policy before the measured loop.
    pub policy: Policy,
    /// CPU mask before the measured loop.
    pub cpus: CpuSet,
    /// Policy after the measured loop.
    pub policy_at_end: Policy,
    /// CPU mask after the measured loop.
    pub cpus_at_end: CpuSet,
    /// What happened to the thread inside the measured loop.
    pub counters: Counters,
}

/// What the kernel counted for one thread inside its measured loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counters {
    /// Page faults without input or output.
    pub minor_faults: u64,
    /// Page faults that waited for a device.
    pub major_faults: u64,
    /// Switches because the thread waited.
    pub voluntary_switches: u64,
    /// Switches because something else took the CPU.
    pub involuntary_switches: u64,
    /// Moves to another CPU; `None` where the kernel does not tell.
    pub migrations: Option<u64>,
    /// Excursions into Linux of a thread of a real-time core beside it, without those
    /// that are measured; `None` on Linux alone, and where the core does not count.
    #[serde(default)]
    pub mode_switches: Option<u64>,
    /// CPU time used, in nanoseconds.
    pub cpu_time_ns: u64,
    /// Time from the loop's start to its end, in nanoseconds.
    pub wall_time_ns: u64,
}

/// What happened on one measured CPU during the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CpuCounters {
    /// The CPU.
    pub cpu: usize,
    /// Time that a hypervisor gave to somebody else, in nanoseconds, at the
    /// kernel's resolution (often 10 ms).
    pub steal_ns: u64,
    /// Interrupts taken, where the kernel tells.
    pub interrupts: Option<u64>,
}

/// Settings of the whole machine during the run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SystemFound {
    /// About what one time stamp costs, in nanoseconds; in every figure, and
    /// never subtracted.
    pub stamp_cost_ns: f64,
    /// Memory locked by the measuring process, in bytes.
    pub memory_locked_bytes: u64,
    /// `/dev/cpu_dma_latency` as read back, in microseconds; `None` unreadable.
    pub cpu_dma_latency_us: Option<i32>,
    /// Frequency governor by CPU; empty without frequency scaling.
    pub governors: BTreeMap<usize, String>,
    /// Real-time throttling: runtime in each period; -1 is off.
    pub sched_rt_runtime_us: Option<i64>,
    /// Period of real-time throttling.
    pub sched_rt_period_us: Option<i64>,
    /// Fair server by CPU: runtime/period in nanoseconds; empty where the
    /// kernel has none or does not tell.
    pub fair_servers: BTreeMap<usize, String>,
    /// Clock source.
    pub clock_source: Option<String>,
    /// State of simultaneous multithreading, in the kernel's words.
    pub smt: Option<String>,
    /// CPUs kept free of ordinary work at boot.
    pub isolated_cpus: String,
    /// CPUs that the controlling thread was confined to, read back.
    pub housekeeping_cpus: CpuSet,
    /// Temperatures in degrees Celsius by sensor, before loads and measurement began;
    /// empty where the machine does not tell.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub start_temperatures_c: BTreeMap<String, f64>,
    /// Frequencies of the measured CPUs in kHz at the same time; empty without frequency
    /// scaling.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub start_frequencies_khz: BTreeMap<usize, u64>,
    /// Average power of all processor packages while it measured, in watts (RAPL); `None` where the
    /// machine does not tell, or tells root alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power_w: Option<f64>,
}

/// What one load process did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadFound {
    /// The load, as it is typed.
    pub name: String,
    /// CPUs it was confined to.
    pub cpus: CpuSet,
    /// Units of work done during the measurement.
    pub work_done: u64,
    /// What units of its work are.
    pub unit: String,
}

/// What a later run says of the self-test of its machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelfTested {
    /// Whether it was certified.
    pub certified: bool,
    /// When, in nanoseconds since 1970 (UTC).
    pub at_unix_ns: u64,
    /// Version of the program that tested.
    pub tool_version: String,
}
