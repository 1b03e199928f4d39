//! What is asked of a plan, and the simplest one: a list of runs.

use std::time::Duration;

use anyhow::{Error, Result};
use plan::RunSpec;

use super::Known;

/// Starting a process, settling, reading back: on top of each run.
const OVERHEAD: Duration = Duration::from_millis(200);

/// What to run next, given what is known. A plan carries nothing out, saves nothing and
/// resumes nothing: the driver does, for all plans alike.
pub(crate) trait Plan {
    /// The next run; `None` where nothing is left to make, or nothing more can be in the
    /// time that is left. What was given and is not known afterwards could not be made: the
    /// plan is ended where it asks for nothing else.
    fn next(&mut self, known: &Known) -> Option<Due>;

    /// What follows the run that was given last, as far as it can be told.
    fn left(&self) -> Left;

    /// Whether all is known that the plan asks for, so that its session is finished.
    fn is_done(&self) -> bool;

    /// Whether INVALID runs are an answer too, so that several in a row end nothing.
    fn bears_invalid_runs(&self) -> bool {
        false
    }

    /// Goes on without a run that cannot be made where it was to be.
    ///
    /// # Errors
    /// The reason, where there is no plan without it.
    fn refused(&mut self, _due: &Due, why: Error) -> Result<()> {
        Err(why)
    }
}

/// A run that is to be made.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Due {
    /// Its place among the runs of the session, from 0; no other run has it.
    pub(crate) ordinal: usize,
    pub(crate) spec: RunSpec,
}

/// What of a plan is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Left {
    /// Runs, where their number is known.
    pub(crate) runs: Option<usize>,
    /// Time that runs take, with what each takes besides its measuring.
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

    /// Runs that are not known, and their time.
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

/// How long a run takes in all.
pub(crate) fn planned(spec: &RunSpec) -> Duration {
    Duration::from(spec.asked.duration) + OVERHEAD
}
