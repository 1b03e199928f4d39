//! The conditions of a run: those requested, and those read back.

use std::collections::BTreeMap;

use base::{CpuSet, Nanos, Observed, Policy};
use serde::{Deserialize, Serialize};

use crate::{KnobFound, LoadSpec, ModelAudited, Tried, Warning};

/// What to do with `/dev/cpu_dma_latency` during a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum LatencyHold {
    /// Hold it at 0 us, so that CPUs stay out of idle states that take time to leave.
    Hold,
    Leave,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Asked {
    /// CPUs to measure on, such as 0-1,3.
    pub cpus: CpuSet,
    /// Policy of the measuring threads, such as fifo:80; if their priorities differ, that of the
    /// highest.
    pub policy: Policy,
    /// How long to measure, in nanoseconds.
    #[serde(rename = "duration_ns")]
    pub duration: Nanos,
    /// Whether to lock all memory.
    pub memory_lock: bool,
    /// What to do with idle states: hold (keep CPUs out of those that take time to leave) or leave
    /// (do nothing).
    pub cpu_dma_latency: LatencyHold,
    /// Background loads, as typed.
    pub loads: Vec<LoadSpec>,
    /// Whether to measure even while another process measures on one of the CPUs; absent if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub beside: bool,
    /// Knobs of the experiment that the run belongs to; absent if it belongs to none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tried: Vec<Tried>,
}

impl Asked {
    /// Returns conditions without a lock of memory, a hold of idle states, a load or a setting to try.
    pub fn plain(cpus: CpuSet, policy: Policy, duration: Nanos) -> Self {
        Self {
            cpus,
            policy,
            duration,
            memory_lock: false,
            cpu_dma_latency: LatencyHold::Leave,
            loads: Vec::new(),
            beside: false,
            tried: Vec::new(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Found {
    /// Each measuring thread, with its conditions and counters.
    pub threads: Vec<ThreadFound>,
    /// Conditions of the machine as a whole during the run.
    pub system: SystemFound,
    /// Each process of a background load.
    pub loads: Vec<LoadFound>,
    /// Each measured CPU, with its counters.
    pub cpus: Vec<CpuCounters>,
    /// What happened to all other tasks; absent if they were not moved off the measured CPUs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others: Option<OthersFound>,
    /// Each knob that was set; absent if none was set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub knobs: Vec<KnobFound>,
    /// Identity of a run in a virtual machine of the lab: what determines the samples, and their
    /// hash; absent in other runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lab: Option<LabFound>,
    /// Newest self-test of the machine before this run; absent if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub self_test: Option<SelfTested>,
    /// Newest audit of the model's file before this run; absent if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<ModelAudited>,
    /// Place of an interval in a soak; absent in other runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<IntervalFound>,
}

impl Found {
    /// Returns the warnings that follow from conditions that were lost during the run, or withheld
    /// from it.
    #[must_use]
    pub fn lost(&self, asked: &Asked) -> Vec<Warning> {
        let mut warnings = Vec::new();
        if asked.memory_lock && self.system.memory_locked_bytes == 0 {
            warnings.push(Warning::MemoryLockRefused {
                reason: "no locked memory was found when it was read back".to_owned(),
                barrier: None,
            });
        }
        let latency_us = self.system.cpu_dma_latency_us;
        if asked.cpu_dma_latency == LatencyHold::Hold && latency_us != Some(0) {
            warnings.push(Warning::LatencyHoldLost { found_us: latency_us });
        }
        let stolen = |cpu: &CpuCounters| {
            let steal_ns = cpu.steal_ns.filter(|ns| *ns > 0)?;
            Some(Warning::Stolen { cpu: cpu.cpu, steal_ns })
        };
        warnings.extend(self.cpus.iter().filter_map(stolen));
        warnings
    }
}

/// The place of an interval in a soak, from which gaps are found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IntervalFound {
    /// Identifier of the watch; the intervals of one watch were measured without a pause.
    pub watch: String,
    /// Number of the interval in its watch, from 0. A missing number was lost, or had no step (see
    /// `stalled_before`).
    pub number: u64,
    /// Intervals directly before this one that had no step and therefore no recording.
    pub stalled_before: u64,
    /// Whether the program that began its watch had also watched until then.
    #[serde(default)]
    pub is_same_program: bool,
    /// The kernel's identifier of the boot; empty if it has none.
    pub boot: String,
    /// Time for which the machine had been suspended since boot, in nanoseconds, as of the end of
    /// the interval.
    pub suspended_ns: u64,
    /// Begin of the interval in nanoseconds since boot, with suspended time; absent in old results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub began_since_boot_ns: Option<u64>,
}

/// Identifies a run in the lab: equal setups and places give equal samples.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LabFound {
    /// SHA-256 over the virtual machine (QEMU, its firmware and arguments), its kernel with
    /// parameters, and its initial file system.
    pub setup_sha256: String,
    /// Position of the run in its machine's list, from 0.
    pub place: u32,
    /// SHA-256 of everything that was recorded: names, facts and values.
    pub samples_sha256: String,
}

/// What happened to the tasks that have no part in the measurement.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OthersFound {
    /// CPUs that other tasks were moved to.
    pub cpus: CpuSet,
    /// Tasks that were moved.
    pub moved: u64,
    /// Tasks that got their previous CPUs back, including those that moved tasks have started.
    pub given_back: u64,
    /// Threads that the kernel binds to their CPU.
    pub bound: u64,
    /// Tasks that this process was not permitted to move.
    pub refused: u64,
}

/// What one measuring thread had, read back from within the thread.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ThreadFound {
    /// Name of the thread in the measurement.
    pub name: String,
    /// Requested policy, such as fifo:80.
    #[serde(rename = "requested_policy", alias = "asked_policy")]
    pub asked_policy: Policy,
    /// Requested CPUs, such as 0-1,3.
    #[serde(rename = "requested_cpus", alias = "asked_cpus")]
    pub asked_cpus: CpuSet,
    /// Policy read back before the measured loop.
    pub policy: Policy,
    /// CPUs read back before the measured loop.
    pub cpus: CpuSet,
    /// Policy read back after the measured loop.
    pub policy_at_end: Policy,
    /// CPUs read back after the measured loop.
    pub cpus_at_end: CpuSet,
    /// Timer slack read back before the measured loop, in nanoseconds: how much later than
    /// requested the kernel may end a sleep; absent for a real-time policy, to which no slack
    /// applies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timer_slack_ns: Option<u64>,
    /// What the kernel counted for the thread in the measured loop.
    pub counters: Counters,
}

