//! How deep an idle state the measured CPUs may enter: a state's latency has to be within every limit
//! (drivers/cpuidle/governor.c, `cpuidle_governor_latency_req`).

use std::collections::BTreeMap;

use base::{CpuSet, Observed};

use crate::Tree;

const CPUS: &str = "/sys/devices/system/cpu";

/// A limit that no state exceeds.
const UNLIMITED: i64 = i64::MAX;

/// Returns the deepest state of each measured CPU, with its latency.
pub(crate) fn deepest(tree: &Tree, cpus: &CpuSet) -> Observed<String> {
    let Some(system) = tree.latency_us() else {
        return Observed::Hidden("/dev/cpu_dma_latency cannot be read".to_owned());
    };
    by_cpu(cpus, |cpu| {
        let limit = match limit_of(tree, cpu) {
            Observed::Seen(limit) => limit,
            Observed::Absent => UNLIMITED,
            Observed::Hidden(why) => return Observed::Hidden(why),
        };
        deepest_of(tree, cpu, limit.min(i64::from(system)))
    })
}

/// Returns the limit of each measured CPU.
pub(crate) fn limits(tree: &Tree, cpus: &CpuSet) -> Observed<String> {
    by_cpu(cpus, |cpu| {
        limit_of(tree, cpu).read_as("", |limit| {
            Some(if limit == UNLIMITED { "none".to_owned() } else { limit.to_string() })
        })
    })
}

/// Returns the limit of a CPU in microseconds. The file has 0 for none, and `n/a` for no latency at
/// all: Documentation/ABI/testing/sysfs-devices-power.
fn limit_of(tree: &Tree, cpu: usize) -> Observed<i64> {
    let path = format!("{CPUS}/cpu{cpu}/power/pm_qos_resume_latency_us");
    tree.text(&path).read_as(&format!("{path} makes no sense"), |text| match text.trim() {
        "0" => Some(UNLIMITED),
        "n/a" => Some(0),
        limit => limit.parse().ok(),
    })
}

/// Returns the last state that is on and whose latency is within the limit; the first one is entered
/// whatever the limit.
fn deepest_of(tree: &Tree, cpu: usize, limit_us: i64) -> Observed<String> {
    let file = |state: usize, name: &str| format!("{CPUS}/cpu{cpu}/cpuidle/state{state}/{name}");
    let states = (0..).take_while(|state| tree.exists(&file(*state, "latency")));
    let mut deepest = None;
    for state in states {
        let Observed::Seen(latency) = tree.value::<i64>(&file(state, "latency")) else {
            return Observed::Hidden(format!("{} makes no sense", file(state, "latency")));
        };
        let Observed::Seen(off) = tree.text(&file(state, "disable")) else {
            return Observed::Hidden(format!("{} cannot be read", file(state, "disable")));
        };
        if state == 0 || (off == "0" && latency <= limit_us) {
            let name = tree.text(&file(state, "name")).seen().unwrap_or_default();
            deepest = Some(format!("{name} ({latency} µs)"));
        }
    }
    match deepest {
        Some(deepest) => Observed::Seen(deepest),
        None => tree.text(&file(0, "latency")),
    }
}

/// Joins what each CPU has, each value once.
fn by_cpu(cpus: &CpuSet, of: impl Fn(usize) -> Observed<String>) -> Observed<String> {
    let each = cpus.iter().map(|cpu| of(cpu).read_as("", |value| Some((cpu, value))));
    let each: Observed<Vec<(usize, String)>> = each.collect();
    each.read_as("no CPU is measured", |each| {
        let mut groups: BTreeMap<String, CpuSet> = BTreeMap::new();
        for (cpu, value) in each {
            let cpus = groups.remove(&value).unwrap_or_default();
            groups.insert(value, cpus.with(&CpuSet::one(cpu)));
        }
        let words: Vec<String> = match groups.len() {
            1 => groups.into_keys().collect(),
            _ => {
                groups.iter().map(|(value, cpus)| format!("{value}: {}", cpus.in_words())).collect()
            }
        };
        (!words.is_empty()).then(|| words.join("; "))
    })
}
