//! The driver, which executes all plans: next run, target, recording, outcome, store, and what is
//! known. Saving, resuming, progress, Ctrl-C and time limits are implemented here, so that no plan
//! has to.

mod ended;
mod keeping;
mod plan;
mod progress;
mod targets;
#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use anyhow::{Error, Result};
use base::Nanos;
use place::TargetError;
use record::{Arrived, Envelope, Outcome, Recording, Track};

pub(crate) use self::ended::{Ended, Trouble, tell_broken};
pub(crate) use self::keeping::Keeping;
pub(crate) use self::plan::{Due, Known, Left, List, OVERHEAD, Plan, Rule, planned};
use self::progress::Progress;
pub(crate) use self::targets::Targets;
#[cfg(test)]
pub(crate) use self::tests::{disturbed, fake};
use crate::startup::interrupt;
use crate::startup::latest_findings;
use crate::startup::output::tell;

/// The part of a budget for the report: one over this number, and at least this time.
const FOR_THE_REPORT: (u32, Duration) = (20, Duration::from_secs(2));
/// A search ends after this many INVALID runs in a row, since no better ones are to be expected.
const MOST_INVALID: usize = 3;
/// Estimated time per run in addition to measuring, until a run has shown it.
const BESIDES: Duration = Duration::from_secs(1);

const NOTHING_KEPT: &str = "Interrupted during the first run. Only finished runs are kept, so several \
                            short runs lose less than a long one.";

const ONLY_WAITED: &str = "the time was up before another measurement on these CPUs had ended; run \
                           the same command again afterwards, or increase --budget";

pub(crate) fn time_for_runs(budget: Nanos) -> Duration {
    let budget = Duration::from(budget);
    let (share, least) = FOR_THE_REPORT;
    budget.saturating_sub((budget / share).max(least))
}

pub(crate) type Show<'a> = dyn FnMut(&Outcome, &Recording) -> Result<()> + 'a;

/// Makes runs, and hands over the result of each.
pub(crate) trait Carrier {
    /// Returns how many runs should be given at once.
    fn at_once(&self) -> usize {
        1
    }

    /// Refuses a run that is not possible. Plans that are lists were checked when they were read.
    fn check(&self, _due: &Due) -> Result<()> {
        Ok(())
    }

    /// Makes these runs. Each result is handed over as soon as it is there, and `work` is asked
    /// several times a second whether to continue.
    ///
    /// # Errors
    /// Why some of them were not made.
    fn carry(&mut self, due: &[Due], work: &mut Work<'_>) -> Result<(), Trouble>;

    /// Returns why a run was not over when the time was up, if its own length is not the reason.
    fn occupied(&self, _due: &[Due]) -> Option<Error> {
        None
    }
}

pub(crate) struct Work<'a> {
    known: Known,
    keeping: Option<Keeping>,
    show: Option<&'a mut Show<'a>>,
    stop: &'a dyn Fn() -> bool,
    limits: Option<Limits>,
    trouble: Option<Trouble>,
    progress: Progress,
    left: Left,
    /// Whether the current run waits until others have measured.
    waits: bool,
    began: Option<Instant>,
}

/// Limits of a search, which would otherwise never end.
struct Limits {
    deadline: Instant,
    /// The most time that a run took in addition to measuring, once known.
    besides: Option<Duration>,
    /// Number of INVALID runs since the last valid one, not counting those that are an answer.
    invalid: usize,
    bears_invalid: bool,
}

impl<'a> Work<'a> {
    /// Creates the execution of a plan; results are kept in `keeping`, if given.
    pub(crate) fn kept(keeping: Option<Keeping>) -> Self {
        Self {
            known: Known::default(),
            keeping,
            show: None,
            stop: &interrupt::is_wanted,
            limits: None,
            trouble: None,
            progress: Progress::default(),
            left: Left::default(),
            waits: false,
            began: None,
        }
    }

    /// Creates the execution of what is left of a session.
    pub(crate) fn resumed(mut keeping: Keeping) -> Result<Self> {
        let known = keeping.take_up()?;
        Ok(Self::kept(Some(keeping)).knowing(known))
    }

    pub(crate) fn knowing(self, known: Known) -> Self {
        Self { known, ..self }
    }

    pub(crate) fn shown_by(self, show: &'a mut Show<'a>) -> Self {
        Self { show: Some(show), ..self }
    }

    /// Makes this a search that ends at that time, if any, or when better runs are not expected.
    pub(crate) fn until(self, deadline: impl Into<Option<Instant>>) -> Self {
        let limits =
            |deadline| Limits { deadline, besides: None, invalid: 0, bears_invalid: false };
        Self { limits: deadline.into().map(limits), ..self }
    }

    /// Executes the runs that are not known yet. Each is stored before the next one starts.
    ///
    /// # Errors
    /// If the plan is useless without a run that is not possible, or the store cannot be written.
    pub(crate) fn carry_out(
        mut self,
        plan: &mut dyn Plan,
        carrier: &mut dyn Carrier,
    ) -> Result<Ended> {
        let mut before = Vec::new();
        loop {
            let due = self.due(plan, carrier)?;
            // A run that could not be made is not tried again.
            if due.is_empty() || due == before || !self.make(&due, plan, carrier) {
                break;
            }
            before = due;
        }
        if let (Some(Trouble::Interrupted), 0) = (&self.trouble, self.known.len()) {
            tell(NOTHING_KEPT);
        }
        if let (Some(keeping), None, true) = (&mut self.keeping, &self.trouble, plan.is_done()) {
            keeping.finish()?;
        }
        Ok(Ended { outcomes: self.known.into_outcomes(), trouble: self.trouble })
    }

