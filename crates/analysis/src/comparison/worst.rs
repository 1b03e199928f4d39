//! The worst case of a system: in the lab a range over draws, machines that differ in nothing but
//! chance.

use crate::survey::Series;

/// The worst case of one or several series of a system.
pub struct Worst<'s, 'a> {
    /// The longest of all runs, in nanoseconds.
    pub longest_ns: f64,
    /// The worst case of each draw that all series have, in nanoseconds; empty outside the lab.
    pub of_draws_ns: Vec<f64>,
    /// The series with the longest.
    pub series: &'s Series<'a>,
}

impl Worst<'_, '_> {
    /// Returns the shortest and the longest worst case of a draw, in nanoseconds; outside the lab,
    /// the longest of all runs twice.
    pub fn range_ns(&self) -> [f64; 2] {
        [self.of_draws_ns.iter().copied().fold(self.longest_ns, f64::min), self.longest_ns]
    }
}

/// Returns the worst case of all these series; `None` if none has one.
pub fn worst<'s, 'a: 's>(
    series: impl IntoIterator<Item = &'s Series<'a>>,
) -> Option<Worst<'s, 'a>> {
    let timed: Vec<(f64, &Series)> =
        series.into_iter().filter_map(|series| Some((worst_ns(series)?, series))).collect();
    let of_draws_ns = of_draws(timed.iter().map(|(_, series)| *series));
    let (longest_ns, series) = timed.into_iter().max_by(|(a, _), (b, _)| a.total_cmp(b))?;
    Some(Worst { longest_ns, of_draws_ns, series })
}

/// Returns the longest of all runs, in nanoseconds.
pub fn worst_ns(series: &Series) -> Option<f64> {
    Some(series.max_ns()? as f64)
}

fn of_draws<'s, 'a: 's>(series: impl Iterator<Item = &'s Series<'a>>) -> Vec<f64> {
    let of_one = |series: &Series| Vec::from_iter(series.max_ns_of_draws().map(|ns| ns as f64));
    let both = |a: Vec<f64>, b: Vec<f64>| a.into_iter().zip(b).map(|(a, b)| a.max(b)).collect();
    series.map(of_one).reduce(both).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{distribution, in_lab, wakeup};
    use crate::survey::systems;
    use base::Policy;
    use record::{Outcome, Row};

    fn run(load: Option<&str>, worst_ns: i64) -> Outcome {
        let mut run = wakeup(Policy::Fifo(80), load, 8e3, 6e4);
        run.rows = vec![Row::of("CPU 0", distribution(&[8_000, worst_ns]))];
        run
    }

    #[test]
    fn the_worst_case_of_several_series_is_a_range_over_draws() {
        let runs = [(None, 30_000), (Some("cpu"), 20_000), (None, 40_000), (Some("cpu"), 90_000)];
        let runs = runs.map(|(load, worst_ns)| in_lab("rt", "rt", run(load, worst_ns)));
        let systems = systems(&runs);
        let worst = worst(&systems[0].series).unwrap();
        assert_eq!((worst.range_ns(), worst.of_draws_ns), ([3e4, 9e4], vec![3e4, 9e4]));
        assert_eq!(worst.series.spec.asked.loads.len(), 1);
    }

    #[test]
    fn repeated_runs_of_a_machine_are_not_draws() {
        let runs = [30_000, 40_000].map(|worst_ns| run(None, worst_ns));
        let systems = systems(&runs);
        let worst = worst(&systems[0].series).unwrap();
        assert_eq!((worst.range_ns(), worst.of_draws_ns), ([4e4, 4e4], vec![]));
    }

    #[test]
    fn a_series_without_times_hides_no_draws() {
        let mut unavailable = in_lab("rt", "rt", run(Some("cpu"), 10_000));
        unavailable.rows[0].latency = None;
        let runs = [in_lab("rt", "rt", run(None, 30_000)), unavailable];
        let systems = systems(&runs);
        assert_eq!(worst(&systems[0].series).unwrap().of_draws_ns, [3e4]);
    }
}
