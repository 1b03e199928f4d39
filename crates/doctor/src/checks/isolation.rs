//! Other work on the CPUs of real-time work.

use std::collections::BTreeMap;

use base::{CpuSet, Observed};
use rt::namespace::Namespace;

use super::{Change, Check, GAPS, Level, Sight, WAKEUP, not_told, unseen};
use crate::Seen;
use crate::State::{Advice, Ok, Warning};

pub(super) const CHECKS: &[Check] = &[ISOLATION, INTERRUPT_AFFINITY, TIMER_TICK, RCU_CALLBACKS];

const ISOLATION: Check = Check {
    name: "isolation",
    level: Level::Kernel(2),
    knobs: &["others", "workqueues"],
    look: isolation,
    why: "On a CPU that is not isolated, the scheduler balances load, and kernel threads and other \
          programs run between periods and displace the caches.",
    source: "Documentation/admin-guide/kernel-parameters.txt (isolcpus=)",
    change: |seen| match isolated_elsewhere(seen).is_empty() {
        true => at_boot(seen, "isolcpus=managed_irq,domain,{cpus} irqaffinity={others}"),
        false => Change::words("start it in the cpuset or container that has them"),
    },
    see: WAKEUP,
};

fn isolation(seen: &Seen) -> Sight {
    const LIST: &str = "/sys/devices/system/cpu/isolated";
    if seen.tree.is_reachable()
        && let hidden @ (Observed::Absent | Observed::Hidden(_)) = seen.tree.text(LIST)
    {
        return unseen(hidden);
    }
    let shared = seen.left_out_of(&seen.machine.isolated_cpus);
    let elsewhere = isolated_elsewhere(seen);
    match (shared.is_empty(), seen.machine.cpus.len()) {
        (_, 0) => not_told(""),
        (true, _) => (Ok, format!("isolated: {}", seen.cpus.in_words())),
        (_, 1) => (Warning, "there is no second CPU for other work".to_owned()),
        _ if !elsewhere.is_empty() => (
            Warning,
            format!("this process may not use what is isolated: {}", elsewhere.in_words()),
        ),
        _ => (Warning, format!("not isolated{}: {}", as_far_as_seen(seen), shared.in_words())),
    }
}

/// Says so if control groups may isolate CPUs and are hidden.
fn as_far_as_seen(seen: &Seen) -> &'static str {
    let is_hidden = seen.tree.is_reachable()
        && seen.tree.is_in_first(Namespace::ControlGroups) != Observed::Seen(true);
    if is_hidden { " at boot (whether a control group does it is hidden)" } else { "" }
}

/// Returns the isolated CPUs, if none of the CPUs of real-time work is one of them: measurements use
/// isolated CPUs first, so this process may not use these.
fn isolated_elsewhere(seen: &Seen) -> CpuSet {
    let isolated: CpuSet = seen.machine.isolated_cpus.parse().unwrap_or_default();
    match seen.cpus.without(&isolated) == seen.cpus {
        true => isolated,
        false => CpuSet::default(),
    }
}

/// Suggests a parameter that keeps other work off the CPUs of real-time work.
fn at_boot(seen: &Seen, parameter: &'static str) -> Change {
    Change::default().at_boot(parameter).if_others(seen)
}

