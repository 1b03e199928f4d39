//! The one way in which plans are carried out: next run, target, recording, outcome, store,
//! and what is known. Saving, resuming, progress, Ctrl-C and limits of time are here, so that
//! no plan has them.

mod ended;
mod here;
mod keeping;
mod known;
mod plan;
mod progress;
#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use ::plan::{Arrived, Envelope, Outcome, Recording, Track};
use anyhow::{Error, Result};
use units::Nanos;

pub(crate) use self::ended::{Ended, Trouble, judged, tell_broken};
pub(crate) use self::here::{Here, make};
pub(crate) use self::keeping::Keeping;
pub(crate) use self::known::Known;
pub(crate) use self::plan::{Due, Left, List, Plan, planned};
use self::progress::Progress;
#[cfg(test)]
pub(crate) use self::tests::fake;
use crate::output::tell;
use crate::{audits, interrupt, self_tests};

/// What is kept of a budget for the report, as a share and at least.
const FOR_THE_REPORT: (u32, Duration) = (20, Duration::from_secs(2));
/// After so many INVALID runs in a row nothing better is to be expected of a search.
const MOST_INVALID: usize = 3;
/// What a run takes besides its measuring, before one has told.
const BESIDES: Duration = Duration::from_secs(1);

const NOTHING_KEPT: &str = "Interrupted in the first run. Only finished runs are kept: several \
                            shorter ones lose less, as --seconds 10min --repeat 6.";

/// What of a budget runs may use.
pub(crate) fn time_for_runs(budget: Nanos) -> Duration {
    let budget = Duration::from(budget);
    let (share, least) = FOR_THE_REPORT;
    budget.saturating_sub((budget / share).max(least))
}

/// Sees each result as soon as it is stored.
pub(crate) type Show<'a> = dyn FnMut(&Outcome, &Recording) -> Result<()> + 'a;

/// What makes runs and hands over what came of each.
pub(crate) trait Carrier {
    /// How many runs are to be given at once.
    fn at_once(&self) -> usize {
        1
    }

    /// Refuses a run that cannot be made; plans that are lists were checked as they were read.
    ///
    /// # Errors
    /// The reason.
    fn check(&self, _due: &Due) -> Result<()> {
        Ok(())
    }

    /// Makes these runs. What came of each is handed over as soon as it is there, and
    /// whether to go on is asked several times a second.
    ///
    /// # Errors
    /// Why some of them were not made.
    fn carry(&mut self, due: &[Due], work: &mut Work<'_>) -> Result<(), Trouble>;

    /// Why a run was still under way when the time was up, where more than its own length is
    /// to blame.
    fn occupied(&self, _due: &[Due]) -> Option<Error> {
        None
    }
}

/// A plan that is carried out.
pub(crate) struct Work<'a> {
    known: Known,
    keeping: Option<Keeping>,
    show: Option<&'a mut Show<'a>>,
    /// Whether somebody wants to stop.
    stop: &'a dyn Fn() -> bool,
    limits: Option<Limits>,
    trouble: Option<Trouble>,
    progress: Progress,
    left: Left,
    /// When the run under way began to measure.
    began: Option<Instant>,
}

/// Limits of a search, which would go on for ever.
struct Limits {
    deadline: Instant,
    /// The most that a run took besides its measuring, once one has told.
    besides: Option<Duration>,
    /// INVALID runs since the last valid one, of those that are no answer.
    invalid: usize,
    bears_invalid: bool,
}

