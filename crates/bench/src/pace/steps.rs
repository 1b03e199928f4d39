//! Evaluation of the stamps of paced work: which steps were late, and which periods had no step.

use std::collections::BTreeSet;

use blame::Stamped;
use record::shape::Miss;
use record::{Row, Track, fact};
use serde_json::json;
use stats::{Distribution, Sample};

use super::{Overrun, Period};

/// Maximum length of the list of misses; a longer list is cut, and its full length is recorded.
const MOST_LISTED: usize = 10_000;

pub struct Steps {
    overrun: Overrun,
    t0: i64,
    period: Period,
    periods: i64,
    pub executed: Vec<Step>,
    /// Positions of those that did not do what was requested.
    not_made: BTreeSet<i64>,
}

/// An executed step: its period, when it was due and ended, and the next one's period and end.
pub struct Step {
    pub index: i64,
    pub due: i64,
    pub end: i64,
    next: i64,
    next_end: i64,
}

impl Step {
    /// Returns how many periods after it had no step.
    fn hidden(&self) -> i64 {
        self.next - self.index - 1
    }
}

impl Steps {
    /// Steps that were due and ended at these stamps; `timetable` records their [`super::Pace`].
    pub fn of(timetable: &Track, overrun: Overrun, dues: &[i64], ends: &[i64]) -> Self {
        let (t0, period) = (timetable.number("t0_ns"), Period::recorded(timetable));
        let periods = timetable.number("periods");
        let index = |step: usize| match dues.get(step) {
            None => periods,
            Some(_) if overrun == Overrun::Slip => step as i64,
            Some(due) => period.nearest(due.saturating_sub(t0).unsigned_abs()) as i64,
        };
        let step = |(step, (due, end)): (usize, (&i64, &i64))| Step {
            index: index(step),
            due: *due,
            end: *end,
            next: index(step + 1),
            next_end: ends.get(step + 1).copied().unwrap_or(*end),
        };
        let executed = dues.iter().zip(ends).enumerate().map(step).collect();
        Self { overrun, t0, period, periods, executed, not_made: BTreeSet::new() }
    }

    /// Counts the steps at these positions as missed, because they did not do what was requested.
    pub fn without(self, not_made: BTreeSet<i64>) -> Self {
        Self { not_made, ..self }
    }

    /// Returns the time from one due time to the next, to the nearest nanosecond.
    pub fn period_ns(&self) -> i64 {
        self.period.nearest_ns() as i64
    }

    /// Returns the time from the due time of a step until a later period is due.
    fn until(&self, step: &Step, index: i64) -> i64 {
        let [from, to] = [step.index, index].map(|index| self.period.begin(index.unsigned_abs()));
        to as i64 - from as i64
    }

    /// Returns the stamps of every step of a thread that started its steps at `starts`.
    pub fn stamped(&self, starts: &[i64]) -> Vec<Stamped> {
        let stamped = |(step, start): (&Step, &i64)| Stamped {
            index: step.index,
            due: step.due,
            start: *start,
            end: step.end,
            missed: self.missed(step),
        };
        self.executed.iter().zip(starts).map(stamped).collect()
    }

    /// Returns a value of a step as a sample, with the step's position in the run.
    pub fn sample(&self, step: &Step, value_ns: i64) -> Sample {
        Sample { value_ns, index: step.index as u64, at_ns: (step.due - self.t0) as u64 }
    }

    /// Returns for every period that came due the time from then to its result. The result of a
    /// skipped period comes with the end of the next step; after the last step it never came, and
    /// the last end is a lower bound.
    pub fn latency(&self) -> Option<Distribution> {
        Distribution::of(self.executed.iter().flat_map(|step| self.latencies(step)))
    }

    /// The step's own latency, then those of the periods that it skipped and that were due by then.
    fn latencies(&self, step: &Step) -> impl Iterator<Item = Sample> {
        (step.index..step.next).filter_map(|index| {
            let due = step.due + self.until(step, index);
            let result = if index == step.index { step.end } else { step.next_end };
            let (value_ns, at_ns) = (result - due, (due - self.t0) as u64);
            (result >= due).then_some(Sample { value_ns, index: index as u64, at_ns })
        })
    }

    /// Returns a row with what was due and what happened to it. A period without a step is missed,
    /// and so is a step whose end is past the next due time, or that was not made as requested. A
    /// late step and the periods that were skipped because of it have the same cause; the step itself
    /// is counted only if no period was skipped.
    pub fn row(&self, label: impl Into<String>, latency: Option<Distribution>) -> Row {
        let executed = self.executed.len() as u64;
        let skipped = self.periods as u64 - executed;
        let misses: Vec<Miss> = self.executed.iter().filter_map(|s| self.miss(s)).collect();
        let last = self.executed.last().filter(|_| self.overrun == Overrun::Slip);
        let begin = |step: &Step| self.t0 + self.period.begin(step.index.unsigned_abs()) as i64;
        let slipped = last.map_or(0, |step| step.due - begin(step));
        let is_missed = |(position, step): &(i64, &Step)| {
            (self.late(step) > 0 && step.hidden() == 0) || self.not_made.contains(position)
        };
        let in_vain = (0..).zip(&self.executed).filter(is_missed).count() as u64;
        let listed = misses.len().min(MOST_LISTED);
        let (label, due) = (label.into(), self.periods as u64);
        let row = Row { label, due, executed, skipped, latency, ..Row::default() };
        row.with(&fact::OVERRUN_POLICY, self.overrun.name())
            .with(&fact::OVERRUNS, misses.len())
            .with(&fact::MISSED, skipped + in_vain)
            .with(&fact::SLIPPED_NS, slipped)
            .with(&fact::MISSES_LISTED, listed)
            .with(&fact::MISSES, json!(&misses[..listed]))
    }

    /// Returns the longest time from when a step was due to its end, in nanoseconds.
    pub fn longest(&self) -> Option<i64> {
        self.executed.iter().map(|step| step.end - step.due).max()
    }

    /// Returns how many steps ended past the next due time.
    pub fn overruns(&self) -> u64 {
        self.executed.iter().filter(|step| self.late(step) > 0).count() as u64
    }

    /// Returns how far a step's end is past the next due time, in nanoseconds.
    fn late(&self, step: &Step) -> i64 {
        step.end - step.due - self.until(step, step.index + 1)
    }

    /// Returns how many deadlines were missed because of a step: the periods that it skipped, else
    /// its own if it ended too late.
    fn missed(&self, step: &Step) -> u64 {
        match u64::try_from(step.hidden()) {
            Ok(0) => u64::from(self.late(step) > 0),
            hidden => hidden.unwrap_or(0),
        }
    }

    fn miss(&self, step: &Step) -> Option<Miss> {
        let late_ns = self.late(step);
        let at_ns = step.due - self.t0;
        let miss = || Miss { step: step.index, at_ns, late_ns, skipped: step.hidden() };
        (late_ns > 0).then(miss)
    }
}
