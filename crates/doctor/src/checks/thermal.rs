//! Whether heat or low voltage slows the CPUs.

use base::{CpuSet, Observed, counted};

use super::{Change, Check, Level, Sight, not_told};
use crate::State::{Advice, Ok, Warning};
use crate::{Seen, Tree};

pub(super) const CHECKS: &[Check] = &[THERMAL_THROTTLING];

const THERMAL_THROTTLING: Check = Check {
    name: "thermal_throttling",
    level: Level::Platform(4),
    knobs: &[],
    look: thermal_throttling,
    why: "Firmware and processor slow CPUs down when they are hot or the voltage is low, at any \
          moment and below the kernel. Every step then takes longer.",
    source: "Documentation/admin-guide/pm/intel_pstate.rst; vcgencmd get_throttled; \
             Documentation/ABI/testing/sysfs-class-thermal",
    change: |_| {
        Change::words("better cooling, a stronger power supply, or a lower highest frequency")
    },
    see: "steadfast run frame --cpus {cpus} --fill 50% --seconds 600",
};

/// The sources that report whether CPUs are or were slowed. Most machines lack most of them.
const SOURCES: [fn(&Tree, &CpuSet) -> Observed<Sight>; 3] = [firmware, processor, cooling];

fn thermal_throttling(seen: &Seen) -> Sight {
    let (mut shown, mut hidden) = (Vec::new(), None);
    for source in SOURCES {
        match source(&seen.tree, &seen.cpus) {
            Observed::Seen(sight) => shown.push(sight),
            Observed::Hidden(why) => hidden = hidden.or(Some(why)),
            Observed::Absent => {}
        }
    }
    match (shown.iter().map(|(state, _)| *state).min(), hidden) {
        (None | Some(Ok), Some(why)) => not_told(&why),
        (None, None) if seen.machine.hypervisor.is_some() => not_told("only the host can see it"),
        (None, None) => not_told(""),
        (Some(worst), _) => {
            let found = shown.into_iter().filter(|(state, _)| *state == worst);
            (worst, found.map(|(_, found)| found).collect::<Vec<String>>().join("; "))
        }
    }
}

/// What slows or has slowed CPUs at a moment, in words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Slowing {
    now: Vec<String>,
    since_boot: Vec<String>,
}

impl Slowing {
    /// Reads what firmware and kernel report about these CPUs; nothing where they report nothing.
    pub fn read(tree: &Tree, cpus: &CpuSet) -> Self {
        let sights = SOURCES.iter().filter_map(|source| source(tree, cpus).seen());
        let (now, rest): (Vec<Sight>, Vec<Sight>) =
            sights.partition(|(state, _)| *state == Warning);
        let past = rest.into_iter().filter(|(state, _)| *state == Advice);
        Self {
            now: now.into_iter().map(|(_, found)| found).collect(),
            since_boot: past.map(|(_, found)| found).collect(),
        }
    }

    /// Returns what slowed the CPUs between this moment and a later one; empty if nothing is known to
    /// have. What was so only in between is known where it is reported since boot.
    pub fn until(&self, end: &Self) -> Vec<String> {
        let mut slowed = self.now.clone();
        // What is so now is so since boot as well.
        let since_boot = end.since_boot.iter().filter(|_| self.now.is_empty());
        for found in end.now.iter().chain(since_boot) {
            if !slowed.contains(found) && !self.since_boot.contains(found) {
                slowed.push(found.clone());
            }
        }
        slowed
    }
}

const PLATFORM: &str = "/sys/devices/platform";
/// The flags of a Raspberry Pi's firmware: what is so now, and 16 bits higher what was so since boot.
const FLAGS: &str = "get_throttled";
const REASONS: [&str; 4] = [
    "the voltage is low",
    "the frequency is capped",
    "it is throttled",
    "it is near its heat limit",
];

/// What the firmware of a Raspberry Pi reports. Kernels without its flags, as on a Raspberry Pi 5,
/// show only whether the voltage is low.
fn firmware(tree: &Tree, _: &CpuSet) -> Observed<Sight> {
    // Below `soc`, or `soc@` and an address.
    let platform = tree.names_in(PLATFORM).unwrap_or_default();
    let mut folders = platform.iter().map(|soc| format!("{PLATFORM}/{soc}/{soc}:firmware"));
    let Some(folder) = folders.find(|folder| tree.exists(folder)) else {
        return Observed::Absent;
    };
    let file = format!("{folder}/{FLAGS}");
    let hidden = "the kernel does not show the flags of the firmware (vcgencmd get_throttled)";
    match tree.text(&file) {
        Observed::Absent if is_voltage_low(tree) => {
            Observed::Seen((Warning, format!("firmware, now: {}", REASONS[0])))
        }
        Observed::Absent => Observed::Hidden(hidden.to_owned()),
        flags => flags.read_as(&format!("{file} makes no sense"), |flags| {
            let flags = u32::from_str_radix(flags.trim().trim_start_matches("0x"), 16).ok()?;
            Some(by_flags(flags))
        }),
    }
}

