//! The clock from which time is read.

use super::{Change, Check, Level, Sight, not_told};
use crate::Seen;
use crate::State::{Advice, Ok, Warning};
use base::Observed;

pub(super) const CHECKS: &[Check] = &[CLOCK_SOURCE];

const CLOCK_SOURCE: Check = Check {
    name: "clock_source",
    level: Level::Platform(2),
    knobs: &["clock_source"],
    look: clock_source,
    why: "Every stamp and every timer reads the clock. Reading a device instead of the CPU's own \
          counter takes many times as long, and a counter that stops in idle states cannot be used.",
    source: "Documentation/admin-guide/kernel-parameters.txt (clocksource=, tsc=)",
    change: counter_of_the_cpu,
    see: "steadfast run clock_overhead --cpus {cpus}",
};

const CURRENT: &str = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
const AVAILABLE: &str = "/sys/devices/system/clocksource/clocksource0/available_clocksource";

/// Selects the counter of this architecture, unless the kernel does not offer it.
fn counter_of_the_cpu(seen: &Seen) -> Change {
    let is_x86 = seen.machine.architecture == "x86_64";
    let counter = if is_x86 { "tsc" } else { "arch_sys_counter" };
    let offered = seen.tree.text(AVAILABLE).seen();
    if offered.is_some_and(|all| all.split_whitespace().all(|source| source != counter)) {
        return Change::ask("a kernel that offers a clock source that the CPU reads itself");
    }
    let change = Change::command(format!("echo {counter} | sudo tee {CURRENT}"));
    match is_x86 {
        true => change
            .or("or boot with clocksource=tsc; tsc=reliable only if firmware and sockets \
                           are known to be reliable"),
        false => change,
    }
}

/// Clock sources that the CPU reads itself, without a call into the kernel.
const FAST: [&str; 6] = [
    "tsc",
    "kvm-clock",
    "xen",
    "hyperv_clocksource_tsc_page",
    "arch_sys_counter",
    "riscv_clocksource",
];
/// Flags of a counter that neither changes its rate nor stops.
const STEADY: [&str; 2] = ["constant_tsc", "nonstop_tsc"];

fn clock_source(seen: &Seen) -> Sight {
    let Some(source) = seen.machine.clock_source.as_deref() else {
        return not_told("");
    };
    if !FAST.contains(&source) {
        return (Warning, format!("the clock source {source} is slow to read"));
    }
    if source != "tsc" {
        return (Ok, format!("the clock source is {source}"));
    }
    let cpuinfo = match seen.tree.text("/proc/cpuinfo") {
        Observed::Seen(text) if !text.is_empty() => text,
        _ => return not_told("/proc/cpuinfo cannot be read"),
    };
    let has = |mark: &&&str| cpuinfo.split_whitespace().any(|word| word == **mark);
    let missing: Vec<&str> = STEADY.iter().filter(|mark| !has(mark)).copied().collect();
    match missing.as_slice() {
        [] => (Ok, "the clock source is tsc, constant and nonstop".to_owned()),
        missing => {
            (Advice, format!("the clock source is tsc, without the flags {}", missing.join(", ")))
        }
    }
}
