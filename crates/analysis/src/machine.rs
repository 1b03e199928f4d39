//! Facts about a machine: its fingerprint as names and values.

use base::CpuSet;
use record::{Installation, KernelOrigin, Machine, VirtualMachine};

use crate::words;

type Fact = (&'static str, fn(&Machine) -> String);

/// Facts that are shown; an empty text is shown as unknown.
const FACTS: &[Fact] = &[
    ("CPU", |m| m.cpu_model.clone()),
    ("Architecture", |m| m.architecture.clone()),
    ("CPUs", |m| m.cpus.to_string()),
    ("Cores and sockets", |m| {
        let (cores, sockets) = (m.cores, m.sockets);
        format!("{}, {}", words::counted(cores, "core"), words::counted(sockets, "socket"))
    }),
    ("SMT", |m| m.smt.clone().unwrap_or_default()),
    ("Sibling threads", siblings),
    ("Caches", |m| m.caches.join(", ")),
    ("Instruction sets", |m| m.instruction_sets.join(", ")),
    ("Memory", |m| words::bytes(m.memory_bytes)),
    ("Swap", |m| match m.swap_bytes {
        0 => "none".to_owned(),
        bytes => words::bytes(bytes),
    }),
    ("Hypervisor", |m| m.hypervisor.clone().unwrap_or_else(|| "none found".to_owned())),
    ("Kernel", |m| m.kernel_release.clone()),
    ("Kernel build", |m| m.kernel_version.clone()),
    ("Preemption model", |m| m.preemption.clone()),
    (COMMAND_LINE, |m| m.command_line.clone()),
    ("Clock source", |m| m.clock_source.clone().unwrap_or_default()),
    ("Frequency governor", |m| match m.governors.as_slice() {
        [] => "no frequency scaling".to_owned(),
        governors => governors.join(", "),
    }),
    ("Idle driver", |m| m.idle_driver.clone().unwrap_or_default()),
    ("Idle states", |m| m.idle_states.join(", ")),
    ("Isolated CPUs", |m| or_none(&m.isolated_cpus)),
    ("CPUs without tick", |m| or_none(&m.nohz_full_cpus)),
    ("Transparent huge pages", |m| m.transparent_huge_pages.clone().unwrap_or_default()),
    ("Real-time throttling", |m| throttling(m.sched_rt_runtime_us, None)),
];

pub fn facts(machine: &Machine) -> Vec<(&'static str, String)> {
    let unknown = if machine.imported_as.is_some() { NOT_STATED } else { NOT_TOLD };
    let or_not_told = |text: String| if text.is_empty() { unknown.to_owned() } else { text };
    FACTS
        .iter()
        .map(|(name, value)| (*name, stated(machine, *value)))
        .chain(uncommon(machine))
        .chain(machine.lab.iter().flat_map(of_lab))
        .map(|(name, text)| (name, or_not_told(text)))
        .collect()
}

/// Whether time is counted in instructions on this machine, which is one of the lab.
pub fn counts_instructions(machine: &Machine) -> bool {
    machine.lab.is_some()
}

/// Returns a fact; empty if the machine is one of imported files, which state only what differs from nothing.
fn stated(machine: &Machine, value: fn(&Machine) -> String) -> String {
    let text = value(machine);
    let is_known = machine.imported_as.is_none() || text != value(&Machine::default());
    if is_known { text } else { String::new() }
}

fn uncommon(machine: &Machine) -> Vec<(&'static str, String)> {
    let kinds = machine.kinds_of(&machine.cpus);
    let kinds = (!kinds.is_empty()).then(|| ("Kinds of cores", kinds.join(", ")));
    let page = machine.page_bytes.map(|bytes| ("Page of memory", words::bytes(bytes)));
    let step = machine.clock_step_ns().map(|step| ("Step of the clock", words::time(step)));
    let installed = machine.installation.iter().flat_map(of_installation);
    kinds.into_iter().chain(page).chain(step).chain(installed).collect()
}

fn of_installation(system: &Installation) -> [(&'static str, String); 3] {
    let origin = match system.kernel_from {
        Some(KernelOrigin::Installed) => "this system",
        Some(KernelOrigin::Host) => "its host",
        None => "",
    };
    [
        ("Distribution", system.distribution.clone().unwrap_or_default()),
        ("Boot loader", system.boot_loader.clone().unwrap_or_default()),
        ("Kernel comes from", origin.to_owned()),
    ]
}

/// Settings that distinguish machines at a glance, with their common short names.
const SETTINGS: &[(&str, &str)] = &[
    ("Frequency governor", "governor"),
    ("Clock source", "clock"),
    ("Transparent huge pages", "thp"),
    ("Real-time throttling", "throttling"),
    ("SMT", "smt"),
    ("CPUs", "CPUs"),
    ("Swap", "swap"),
    ("Memory", "memory"),
    ("Isolated CPUs", "isolated"),
    ("CPUs without tick", "without tick"),
];

/// Describes each of these machines by the settings that differ between them; empty if none differ.
pub(crate) fn apart(machines: &[&Machine]) -> Vec<String> {
    let all: Vec<Vec<(&str, String)>> = machines.iter().map(|machine| facts(machine)).collect();
    let value_of = |facts: &Vec<(&str, String)>, name: &str| {
        let fact = facts.iter().find(|(known, _)| *known == name);
        fact.map_or_else(String::new, |(_, value)| value.clone())
    };
    let differs = |(name, _): &&(&str, &str)| {
        let first = all.first().map(|facts| value_of(facts, name));
        all.iter().any(|facts| Some(value_of(facts, name)) != first)
    };
    let differing: Vec<&(&str, &str)> = SETTINGS.iter().filter(differs).collect();
    let name = |facts: &Vec<(&str, String)>| {
        let words =
            differing.iter().map(|(name, short)| format!("{short} {}", value_of(facts, name)));
        words.collect::<Vec<String>>().join(", ")
    };
    all.iter().map(name).collect()
}

/// Removes identifying facts: keeps only the real-time parameters of the kernel's command line,
/// because the rest may name disks, networks and hosts.
pub(crate) fn public(machine: &Machine) -> Machine {
    let (mut words, others) = by_publicity(&machine.command_line);
    let parameters = words::counted(others.len(), "parameter");
    let others = (!others.is_empty()).then(|| format!("({parameters} of other kinds: --identify)"));
    words.extend(others.as_deref());
    Machine { command_line: words.join(" "), ..machine.clone() }
}

const COMMAND_LINE: &str = "Kernel command line";

const PUBLIC: &str = "clocksource cpufreq cpuidle hugepages idle intel_idle intel_pstate \
    amd_pstate irqaffinity isolcpus kthread_cpus maxcpus mitigations nmi_watchdog nohz nohz_full \
    nosmt nosoftlockup nowatchdog preempt processor.max_cstate rcu_nocb_poll rcu_nocbs rcutree \
    skew_tick threadirqs transparent_hugepage tsc workqueue";

pub fn by_publicity(command_line: &str) -> (Vec<&str>, Vec<&str>) {
    let is_public = |word: &&str| {
        let name = word.split_once('=').map_or(*word, |(name, _)| name);
        let family = name.split_once('.').map_or(name, |(family, _)| family);
        PUBLIC.split(' ').any(|known| known == name || known == family)
    };
    command_line.split_whitespace().partition(is_public)
}

fn of_lab(lab: &VirtualMachine) -> [(&'static str, String); 7] {
    [
        ("Kernel in the lab", lab.kernel.clone()),
        ("Its source", lab.kernel_source.clone()),
        ("SHA-256 of its image", lab.kernel_sha256.clone()),
        ("Its own parameters", or_none(&lab.append)),
        ("QEMU", lab.qemu_version.clone()),
        ("SHA-256 of its firmware", lab.qemu_firmware_sha256.clone()),
        ("Arguments of QEMU", lab.qemu_arguments.clone()),
    ]
}

/// The kernel's text for a CPU without a vulnerability.
const UNAFFECTED: &str = "Not affected";

pub fn mitigations(machine: &Machine) -> Vec<(String, String)> {
    machine.mitigations.clone().into_iter().filter(|(_, state)| state != UNAFFECTED).collect()
}

pub fn unaffected(machine: &Machine) -> String {
    let names = machine.mitigations.iter().filter(|(_, state)| *state == UNAFFECTED);
    names.map(|(name, _)| name.as_str()).collect::<Vec<&str>>().join(", ")
}

/// The condition or fact that an imported file does not state.
pub(crate) const NOT_STATED: &str = "not stated";
const NOT_TOLD: &str = "not reported by this machine";

fn or_none(cpus: &str) -> String {
    if cpus.is_empty() { "none".to_owned() } else { cpus.to_owned() }
}

fn siblings(machine: &Machine) -> String {
    let shared = machine.smt_siblings.iter().filter(|group| group.len() > 1);
    or_none(&shared.map(CpuSet::to_string).collect::<Vec<String>>().join(" · "))
}

/// Describes real-time throttling; empty if unknown.
pub fn throttling(runtime_us: Option<i64>, period_us: Option<i64>) -> String {
    let time = |us: i64| words::time(us as f64 * 1e3);
    match (runtime_us, period_us) {
        (None, _) => String::new(),
        (Some(-1), _) => "off".to_owned(),
        (Some(runtime), None) => format!("{} a period", time(runtime)),
        (Some(runtime), Some(period)) => format!("{} of each {}", time(runtime), time(period)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_shows_what_decides_about_real_time_and_counts_the_rest() {
        let line = "BOOT_IMAGE=/vmlinuz root=UUID=1234 isolcpus=2-3 rcutree.kthread_prio=3 nosmt";
        let of = |line: &str| {
            let command_line = line.to_owned();
            public(&Machine { command_line, ..Machine::default() }).command_line
        };
        let shown = of(line);
        assert!(shown.starts_with("isolcpus=2-3 rcutree.kthread_prio=3 nosmt (2 parameters"));
        assert!(!shown.contains("1234"), "{shown}");
        assert_eq!(of(""), "");
        assert!(of("ro").starts_with("(1 parameter "));
    }
}
