//! The interface of plans, and the simplest plan: a list of runs.

use std::time::Duration;

use anyhow::{Error, Result};
use plan::RunSpec;

use super::Known;

/// Time per run in addition to measuring: starting a process, settling, reading back.
const OVERHEAD: Duration = Duration::from_millis(200);

/// Decides what to run next, given what is known. A plan does not execute, save or resume anything:
/// the driver does that for all plans.
pub(crate) trait Plan {
    /// Returns the next run; `None` if nothing is left to run, or if nothing more fits into the
    /// time that is left. A run that was returned and is not known afterwards could not be made; a
    /// plan that then requests nothing else has ended.
    fn next(&mut self, known: &Known) -> Option<Due>;

    /// Returns what follows the run that was returned last, as far as it is known.
    fn left(&self) -> Left;

    /// Returns whether everything that the plan requests is known, so that its session is finished.
    fn is_done(&self) -> bool;

    /// Returns whether INVALID runs are an answer too, so that several in a row do not end the
    /// plan.
    fn bears_invalid_runs(&self) -> bool {
        false
    }

    /// Continues without a run that is not possible on its target.
    ///
    /// # Errors
    /// The reason, if the plan is useless without the run.
    fn refused(&mut self, _due: &Due, why: Error) -> Result<()> {
        Err(why)
    }
}

/// A run that is to be made.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Due {
    /// Its place among the runs of the session, from 0; unique.
    pub(crate) ordinal: usize,
    pub(crate) spec: RunSpec,
}

/// What is left of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Left {
    /// The number of runs, if known.
    pub(crate) runs: Option<usize>,
    /// The time that the runs take, including overhead.
    pub(crate) time: Duration,
}

/// A plan whose runs are known from the start, each made once, in order.
pub(crate) struct List {
    specs: Vec<RunSpec>,
    next: usize,
    left: Option<(usize, Duration)>,
}

impl List {
    pub(crate) fn of(specs: &[RunSpec]) -> Self {
        Self { specs: specs.to_vec(), next: 0, left: None }
    }

    /// Returns the number of runs that are not known, and their time.
    fn count(&self, known: &Known) -> (usize, Duration) {
        let specs = self.specs.iter().enumerate();
        let missing = specs.filter(|(ordinal, _)| !known.is_done(*ordinal));
        missing
            .fold((0, Duration::ZERO), |(runs, time), (_, spec)| (runs + 1, time + planned(spec)))
    }
}

impl Plan for List {
    fn next(&mut self, known: &Known) -> Option<Due> {
        let (runs, time) = self.left.unwrap_or_else(|| self.count(known));
        let ordinal = (self.next..self.specs.len()).find(|ordinal| !known.is_done(*ordinal));
        self.next = ordinal.map_or(self.specs.len(), |ordinal| ordinal + 1);
        let ordinal = ordinal?;
        let spec = self.specs[ordinal].clone();
        self.left = Some((runs - 1, time.saturating_sub(planned(&spec))));
        Some(Due { ordinal, spec })
    }

    fn left(&self) -> Left {
        let (runs, time) = self.left.unwrap_or_default();
        Left { runs: Some(runs), time }
    }

    fn is_done(&self) -> bool {
        self.next == self.specs.len()
    }
}

/// Returns how long a run takes in total.
pub(crate) fn planned(spec: &RunSpec) -> Duration {
    Duration::from(spec.asked.duration) + OVERHEAD
}
