//! The conditions of a run: those requested, and those read back.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use units::{CpuSet, Nanos, Observed, Policy};

use crate::{KnobFound, LoadSpec, ModelAudited, Tried, Warning};

/// What to do with `/dev/cpu_dma_latency` during a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LatencyHold {
    /// Hold it at 0 us, so that CPUs stay out of idle states that take time to leave.
    Hold,
    Leave,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    pub cpus: CpuSet,
    /// Policy of the measuring threads; if their priorities differ, of the highest.
    pub policy: Policy,
    #[serde(rename = "duration_ns")]
    pub duration: Nanos,
    pub memory_lock: bool,
    pub cpu_dma_latency: LatencyHold,
    pub loads: Vec<LoadSpec>,
    /// Whether to measure even if another process is measuring on one of the CPUs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub beside: bool,
    /// The knobs of the run's experiment, each with the value tried; empty outside one.
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
pub struct Found {
    pub threads: Vec<ThreadFound>,
    pub system: SystemFound,
    pub loads: Vec<LoadFound>,
    pub cpus: Vec<CpuCounters>,
    /// What happened to all other tasks, if they were moved off the measured CPUs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others: Option<OthersFound>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub knobs: Vec<KnobFound>,
    /// For a virtual machine of the lab: its setup, which determines the samples, and their hash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lab: Option<LabFound>,
    /// The newest self-test of the machine before this run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub self_test: Option<SelfTested>,
    /// The newest audit of its model's file before this run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<ModelAudited>,
    /// For an interval of a soak: its place in the soak.
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
pub struct IntervalFound {
    /// Names the watch: intervals of one watch were measured without a pause.
    pub watch: String,
    /// Number of the interval in its watch, from 0; a number that is missing was lost.
    pub number: u64,
    /// How many intervals right before it had no step at all, so that they have no recording: their
    /// periods are due, skipped and missed in this one.
    pub stalled_before: u64,
    /// Whether the program that began its watch had watched until then.
    #[serde(default)]
    pub is_same_program: bool,
    /// The kernel's name of the boot; empty if it has none.
    pub boot: String,
    /// Time for which the machine had been suspended since boot, in nanoseconds, at its end.
    pub suspended_ns: u64,
    /// Its begin in nanoseconds since boot, with suspended time; `None` in old results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub began_since_boot_ns: Option<u64>,
}

/// Identifies a run in the lab: equal setups and places give equal samples.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabFound {
    /// SHA-256 over QEMU and its arguments, the kernel and its parameters, and the initial file
    /// system, which contains this program and the list of runs.
    pub setup_sha256: String,
    /// Place of the run in its machine's list, from 0.
    pub place: u32,
    pub samples_sha256: String,
}

/// What happened to the tasks that have no part in the measurement.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct OthersFound {
    pub cpus: CpuSet,
    pub moved: u64,
    /// How many of these and of their children got their CPUs back; others ended or were moved.
    pub given_back: u64,
    /// Threads that the kernel binds to one CPU.
    pub bound: u64,
    pub refused: u64,
}

/// What one measuring thread had, read back from within the thread.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ThreadFound {
    pub name: String,
    pub asked_policy: Policy,
    pub asked_cpus: CpuSet,
    pub policy: Policy,
    pub cpus: CpuSet,
    pub policy_at_end: Policy,
    pub cpus_at_end: CpuSet,
    /// How much later than requested the kernel was allowed to end its sleeps, in nanoseconds, read
    /// back before the measured loop; `None` for a real-time policy, to which no slack applies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timer_slack_ns: Option<u64>,
    pub counters: Counters,
}

/// What the kernel counted for one thread inside its measured loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counters {
    /// Page faults served from memory.
    pub minor_faults: u64,
    /// Page faults that waited for a device.
    pub major_faults: u64,
    /// Switches because the thread waited.
    pub voluntary_switches: u64,
    /// Switches because something else took the CPU.
    pub involuntary_switches: u64,
    /// Moves to another CPU; `None` if the kernel does not report them.
    pub migrations: Option<u64>,
    /// How often a thread of a real-time core left it for Linux, without the mode switches that are
    /// being measured; `None` on Linux alone, and if the core does not count them.
    #[serde(default)]
    pub mode_switches: Option<u64>,
    /// Time for which it was ready and waited for a CPU, in nanoseconds; `None` if the kernel does
    /// not count it.
    #[serde(default)]
    pub run_delay_ns: Option<u64>,
    pub cpu_time_ns: u64,
    /// Time from the loop's start to its end, in nanoseconds.
    pub wall_time_ns: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CpuCounters {
    pub cpu: usize,
    /// Time in which a hypervisor ran something else, in nanoseconds, often in steps of 10 ms; `None`
    /// if the kernel has counted none since boot: few hypervisors report it.
    pub steal_ns: Option<u64>,
    /// Interrupts taken; `None` if the kernel does not report them.
    pub interrupts: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SystemFound {
    /// Approximate cost of a time stamp in nanoseconds: part of every figure, never subtracted.
    pub stamp_cost_ns: f64,
    pub memory_locked_bytes: u64,
    /// `/dev/cpu_dma_latency` as read back, in microseconds; `None` if it could not be read.
    pub cpu_dma_latency_us: Option<i32>,
    /// Frequency governor by CPU; empty without frequency scaling.
    pub governors: BTreeMap<usize, String>,
    /// Real-time throttling: runtime per period, in microseconds; -1 means off.
    pub sched_rt_runtime_us: Option<i64>,
    pub sched_rt_period_us: Option<i64>,
    /// Fair server by CPU: runtime/period in nanoseconds; empty if there is none or not reported.
    pub fair_servers: BTreeMap<usize, String>,
    pub clock_source: Option<String>,
    pub smt: Option<String>,
    /// CPUs kept free of ordinary work at boot.
    pub isolated_cpus: String,
    /// CPUs to which the controlling thread was confined, read back.
    pub housekeeping_cpus: CpuSet,
    /// What else the machine and the control groups of this process decide, by the names of
    /// `doctor::CONDITIONS` and of knobs, while the conditions of the run were in force; empty in
    /// results of programs that did not record it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub machine: BTreeMap<String, Observed<String>>,
    /// Temperatures in degrees Celsius by sensor, before loads began; empty if not reported.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub start_temperatures_c: BTreeMap<String, f64>,
    /// Frequencies of the measured CPUs in kHz at the same time; empty without frequency scaling.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub start_frequencies_khz: BTreeMap<usize, u64>,
    /// Average power of all processor packages during the measurement, in watts (RAPL); `None` if
    /// the machine does not report it, or only to root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power_w: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadFound {
    /// The load, as the user types it.
    pub name: String,
    pub cpus: CpuSet,
    pub work_done: u64,
    pub unit: String,
}

/// What a later run reports about the self-test of its machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelfTested {
    pub certified: bool,
    /// Time of the self-test, in nanoseconds since 1970 (UTC).
    pub at_unix_ns: u64,
    pub tool_version: String,
}
