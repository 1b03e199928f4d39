//! What limits a machine, and what to change first: one rule an entry, in the
//! order in which a change is worth trying.

use std::collections::BTreeSet;

use plan::{Outcome, Warning};
use units::CpuSet;

use super::Change;
use crate::survey::{Series, System, loads, steal_ns};
use crate::{clock, words};

/// A rule: when it limits, and what removes the limit.
struct Rule {
    /// Whether it can apply where time is counted in instructions: there is no hardware,
    /// and which kernel is measured is the question, not the fault.
    in_lab: bool,
    /// The sentence, where the rule applies.
    limit: fn(&System) -> Option<String>,
    /// What to do about it.
    change: fn(&System) -> Change,
}

const RULES: &[Rule] = &[
    Rule {
        in_lab: true,
        limit: refused,
        change: |system| {
            let remedy = invalidating(system).next().map(Warning::remedy);
            change(&format!("{}.", capital(&remedy.unwrap_or_default())), None)
        },
    },
    Rule {
        in_lab: true,
        limit: throttled,
        change: |_| {
            change(
                "Switch real-time throttling off while such a load runs.",
                Some("sudo sysctl kernel.sched_rt_runtime_us=-1"),
            )
        },
    },
    Rule {
        in_lab: false,
        limit: stolen,
        change: |_| {
            change(
                "Measure and run on bare metal, or give each virtual CPU a physical one of its \
                 own (on the host, for every CPU of the virtual machine):",
                Some("virsh vcpupin DOMAIN VCPU HOST_CPU"),
            )
        },
    },
    Rule {
        in_lab: false,
        limit: slow_clock,
        change: |_| {
            change(
                "Let the kernel read the CPU's own time stamp counter.",
                Some(
                    "echo tsc | sudo tee \
                     /sys/devices/system/clocksource/clocksource0/current_clocksource",
                ),
            )
        },
    },
    Rule {
        in_lab: false,
        limit: governor,
        change: |_| {
            change(
                "Keep the CPUs at full frequency.",
                Some("sudo cpupower frequency-set -g performance"),
            )
        },
    },
    Rule {
        in_lab: false,
        limit: stock_kernel,
        change: |_| {
            change(
                "Boot a kernel with PREEMPT_RT and measure again. On Debian:",
                Some("sudo apt install linux-image-rt-$(dpkg --print-architecture)"),
            )
        },
    },
    Rule {
        in_lab: false,
        limit: shared_cpus,
        change: |system| {
            let cpus = measured_cpus(system);
            change(
                "Keep other work off the measured CPUs with kernel parameters at boot:",
                Some(&format!(
                    "isolcpus=managed_irq,domain,{cpus} nohz_full={cpus}"
                )),
            )
        },
    },
    Rule {
        in_lab: true,
        limit: inversion,
        change: |_| {
            change(
                "Use priority-inheritance mutexes wherever threads of different priority share \
                 data:",
                Some("pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT)"),
            )
        },
    },
    Rule {
        in_lab: true,
        limit: load_sensitive,
        change: |system| match clock::counts_instructions(system.machine) {
            true => change(
                "See which kernel keeps that load away:",
                Some("steadfast lab compare"),
            ),
            false => change(
                "Keep background work on CPUs of its own:",
                Some("taskset --cpu-list CPUS COMMAND"),
            ),
        },
    },
    Rule {
        in_lab: false,
        limit: hardware_threads,
        change: |_| {
            change(
                "Switch simultaneous multithreading off.",
                Some("echo off | sudo tee /sys/devices/system/cpu/smt/control"),
            )
        },
    },
    Rule {
        in_lab: true,
        limit: page_faults,
        change: |_| {
            change(
                "Lock all memory (the default), and keep more of it free.",
                None,
            )
        },
    },
    Rule {
        in_lab: false,
        limit: virtual_machine,
        change: |_| {
            change(
                "Measure on bare metal to know what the hypervisor costs.",
                None,
            )
        },
    },
];

