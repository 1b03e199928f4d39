//! Settings of the machine that affect real-time work. They are read, never changed.

use std::collections::BTreeMap;

use units::CpuSet;

use crate::{posix, read};

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
        let setting =
            |name: &str| read::text(format!("/sys/kernel/debug/sched/fair_server/cpu{cpu}/{name}"));
        Some((cpu, format!("{}/{}", setting("runtime")?, setting("period")?)))
    };
    cpus.iter().filter_map(server).collect()
}

/// Returns the share of each CPU, in percent, that the kernel grants to FIFO and RR threads before
/// ordinary threads run; 100 means no limit.
///
/// The share follows from the throttling of `sched_rt_runtime_us`, and from Linux 6.12 also from
/// the fair server, which reserves 50 ms of each second unless debugfs says otherwise.
#[must_use]
pub fn rt_granted_percent() -> u64 {
    let share = |part: i64, whole: i64| (100 * part.clamp(0, whole) / whole.max(1)) as u64;
    let throttled = match (rt_runtime_us(), rt_period_us()) {
        (Some(runtime @ 0..), Some(period)) => share(runtime, period),
        _ => 100,
    };
    if !kernel_at_least(6, 12) {
        return throttled;
    }
    let setting =
        |name: &str| read::value(format!("/sys/kernel/debug/sched/fair_server/cpu0/{name}"));
    let kept = setting("runtime").unwrap_or(50_000_000);
    let period = setting("period").unwrap_or(1_000_000_000);
    throttled.min(100 - share(kept, period))
}

/// Whether the running kernel has that version or a later one.
fn kernel_at_least(major: u32, minor: u32) -> bool {
    let release = read::text("/proc/sys/kernel/osrelease").unwrap_or_default();
    release_at_least(&release, major, minor)
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

/// Returns the CPUs isolated at boot, in the kernel's list format.
#[must_use]
pub fn isolated() -> String {
    read::text("/sys/devices/system/cpu/isolated").unwrap_or_default()
}

/// Returns the CPUs without a timer tick while one task runs, in the kernel's list format.
#[must_use]
pub fn nohz_full() -> String {
    read::text("/sys/devices/system/cpu/nohz_full")
        .filter(|list| list != "(null)")
        .unwrap_or_default()
}

/// Returns the preemption model: the name of the real-time core if it serves measured code; `rt` on
/// a PREEMPT_RT kernel; else the active model of a dynamic kernel, or `dynamic` if it is unknown;
/// else what the marks of the kernel's build say.
#[must_use]
pub fn preemption() -> String {
    if let Some(core) = posix::core() {
        return core;
    }
    if read::text("/sys/kernel/realtime").as_deref() == Some("1") {
        return "rt".to_owned();
    }
    let version = read::text("/proc/sys/kernel/version").unwrap_or_default();
    let marks: Vec<&str> = version.split_whitespace().collect();
    if marks.contains(&"PREEMPT_RT") {
        return "rt".to_owned();
    }
    if let Some(active) = active_preemption() {
        return active;
    }
    let mark = |name: &str| marks.contains(&name);
    match () {
        () if mark("PREEMPT_DYNAMIC") => "dynamic",
        () if mark("PREEMPT") => "full",
        () => "none or voluntary",
    }
    .to_owned()
}

/// Returns the active model of a dynamic kernel: what debugfs reports, else what was requested at
/// boot.
fn active_preemption() -> Option<String> {
    let reported = read::text("/sys/kernel/debug/sched/preempt").and_then(|models| {
        let active = |word: &str| Some(word.strip_prefix('(')?.strip_suffix(')')?.to_owned());
        models.split_whitespace().find_map(active)
    });
    reported.or_else(|| {
        let asked = |word: &str| Some(word.strip_prefix("preempt=")?.to_owned());
        read::text("/proc/cmdline")?.split_whitespace().rev().find_map(asked)
    })
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

    #[test]
    fn kernel_versions_are_compared() {
        assert!(kernel_at_least(3, 14), "the oldest kernel that this program supports");
        assert!(!kernel_at_least(1000, 0));
        assert!((1..=100).contains(&rt_granted_percent()));
    }
}
