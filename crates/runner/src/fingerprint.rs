//! The fingerprint of this machine.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, DirEntry};

use doctor::{Tree, installation};
use plan::Machine;
use rt::{clock, memory, read, system, topology};

use crate::cores;

/// Instruction set extensions that show how fast a solver can be.
const TELLING_SETS: [&str; 7] = ["sse2", "avx", "avx2", "fma", "avx512f", "asimd", "sve"];

/// Machines with pages of this size do not report it, as before other sizes were known.
const USUAL_PAGE_BYTES: u64 = 4096;

pub fn fingerprint() -> Machine {
    let online = topology::online();
    let cores = topology::cores();
    let first = online.iter().next().unwrap_or(0);
    let cpuinfo = read::text("/proc/cpuinfo").unwrap_or_default();
    let mut governors: Vec<String> = system::governors(&online).into_values().collect();
    governors.sort();
    governors.dedup();
    let core_names = cores::arm_names(&cpuinfo);
    let kernel_release = read::text("/proc/sys/kernel/osrelease").unwrap_or_default();
    let command_line = read::text("/proc/cmdline").unwrap_or_default();
    let hypervisor = hypervisor(&cpuinfo);
    let is_virtual = hypervisor.is_some();
    Machine {
        installation: Some(installation(
            &Tree::at("/"),
            &kernel_release,
            &command_line,
            is_virtual,
        )),
        architecture: std::env::consts::ARCH.to_owned(),
        cpu_model: cpu_model(&cpuinfo, read::text("/proc/device-tree/model"), &core_names),
        cores: cores.len(),
        smt_siblings: cores,
        sockets: topology::sockets(),
        unlike_cores: cores::unlike(&online, &core_names),
        smt: system::smt(),
        caches: topology::caches(first),
        instruction_sets: instruction_sets(&cpuinfo),
        kernel_release,
        kernel_version: read::text("/proc/sys/kernel/version").unwrap_or_default(),
        command_line,
        preemption: system::preemption(),
        clock_source: system::clock_source(),
        counter_hz: clock::counter_hz().filter(|frequency| *frequency < 1_000_000_000),
        governors,
        idle_driver: read::text("/sys/devices/system/cpu/cpuidle/current_driver"),
        idle_states: idle_states(first),
        mitigations: mitigations(),
        hypervisor,
        memory_bytes: memory::total_bytes(),
        swap_bytes: memory::swap_bytes(),
        page_bytes: Some(memory::page_bytes()).filter(|bytes| *bytes != USUAL_PAGE_BYTES),
        isolated_cpus: system::isolated(),
        nohz_full_cpus: system::nohz_full(),
        transparent_huge_pages: read::bracketed("/sys/kernel/mm/transparent_hugepage/enabled"),
        lab: None,
        sched_rt_runtime_us: system::rt_runtime_us(),
        cpus: online,
    }
}

/// Returns the value of a line such as `model name : AMD EPYC`. Arm kernels print none: there it is
/// the board with its kinds of cores, such as `Raspberry Pi 4 Model B Rev 1.4 (Cortex-A72)`.
fn cpu_model(cpuinfo: &str, board: Option<String>, core_names: &BTreeMap<usize, String>) -> String {
    if let Some(name) = line(cpuinfo, "model name") {
        return name.to_owned();
    }
    let kinds: BTreeSet<&str> = core_names.values().map(String::as_str).collect();
    let cores = kinds.into_iter().collect::<Vec<&str>>().join(", ");
    match board {
        Some(board) if cores.is_empty() => board,
        Some(board) => format!("{board} ({cores})"),
        None if cores.is_empty() => "unknown".to_owned(),
        None => cores,
    }
}

fn instruction_sets(cpuinfo: &str) -> Vec<String> {
    let flags = line(cpuinfo, "flags").or_else(|| line(cpuinfo, "Features"));
    let flags: Vec<&str> = flags.unwrap_or_default().split_whitespace().collect();
    TELLING_SETS.iter().filter(|set| flags.contains(set)).map(ToString::to_string).collect()
}

fn line<'a>(cpuinfo: &'a str, name: &str) -> Option<&'a str> {
    let mut fields = cpuinfo.lines().filter_map(|line| line.split_once(':'));
    fields.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim())
}

fn idle_states(cpu: usize) -> Vec<String> {
    let name = |state: usize| {
        read::text(format!("/sys/devices/system/cpu/cpu{cpu}/cpuidle/state{state}/name"))
    };
    (0..).map_while(name).collect()
}

fn mitigations() -> BTreeMap<String, String> {
    let entries = fs::read_dir("/sys/devices/system/cpu/vulnerabilities").into_iter();
    let mitigation = |entry: DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        Some((name, read::text(entry.path())?))
    };
    entries.flatten().flatten().filter_map(mitigation).collect()
}

/// Returns the hypervisor; `unknown` if only the CPU's flag shows that there is one.
fn hypervisor(cpuinfo: &str) -> Option<String> {
    let named = read::text("/sys/hypervisor/type")
        .or_else(|| read::text("/sys/class/dmi/id/sys_vendor").filter(|v| is_virtual(v)));
    let flagged = line(cpuinfo, "flags")
        .is_some_and(|flags| flags.split_whitespace().any(|flag| flag == "hypervisor"));
    named.or_else(system::hypervisor).or_else(|| flagged.then(|| "unknown".to_owned()))
}

fn is_virtual(vendor: &str) -> bool {
    const VENDORS: [&str; 8] =
        ["QEMU", "VMware", "Xen", "innotek", "Microsoft", "Amazon EC2", "Google", "Parallels"];
    VENDORS.iter().any(|name| vendor.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_processor_without_a_model_name_is_named_by_board_and_cores() {
        let cores = |names: &[&str]| -> BTreeMap<usize, String> {
            names.iter().map(|name| (*name).to_owned()).enumerate().collect()
        };
        let board = || Some("Radxa ROCK 4C+".to_owned());
        let both = cores(&["Cortex-A53", "Cortex-A53", "Cortex-A72"]);
        assert_eq!(cpu_model("", board(), &both), "Radxa ROCK 4C+ (Cortex-A53, Cortex-A72)");
        assert_eq!(cpu_model("", None, &cores(&["Neoverse N1"])), "Neoverse N1");
        assert_eq!(cpu_model("", board(), &cores(&[])), "Radxa ROCK 4C+");
        assert_eq!(cpu_model("", None, &cores(&[])), "unknown");
        assert_eq!(cpu_model("model name\t: AMD EPYC\n", board(), &both), "AMD EPYC");
    }
}
