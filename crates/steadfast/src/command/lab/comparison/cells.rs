//! What a comparison is made of: systems under loads, and the runs that each makes.

use lab::Kernel;
use load::{LOADS, Processes};
use plan::RunSpec;
use units::Nanos;

use crate::place::Place;
use crate::ready;
use crate::scale::scale;

/// Made by every system, without load and under each one, all on one CPU; each line as
/// one would type it after `steadfast run`. Times are in proportion to each other.
const UNDER_EACH_LOAD: &[&str] = &[
    // Long enough, also in the quick form, to meet what a load does once a second.
    "wakeup --period 1ms --seconds 60",
    "wakeup --period 10ms,100us --seconds 12",
    "wakeup --period 10ms,1ms,100us --seconds 12 --policy other",
    "task_switch preemption semaphore_shuffle --seconds 3",
    "deadlock_break --trials 5",
    "interrupt --source timer,hpet,uio:/dev/uio0:0x60:0x64 --seconds 5",
    "fifo_write fifo_roundtrip mailbox_post --seconds 2",
    "fifo_transfer mailbox_transfer context_switch --seconds 3",
    "tire --mode real-time --masses 400,600 --threads 1 --steps 100",
    "tire --mode real-fast --masses 1200 --threads 1 --steps 100",
];

/// Loads that a machine without a disk, and with nothing but this program, can carry.
fn loads() -> impl Iterator<Item = &'static str> {
    let own = LOADS
        .iter()
        .filter(|load| load.processes != Processes::Guard);
    own.map(|load| load.name).filter(|name| *name != "disk")
}

/// A virtual machine: a system under a load, and the runs that are made in it.
pub(super) struct Cell {
    pub(super) system: Kernel,
    pub(super) load: &'static str,
    pub(super) specs: Vec<RunSpec>,
    /// Place of its first run in the whole plan.
    pub(super) first: usize,
}

impl Cell {
    /// Places of its runs in the whole plan.
    pub(super) fn ordinals(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.specs.len()
    }
}

/// Every system under every load, each machine's runs `time` long; systems take turns, so
/// that an interrupted comparison has something of each.
pub(super) fn cells(systems: &[Kernel], time: Nanos) -> anyhow::Result<Vec<Cell>> {
    let mut cells = Vec::new();
    let mut first = 0;
    for load in loads() {
        let specs = specs(load, time)?;
        for system in systems {
            cells.push(Cell {
                system: system.clone(),
                load,
                specs: specs.clone(),
                first,
            });
            first += specs.len();
        }
    }
    Ok(cells)
}

/// The runs under a load. Which kernel makes them does not matter to them.
fn specs(load: &str, time: Nanos) -> anyhow::Result<Vec<RunSpec>> {
    let lines = UNDER_EACH_LOAD.iter().map(|line| match load {
        "none" => (*line).to_owned(),
        load => format!("{line} --load {load}"),
    });
    let lines: Vec<String> = lines.collect();
    let mut specs = ready::read(lines.iter().map(String::as_str), |typed| {
        typed.target = Place::Vm(String::new());
    })?;
    scale(&mut specs, time);
    Ok(specs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_load_stands_beside_none_and_all_make_the_same_runs() {
        let names: BTreeSet<&str> = loads().collect();
        for name in [
            "none", "cpu", "files", "network", "user", "kernel", "paging",
        ] {
            assert!(names.contains(name), "{name}");
        }
        let not_carried: BTreeSet<&str> = analysis::comparison::NOT_CARRIED
            .iter()
            .map(|(name, _)| *name)
            .collect();
        let all: BTreeSet<&str> = LOADS.iter().map(|load| load.name).collect();
        assert_eq!(&all - &names, not_carried);
        let titles = |load| -> Vec<String> {
            let specs = specs(load, Nanos::SECOND).unwrap();
            specs.iter().map(|s| s.measurement.clone()).collect()
        };
        assert_eq!(titles("none"), titles("cpu"));
        assert!(titles("none").len() > 15);
    }

    #[test]
    fn everything_runs_on_the_one_cpu_of_a_machine() {
        let specs = specs("kernel", Nanos::SECOND).unwrap();
        assert!(
            specs
                .iter()
                .all(|spec| spec.asked.cpus == target::Vm::cpus())
        );
    }
}
