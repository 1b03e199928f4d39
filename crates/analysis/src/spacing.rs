//! How often deadlines are due: those of one row, and those of all rows of a run, which are the
//! machine's.

use base::Nanos;
use record::{Family, Mode, Parameters, RunSpec};
use serde::Serialize;

const HOUR_NS: f64 = 3.6e12;

type Period = fn(&Parameters) -> Nanos;

/// Measurements with deadlines, each with the parameter that sets its period.
pub(crate) const PERIODIC: [(&str, Period); 4] = [
    ("wakeup", Parameters::period),
    ("frame", Parameters::rate_period),
    ("tire", Parameters::rate_period),
    ("model", Parameters::rate_period),
];

/// Returns the entry of a measurement with deadlines.
pub(crate) fn periodic(spec: &RunSpec) -> Option<&'static (&'static str, Period)> {
    PERIODIC.iter().find(|(name, _)| *name == spec.measurement)
}

/// Returns the time between two deadlines of a run; `None` if it has none.
pub fn period(spec: &RunSpec) -> Option<Nanos> {
    let (_, period) = periodic(spec)?;
    let has_deadlines = spec.parameters.mode() != Some(Mode::RealFast);
    has_deadlines.then(|| period(&spec.parameters))
}

/// Returns the time between two deadlines of the row at a place of a run: the clocks of a model
/// have a row and a period each.
pub fn row_period(spec: &RunSpec, place: usize) -> Option<Nanos> {
    let of_run = period(spec)?;
    let clock = spec.parameters.clocks().split('+').nth(place);
    Some(clock.and_then(|period| period.parse().ok()).unwrap_or(of_run))
}

/// Mean times between two deadlines, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spacing {
    pub row_ns: f64,
    pub machine_ns: f64,
}

/// One deadline per period on the whole machine.
impl From<Nanos> for Spacing {
    fn from(period: Nanos) -> Self {
        let ns = period.0.max(1) as f64;
        Self { row_ns: ns, machine_ns: ns }
    }
}

impl Spacing {
    /// Returns that of all deadlines of a run; `None` if it has none.
    pub fn of_run(spec: &RunSpec) -> Option<Self> {
        let ns = period(spec)?.0.max(1) as f64 / per_period(spec);
        Some(Self { row_ns: ns, machine_ns: ns })
    }

    /// Returns that of the row at a place of a run: one CPU, process or clock of several, or the
    /// headline of wake-ups, which counts all CPUs.
    pub fn of_row(spec: &RunSpec, place: usize) -> Option<Self> {
        let run = Self::of_run(spec)?;
        if is_of_wakeups(spec) && place == 0 {
            return Some(run);
        }
        Some(Self { row_ns: row_period(spec, place)?.0.max(1) as f64, ..run })
    }

    /// Returns how many deadlines of the row a share of them is in an hour.
    pub fn per_hour(self, share: f64) -> f64 {
        share * HOUR_NS / self.row_ns
    }

    /// Returns the share of the machine's deadlines that this many in an hour are.
    pub fn share_of_hour(self, misses: f64) -> f64 {
        misses * self.machine_ns / HOUR_NS
    }
}

fn is_of_wakeups(spec: &RunSpec) -> bool {
    Family::of(&spec.measurement) == Some(Family::Wakeups)
}

/// Returns how many deadlines of a run are due per period: one for each CPU that wakes a thread and
/// for each process, one for each tick of a clock, or one.
fn per_period(spec: &RunSpec) -> f64 {
    match Family::of(&spec.measurement) {
        Some(Family::Wakeups) => spec.asked.cpus.len().max(1) as f64,
        Some(Family::Frames) => spec.parameters.processes().max(1) as f64,
        _ => {
            let clocks = spec.parameters.clocks().split('+').count();
            let ns = |period: Option<Nanos>| period.map_or(1, |period| period.0.max(1)) as f64;
            let whole = ns(period(spec));
            (0..clocks).map(|place| whole / ns(row_period(spec, place))).sum()
        }
    }
}

#[cfg(test)]
mod tests {
    use base::{CpuSet, Policy};

    use super::*;
    use crate::fixture::{frames, scheduled, wakeup};

    #[test]
    fn the_machine_has_the_deadlines_of_all_its_cpus_processes_and_clocks() {
        let mut run = wakeup(Policy::Fifo(80), None, 8e3, 6e4).header.spec;
        run.asked.cpus = CpuSet::from_iter(0..16);
        let of = |place| Spacing::of_row(&run, place).unwrap();
        assert_eq!((of(0).row_ns, of(0).machine_ns), (62_500.0, 62_500.0));
        assert_eq!((of(1).row_ns, of(1).machine_ns), (1e6, 62_500.0));
        // 10 misses an hour of 16 CPUs are 10 of 57.6 million.
        assert!((of(1).share_of_hour(10.0) * 57.6e6 - 10.0).abs() < 1e-6);
        assert!((of(0).per_hour(10.0 / 57.6e6) - 10.0).abs() < 1e-9);
        let frames = frames("timer", 0).header.spec;
        let [process, all] =
            [Spacing::of_row(&frames, 0), Spacing::of_run(&frames)].map(Option::unwrap);
        assert_eq!(process.row_ns / all.row_ns, frames.parameters.processes() as f64);
        // Clocks of 1 and 20 ms have 21 ticks in 20 ms.
        let clocks = scheduled([0, 0]).header.spec;
        let slow = Spacing::of_row(&clocks, 1).unwrap();
        assert_eq!(slow.row_ns, 20e6);
        assert!((slow.machine_ns - 20e6 / 21.0).abs() < 1.0, "{slow:?}");
    }
}
