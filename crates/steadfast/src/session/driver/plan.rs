//! The interface of plans, and the simplest plan: a list of runs.

use std::collections::BTreeSet;
use std::time::Duration;

use anyhow::{Error, Result};
use record::{Outcome, RunSpec};

/// Time per run in addition to measuring: starting a process, settling, reading back.
pub(crate) const OVERHEAD: Duration = Duration::from_millis(200);
/// A run that was INVALID this often turns out to be impossible.
const MOST_INVALID: usize = 2;

/// Decides what to run next, given what is known. A plan does not execute, save or resume anything:
/// the driver does that for all plans.
pub(crate) trait Plan {
    /// Returns the next run; `None` if nothing is left to run, or if nothing more fits into the
    /// time that is left. A run that was returned and is not known afterwards could not be made; a
    /// plan that then requests nothing else has ended.
    fn next(&mut self, known: &Known) -> Option<Due>;

    /// Returns what follows the run that was returned last, as far as it is known.
    fn left(&self) -> Left {
        Left::default()
    }

    /// Returns whether everything that the plan requests is known, so that its session is finished.
    fn is_done(&self) -> bool;

    /// Learns that the time was up during these runs, so that they are missing.
    fn cut_off(&mut self, _due: &[Due]) {}

    /// Returns whether INVALID runs are an answer too, so that many in a row do not end the plan.
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

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Due {
    /// Its place among the runs of the session, from 0; unique.
    pub(crate) ordinal: usize,
    pub(crate) spec: RunSpec,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Left {
    pub(crate) runs: Option<usize>,
    /// The time that the runs take, including overhead.
    pub(crate) time: Duration,
}

/// A plan whose runs are known from the start, each made once, in order, as far as its rule says.
pub(crate) struct List {
    specs: Vec<RunSpec>,
    rule: Rule,
    next: usize,
    left: Option<Left>,
    /// Number of known outcomes that the rule has seen.
    seen: usize,
    /// The runs that were INVALID, once for each time.
    invalid: Vec<RunSpec>,
    is_over: bool,
}

pub(crate) enum Rule {
    All,
    /// Those before the first outcome for which this is true.
    Until(Box<dyn Fn(&Outcome) -> bool>),
    /// Those before the first that does not fit into the time; then the list is finished.
    InTime,
    /// Those that turn out to be possible, as long as they fit into the time. A run that was INVALID
    /// twice is left out, unless it is this one.
    Possible(Option<Box<RunSpec>>),
}

impl List {
    pub(crate) fn of(specs: &[RunSpec]) -> Self {
        Self::with(specs, Rule::All)
    }

    pub(crate) fn with(specs: &[RunSpec], rule: Rule) -> Self {
        let (specs, invalid) = (specs.to_vec(), Vec::new());
        Self { specs, rule, next: 0, left: None, seen: 0, invalid, is_over: false }
    }

    fn learn(&mut self, known: &Known) {
        for outcome in known.since(self.seen) {
            match &self.rule {
                Rule::All | Rule::InTime => {}
                Rule::Until(is_last) => self.is_over |= is_last(outcome),
                Rule::Possible(_) if outcome.is_valid() => {}
                Rule::Possible(_) => self.invalid.push(outcome.header.spec.clone()),
            }
        }
        self.seen = known.len();
    }

    fn is_left_out(&self, spec: &RunSpec) -> bool {
        let is_needed =
            matches!(&self.rule, Rule::Possible(Some(reference)) if **reference == *spec);
        let times = self.invalid.iter().filter(|invalid| *invalid == spec).count();
        !is_needed && times >= MOST_INVALID
    }

    fn fits(&self, spec: &RunSpec, known: &Known) -> bool {
        let is_limited = matches!(self.rule, Rule::InTime | Rule::Possible(_));
        !is_limited || known.affords.is_none_or(|time| time >= spec.asked.duration.into())
    }

    fn count(&self, known: &Known) -> Left {
        let missing = (0..self.specs.len()).filter(|ordinal| !known.is_done(*ordinal));
        let times: Vec<Duration> = missing.map(|ordinal| planned(&self.specs[ordinal])).collect();
        Left { runs: Some(times.len()), time: times.iter().sum() }
    }
}

impl Plan for List {
    fn next(&mut self, known: &Known) -> Option<Due> {
        self.learn(known);
        let mut left = self.left.unwrap_or_else(|| self.count(known));
        while !self.is_over && self.next < self.specs.len() {
            let (ordinal, spec) = (self.next, &self.specs[self.next]);
            if known.is_done(ordinal) {
                self.next += 1;
                continue;
            }
            let is_due = !self.is_left_out(spec);
            if is_due && !self.fits(spec, known) {
                self.is_over = matches!(self.rule, Rule::InTime);
                return None;
            }
            left.runs = left.runs.map(|runs| runs - 1);
            left.time = left.time.saturating_sub(planned(spec));
            self.left = Some(left);
            self.next += 1;
            if is_due {
                return Some(Due { ordinal, spec: spec.clone() });
            }
        }
        None
    }

    fn left(&self) -> Left {
        self.left.unwrap_or_default()
    }

    fn is_done(&self) -> bool {
        self.is_over || self.next == self.specs.len()
    }

    fn cut_off(&mut self, due: &[Due]) {
        match self.rule {
            Rule::InTime => self.is_over = true,
            _ => self.next = due.first().map_or(self.next, |due| due.ordinal),
        }
    }

    fn bears_invalid_runs(&self) -> bool {
        matches!(self.rule, Rule::Possible(None))
    }
}

pub(crate) fn planned(spec: &RunSpec) -> Duration {
    Duration::from(spec.asked.duration) + OVERHEAD
}

/// The runs that exist, in the order in which they became known.
#[derive(Debug, Default)]
pub(crate) struct Known {
    runs: Vec<(Option<usize>, Outcome)>,
    /// Ordinals of the session that are taken.
    pub(super) done: BTreeSet<usize>,
    /// How long the next run may measure; `None` if time is not limited.
    pub(crate) affords: Option<Duration>,
}

impl Known {
    /// Adds a run: one of this session with its ordinal, one of another session without.
    pub(crate) fn add(&mut self, ordinal: Option<usize>, outcome: Outcome) {
        self.done.extend(ordinal);
        self.runs.push((ordinal, outcome));
    }

    pub(crate) fn is_done(&self, ordinal: usize) -> bool {
        self.done.contains(&ordinal)
    }

    pub(crate) fn next_ordinal(&self) -> usize {
        self.done.last().map_or(0, |last| last + 1)
    }

    pub(crate) fn len(&self) -> usize {
        self.runs.len()
    }

    pub(crate) fn since(&self, count: usize) -> impl Iterator<Item = &Outcome> {
        self.runs.iter().skip(count).map(|(_, outcome)| outcome)
    }

    pub(crate) fn below(&self, ordinal: usize) -> impl Iterator<Item = &Outcome> {
        let is_below = move |at: Option<usize>| at.is_some_and(|at| at < ordinal);
        self.runs.iter().filter(move |(at, _)| is_below(*at)).map(|(_, outcome)| outcome)
    }

    pub(super) fn into_outcomes(mut self) -> Vec<Outcome> {
        self.runs.sort_by_key(|(ordinal, _)| *ordinal);
        self.runs.into_iter().map(|(_, outcome)| outcome).collect()
    }
}