/// The same for a kernel that was built with what this needs; else, returns what is needed, or that
/// it may be missing.
fn at_boot_where_built(
    seen: &Seen,
    parameter: &'static str,
    is_built: &Observed<bool>,
    [needed, perhaps]: [&'static str; 2],
) -> Change {
    match is_built {
        Observed::Seen(true) => at_boot(seen, parameter),
        Observed::Seen(false) | Observed::Absent => Change::words(needed).if_others(seen),
        Observed::Hidden(_) => Change::words(perhaps).if_others(seen),
    }
}

/// Whether the kernel was built with an option, if its configuration can be read.
fn is_built_with(seen: &Seen, option: &str) -> Observed<bool> {
    let hidden = || Observed::Hidden("this kernel's configuration cannot be read".to_owned());
    seen.config(option).map_or_else(hidden, |value| Observed::Seen(value == "y"))
}

const INTERRUPT_AFFINITY: Check = Check {
    name: "interrupt_affinity",
    level: Level::Neighbours(1),
    knobs: &["interrupts"],
    look: interrupt_affinity,
    why: "A device's interrupt stops whatever runs on its CPU, at any priority \
          if the kernel is not PREEMPT_RT.",
    source: "Documentation/core-api/irq/irq-affinity.rst",
    change: |seen| {
        Change::command("echo {others} | sudo tee /proc/irq/*/smp_affinity_list")
            .at_boot("irqaffinity={others}")
            .if_others(seen)
    },
    see: GAPS,
};

fn interrupt_affinity(seen: &Seen) -> Sight {
    let Some(all) = seen.tree.numbers_in("/proc/irq") else {
        return not_told("/proc/irq is missing");
    };
    let names = interrupt_names(seen);
    let affinity = |number: &u32| {
        let cpus: Observed<CpuSet> =
            seen.tree.value(&format!("/proc/irq/{number}/smp_affinity_list"));
        cpus.read_as("", |cpus| Some((*number, cpus)))
    };
    // An interrupt without a device never occurs.
    let used: Vec<u32> = all.into_iter().filter(|n| names.contains_key(n)).collect();
    let Observed::Seen(affinities) = used.iter().map(affinity).collect::<Observed<Vec<_>>>() else {
        return not_told("the CPUs of an interrupt cannot be read");
    };
    let may_hit = |(_, cpus): &&(u32, CpuSet)| seen.cpus.without(cpus) != seen.cpus;
    let hitting: Vec<&u32> = affinities.iter().filter(may_hit).map(|(number, _)| number).collect();
    let cpus = seen.cpus.in_words();
    match (used.len(), hitting.len()) {
        (0, _) => not_told(""),
        (_, 0) => (Ok, format!("no device's interrupt may hit {cpus}")),
        (all, count) => {
            let shown = hitting.iter().take(3).map(|number| &*names[number]);
            let shown = shown.collect::<Vec<_>>().join(", ");
            let more = if count > 3 { ", ..." } else { "" };
            (Advice, format!("{count} of {all} interrupts may hit {cpus} ({shown}{more})"))
        }
    }
}

/// Whether a line of /proc/interrupts is of an interrupt that each CPU has for itself, such as its
/// timer: no affinity moves it. Arm's interrupt controllers have these below this number.
fn is_of_each_cpu(line: &str) -> bool {
    const SHARED_FROM: u32 = 32;
    let mut words = line.split_whitespace().skip_while(|word| !word.starts_with("GIC"));
    let number = words.nth(1).and_then(|word| word.parse::<u32>().ok());
    number.is_some_and(|number| number < SHARED_FROM)
}

/// Returns the devices by the number of their interrupt: the last word of each line.
fn interrupt_names(seen: &Seen) -> BTreeMap<u32, String> {
    let text = seen.tree.text("/proc/interrupts").seen().unwrap_or_default();
    let name = |line: &str| {
        let (number, rest) = line.split_once(':')?;
        let device = rest.split_whitespace().next_back()?;
        Some((number.trim().parse().ok()?, device.to_owned()))
    };
    text.lines().filter(|line| !is_of_each_cpu(line)).filter_map(name).collect()
}

const TIMER_TICK: Check = Check {
    name: "timer_tick",
    level: Level::Neighbours(2),
    knobs: &[],
    look: timer_tick,
    why: "The tick interrupts a running thread at this rate, for some microseconds \
          each; a CPU without tick is not interrupted while one thread runs on it.",
    source: "Documentation/timers/no_hz.rst",
    change: |seen| {
        let ways = [
            "a kernel built with CONFIG_NO_HZ_FULL, booted with nohz_full={cpus}",
            "boot with nohz_full={cpus}, if this kernel was built with CONFIG_NO_HZ_FULL: its \
             configuration cannot be read",
        ];
        at_boot_where_built(seen, "nohz_full={cpus}", &can_stop_the_tick(seen), ways)
    },
    see: GAPS,
};

const TICKLESS: &str = "/sys/devices/system/cpu/nohz_full";

/// Only kernels that can stop the tick have the list of the CPUs on which they do.
fn can_stop_the_tick(seen: &Seen) -> Observed<bool> {
    match (is_built_with(seen, "CONFIG_NO_HZ_FULL"), seen.tree.text(TICKLESS)) {
        (known @ Observed::Seen(_), _) => known,
        (_, Observed::Absent) => Observed::Seen(false),
        (_, list) => list.read_as("", |_| Some(true)),
    }
}

fn timer_tick(seen: &Seen) -> Sight {
    if seen.tree.is_reachable()
        && let hidden @ Observed::Hidden(_) = seen.tree.text(TICKLESS)
    {
        return unseen(hidden);
    }
    if seen.left_out_of(&seen.machine.nohz_full_cpus).is_empty() {
        return (Ok, format!("no tick while one thread runs: {}", seen.cpus.in_words()));
    }
    let rate = match seen.config("CONFIG_HZ") {
        Some(hertz) if hertz != "n" => format!(" {hertz} times per second"),
        _ => String::new(),
    };
    let possible = match can_stop_the_tick(seen) {
        Observed::Seen(false) => ", and this kernel cannot stop the tick",
        _ => "",
    };
    (Advice, format!("the timer ticks{rate}{possible}"))
}

const RCU_CALLBACKS: Check = Check {
    name: "rcu_callbacks",
    level: Level::Neighbours(3),
    knobs: &[],
    look: rcu_callbacks,
    why: "Memory whose release the kernel defers is freed in a soft interrupt of the CPU that \
          released it, in batches that can take long.",
    source: "Documentation/admin-guide/kernel-parameters.txt (rcu_nocbs=)",
    change: |seen| {
        let ways = [
            "a kernel built with CONFIG_RCU_NOCB_CPU, booted with rcu_nocbs={cpus}",
            "boot with rcu_nocbs={cpus}, if this kernel was built with CONFIG_RCU_NOCB_CPU: its \
             configuration cannot be read",
        ];
        let is_built = is_built_with(seen, "CONFIG_RCU_NOCB_CPU");
        at_boot_where_built(seen, "rcu_nocbs={cpus}", &is_built, ways)
    },
    see: WAKEUP,
};

fn rcu_callbacks(seen: &Seen) -> Sight {
    let last = seen.machine.cpus.iter().last().unwrap_or_default().to_string();
    // The kernel reads `N` as the last CPU.
    let list = seen.boot_parameter("rcu_nocbs").map(|list| list.replace('N', &last));
    let offloaded = match list.as_deref() {
        None if seen.config("CONFIG_RCU_NOCB_CPU_DEFAULT_ALL") == Some("y") => seen.cpus.clone(),
        None => CpuSet::default(),
        Some("all") => seen.cpus.clone(),
        Some(list) => match list.parse() {
            Result::Ok(cpus) => cpus,
            Err(_) => return not_told("the list of CPUs in rcu_nocbs is not understood"),
        },
    };
    // CPUs without tick have their callbacks on other CPUs, too.
    let tickless: CpuSet = seen.machine.nohz_full_cpus.parse().unwrap_or_default();
    let is_default_known = seen.config("CONFIG_RCU_NOCB_CPU_DEFAULT_ALL").is_some();
    match seen.cpus.without(&offloaded).without(&tickless).is_empty() {
        true => (Ok, "RCU callbacks are handled on other CPUs".to_owned()),
        false if list.is_none() && !is_default_known => not_told(
            "no rcu_nocbs was given at boot, and this kernel's configuration, which may do the same, \
             cannot be read",
        ),
        false => (Advice, format!("RCU callbacks are handled on {}", seen.cpus.in_words())),
    }
}