impl<'a> Work<'a> {
    /// Work that is kept there, where it is kept, and of which nothing is known yet.
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
            began: None,
        }
    }

    /// The same, of which that is known.
    pub(crate) fn knowing(self, known: Known) -> Self {
        Self { known, ..self }
    }

    /// The same, each result shown as soon as it is stored.
    pub(crate) fn shown_by(self, show: &'a mut Show<'a>) -> Self {
        Self { show: Some(show), ..self }
    }

    /// The same as a search that ends at that time, or where nothing better is to be
    /// expected.
    pub(crate) fn until(self, deadline: Instant) -> Self {
        Self {
            limits: Some(Limits { deadline, besides: None, invalid: 0, bears_invalid: false }),
            ..self
        }
    }

    /// Carries out what of the plan is not known yet, each run stored before the next one
    /// starts.
    ///
    /// # Errors
    /// Where there is no plan without a run that cannot be made, and where the store cannot be
    /// written at the end.
    pub(crate) fn carry_out(
        mut self,
        plan: &mut dyn Plan,
        carrier: &mut dyn Carrier,
    ) -> Result<Ended> {
        let mut before = Vec::new();
        loop {
            let due = self.due(plan, carrier)?;
            // What could not be made is not asked for again.
            if due.is_empty() || due == before || !self.make(&due, carrier) {
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

    /// The next runs: as many as the carrier takes at once, of those that can be made.
    fn due(&mut self, plan: &mut dyn Plan, carrier: &dyn Carrier) -> Result<Vec<Due>> {
        let mut due = Vec::new();
        while due.len() < carrier.at_once() {
            let time = self.limits.as_ref().map(Limits::affords);
            self.known.afford(time);
            let Some(next) = plan.next(&self.known) else {
                break;
            };
            match carrier.check(&next) {
                Ok(()) => due.push(next),
                Err(why) => plan.refused(&next, why)?,
            }
        }
        self.left = plan.left();
        if let Some(limits) = &mut self.limits {
            limits.bears_invalid = plan.bears_invalid_runs();
        }
        Ok(due)
    }

    /// Has runs made. Whether others may follow.
    fn make(&mut self, due: &[Due], carrier: &mut dyn Carrier) -> bool {
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
                // The time is up.
                if let Some(why) = carrier.occupied(due) {
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

    /// Whether to go on with what is under way.
    pub(crate) fn goes_on(&self) -> bool {
        self.progress.tick();
        let is_time = |limits: &Limits| Instant::now() < limits.deadline;
        !(self.stop)() && self.limits.as_ref().is_none_or(is_time)
    }

    /// A run is about to be made.
    pub(crate) fn begins(&mut self, due: &Due) {
        let left = match &self.limits {
            None => self.left,
            Some(limits) => Left { runs: None, time: limits.left() },
        };
        self.progress.start(&due.spec, left, self.limits.is_none());
    }

    /// It waits for nobody any more: what others take is no part of what a run costs.
    pub(crate) fn measures(&mut self) {
        self.began = Some(Instant::now());
    }

    /// The recording of a run has come. Its outcome is made of it and of what the near side
    /// knows.
    ///
    /// # Errors
    /// Where it could not be stored or shown.
    pub(crate) fn came(&mut self, due: &Due, arrived: &Arrived) -> Result<(), Trouble> {
        let recording = arrived.recording();
        let outcome = arrived.envelope().around(probe::outcome(recording));
        let tested = Envelope {
            self_test: self_tests::newest(&outcome.header.machine),
            audit: audits::newest(&outcome.header.spec),
            lab: None,
        };
        let outcome = tested.around(outcome);
        let tracks = [&*recording.tracks, &*recording.evidence];
        self.keep(due, &outcome, tracks)?;
        let shown = match &mut self.show {
            Some(show) => show(&outcome, recording),
            None => Ok(()),
        };
        self.known.add(Some(due.ordinal), outcome);
        shown.map_err(Trouble::NotKept)
    }

    /// A run has come whose outcome was made elsewhere.
    ///
    /// # Errors
    /// Where it could not be stored.
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

    /// A run could not be made. The first reason is how the plan ends, and others are told.
    pub(crate) fn not_made(&mut self, why: Error) {
        match &self.trouble {
            Some(_) => tell(&format!("error: {why:#}")),
            None => self.trouble = Some(Trouble::NotMade(why)),
        }
    }

    /// Nothing more is made, for a reason that counts more than an earlier one.
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

    /// How long the next run may measure.
    fn affords(&self) -> Duration {
        self.left().saturating_sub(self.besides.unwrap_or(BESIDES))
    }

    fn came(&mut self, due: &Due, outcome: &Outcome, began: Option<Instant>) {
        self.invalid = match outcome.is_valid() || self.bears_invalid {
            true => 0,
            false => self.invalid + 1,
        };
        if let Some(began) = began {
            let measuring = Duration::from(due.spec.asked.duration);
            let besides = began.elapsed().saturating_sub(measuring);
            self.besides = self.besides.max(Some(besides));
        }
    }
}
