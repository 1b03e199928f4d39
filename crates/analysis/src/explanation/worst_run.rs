//! The run of a case that lost most: only its own evidence explains the case.

use base::CpuSet;
use blame::Counted;
use record::{Outcome, Row, Warning};

use crate::survey::measured_cpus;
use crate::{causes, real_time};

pub(crate) struct WorstRun<'a> {
    pub(crate) run: &'a Outcome,
    /// What was missed most in it, or was latest: a thread, a process, a clock.
    pub(crate) row: &'a Row,
    /// Number of deadlines that it missed, over all its rows.
    pub(crate) missed: u64,
}

impl<'a> WorstRun<'a> {
    /// Returns the run that missed the most deadlines, of equal ones the latest, from runs with their
    /// rows and missed deadlines; `None` without a row.
    pub(crate) fn among(
        runs: impl Iterator<Item = (&'a Outcome, Vec<&'a Row>, u64)>,
    ) -> Option<Self> {
        let of = |(run, rows, missed): (&'a Outcome, Vec<&'a Row>, u64)| {
            let misses = |row: &Row| real_time::misses_of(&run.header.spec.measurement, row);
            let row =
                rows.into_iter().max_by_key(|row| (misses(row), real_time::response_ns(row)))?;
            Some(Self { run, row, missed })
        };
        runs.filter_map(of).max_by_key(|worst| (worst.missed, worst.late_ns()))
    }

    /// Returns how late its latest response was, in nanoseconds.
    pub(crate) fn late_ns(&self) -> i64 {
        real_time::response_ns(self.row).unwrap_or(0)
    }

    /// Returns when the latest response was due, in nanoseconds after the start.
    pub(crate) fn at_ns(&self) -> Option<u64> {
        Some(self.row.latency.as_ref()?.max.at_ns)
    }

    pub(crate) fn cpus(&self) -> CpuSet {
        measured_cpus(self.run, self.row)
    }

    /// Returns the late events of a search for causes, if it found any.
    pub(crate) fn blamed(&self) -> Option<blame::Summary> {
        let summary = self.run.rows.iter().find_map(causes::summary)?;
        (summary.late > 0).then_some(summary)
    }

    /// Returns what counters say about its latest samples; `None` if nothing was counted.
    pub(crate) fn counted(&self) -> Option<Vec<Counted>> {
        self.run.rows.iter().find_map(causes::counted)
    }

    /// Returns the warning that another measurement ran on its CPUs.
    pub(crate) fn beside(&self) -> Option<&'a Warning> {
        let mut warnings = self.run.warnings.iter();
        warnings.find(|warning| matches!(warning, Warning::MeasuredBeside { .. }))
    }
}
