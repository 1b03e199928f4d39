//! The fingerprint of a machine.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use units::CpuSet;

/// The properties of a machine that bear on results.
///
/// A property that the machine does not report is `None` or empty.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Machine {
    /// Instruction set architecture, such as `x86_64`.
    pub architecture: String,
    pub cpu_model: String,
    pub cpus: CpuSet,
    /// Number of physical cores.
    pub cores: usize,
    /// Number of sockets.
    pub sockets: usize,
    /// Groups of hardware threads that share a core, smallest CPU first.
    pub smt_siblings: Vec<CpuSet>,
    /// State of simultaneous multithreading, as the kernel reports it.
    pub smt: Option<String>,
    /// Caches of the first CPU, such as `L1d 48 KiB`.
    pub caches: Vec<String>,
    /// Instruction set extensions that solvers use, such as `avx2`.
    pub instruction_sets: Vec<String>,
    /// Kernel release, such as `6.12.0-rt`.
    pub kernel_release: String,
    /// Kernel version string with its build marks.
    pub kernel_version: String,
    /// The kernel's command line.
    pub command_line: String,
    /// Preemption model: `none`, `voluntary`, `full`, `lazy`, `rt`, or the kernel's build marks if
    /// it does not report the active model. If a real-time core beside Linux answered measured
    /// code, the name of that core.
    pub preemption: String,
    pub clock_source: Option<String>,
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
    /// CPUs kept free of ordinary work at boot, as the kernel lists them.
    pub isolated_cpus: String,
    /// CPUs without timer tick when one task runs, as the kernel lists them.
    pub nohz_full_cpus: String,
    /// Active choice for transparent huge pages.
    pub transparent_huge_pages: Option<String>,
    /// Real-time throttling: runtime in microseconds; -1 means off.
    pub sched_rt_runtime_us: Option<i64>,
    /// The virtual machine of the lab, whose time counts instructions; `None` elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lab: Option<VirtualMachine>,
}

/// The components of a virtual machine of the lab.
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
    #[must_use]
    pub fn core_beside_linux(&self) -> Option<&str> {
        let model = self.preemption.as_str();
        let is_core = CORES.iter().any(|name| model.starts_with(name));
        is_core.then_some(model)
    }

    /// Returns sixteen hexadecimal digits that are equal for equal fingerprints.
    ///
    /// # Panics
    /// Never: a fingerprint always serialises.
    #[must_use]
    pub fn id(&self) -> String {
        let text = serde_json::to_vec(self).expect("a fingerprint is plain data");
        let digest = Sha256::digest(text);
        digest[..8].iter().map(|byte| format!("{byte:02x}")).collect()
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
}
