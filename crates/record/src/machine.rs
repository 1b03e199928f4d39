//! The fingerprint of a machine.

use std::collections::BTreeMap;
use std::fmt;

use base::CpuSet;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{Installation, KernelOrigin};

/// The properties of a machine that bear on results.
///
/// A property that the machine does not report is `None` or empty.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Machine {
    /// Instruction set architecture.
    pub architecture: String,
    /// Name of the CPU.
    pub cpu_model: String,
    /// Online CPUs, such as `0-1,3`.
    pub cpus: CpuSet,
    /// Number of physical cores.
    pub cores: usize,
    /// Number of sockets.
    pub sockets: usize,
    /// Groups of hardware threads that share a core.
    pub smt_siblings: Vec<CpuSet>,
    /// Kinds of cores, fastest first; absent if all cores are equal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unlike_cores: Vec<CoreKind>,
    /// State of simultaneous multithreading, in the kernel's words.
    pub smt: Option<String>,
    /// Caches of the first CPU.
    pub caches: Vec<String>,
    /// Instruction set extensions that solvers use.
    pub instruction_sets: Vec<String>,
    /// Kernel release.
    pub kernel_release: String,
    /// Kernel version, with its build marks.
    pub kernel_version: String,
    /// Parameters of the kernel's command line that matter for real time, and the number of others;
    /// the whole command line with `--identify`.
    pub command_line: String,
    /// Preemption model.
    pub preemption: String,
    /// Active clock source.
    pub clock_source: Option<String>,
    /// Frequency of the counter behind the clock, in hertz; absent if it is at least 1 GHz.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counter_hz: Option<u64>,
    /// Frequency governors in use.
    pub governors: Vec<String>,
    /// Idle driver.
    pub idle_driver: Option<String>,
    /// Idle states of the first CPU, shallowest first.
    pub idle_states: Vec<String>,
    /// Mitigations of CPU vulnerabilities: name and state.
    pub mitigations: BTreeMap<String, String>,
    /// Hypervisor that the machine runs under; null if none was found, as on bare metal.
    pub hypervisor: Option<String>,
    /// Size of the memory, in bytes.
    pub memory_bytes: u64,
    /// Size of the swap space, in bytes.
    pub swap_bytes: u64,
    /// Size of a memory page, in bytes; absent if it is 4096.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_bytes: Option<u64>,
    /// CPUs isolated at boot or by a cpuset: kept free of ordinary work.
    pub isolated_cpus: String,
    /// CPUs without a timer tick while one task runs.
    pub nohz_full_cpus: String,
    /// Active setting of transparent huge pages.
    pub transparent_huge_pages: Option<String>,
    /// Real-time throttling: runtime per period, in microseconds; -1 if it is off.
    pub sched_rt_runtime_us: Option<i64>,
    /// How the system is installed; absent in results of programs that did not record it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub installation: Option<Installation>,
    /// Virtual machine of the lab, in which time is a count of instructions; absent if the machine
    /// is not of the lab.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lab: Option<VirtualMachine>,
    /// Name of the machine or file that imported files are of; then only facts that the files state
    /// are known, and every empty, null or zero one is unknown. Absent for a machine that Steadfast
    /// itself looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported_as: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CoreKind {
    /// CPUs of this kind.
    pub cpus: CpuSet,
    /// Name of this kind of core; empty if it is not known.
    pub name: String,
    /// Speed, relative to 1024 for the fastest kind; null if the kernel does not report it.
    pub capacity: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VirtualMachine {
    /// Name of the kernel in the lab.
    pub kernel: String,
    /// Source of the kernel: a package with its version, or `added by hand`.
    pub kernel_source: String,
    /// SHA-256 of the kernel's boot image.
    pub kernel_sha256: String,
    /// Kernel parameters in addition to the lab's own.
    pub append: String,
    /// Version of QEMU.
    pub qemu_version: String,
    /// SHA-256 of QEMU's firmware; absent if it was not recorded.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub qemu_firmware_sha256: String,
    /// Arguments of QEMU, without those that name files.
    pub qemu_arguments: String,
}

/// Prefixes of the names of real-time cores beside Linux.
const CORES: [&str; 3] = ["Xenomai", "RTAI", "EVL"];

impl Machine {
    /// Returns the real-time core beside Linux that answered measured code, with its version.
    pub fn core_beside_linux(&self) -> Option<&str> {
        let model = self.preemption.as_str();
        CORES.iter().any(|name| model.starts_with(name)).then_some(model)
    }

    /// Whether the kernel and its command line come from the host of this machine or container.
    pub fn has_kernel_of_host(&self) -> bool {
        let installation = self.installation.as_ref();
        installation.is_some_and(|system| system.kernel_from == Some(KernelOrigin::Host))
    }

    /// Returns the step of the clock in nanoseconds, if its counter is coarser than a nanosecond.
    pub fn clock_step_ns(&self) -> Option<f64> {
        self.counter_hz.map(|frequency| 1e9 / frequency as f64)
    }

    /// Names the kinds of these CPUs, such as `Cortex-A72 (CPUs 4-5)`, unless all are equal.
    pub fn kinds_of(&self, cpus: &CpuSet) -> Vec<String> {
        let is_used = |kind: &&CoreKind| kind.cpus.iter().any(|cpu| cpus.contains(cpu));
        self.unlike_cores.iter().filter(is_used).map(CoreKind::to_string).collect()
    }

    /// Returns sixteen hexadecimal digits that are equal for equal fingerprints.
    ///
    /// # Panics
    /// Never: a fingerprint always serialises.
    pub fn id(&self) -> String {
        let text = serde_json::to_vec(self).expect("a fingerprint is plain data");
        let digest = Sha256::digest(text);
        digest[..8].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl fmt::Display for CoreKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.name.as_str(), self.capacity) {
            ("", None) => write!(formatter, "core")?,
            ("", Some(capacity)) => write!(formatter, "core of capacity {capacity}")?,
            (name, _) => formatter.write_str(name)?,
        }
        write!(formatter, " ({})", self.cpus.in_words())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_machines_have_equal_ids_and_others_do_not() {
        let one = Machine { cpu_model: "Some CPU".into(), ..Machine::default() };
        let mut other = one.clone();
        assert_eq!(one.id(), other.id());
        assert_eq!(one.id().len(), 16);
        other.kernel_release = "6.1".into();
        assert_ne!(one.id(), other.id());
    }

    #[test]
    fn only_unlike_cores_are_named() {
        let kind = |cpus: &str, name: &str, capacity| CoreKind {
            cpus: cpus.parse().unwrap(),
            name: name.to_owned(),
            capacity: Some(capacity),
        };
        let equal = Machine { cpus: "0-5".parse().unwrap(), ..Machine::default() };
        assert!(equal.kinds_of(&equal.cpus).is_empty());
        let unlike_cores = vec![kind("4-5", "Cortex-A72", 1024), kind("0-3", "", 446)];
        let board = Machine { unlike_cores, ..equal };
        assert_eq!(board.kinds_of(&CpuSet::one(5)), ["Cortex-A72 (CPUs 4-5)"]);
        let little = "core of capacity 446 (CPUs 0-3)";
        assert_eq!(board.kinds_of(&board.cpus), ["Cortex-A72 (CPUs 4-5)", little]);
    }
}
