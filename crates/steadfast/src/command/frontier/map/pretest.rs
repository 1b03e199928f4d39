//! The pretest (SAE): with a short period it shows within seconds which numbers of threads are
//! useful.

use analysis::words;
use base::Rate;
use record::{Axis, RunSpec};
use stats::frontier::Spacing;

use crate::session::search_args;

/// Periods of a run: enough that one or two stalls do not count as many misses.
const STEPS: u64 = 400;
/// A number of threads gets a row if it holds this share more than any smaller number.
const WORTH: f64 = 0.1;
/// Sizes are as close together as a difference that counts.
pub(super) const SPACING: Spacing = Spacing::Share(WORTH);

pub(super) fn shortened(row: &RunSpec, rate: Rate) -> RunSpec {
    let mut row = row.clone();
    row.parameters.set_rate(rate);
    search_args::lasting(&row, STEPS)
}

/// Returns the rows for the first number of threads, and for each that holds enough more than all
/// smaller ones; every tire separately. Each row has the largest size that the pretest held.
pub(super) fn proposed(
    rows: impl Iterator<Item = (RunSpec, Option<u64>)>,
) -> Vec<(RunSpec, Option<u64>)> {
    let mut best: Vec<(RunSpec, u64)> = Vec::new();
    let mut proposed = Vec::new();
    for (row, usable) in rows {
        let (tire, held) = (without_threads(&row), usable.unwrap_or(0));
        let is_worth = match best.iter_mut().find(|(known, _)| *known == tire) {
            None => {
                best.push((tire, held));
                true
            }
            Some((_, best)) => {
                let is_worth = held as f64 > *best as f64 * (1.0 + WORTH);
                *best = held.max(*best);
                is_worth
            }
        };
        if is_worth {
            proposed.push((row, usable));
        }
    }
    proposed
}

/// Returns for example `rows worth mapping: --threads 1 (usable up to 12 000 masses)`.
pub(super) fn in_words(proposed: &[(RunSpec, Option<u64>)]) -> String {
    let one = |(row, usable): &(RunSpec, Option<u64>)| {
        let threads = row.parameters.threads();
        let usable = usable
            .map_or_else(|| "no size".to_owned(), |usable| words::place(&Axis::Masses, usable));
        format!("--threads {threads} (usable up to {usable})")
    };
    let all: Vec<String> = proposed.iter().map(one).collect();
    format!("rows worth mapping: {}", all.join(", "))
}

fn without_threads(row: &RunSpec) -> RunSpec {
    let mut tire = row.clone();
    tire.parameters.set_threads(0);
    tire.asked.cpus = base::CpuSet::default();
    tire
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::frontier::map::rows;
    use crate::command::frontier::map::tests::parse;

    /// Returns what is proposed if rows with 1, 2, 4 and 8 threads hold these sizes.
    fn threads(held: &[u64], more: &str) -> Vec<u64> {
        let args = parse(&format!("--threads 1,2,4,8 --rate 100Hz {more}")).unwrap();
        let rows = rows(&args).unwrap();
        let held = held.iter().map(|held| (*held > 0).then_some(*held));
        let proposed = proposed(rows.into_iter().zip(held));
        proposed.iter().map(|(row, _)| row.parameters.threads()).collect()
    }

    #[test]
    fn threads_without_gain_are_not_proposed() {
        assert_eq!(threads(&[10_000, 18_000, 18_200, 9000], ""), [1, 2]);
    }

    #[test]
    fn one_thread_has_its_row_even_where_nothing_holds() {
        assert_eq!(threads(&[0; 4], ""), [1]);
    }

    #[test]
    fn every_solver_has_its_own_proposals() {
        // Threads cross with solvers: 1, 2, 4, 8 of each in turn, or of both at once.
        let held = [10_000, 10_000, 20_000, 10_000, 40_000, 10_000, 80_000, 10_000];
        assert_eq!(threads(&held, "--solver semaphore,barrier"), [1, 1, 2, 4, 8]);
    }
}
