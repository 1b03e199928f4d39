//! Settings of the machine that affect real-time work. They are read, never changed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use base::{CpuSet, Observed};

use crate::control_group::ControlGroups;
use crate::namespace::Namespace;
use crate::{kernel_config, read};

/// Returns the frequency governor of each CPU that has one.
#[must_use]
pub fn governors(cpus: &CpuSet) -> BTreeMap<usize, String> {
    let governor = |cpu| {
        let path = format!("/sys/devices/system/cpu/cpu{cpu}/cpufreq/scaling_governor");
        Some((cpu, read::text(path)?))
    };
    cpus.iter().filter_map(governor).collect()
}

/// Returns the CPU time in microseconds that real-time threads may use in each period; -1 means no
/// limit.
#[must_use]
pub fn rt_runtime_us() -> Option<i64> {
    read::value("/proc/sys/kernel/sched_rt_runtime_us")
}

/// Returns the period of [`rt_runtime_us`] in microseconds.
#[must_use]
pub fn rt_period_us() -> Option<i64> {
    read::value("/proc/sys/kernel/sched_rt_period_us")
}

/// Returns the fair server of each CPU as `RUNTIME/PERIOD` in nanoseconds: the time that it
/// reserves for ordinary threads when real-time threads would starve them (Linux 6.12). Empty if
/// the kernel has none, or debugfs is not available.
#[must_use]
pub fn fair_servers(cpus: &CpuSet) -> BTreeMap<usize, String> {
    let server = |cpu| {
        let [runtime, period] = fair_server(Path::new("/"), cpu)?;
        Some((cpu, format!("{runtime}/{period}")))
    };
    cpus.iter().filter_map(server).collect()
}

fn fair_server(root: &Path, cpu: usize) -> Option<[i64; 2]> {
    let folder = root.join(format!("sys/kernel/debug/sched/fair_server/cpu{cpu}"));
    Some([read::value(folder.join("runtime"))?, read::value(folder.join("period"))?])
}

/// The share of a CPU, in percent, that kernels grant to real-time threads unless they are told
/// otherwise.
pub const USUAL_RT_PERCENT: u64 = 95;

/// Returns the share of each of these CPUs, in percent, that the kernel grants to FIFO and RR
/// threads before ordinary threads run; 100 means no limit. `None` if no limit is known because
/// debugfs is not available.
///
/// The share follows from the throttling of `sched_rt_runtime_us`. From Linux 6.12 on, it follows
/// from the fair servers instead, and from both in a kernel with `CONFIG_RT_GROUP_SCHED`.
#[must_use]
pub fn rt_grant(cpus: &CpuSet) -> Option<RtGrant> {
    let of_kernel = granted_below(Path::new("/"), cpus);
    let of_kernel = of_kernel.map(|percent| RtGrant { percent, group: None, is_usual: false });
    let of_group = ControlGroups::of_this(&|path| read::text(path))
        .and_then(|groups| groups.real_time_budget())
        .map(|(percent, file)| RtGrant { percent, group: Some(file), is_usual: false });
    of_kernel.into_iter().chain(of_group).min_by_key(|grant| grant.percent)
}

/// Whether a control group that cannot be seen may limit the real-time threads of this process.
#[must_use]
pub fn may_hide_rt_budget() -> bool {
    let is_in_first = Namespace::ControlGroups.is_first(Path::new("/")) == Observed::Seen(true);
    ControlGroups::of_this(&|path| read::text(path))
        .is_some_and(|groups| groups.may_hide_real_time_budget(is_in_first))
}

/// What the kernel grants to the real-time threads of this process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RtGrant {
    /// The share of a CPU, in percent; 100 means no limit.
    pub percent: u64,
    /// The file of a control group, if that sets the limit.
    pub group: Option<PathBuf>,
    /// Whether it is only what kernels usually grant, because the limit cannot be seen.
    pub is_usual: bool,
}

impl RtGrant {
    /// Returns what kernels grant by default.
    #[must_use]
    pub fn usual() -> Self {
        Self { percent: USUAL_RT_PERCENT, group: None, is_usual: true }
    }
}

fn granted_below(root: &Path, cpus: &CpuSet) -> Option<u64> {
    let share = |part: i64, whole: i64| (100 * part.clamp(0, whole) / whole.max(1)) as u64;
    let kernel = root.join("proc/sys/kernel");
    let throttling = ["sched_rt_runtime_us", "sched_rt_period_us"];
    let throttled = match throttling.map(|name| read::value::<i64>(kernel.join(name))) {
        [Some(runtime @ 0..), Some(period)] => share(runtime, period),
        _ => 100,
    };
    let release = read::text(kernel.join("osrelease")).unwrap_or_default();
    if !release_at_least(&release, 6, 12) {
        return Some(throttled);
    }
    let config = kernel_config::below(root, &release).unwrap_or_default();
    let has_groups = kernel_config::value(&config, "CONFIG_RT_GROUP_SCHED") == "y";
    let throttled = if has_groups { throttled } else { 100 };
    let granted = cpus.iter().try_fold(throttled, |least, cpu| {
        let [runtime, period] = fair_server(root, cpu)?;
        Some(least.min(100 - share(runtime, period)))
    });
    granted.or(Some(throttled).filter(|share| *share < 100))
}