fn by_flags(flags: u32) -> Sight {
    match (reasons(flags), reasons(flags >> 16)) {
        (now, _) if !now.is_empty() => (Warning, format!("firmware, now: {now}")),
        (_, past) if !past.is_empty() => (Advice, format!("firmware, since boot: {past}")),
        _ => (Ok, "the firmware has not slowed the CPUs since boot".to_owned()),
    }
}

fn reasons(flags: u32) -> String {
    let has = |(bit, reason): (usize, &'static str)| (flags & 1 << bit != 0).then_some(reason);
    REASONS.into_iter().enumerate().filter_map(has).collect::<Vec<&str>>().join(", ")
}

/// Whether the monitor of a Raspberry Pi's supply raises its alarm.
fn is_voltage_low(tree: &Tree) -> bool {
    const MONITORS: &str = "/sys/class/hwmon";
    let text = |monitor: &str, file: &str| {
        tree.text(&format!("{MONITORS}/{monitor}/{file}")).seen().unwrap_or_default()
    };
    let monitors = tree.names_in(MONITORS).unwrap_or_default();
    let supplies = monitors.iter().filter(|monitor| text(monitor, "name") == "rpi_volt");
    supplies.into_iter().any(|monitor| text(monitor, "in0_lcrit_alarm") == "1")
}

/// How often heat slowed these CPUs since boot, as x86 kernels count it.
fn processor(tree: &Tree, cpus: &CpuSet) -> Observed<Sight> {
    let path =
        |cpu| format!("/sys/devices/system/cpu/cpu{cpu}/thermal_throttle/core_throttle_count");
    let counts = cpus.iter().map(|cpu| tree.value::<u64>(&path(cpu)));
    counts.collect::<Observed<Vec<u64>>>().read_as("", |counts| {
        Some(match counts.into_iter().fold(0, u64::saturating_add) {
            0 => (Ok, "heat has not slowed these CPUs since boot".to_owned()),
            count => {
                let times = counted(count as usize, "time");
                (Advice, format!("heat has slowed these CPUs {times} since boot"))
            }
        })
    })
}

const COOLING: &str = "/sys/class/thermal";
/// How the types of cooling devices begin that slow CPUs.
const SLOWING: [&str; 6] =
    ["cpufreq-", "thermal-cpufreq-", "idle-", "thermal-idle-", "Processor", "intel_powerclamp"];

/// What the kernel slows now, by its cooling devices.
fn cooling(tree: &Tree, cpus: &CpuSet) -> Observed<Sight> {
    let entries = tree.names_in(COOLING).unwrap_or_default();
    let devices = entries.iter().filter(|entry| entry.starts_with("cooling_device"));
    let steps: Observed<Vec<_>> = devices.map(|device| cooling_step(tree, cpus, device)).collect();
    let steps: Vec<(String, i64)> = match steps {
        Observed::Seen(steps) => steps.into_iter().flatten().collect(),
        Observed::Hidden(why) => return Observed::Hidden(why),
        Observed::Absent => return Observed::Hidden("a cooling device has no state".to_owned()),
    };
    let active = steps.iter().filter(|(_, step)| *step > 0);
    let active: Vec<String> =
        active.map(|(kind, step)| format!("{kind} in state {step}")).collect();
    match (steps.is_empty(), active.is_empty()) {
        (true, _) => Observed::Absent,
        (_, true) => Observed::Seen((Ok, "no cooling device slows these CPUs now".to_owned())),
        _ => {
            let found = format!("cooling devices slow these CPUs now ({})", active.join(", "));
            Observed::Seen((Warning, found))
        }
    }
}

/// Returns the type of a cooling device and how far it is on; none if it does not slow these CPUs.
fn cooling_step(tree: &Tree, cpus: &CpuSet, device: &str) -> Observed<Option<(String, i64)>> {
    match tree.text(&format!("{COOLING}/{device}/type")) {
        Observed::Seen(kind) if slows(tree, cpus, &kind) => {
            let step = tree.value::<i64>(&format!("{COOLING}/{device}/cur_state"));
            step.read_as("", |step| Some(Some((kind, step))))
        }
        kind => kind.read_as("", |_| Some(None)),
    }
}

/// Whether cooling devices of this type slow these CPUs. That of a frequency policy has its first CPU
/// in its name, such as `cpufreq-cpu4`.
fn slows(tree: &Tree, cpus: &CpuSet, kind: &str) -> bool {
    let policy = kind.strip_prefix("cpufreq-").map(|cpu| {
        tree.text(&format!("/sys/devices/system/cpu/{cpu}/cpufreq/related_cpus")).seen()
    });
    match policy.flatten() {
        Some(related) => {
            let mut related = related.split_whitespace().filter_map(|cpu| cpu.parse().ok());
            related.any(|cpu| cpus.contains(cpu))
        }
        None => SLOWING.iter().any(|start| kind.starts_with(start)),
    }
}
