//! What a comparison is made of: systems under loads, and the runs that each makes.

use anyhow::Result;
use lab::Kernel;
use plan::RunSpec;
use units::Nanos;

use crate::command::run::args::RunArgs;
use crate::place::Place;
use crate::plans::LAB_COMPARE;
use crate::scale::scale;

/// A virtual machine: a system under a load, and the runs that are made in it.
pub(super) struct Cell {
    pub(super) system: Kernel,
    pub(super) load: String,
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
pub(super) fn cells(systems: &[Kernel], time: Nanos) -> Result<Vec<Cell>> {
    let mut cells = Vec::new();
    let mut first = 0;
    for (load, specs) in loads(time)? {
        for system in systems {
            cells.push(Cell {
                system: system.clone(),
                load: load.clone(),
                specs: specs.clone(),
                first,
            });
            first += specs.len();
        }
    }
    Ok(cells)
}

/// The runs under each load that a machine of the lab can carry. Which kernel makes them does
/// not matter to them.
fn loads(time: Nanos) -> Result<Vec<(String, Vec<RunSpec>)>> {
    let mut loads: Vec<(String, Vec<RunSpec>)> = Vec::new();
    for spec in LAB_COMPARE.round(&in_the_lab)?.0 {
        let load = spec.asked.loads.first();
        let load = load.map_or("none", |load| &load.name).to_owned();
        match loads.iter_mut().find(|(known, _)| *known == load) {
            Some((_, specs)) => specs.push(spec),
            None => loads.push((load, vec![spec])),
        }
    }
    loads.iter_mut().for_each(|(_, specs)| scale(specs, time));
    Ok(loads)
}

/// Every run is made in a machine of the lab, whatever its kernel.
pub(super) fn in_the_lab(typed: &mut RunArgs) {
    typed.place.target = Place::Vm(String::new());
}

#[cfg(test)]
mod tests {
    use super::*;
    use analysis::comparison::NOT_CARRIED;
    use load::LOADS;
    use std::collections::BTreeSet;

    #[test]
    fn every_load_stands_beside_none_and_all_make_the_same_runs() {
        let loads = loads(Nanos::SECOND).unwrap();
        let names: BTreeSet<&str> = loads.iter().map(|(load, _)| &**load).collect();
        let not_carried: BTreeSet<&str> = NOT_CARRIED.iter().map(|(name, _)| *name).collect();
        let all = LOADS.iter().filter(|load| !load.is_aggressor);
        let all: BTreeSet<&str> = all.map(|load| load.name).collect();
        assert_eq!(&all - &names, not_carried);
        let measured = |specs: &[RunSpec]| -> Vec<String> {
            specs.iter().map(|s| s.measurement.clone()).collect()
        };
        let (_, alone) = &loads[0];
        assert!(alone.len() > 15 && alone.iter().all(|spec| spec.asked.loads.is_empty()));
        for (load, specs) in &loads {
            assert_eq!(measured(specs), measured(alone), "{load}");
            let is_there = |spec: &RunSpec| spec.asked.cpus == target::Vm::cpus();
            assert!(specs.iter().all(is_there), "one CPU of a machine, {load}");
        }
    }
}