/// Whether a kernel's release, such as `6.12.0-rt`, is that version or a later one.
#[must_use]
pub fn release_at_least(release: &str, major: u32, minor: u32) -> bool {
    let mut numbers = release.split(['.', '-']).map_while(|part| part.parse::<u32>().ok());
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) >= (major, minor)
}

/// Returns the active clock source.
#[must_use]
pub fn clock_source() -> Option<String> {
    read::text("/sys/devices/system/clocksource/clocksource0/current_clocksource")
}

/// Returns the state of simultaneous multithreading: `on`, `off`, `notsupported`, ...
#[must_use]
pub fn smt() -> Option<String> {
    read::text("/sys/devices/system/cpu/smt/control")
}

/// The signatures of hypervisors, and their common names.
const HYPERVISORS: [(&str, &str); 7] = [
    ("KVMKVMKVM", "KVM"),
    ("TCGTCGTCGTCG", "QEMU"),
    ("VMwareVMware", "VMware"),
    ("Microsoft Hv", "Hyper-V"),
    ("XenVMMXenVMM", "Xen"),
    ("VBoxVBoxVBox", "VirtualBox"),
    ("bhyve bhyve", "bhyve"),
];

/// Returns the hypervisor that the CPUID instruction reports, by name or else by its signature;
/// `None` on bare metal and on processors without this instruction.
#[must_use]
pub fn hypervisor() -> Option<String> {
    let bytes = hypervisor_leaf()?;
    let printable = |letter: &char| letter.is_ascii_graphic() || *letter == ' ';
    let signature: String = bytes.iter().map(|byte| char::from(*byte)).filter(printable).collect();
    let known = HYPERVISORS.iter().find(|(known, _)| *known == signature.trim());
    let name = known.map_or(signature.trim(), |(_, name)| name);
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(target_arch = "x86_64")]
fn hypervisor_leaf() -> Option<[u8; 12]> {
    use std::arch::x86_64::__cpuid;
    const HYPERVISOR_PRESENT: u32 = 1 << 31;
    if __cpuid(1).ecx & HYPERVISOR_PRESENT == 0 {
        return None;
    }
    let leaf = __cpuid(0x4000_0000);
    let mut name = [0; 12];
    for (place, register) in name.chunks_mut(4).zip([leaf.ebx, leaf.ecx, leaf.edx]) {
        place.copy_from_slice(&register.to_le_bytes());
    }
    Some(name)
}

#[cfg(not(target_arch = "x86_64"))]
fn hypervisor_leaf() -> Option<[u8; 12]> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    use tempfile::TempDir;

    /// Returns the root of a machine that throttles at 95 %, with these files.
    fn machine(release: &str, files: &[(&str, &str)]) -> TempDir {
        let root = TempDir::new().unwrap();
        let all = [
            ("proc/sys/kernel/osrelease", release),
            ("proc/sys/kernel/sched_rt_runtime_us", "950000"),
            ("proc/sys/kernel/sched_rt_period_us", "1000000"),
        ];
        for (path, text) in all.iter().chain(files) {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, format!("{text}\n")).unwrap();
        }
        root
    }

    #[test]
    fn from_linux_6_12_on_the_fair_servers_of_the_measured_cpus_limit_real_time_threads() {
        const SERVERS: [(&str, &str); 4] = [
            ("sys/kernel/debug/sched/fair_server/cpu0/runtime", "50000000"),
            ("sys/kernel/debug/sched/fair_server/cpu0/period", "1000000000"),
            ("sys/kernel/debug/sched/fair_server/cpu1/runtime", "0"),
            ("sys/kernel/debug/sched/fair_server/cpu1/period", "1000000000"),
        ];
        const GROUPS: (&str, &str) = ("boot/config-6.12.1", "CONFIG_RT_GROUP_SCHED=y");
        let with_groups = [&SERVERS[..], &[GROUPS]];
        for (release, files, on_zero, on_one) in [
            ("6.11.0", &SERVERS[..], Some(95), Some(95)),
            ("6.12.1", &SERVERS[..], Some(95), Some(100)),
            ("6.12.1", &with_groups.concat()[..], Some(95), Some(95)),
            ("6.12.1", &[], None, None),
            ("6.12.1", &[GROUPS], Some(95), Some(95)),
        ] {
            let root = machine(release, files);
            for (cpu, granted) in [(0, on_zero), (1, on_one)] {
                let found = granted_below(root.path(), &CpuSet::one(cpu));
                assert_eq!(found, granted, "{release}, CPU {cpu}, {files:?}");
            }
        }
    }

    #[test]
    fn kernel_versions_are_compared() {
        assert!(release_at_least("6.12.0-rt", 6, 12) && release_at_least("7.0", 6, 12));
        assert!(!release_at_least("6.11.9", 6, 12) && !release_at_least("", 3, 14));
    }
}