    fn due(&mut self, plan: &mut dyn Plan, carrier: &dyn Carrier) -> Result<Vec<Due>> {
        let mut due = Vec::new();
        while due.len() < carrier.at_once() {
            self.known.affords = self.limits.as_ref().map(Limits::affords);
            let Some(next) = plan.next(&self.known) else {
                break;
            };
            let Err(why) = carrier.check(&next) else {
                due.push(next);
                continue;
            };
            if (self.stop)() {
                // The check itself was ended, which says nothing about the run.
                self.end(Trouble::Interrupted);
                return Ok(Vec::new());
            }
            if let Some(TargetError::Lost(_)) = why.downcast_ref() {
                self.not_made(why);
                return Ok(Vec::new());
            }
            plan.refused(&next, why)?;
        }
        self.left = plan.left();
        if let Some(limits) = &mut self.limits {
            limits.bears_invalid = plan.bears_invalid_runs();
        }
        Ok(due)
    }

    /// Makes runs. Returns whether others may follow.
    fn make(&mut self, due: &[Due], plan: &mut dyn Plan, carrier: &mut dyn Carrier) -> bool {
        if (self.stop)() {
            self.end(Trouble::Interrupted);
            return false;
        }
        let made = carrier.carry(due, self);
        self.progress.end();
        match made {
            Ok(()) => {}
            Err(Trouble::NotMade(why)) => self.not_made(why),
            Err(Trouble::Interrupted) if !(self.stop)() => {
                plan.cut_off(due);
                if let Some(why) = carrier.occupied(due).or_else(|| self.only_waited()) {
                    self.not_made(why);
                }
                return false;
            }
            Err(trouble) => {
                self.end(trouble);
                return false;
            }
        }
        let limits = self.limits.as_ref();
        limits.is_none_or(|limits| limits.invalid < MOST_INVALID)
    }

    /// Returns an error if all of the time was spent waiting for other measurements.
    fn only_waited(&self) -> Option<Error> {
        (self.waits && self.known.len() == 0).then(|| Error::msg(ONLY_WAITED))
    }

    pub(crate) fn goes_on(&self) -> bool {
        self.progress.tick();
        let is_time = |limits: &Limits| Instant::now() < limits.deadline;
        !(self.stop)() && self.limits.as_ref().is_none_or(is_time)
    }

    /// Must be called before a run is made.
    pub(crate) fn begins(&mut self, due: &Due) {
        let left = match &self.limits {
            None => self.left,
            Some(limits) => Left { runs: None, time: limits.left() },
        };
        self.waits = true;
        self.progress.start(&due.spec, left, self.limits.is_none());
    }

    /// Must be called when the run no longer waits for others, which is not a cost of the run.
    pub(crate) fn measures(&mut self) {
        self.waits = false;
        self.began = Some(Instant::now());
    }

    /// Takes the recording of a run, and computes its outcome with what this side knows.
    pub(crate) fn came(&mut self, due: &Due, arrived: &Arrived) -> Result<(), Trouble> {
        let recording = &arrived.recording;
        let outcome = arrived.envelope.around(measure::outcome(recording));
        let self_test = latest_findings::self_test(&outcome.header.machine);
        let audit = latest_findings::audit(&outcome.header.spec);
        let outcome = Envelope { self_test, audit, lab: None }.around(outcome);
        self.keep(due, &outcome, [&recording.tracks, &recording.evidence])?;
        let shown = match &mut self.show {
            Some(show) => show(&outcome, recording),
            None => Ok(()),
        };
        self.known.add(Some(due.ordinal), outcome);
        shown.map_err(Trouble::NotKept)
    }

    pub(crate) fn gathered(&mut self, due: &Due, outcome: Outcome) -> Result<(), Trouble> {
        self.keep(due, &outcome, [&[], &[]])?;
        self.known.add(Some(due.ordinal), outcome);
        Ok(())
    }

    fn keep(&mut self, due: &Due, outcome: &Outcome, tracks: [&[Track]; 2]) -> Result<(), Trouble> {
        if let Some(limits) = &mut self.limits {
            limits.came(due, outcome, self.began.take());
        }
        match &mut self.keeping {
            Some(keeping) => keeping.save(due, outcome, tracks).map_err(Trouble::NotKept),
            None => Ok(()),
        }
    }

    /// Records why a run could not be made. The first reason ends the plan; later ones are printed.
    pub(crate) fn not_made(&mut self, why: Error) {
        match &self.trouble {
            Some(_) => tell(&format!("error: {why:#}")),
            None => self.trouble = Some(Trouble::NotMade(why)),
        }
    }

    /// Ends the plan, for a reason that counts more than an earlier one.
    fn end(&mut self, trouble: Trouble) {
        if let Some(Trouble::NotMade(why)) = self.trouble.replace(trouble) {
            tell(&format!("error: {why:#}"));
        }
    }
}

impl Limits {
    fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    fn affords(&self) -> Duration {
        self.left().saturating_sub(self.besides.unwrap_or(BESIDES))
    }

    fn came(&mut self, due: &Due, outcome: &Outcome, began: Option<Instant>) {
        // Runs with passing disturbances are repeated as long as there is time.
        if !outcome.is_worth_repeating() {
            let bears = outcome.is_valid() || self.bears_invalid;
            self.invalid = if bears { 0 } else { self.invalid + 1 };
        }
        if let Some(began) = began {
            let measuring = Duration::from(due.spec.asked.duration);
            let besides = began.elapsed().saturating_sub(measuring);
            self.besides = self.besides.max(Some(besides));
        }
    }
}