/// Every limit that applies, and the change that the first of them asks for.
pub(super) fn of(system: &System) -> (Vec<String>, Option<Change>) {
    let in_lab = clock::counts_instructions(system.machine);
    let applying = RULES
        .iter()
        .filter(|rule| rule.in_lab || !in_lab)
        .filter_map(|rule| Some(((rule.limit)(system)?, rule)));
    let (limits, rules): (Vec<String>, Vec<&Rule>) = applying.unzip();
    (limits, rules.first().map(|rule| (rule.change)(system)))
}

fn change(words: &str, command: Option<&str>) -> Change {
    Change {
        words: words.to_owned(),
        command: command.map(str::to_owned),
    }
}

fn invalidating<'a>(system: &System<'a>) -> impl Iterator<Item = &'a Warning> {
    let warnings = system.outcomes.iter().flat_map(|outcome| &outcome.warnings);
    warnings.filter(|warning| warning.invalidates())
}

fn refused(system: &System) -> Option<String> {
    let invalid = system.outcomes.len() - system.valid().count();
    let cause = invalidating(system).next()?.cause();
    Some(format!(
        "{} of {} INVALID and not used: {cause}.",
        invalid,
        words::counted(system.outcomes.len(), "run") + if invalid == 1 { " is" } else { " are" },
    ))
}

fn throttled(system: &System) -> Option<String> {
    let reached = system
        .valid()
        .flat_map(|o| &o.warnings)
        .find_map(|w| match w {
            Warning::ThrottlingReached {
                used_percent,
                granted_percent,
                ..
            } => Some((used_percent, granted_percent)),
            _ => None,
        });
    let (used, granted) = reached?;
    Some(format!(
        "Real-time throttling: a measured thread used {used} % of its CPU where the kernel grants \
         {granted} %, so single gaps may be the kernel's."
    ))
}

fn stolen(system: &System) -> Option<String> {
    let steals = || system.valid().map(steal_ns);
    let runs = steals().filter(|steal| *steal > 0).count();
    let total: u64 = steals().sum();
    (total > 0).then(|| {
        format!(
            "The hypervisor{} took measured CPUs away for {} in {} of {}: stalls there may be the \
             host's, not this kernel's.",
            hypervisor(system),
            words::time(total as f64),
            runs,
            words::counted(system.valid().count(), "run"),
        )
    })
}

fn hypervisor(system: &System) -> String {
    let name = system.machine.hypervisor.as_ref();
    name.map_or_else(String::new, |name| format!(" ({name})"))
}

fn slow_clock(system: &System) -> Option<String> {
    const SLOW: [&str; 4] = ["hpet", "acpi_pm", "jiffies", "refined-jiffies"];
    let source = system.machine.clock_source.as_deref()?;
    SLOW.contains(&source)
        .then(|| format!("The clock source `{source}` is slow or coarse: every stamp costs time."))
}

fn governor(system: &System) -> Option<String> {
    let governors = &system.machine.governors;
    let others: Vec<String> = governors
        .iter()
        .filter(|governor| *governor != "performance")
        .map(|governor| format!("`{governor}`"))
        .collect();
    (!others.is_empty()).then(|| {
        format!(
            "The frequency governor {} lets CPUs slow down between periods.",
            words::listed(&others)
        )
    })
}

fn stock_kernel(system: &System) -> Option<String> {
    let model = &system.machine.preemption;
    // A core beside Linux does not wait for Linux's work.
    let real_time =
        model == "rt" || model.contains("PREEMPT_RT") || model.starts_with("Xenomai Cobalt");
    (!model.is_empty() && !real_time).then(|| {
        format!(
            "The kernel's preemption model is {model}, not rt: the kernel can keep a real-time \
             thread waiting for as long as its own work takes."
        )
    })
}

