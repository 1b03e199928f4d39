//! The platform below the kernel.

use base::Observed;
use rt::activity::reports_steal;

use super::{Change, Check, GAPS, Level, Sight, not_told};
use crate::Seen;
use crate::State::{Ok, Warning};
use crate::hypervisor::is_visible;

pub(super) const CHECKS: &[Check] = &[HYPERVISOR];

const HYPERVISOR: Check = Check {
    name: "hypervisor",
    level: Level::Platform(1),
    knobs: &["guest_halt_poll"],
    look: hypervisor,
    why: "A host can stop a virtual CPU at any moment and for any length of time, and no setting of \
          this kernel prevents it. Only a part of that is reported, as stolen time.",
    source: "man 5 proc_stat (steal)",
    change: |_| {
        Change::ask("ask the host's operator to give each virtual CPU a CPU of its own")
            .or("or use bare metal")
    },
    see: GAPS,
};

fn hypervisor(seen: &Seen) -> Sight {
    let machine = seen.machine;
    let Some(name) = &machine.hypervisor else {
        return match seen.tree.is_reachable() && !is_visible(&seen.tree, &machine.architecture) {
            true => not_told("neither processor nor firmware says whether there is a hypervisor"),
            false => (Ok, "no hypervisor was found".to_owned()),
        };
    };
    let name = match name.as_str() {
        "unknown" => "an unnamed hypervisor",
        name => name,
    };
    let taken = match stolen_percent(seen) {
        Observed::Seen(percent) => {
            let cpus = seen.cpus.in_words();
            format!(", which took {cpus} away for {percent:.2} % of the time since boot")
        }
        Observed::Absent | Observed::Hidden(_) => {
            "; how much CPU time it takes cannot be seen: it reports no steal".to_owned()
        }
    };
    (Warning, format!("this is a virtual machine on a host ({name}){taken}"))
}

/// Returns the percentage of the time since boot that was stolen from the CPUs; hidden if it is 0 on
/// all CPUs of the machine, as under the hypervisors that do not report it.
fn stolen_percent(seen: &Seen) -> Observed<f64> {
    const STEAL: usize = 7;
    seen.tree.text("/proc/stat").read_as("it reports no steal", |stat| {
        let ticks = |name: &str| -> Option<Vec<u64>> {
            let columns = stat.lines().find_map(|line| line.strip_prefix(name))?;
            // The time of guests is already part of user time.
            columns.split_whitespace().take(STEAL + 1).map(|ticks| ticks.parse().ok()).collect()
        };
        let own = seen.cpus.iter().map(|cpu| ticks(&format!("cpu{cpu} ")));
        let own = own.collect::<Option<Vec<_>>>()?;
        let stolen: u64 = own.iter().map(|ticks| ticks.get(STEAL)).sum::<Option<u64>>()?;
        let all: u64 = own.iter().flatten().sum();
        reports_steal(&stat).then(|| 100.0 * stolen as f64 / all.max(1) as f64)
    })
}
