//! What several systems measured in the same way.

use record::{Asked, RunSpec};

use crate::lists::found_or_new;
use crate::merit::test;
use crate::survey::{Series, System, loads};

/// One row of a measurement under a load, on every system.
pub struct Case<'s, 'a> {
    /// The specification without load, duration and CPUs.
    pub test: RunSpec,
    pub label: &'a str,
    /// The conditions on the first system.
    pub asked: &'a Asked,
    pub of: Vec<Option<&'s Series<'a>>>,
}

/// Every case of the chosen series that some system could measure, in order of appearance.
pub fn cases<'s, 'a: 's>(
    systems: impl IntoIterator<Item = &'s System<'a>>,
    choose: impl Fn(&Series) -> bool,
) -> Vec<Case<'s, 'a>> {
    let systems: Vec<&System> = systems.into_iter().collect();
    let could = |series: &&Series| choose(series) && series.unavailable().is_none();
    let mut cases: Vec<Case> = Vec::new();
    for (place, system) in systems.iter().enumerate() {
        for series in system.series.iter().filter(could) {
            let new = || Case {
                test: test(series.spec),
                label: series.label,
                asked: &series.spec.asked,
                of: vec![None; systems.len()],
            };
            let case = found_or_new(&mut cases, |case| case.is_of(series), new);
            case.of[place].get_or_insert(series);
        }
    }
    cases
}

impl<'s, 'a> Case<'s, 'a> {
    /// First rows always match, because their label may name a CPU.
    fn is_of(&self, series: &Series) -> bool {
        self.asked.loads == series.spec.asked.loads
            && self.test == test(series.spec)
            && series.headline() == self.any().is_some_and(Series::headline)
            && (series.headline() || self.label == series.label)
    }

    pub fn any(&self) -> Option<&'s Series<'a>> {
        self.of.iter().flatten().next().copied()
    }

    pub fn load(&self) -> String {
        loads(self.asked)
    }

    pub fn is_alike_but_for_load(&self, other: &Self) -> bool {
        self.test == other.test && self.label == other.label
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{in_lab, wakeup};
    use crate::survey::systems;
    use base::{CpuSet, Policy};

    #[test]
    fn systems_stand_in_the_columns_of_one_case() {
        let fifo = Policy::Fifo(80);
        let mut other_cpu = in_lab("b", "rt", wakeup(fifo, None, 8e3, 6e4));
        other_cpu.header.spec.asked.cpus = CpuSet::one(7);
        other_cpu.rows[0].label = "CPU 7".into();
        let runs = [
            in_lab("a", "rt", wakeup(fifo, None, 8e3, 6e4)),
            other_cpu,
            in_lab("b", "rt", wakeup(fifo, Some("cpu"), 8e3, 6e4)),
        ];
        let systems = systems(&runs);
        let cases = cases(&systems, |series| series.place == 0);
        let filled: Vec<Vec<bool>> =
            cases.iter().map(|case| case.of.iter().map(Option::is_some).collect()).collect();
        assert_eq!(filled, [[true, true], [false, true]]);
        assert_eq!(cases[1].load(), "load cpu");
        assert!(cases[0].is_alike_but_for_load(&cases[1]));
    }
}