fn shared_cpus(system: &System) -> Option<String> {
    let measured = measured_cpus(system);
    let isolated: CpuSet = system.machine.isolated_cpus.parse().unwrap_or_default();
    let shared = measured.without(&isolated);
    // Without a CPU to spare there is nothing to isolate from.
    let spare = system.machine.cpus.without(&measured);
    (!shared.is_empty() && !spare.is_empty()).then(|| {
        format!(
            "Not isolated at boot: {}. Interrupts, timer ticks and kernel threads run beside \
             the measured threads.",
            words::cpus(&shared)
        )
    })
}

fn measured_cpus(system: &System) -> CpuSet {
    let asked = system.valid().map(|outcome| &outcome.header.spec.asked);
    asked.fold(CpuSet::default(), |all, asked| all.with(&asked.cpus))
}

fn inversion(system: &System) -> Option<String> {
    let series = system.of("priority_inversion");
    let vulnerable: BTreeSet<String> = series
        .filter(|series| series.any("vulnerable") == Some(true))
        .map(|series| format!("`{}`", series.word("lock")))
        .collect();
    let vulnerable: Vec<String> = vulnerable.into_iter().collect();
    (!vulnerable.is_empty()).then(|| {
        format!(
            "Priority inversion with {}: a high-priority thread waits for as long as a medium one \
             runs.",
            words::listed(&vulnerable)
        )
    })
}

/// The largest growth of the worst wake-up from no load to a load, where the
/// rest is equal; of real-time policies, where there are any.
fn load_sensitive(system: &System) -> Option<String> {
    const NOTABLE: f64 = 3.0;
    let headlines = || system.of("wakeup").filter(|series| series.headline);
    let growth = |loaded: &Series| {
        let alike = |idle: &&Series| {
            let (one, other) = (&idle.spec.asked, &loaded.spec.asked);
            one.loads.is_empty()
                && (one.policy, &one.cpus) == (other.policy, &other.cpus)
                && idle.spec.parameters == loaded.spec.parameters
        };
        let before = worst(headlines().find(alike)?)?.max(1.0);
        Some((before, worst(loaded)?))
    };
    headlines()
        .filter(|series| !series.spec.asked.loads.is_empty())
        .filter_map(|loaded| Some((&loaded.spec.asked, growth(loaded)?)))
        .filter(|(_, (before, after))| after / before >= NOTABLE)
        .max_by(|(one, (a, b)), (other, (c, d))| {
            let real_time = (one.policy.is_real_time()).cmp(&other.policy.is_real_time());
            real_time.then((b / a).total_cmp(&(d / c)))
        })
        .map(|(asked, (before, after))| {
            format!(
                "The worst wake-up under `{}` grows from {} without load to {} with {}.",
                asked.policy,
                words::time(before),
                words::time(after),
                loads(asked),
            )
        })
}

fn worst(series: &Series) -> Option<f64> {
    Some(series.latency.as_ref()?.max.value_ns as f64)
}

fn hardware_threads(system: &System) -> Option<String> {
    let shared = system
        .machine
        .smt_siblings
        .iter()
        .any(|group| group.len() > 1);
    shared.then(|| {
        "Hardware threads share cores (SMT): what runs on a sibling slows a measured CPU down."
            .to_owned()
    })
}

fn page_faults(system: &System) -> Option<String> {
    let faulted = |outcome: &&Outcome| {
        let mut warnings = outcome.warnings.iter();
        warnings.any(|warning| matches!(warning, Warning::PageFaults { .. }))
    };
    let runs = system.valid().filter(faulted).count();
    (runs > 0).then(|| {
        format!(
            "Measured threads took page faults in their loop in {}.",
            words::counted(runs, "run")
        )
    })
}

fn virtual_machine(system: &System) -> Option<String> {
    system.machine.hypervisor.as_ref()?;
    stolen(system).is_none().then(|| {
        format!(
            "This is a virtual machine{}: the host can stop it at any moment, also where no \
             stolen time was reported.",
            hypervisor(system)
        )
    })
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
