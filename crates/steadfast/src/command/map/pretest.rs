//! The pretest (SAE): with a short period it shows within seconds which numbers of threads are
//! useful, and about how far their rows will go.

use plan::{RunSpec, Value};
use units::Rate;

use super::question::{Rows, at_rate};
use super::refine::Refinement;
use super::sizes::{Sizes, Spacing};

/// Periods of a run: enough that one or two stalls do not count as many misses.
const STEPS: u64 = 400;
/// A number of threads gets a row if it holds this share more than any smaller number.
const WORTH: f64 = 0.1;
/// Rows go at once to this many times what the pretest lets expect.
const BEYOND: f64 = 2.0;

/// Returns the rows of the pretest.
pub(super) fn rows(candidates: &[RunSpec], rate: Rate) -> Rows {
    let shortened = |row: &RunSpec| at_rate(row, rate, STEPS);
    candidates.iter().map(shortened).collect()
}

/// Returns the sizes of the pretest: coarse, and from the smallest size of the map on.
pub(super) fn sizes(sizes: Sizes) -> Sizes {
    Sizes { spacing: Spacing::Share(WORTH), ..sizes }
}

/// A row of the map that is worth measuring.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Proposed {
    pub(super) row: RunSpec,
    /// The size up to which its coarse grid goes at once.
    pub(super) reach: u64,
    /// The largest size that the pretest held.
    pub(super) usable: Option<u64>,
}

/// Returns the rows for the first number of threads, and for each that holds enough more than all
/// smaller ones; every tire separately. `candidates` are the rows of the map.
pub(super) fn proposed(candidates: &[RunSpec], rate: Rate, done: &Refinement) -> Vec<Proposed> {
    let mut best: Vec<(RunSpec, u64)> = Vec::new();
    let mut proposed = Vec::new();
    for (number, row) in candidates.iter().enumerate() {
        let usable = done.usable(number);
        let held = usable.unwrap_or(0);
        let tire = without_threads(row);
        let so_far = match best.iter_mut().find(|(known, _)| *known == tire) {
            None => {
                best.push((tire, held));
                None
            }
            Some((_, best)) => {
                let before = *best;
                *best = before.max(held);
                Some(before)
            }
        };
        let is_worth = |before: u64| held as f64 > before as f64 * (1.0 + WORTH);
        if so_far.is_none_or(is_worth) {
            proposed.push(Proposed { reach: reach(row, rate, held), row: row.clone(), usable });
        }
    }
    proposed
}

/// Scales what was held by the ratio of the map's period to the pretest's, and goes beyond that.
fn reach(row: &RunSpec, rate: Rate, held: u64) -> u64 {
    let times = row.parameters.time("rate").0 as f64 / rate.period().0 as f64;
    (held as f64 * times * BEYOND) as u64
}

fn without_threads(row: &RunSpec) -> RunSpec {
    let mut tire = row.clone();
    tire.parameters.set("threads", Value::Count(0));
    tire.asked.cpus = units::CpuSet::default();
    tire
}

#[cfg(test)]
mod tests {
    use super::super::question;
    use super::super::refine::Severity;
    use super::*;
    use crate::command::map::tests::parse;

    /// Returns what is proposed if rows with 1, 2, 4 and 8 threads hold these sizes.
    fn of(held: &[u64], more: &str) -> Vec<(u64, u64)> {
        let line = format!("--threads 1,2,4,8 --rate 100Hz {more}");
        let args = parse(&line).unwrap();
        let candidates = question::rows(&args).unwrap();
        let rate: Rate = "2kHz".parse().unwrap();
        let mut map = Refinement::new(
            sizes(question::sizes(&args, &plan::Axis::Masses, &candidates).unwrap()),
            &vec![0; held.len()],
        );
        loop {
            let places = map.next();
            if places.is_empty() {
                break;
            }
            for place in places {
                let is_held = place.size <= held[place.row];
                map.observe(place, if is_held { Severity::None } else { Severity::Many });
            }
        }
        let proposed = proposed(&candidates, rate, &map);
        let threads_and_reach = |one: &Proposed| (one.row.parameters.count("threads"), one.reach);
        proposed.iter().map(threads_and_reach).collect()
    }

    #[test]
    fn threads_without_gain_are_not_proposed() {
        let proposed = of(&[10_000, 18_000, 18_200, 9000], "");
        let threads: Vec<u64> = proposed.iter().map(|(threads, _)| *threads).collect();
        assert_eq!(threads, [1, 2]);
        // The period of the map is 20 times as long, and rows go twice as far.
        assert!((360_000..=400_000).contains(&proposed[0].1), "{proposed:?}");
    }

    #[test]
    fn one_thread_has_its_row_even_where_nothing_holds() {
        assert_eq!(of(&[0; 4], ""), [(1, 0)]);
    }

    #[test]
    fn every_solver_has_its_own_proposals() {
        // Threads cross with solvers: 1, 2, 4, 8 of each in turn, or of both at once.
        let held = [10_000, 10_000, 20_000, 10_000, 40_000, 10_000, 80_000, 10_000];
        let proposed = of(&held, "--solver semaphore,barrier");
        let threads: Vec<u64> = proposed.iter().map(|(threads, _)| *threads).collect();
        assert_eq!(threads, [1, 1, 2, 4, 8]);
    }
}
