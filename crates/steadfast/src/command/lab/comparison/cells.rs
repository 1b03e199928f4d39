//! The parts of a comparison: systems under loads, and the runs of each.

use analysis::lists::{each_once, groups};
use anyhow::{Result, bail};
use lab::{Architecture, Kernel, Kernels, LabError};
use place::Vm;
use record::RunSpec;

use crate::options::place::{Place, lab_machines};
use crate::options::plans::Ready;
use crate::options::request::RunRequest;

/// A virtual machine: a system, and the runs that are executed in it.
#[derive(Clone)]
pub(crate) struct Cell {
    pub(crate) system: Vm,
    pub(crate) what: String,
    pub(crate) specs: Vec<RunSpec>,
    /// Which of several equal machines it is.
    pub(crate) draw: u32,
    pub(crate) first: usize,
}

impl Cell {
    /// Returns the name of its kernel.
    pub(crate) fn name(&self) -> &str {
        &self.system.kernel().name
    }

    pub(super) fn ordinals(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.specs.len()
    }
}

/// Returns every system under every load of a plan, `draws` times; systems alternate, in case of Ctrl-C.
pub(super) fn cells(systems: &[Vm], draws: u32, plan: &Ready) -> Result<Vec<Cell>> {
    let (mut cells, mut first) = (Vec::new(), 0);
    let by_load = by_load(plan)?;
    for draw in 0..draws {
        for specs in &by_load {
            for system in systems {
                let mut what = format!("load {}", load(&specs[0]));
                if draws > 1 {
                    what += &format!(", draw {} of {draws}", draw + 1);
                }
                let (system, specs) = (system.clone(), specs.clone());
                let next = first + specs.len();
                cells.push(Cell { system, what, specs, draw, first });
                first = next;
            }
        }
    }
    Ok(cells)
}

/// Returns the runs of a plan under each load, whatever the kernel.
fn by_load(plan: &Ready) -> Result<Vec<Vec<RunSpec>>> {
    let (specs, _) = plan.round(&in_the_lab)?;
    Ok(groups(specs, |one, other| load(one) == load(other)))
}

fn load(spec: &RunSpec) -> &str {
    spec.asked.loads.first().map_or("none", |load| &load.name)
}

/// Sets the target of a run to a machine of the lab, whatever its kernel.
pub(super) fn in_the_lab(request: &mut RunRequest) {
    request.place = Place::Vm(String::new());
}

/// Returns a machine for each named kernel, or by default for every kernel of the lab, or every one
/// of an architecture. A kernel that can boot with several preemption models is replaced by one
/// system for each, unless its parameters name one.
pub(super) fn systems(
    named: &[String],
    architecture: Option<&'static Architecture>,
) -> Result<Vec<Vm>> {
    let kernels = Kernels::open()?;
    let chosen = match named {
        [] => kernels.list()?,
        named => named.iter().map(|name| kernels.find(name)).collect(),
    };
    let mut chosen: Vec<Kernel> = chosen.into_iter().collect::<Result<_, _>>()?;
    if let ([], Some(architecture)) = (named, architecture) {
        chosen.retain(|kernel| kernel.architecture == architecture);
    }
    if chosen.is_empty() {
        let fetch = "steadfast lab fetch debian:6.1 debian:6.1-rt";
        match architecture {
            None => bail!("the lab has no kernels to compare; download two with `{fetch}`"),
            Some(one) => bail!(
                "the lab has no kernels for {one} to compare; download two with `{fetch} --arch {}`",
                one.debian
            ),
        }
    }
    let variants = chosen.iter().map(variants).collect::<Result<Vec<_>, _>>()?;
    let names = each_once(variants.into_iter().flatten());
    let systems = names.iter().map(|name| kernels.find(name));
    Ok(lab_machines(systems.collect::<Result<_, _>>()?)?)
}

/// Refuses kernels of several instruction sets.
pub(super) fn refuse_several_sets(systems: &[Vm]) -> Result<()> {
    let mut kernels = systems.iter().map(Vm::kernel);
    let Some(first) = kernels.next() else { return Ok(()) };
    let Some(other) = kernels.find(|other| other.architecture != first.architecture) else {
        return Ok(());
    };
    bail!(
        "{} is for {} and {} for {}: compare the kernels of each instruction set by themselves; the \
         order of kernels and their ratios may be compared across sets, times never",
        first.name,
        first.architecture,
        other.name,
        other.architecture
    )
}

fn variants(kernel: &Kernel) -> Result<Vec<String>, LabError> {
    let models = kernel.preemption_models()?;
    let mut parameters = kernel.append.split_whitespace();
    let has_model = parameters.any(|parameter| parameter.starts_with("preempt="));
    if has_model || models.is_empty() {
        return Ok(vec![kernel.name.clone()]);
    }
    let named = |model| format!("{}+preempt={model}", kernel.name);
    Ok(models.into_iter().map(named).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::plans::{LAB_COMPARE, LAB_COMPARE_QUICK};
    use analysis::comparison::NOT_CARRIED;
    use load::LOADS;
    use std::collections::BTreeSet;

    fn measured(specs: &[RunSpec]) -> Vec<String> {
        let measured = |spec: &RunSpec| format!("{} {:?}", spec.measurement, spec.asked.policy);
        specs.iter().map(measured).collect()
    }

    #[test]
    fn every_load_is_there_with_runs_that_exist_without_load() {
        let not_carried: BTreeSet<&str> = NOT_CARRIED.iter().map(|(name, _)| *name).collect();
        let all = LOADS.iter().filter(|load| !load.is_aggressor);
        let all: BTreeSet<&str> = all.map(|load| load.name).collect();
        for plan in [&LAB_COMPARE, &LAB_COMPARE_QUICK] {
            let by_load = by_load(plan).unwrap();
            let names: BTreeSet<&str> = by_load.iter().map(|specs| load(&specs[0])).collect();
            assert_eq!(&all - &names, not_carried, "{}", plan.name);
            let alone = measured(&by_load[0]);
            assert!(alone.len() > 15 && by_load[0].iter().all(|spec| spec.asked.loads.is_empty()));
            for specs in &by_load {
                let load = load(&specs[0]);
                let is_there = |spec: &RunSpec| spec.asked.cpus == Vm::cpus();
                assert!(specs.iter().all(is_there), "one CPU of a machine, {load}");
                assert!(measured(specs).iter().all(|run| alone.contains(run)), "{load}");
            }
        }
    }

    #[test]
    fn whole_comparisons_make_every_run_under_every_load() {
        let by_load = by_load(&LAB_COMPARE).unwrap();
        let alone = measured(&by_load[0]);
        assert!(by_load.iter().all(|specs| measured(specs) == alone));
    }
}
