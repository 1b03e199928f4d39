//! The kernel's configuration and its own work.

use base::{CpuSet, Observed};
use record::Machine;

use super::distribution::real_time_kernel;
use super::{Change, Check, GAPS, Level, Sight, WAKEUP, not_told};
use crate::Seen;
use crate::State::{Advice, Ok, Warning};
use crate::preemption::{model_at_boot, models, refused_model, requested_model};

pub(super) const CHECKS: &[Check] = &[PREEMPTION_MODEL, WATCHDOGS, MITIGATIONS];

const PREEMPTION_MODEL: Check = Check {
    name: "preemption_model",
    level: Level::Kernel(1),
    knobs: &["preemption"],
    look: preemption_model,
    why: "Without PREEMPT_RT, interrupts, soft interrupts and sections under spin locks run to \
          their end, no matter what waits: the kernel's own work determines the worst case.",
    source: "Documentation/locking/locktypes.rst",
    change: |seen| {
        let change = real_time_kernel(seen);
        match can_be_fuller(seen.machine) {
            true => change.at_boot("preempt=full"),
            false => change,
        }
    },
    see: WAKEUP,
};

/// Whether a parameter at boot makes a dynamic kernel more preemptible for real-time threads. With
/// `lazy`, only ordinary threads wait longer.
fn can_be_fuller(machine: &Machine) -> bool {
    let model = match machine.preemption.as_str() {
        "dynamic" => model_at_boot(machine).unwrap_or("none"),
        model => model,
    };
    matches!(model, "none" | "voluntary")
}

fn preemption_model(seen: &Seen) -> Sight {
    let machine = seen.machine;
    if let Some(core) = machine.core_beside_linux() {
        return (Ok, format!("real-time threads run on the real-time core {core}"));
    }
    let model = match machine.preemption.as_str() {
        "" => return not_told(""),
        "rt" => return (Ok, "the kernel is fully preemptible (PREEMPT_RT)".to_owned()),
        "dynamic" => match requested_model(machine).or_else(|| model_at_boot(machine)) {
            Some(model) => format!("dynamic (here {model})"),
            None => "dynamic".to_owned(),
        },
        model => model.to_owned(),
    };
    let refused = match (refused_model(machine), models(machine).as_slice()) {
        (None, _) => String::new(),
        (Some(asked), []) => format!("; preempt={asked} has no effect on it"),
        (Some(asked), models) => {
            format!("; it does not have preempt={asked}, only {}", models.join(", "))
        }
    };
    (Warning, format!("the kernel's preemption model is {model}, not rt{refused}"))
}

const WATCHDOGS: Check = Check {
    name: "watchdogs",
    level: Level::Rest(4),
    knobs: &["soft_watchdog", "nmi_watchdog", "watchdog_cpus"],
    look: watchdogs,
    why: "The soft lockup detector wakes a thread on every watched CPU every few seconds; the hard \
          one uses a performance counter and raises an interrupt that cannot be masked.",
    source: "Documentation/admin-guide/lockup-watchdogs.rst",
    change: |_| Change::command("sudo sysctl kernel.watchdog=0").at_boot("nowatchdog"),
    see: GAPS,
};

fn watchdogs(seen: &Seen) -> Sight {
    let is_on = |name: &str| {
        let on: Observed<i32> = seen.tree.value(&format!("/proc/sys/kernel/{name}"));
        on.seen().map(|on| on != 0)
    };
    let watched: Observed<CpuSet> = seen.tree.value("/proc/sys/kernel/watchdog_cpumask");
    if watched.seen().is_some_and(|cpus| seen.cpus.without(&cpus) == seen.cpus) {
        return (Ok, format!("no lockup detector watches {}", seen.cpus.in_words()));
    }
    match (is_on("soft_watchdog"), is_on("nmi_watchdog")) {
        (Some(true), Some(true)) => (Advice, "both lockup detectors are on".to_owned()),
        (Some(true), _) => (Advice, "the soft lockup detector is on".to_owned()),
        (_, Some(true)) => (Advice, "the hard lockup detector is on".to_owned()),
        (Some(false), Some(false)) => (Ok, "the lockup detectors are off".to_owned()),
        _ => not_told(""),
    }
}

const MITIGATIONS: Check = Check {
    name: "mitigations",
    level: Level::Rest(7),
    knobs: &[],
    look: mitigations,
    why: "Mitigations of CPU vulnerabilities make every entry into the kernel slower, and some \
          flush caches at each switch. Figures with and without them are not comparable.",
    source: "Documentation/admin-guide/hw-vuln/index.rst",
    change: |_| {
        Change::words(
            "boot with mitigations=off, only on a machine that runs only trusted programs",
        )
    },
    see: "steadfast run task_switch fifo_write --cpus {cpus} --seconds 10",
};

fn mitigations(seen: &Seen) -> Sight {
    let all = &seen.machine.mitigations;
    let active = all.values().filter(|state| state.starts_with("Mitigation"));
    match (all.len(), active.count()) {
        (0, _) => not_told(""),
        (_, 0) => (Ok, "no mitigation is active".to_owned()),
        (_, 1) => (Advice, "1 mitigation is active".to_owned()),
        (_, count) => (Advice, format!("{count} mitigations are active")),
    }
}
