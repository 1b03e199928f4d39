//! The fingerprint of a machine.

use std::collections::{BTreeMap, BTreeSet};

use base::CpuSet;
use record::Machine;

use crate::cpuinfo::line;
use crate::{Tree, Unfiled, cores, hypervisor, installation, preemption};

/// Instruction set extensions that show how fast a solver can be.
const TELLING_SETS: [&str; 7] = ["sse2", "avx", "avx2", "fma", "avx512f", "asimd", "sve"];

const CPUS: &str = "/sys/devices/system/cpu";

/// Returns the fingerprint of the machine with these files.
pub fn fingerprint(tree: &Tree, unfiled: &Unfiled) -> Machine {
    let text = |path: &str| tree.text(path).seen();
    let cpu_file = |name: &str| text(&format!("{CPUS}/{name}"));
    let cpuinfo = text("/proc/cpuinfo").unwrap_or_default();
    let online = tree.value(&format!("{CPUS}/online")).seen();
    let online = online.unwrap_or_else(|| unfiled.allowed.clone());
    let first = online.iter().next().unwrap_or(0);
    let smt_siblings = siblings(tree, &online);
    let core_names = cores::arm_names(&cpuinfo);
    let kernel_release = text("/proc/sys/kernel/osrelease").unwrap_or_default();
    let command_line = text("/proc/cmdline").unwrap_or_default();
    let hypervisor = hypervisor::of(tree, &cpuinfo, unfiled);
    let installation = installation::of(tree, &kernel_release, &command_line, hypervisor.is_some());
    let mut machine = Machine {
        architecture: unfiled.architecture.clone(),
        cpu_model: cpu_model(&cpuinfo, board_name(tree), &core_names),
        cores: if smt_siblings.is_empty() { online.len() } else { smt_siblings.len() },
        smt_siblings,
        sockets: sockets(tree, &online),
        unlike_cores: cores::unlike(tree, &online, &core_names),
        smt: cpu_file("smt/control"),
        caches: caches(tree, first),
        instruction_sets: instruction_sets(&cpuinfo),
        kernel_version: text("/proc/sys/kernel/version").unwrap_or_default(),
        preemption: String::new(),
        clock_source: text("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
        counter_hz: unfiled.counter_hz,
        governors: governors(tree, &online),
        idle_driver: cpu_file("cpuidle/current_driver"),
        idle_states: idle_states(tree, first),
        mitigations: mitigations(tree),
        hypervisor,
        memory_bytes: memory_bytes(tree, "MemTotal"),
        swap_bytes: memory_bytes(tree, "SwapTotal"),
        page_bytes: unfiled.page_bytes,
        isolated_cpus: tree.isolated().to_string(),
        nohz_full_cpus: cpu_file("nohz_full").filter(|list| is_cpu_list(list)).unwrap_or_default(),
        transparent_huge_pages: tree.bracketed("/sys/kernel/mm/transparent_hugepage/enabled", '['),
        installation: Some(installation),
        lab: None,
        imported_as: None,
        sched_rt_runtime_us: tree.value("/proc/sys/kernel/sched_rt_runtime_us").seen(),
        kernel_release,
        command_line,
        cpus: online,
    };
    machine.preemption = preemption::active(tree, unfiled, &machine);
    machine
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

/// Returns the model in the device tree, which some kernels show only in /sys.
fn board_name(tree: &Tree) -> Option<String> {
    let folders = ["/proc/device-tree", "/sys/firmware/devicetree/base"];
    folders.into_iter().find_map(|folder| tree.text(&format!("{folder}/model")).seen())
}

fn instruction_sets(cpuinfo: &str) -> Vec<String> {
    let flags = line(cpuinfo, "flags").or_else(|| line(cpuinfo, "Features"));
    let flags: Vec<&str> = flags.unwrap_or_default().split_whitespace().collect();
    TELLING_SETS.iter().filter(|set| flags.contains(set)).map(ToString::to_string).collect()
}

/// Returns every core as the set of its hardware threads, smallest CPU first; none if the cores of
/// some CPU are not shown.
fn siblings(tree: &Tree, online: &CpuSet) -> Vec<CpuSet> {
    let core = |cpu| {
        tree.value::<CpuSet>(&format!("{CPUS}/cpu{cpu}/topology/thread_siblings_list")).seen()
    };
    let cores: Option<BTreeSet<CpuSet>> = online.iter().map(core).collect();
    let mut cores: Vec<CpuSet> = cores.into_iter().flatten().collect();
    cores.sort_by_key(|core| core.iter().next());
    cores
}

fn sockets(tree: &Tree, online: &CpuSet) -> usize {
    let package = |cpu| tree.text(&format!("{CPUS}/cpu{cpu}/topology/physical_package_id")).seen();
    let packages: BTreeSet<String> = online.iter().filter_map(package).collect();
    packages.len().max(1)
}

/// Returns the caches that a CPU uses, such as `L1d 48 KiB`, small ones first.
fn caches(tree: &Tree, cpu: usize) -> Vec<String> {
    let cache = |index: usize| {
        let fact =
            |name: &str| tree.text(&format!("{CPUS}/cpu{cpu}/cache/index{index}/{name}")).seen();
        let kind = match fact("type")?.as_str() {
            "Data" => "d",
            "Instruction" => "i",
            _ => "",
        };
        let size = fact("size")?;
        Some(format!("L{}{kind} {} KiB", fact("level")?, size.trim_end_matches('K')))
    };
    (0..).map_while(cache).collect()
}

fn governors(tree: &Tree, online: &CpuSet) -> Vec<String> {
    let governor = |cpu| tree.text(&format!("{CPUS}/cpu{cpu}/cpufreq/scaling_governor")).seen();
    let governors: BTreeSet<String> = online.iter().filter_map(governor).collect();
    governors.into_iter().collect()
}

fn idle_states(tree: &Tree, cpu: usize) -> Vec<String> {
    let name =
        |state: usize| tree.text(&format!("{CPUS}/cpu{cpu}/cpuidle/state{state}/name")).seen();
    (0..).map_while(name).collect()
}

fn mitigations(tree: &Tree) -> BTreeMap<String, String> {
    let folder = format!("{CPUS}/vulnerabilities");
    let mitigation = |name: String| {
        let state = tree.text(&format!("{folder}/{name}")).seen()?;
        Some((name, state))
    };
    tree.names_in(&folder).into_iter().flatten().filter_map(mitigation).collect()
}

/// Returns a number of /proc/meminfo, which is in KiB there, in bytes; 0 if it is not shown.
fn memory_bytes(tree: &Tree, name: &str) -> u64 {
    let kib = tree.line("/proc/meminfo", name).seen();
    let kib = kib.and_then(|text| text.trim_end_matches("kB").trim().parse::<u64>().ok());
    kib.unwrap_or(0).saturating_mul(1024)
}

/// Whether the kernel has such a list; for one that it never made, it prints `(null)`, padded.
fn is_cpu_list(text: &str) -> bool {
    text.trim() != "(null)"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_the_kernel_never_made_is_empty() {
        assert!(!is_cpu_list("              (null)") && !is_cpu_list("(null)"));
        assert!(is_cpu_list("1-3") && is_cpu_list(""));
    }

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
