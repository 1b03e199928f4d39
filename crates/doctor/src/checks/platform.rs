//! The platform below the kernel.

use super::{Change, Check, GAPS, Sight, not_told};
use crate::Seen;
use crate::State::{Ok, Warning};
use crate::hypervisor::is_visible;

pub(super) const HYPERVISOR: Check = Check {
    name: "hypervisor",
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
    let taken = stolen_percent(seen).map(|percent| {
        let cpus = seen.cpus.in_words();
        format!(", which took {cpus} away for {percent:.2} % of the time since boot")
    });
    let taken = taken.unwrap_or_default();
    (Warning, format!("this is a virtual machine on a host ({name}){taken}"))
}

/// Returns the percentage of the time since boot that was stolen from the CPUs.
fn stolen_percent(seen: &Seen) -> Option<f64> {
    const STEAL: usize = 7;
    let stat = seen.tree.text("/proc/stat").seen()?;
    let (mut stolen, mut all) = (0u64, 0u64);
    for cpu in seen.cpus.iter() {
        let name = format!("cpu{cpu} ");
        let columns = stat.lines().find_map(|line| line.strip_prefix(&name))?;
        let ticks = columns.split_whitespace().map(|ticks| ticks.parse().ok());
        // The time of guests is already part of user time.
        let ticks: Vec<u64> = ticks.take(STEAL + 1).collect::<Option<_>>()?;
        stolen += ticks.get(STEAL)?;
        all += ticks.iter().sum::<u64>();
    }
    Some(100.0 * stolen as f64 / all.max(1) as f64)
}
