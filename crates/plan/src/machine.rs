//! The fingerprint of a machine.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use units::CpuSet;

use crate::{Installation, KernelOrigin};

/// The properties of a machine that bear on results.
///
/// A property that the machine does not report is `None` or empty.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Machine {
    /// Instruction set architecture, such as `x86_64`.
    pub architecture: String,
    pub cpu_model: String,
    pub cpus: CpuSet,
    pub cores: usize,
    pub sockets: usize,
    /// Groups of hardware threads that share a core, smallest CPU first.
    pub smt_siblings: Vec<CpuSet>,
    /// Kinds of cores, fast ones first; empty if all cores are equal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unlike_cores: Vec<CoreKind>,
    pub smt: Option<String>,
    /// Caches of the first CPU, such as `L1d 48 KiB`.
    pub caches: Vec<String>,
    /// Instruction set extensions that solvers use, such as `avx2`.
    pub instruction_sets: Vec<String>,
    /// Kernel release, such as `6.12.0-rt`.
    pub kernel_release: String,
    /// Kernel version string with its build marks.
    pub kernel_version: String,
    pub command_line: String,
    /// Preemption model: `none`, `voluntary`, `full`, `lazy`, `rt`, or the kernel's build marks if
    /// it does not report the active model. If a real-time core beside Linux answered measured
    /// code, the name of that core.
    pub preemption: String,
    pub clock_source: Option<String>,
    /// Frequency of the counter behind the clock, if it is coarser than a nanosecond.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counter_hz: Option<u64>,
    /// Frequency governors in use; empty without frequency scaling.
    pub governors: Vec<String>,
    pub idle_driver: Option<String>,
    /// Names of the idle states of the first CPU, shallow first.
    pub idle_states: Vec<String>,
    /// Mitigations of CPU vulnerabilities: name and state.
    pub mitigations: BTreeMap<String, String>,
    /// Hypervisor that this machine runs under; `None` on bare metal.
    pub hypervisor: Option<String>,
    pub memory_bytes: u64,
    pub swap_bytes: u64,
    /// Size of a page of memory, if it is not 4 KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_bytes: Option<u64>,
    /// CPUs kept free of ordinary work, at boot or by a cpuset, as the kernel lists them.
    pub isolated_cpus: String,
    /// CPUs without timer tick when one task runs, as the kernel lists them.
    pub nohz_full_cpus: String,
    pub transparent_huge_pages: Option<String>,
    /// Real-time throttling: runtime in microseconds; -1 means off.
    pub sched_rt_runtime_us: Option<i64>,
    /// How its system is installed; `None` in results of programs that did not record it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub installation: Option<Installation>,
    /// The virtual machine of the lab, whose time counts instructions; `None` elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lab: Option<VirtualMachine>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoreKind {
    pub cpus: CpuSet,
    /// The name of such a core, such as `Cortex-A72`; empty if it is not known.
    pub name: String,
    /// Speed, as a share of 1024 for the fastest kind; `None` if the kernel does not report it.
    pub capacity: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VirtualMachine {
    /// The kernel's name in the lab, with what was appended to its command line.
    pub kernel: String,
    pub kernel_source: String,
    /// SHA-256 of its boot image, in hexadecimal digits.
    pub kernel_sha256: String,
    /// Kernel parameters in addition to the lab's own.
    pub append: String,
    pub qemu_version: String,
    /// SHA-256 over QEMU's firmware, in hexadecimal digits; empty if it was not recorded.
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