/// What the kernel counted for one thread inside its measured loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Counters {
    /// Page faults served without I/O.
    pub minor_faults: u64,
    /// Page faults that waited for a device.
    pub major_faults: u64,
    /// Context switches because the thread waited.
    pub voluntary_switches: u64,
    /// Context switches because something else took the CPU.
    pub involuntary_switches: u64,
    /// Migrations to another CPU; null if the kernel does not report them.
    pub migrations: Option<u64>,
    /// Mode switches: how often a thread of a real-time core left it for Linux without a request;
    /// null on Linux alone, or if the core does not count them.
    #[serde(default)]
    pub mode_switches: Option<u64>,
    /// Time in the measured loop for which the thread was ready and waited for a CPU, in
    /// nanoseconds; null if the kernel does not count it.
    #[serde(default)]
    pub run_delay_ns: Option<u64>,
    /// CPU time used in the measured loop, in nanoseconds.
    pub cpu_time_ns: u64,
    /// Time from the start to the end of the measured loop, in nanoseconds.
    pub wall_time_ns: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CpuCounters {
    /// Number of the CPU.
    pub cpu: usize,
    /// Steal time: time that a hypervisor gave to others, in nanoseconds; null if the kernel has
    /// counted none since boot, as where the hypervisor does not report it.
    pub steal_ns: Option<u64>,
    /// Interrupts taken; null if the kernel does not report them.
    pub interrupts: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SystemFound {
    /// Approximate cost of one time stamp, in nanoseconds; included in every figure.
    pub stamp_cost_ns: f64,
    /// Locked memory as read back, in bytes.
    pub memory_locked_bytes: u64,
    /// Value of /dev/cpu_dma_latency as read back, in microseconds; null if it could not be read.
    pub cpu_dma_latency_us: Option<i32>,
    /// Frequency governor of each CPU; empty if there is no frequency scaling.
    pub governors: BTreeMap<usize, String>,
    /// Real-time throttling: runtime per period, in microseconds; -1 means off; null if it could
    /// not be read.
    pub sched_rt_runtime_us: Option<i64>,
    /// Real-time throttling: period, in microseconds; null if it could not be read.
    pub sched_rt_period_us: Option<i64>,
    /// Fair server of each CPU: runtime/period, in nanoseconds; empty if the kernel has none or
    /// does not report it.
    pub fair_servers: BTreeMap<usize, String>,
    /// Active clock source of the kernel; null if it could not be read.
    pub clock_source: Option<String>,
    /// State of simultaneous multithreading, in the kernel's words; null if it could not be read.
    pub smt: Option<String>,
    /// CPUs isolated from ordinary work, at boot or by a cpuset.
    pub isolated_cpus: String,
    /// CPUs that the controlling thread was confined to.
    pub housekeeping_cpus: CpuSet,
    /// What else the machine and the control groups of the process decided during the run, by name
    /// (docs/measurements.md): seen with its value, absent in this kernel, or hidden for a reason;
    /// absent in results of programs that did not record it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub machine: BTreeMap<String, Observed<String>>,
    /// Temperature of each sensor at the start, in degrees Celsius; absent if the machine does not
    /// report any.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub start_temperatures_c: BTreeMap<String, f64>,
    /// Frequency of each measured CPU at the start, in kHz; absent if there is no frequency
    /// scaling.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub start_frequencies_khz: BTreeMap<usize, u64>,
    /// Average power of all processor packages during the measurement, in watts (RAPL); absent if
    /// the machine does not report it, or only to root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power_w: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LoadFound {
    /// Load, as typed.
    pub name: String,
    /// CPUs that the process was confined to.
    pub cpus: CpuSet,
    /// Units of work done during the measurement.
    pub work_done: u64,
    /// Unit of `work_done`.
    pub unit: String,
}

/// What a later run reports about the self-test of its machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SelfTested {
    /// Whether every disturbance was injected, seen, measured and blamed as required.
    pub certified: bool,
    /// Time of the self-test, in nanoseconds since 1970 (UTC).
    pub at_unix_ns: u64,
    /// Version of Steadfast that ran the self-test.
    pub tool_version: String,
}
