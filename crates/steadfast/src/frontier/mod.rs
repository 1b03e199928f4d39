//! `steadfast frontier`: the largest tire that holds its rate, in a given time.

mod economy;
mod hunt;
mod question;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Error, Result, bail};
use plan::{Outcome, RunSpec};
use store::{Session, Store};
use target::Target;
use units::Nanos;

use self::hunt::{Hunt, Trial};
use self::question::Question;
use crate::args::FrontierArgs;
use crate::files::{make_directory, write_reports};
use crate::interrupt::Interrupt;
use crate::output::{print, tell};
use crate::place::Place;
use crate::progress::Progress;
use crate::ready::{places, results};
use crate::session::{Ended, Keeping, Trouble, measure, wait};

/// The shortest budget: pilots and a report take a few seconds.
const LEAST_BUDGET: Nanos = Nanos(5_000_000_000);
/// What is kept of a budget for the report, as a share and at least.
const FOR_THE_REPORT: (u32, Duration) = (20, Duration::from_secs(2));
/// After so many INVALID runs in a row nothing better is to be expected.
const MOST_INVALID: usize = 3;

/// Searches within the budget, stores every run, writes the report and gives the answer.
pub(crate) fn frontier(args: &FrontierArgs) -> Result<ExitCode> {
    let started = Instant::now();
    if args.budget < LEAST_BUDGET {
        bail!(
            "--budget: {} is too short; give {LEAST_BUDGET} or more",
            args.budget
        );
    }
    let question = Question::of(args)?;
    let standards = args.standards();
    make_directory(&args.out)?;
    args.checks.check(question.templates())?;
    let target = args.target.open()?;
    let mut store = Store::open(&results(&args.out))?;
    let session = taken_up(&mut store, args, &question)?;
    let deadline = started + time_for_runs(args.budget);
    let mut work = Work::new(&mut store, session, question, deadline)?;
    let trouble = work.search(&*target, &args.target)?;
    let Work {
        outcomes,
        question,
        hunt,
        ..
    } = work;
    let ended = Ended { outcomes, trouble };
    let written = write_reports(&args.out, &ended.outcomes, &standards);
    let search = economy::words(question.templates(), &hunt, &ended.outcomes);
    print(&report::frontier(
        &ended.outcomes,
        &standards,
        args.size,
        &search,
    ))?;
    written?;
    print(&places(&args.out))?;
    args.checks.write(&ended.outcomes, &standards)?;
    ended.exit_code(&args.checks.fail_if)
}

/// What of a budget runs may use.
fn time_for_runs(budget: Nanos) -> Duration {
    let budget = Duration::from(budget);
    let (share, least) = FOR_THE_REPORT;
    budget.saturating_sub((budget / share).max(least))
}

/// The unfinished search for the same, else a new one.
fn taken_up(store: &mut Store, args: &FrontierArgs, question: &Question) -> Result<Session> {
    const TITLE: &str = "frontier";
    let machine = args.target.machine()?;
    let templates = question.templates();
    if let Some(session) = store.resumable(TITLE, templates, &machine)? {
        let done = session.done.len();
        tell(&format!(
            "Going on from an unfinished search with {done} runs."
        ));
        return Ok(session);
    }
    Ok(store.begin_session(TITLE, templates, &machine)?)
}

/// A search under way.
struct Work<'a> {
    keeping: Keeping<'a>,
    question: Question,
    hunt: Hunt,
    outcomes: Vec<Outcome>,
    deadline: Instant,
}

impl<'a> Work<'a> {
    fn new(
        store: &'a mut Store,
        session: Session,
        question: Question,
        deadline: Instant,
    ) -> Result<Self> {
        let outcomes = store.outcomes(session.id)?;
        let left = deadline.saturating_duration_since(Instant::now());
        let hunt = Hunt::new(question.searches(left), question.size);
        let mut work = Self {
            keeping: Keeping {
                store,
                session,
                keep_samples: false,
            },
            question,
            hunt,
            outcomes,
            deadline,
        };
        work.learn();
        Ok(work)
    }

    /// Makes run after run until the claim holds, the time is spent or somebody stops it.
    fn search(&mut self, target: &dyn Target, place: &Place) -> Result<Option<Trouble>> {
        let interrupt = Interrupt::listen().context("signals cannot be listened to")?;
        let mut progress = Progress::within(self.left());
        let mut number = 0;
        while let Some(trial) = self.hunt.next(self.left()) {
            let spec = self.question.spec(&trial);
            if let Err(why) = place.check(std::slice::from_ref(&spec)) {
                self.refused(&trial, why)?;
                continue;
            }
            progress.set_left(self.left());
            progress.start(number, &spec);
            number += 1;
            match self.make(target, &spec, &trial, &progress, &interrupt) {
                Ok(()) => {}
                Err(Trouble::Interrupted) if !interrupt.is_wanted() => {
                    return Ok(place.occupied(&spec.asked.cpus).map(Trouble::NotMade));
                }
                Err(trouble) => return Ok(Some(trouble)),
            }
            if self.is_invalid() {
                return Ok(None);
            }
        }
        if self.hunt.is_done() {
            let Keeping { store, session, .. } = &mut self.keeping;
            store.finish_session(session)?;
        }
        Ok(None)
    }

    fn make(
        &mut self,
        target: &dyn Target,
        spec: &RunSpec,
        trial: &Trial,
        progress: &Progress,
        interrupt: &Interrupt,
    ) -> Result<(), Trouble> {
        let deadline = self.deadline;
        let mut keep_going = || {
            progress.tick();
            !interrupt.is_wanted() && Instant::now() < deadline
        };
        // What others take is no part of what a run costs.
        wait(target, spec, &mut keep_going)?;
        let started = Instant::now();
        let recording = measure(target, spec, &mut keep_going)?;
        let outcome = probe::outcome(&recording);
        let ordinal = self.keeping.session.done.last().map_or(0, |last| last + 1);
        self.keeping
            .save(ordinal, &outcome, &recording)
            .map_err(Trouble::NotKept)?;
        self.keeping.session.done.insert(ordinal);
        self.outcomes.push(outcome);
        self.learn();
        self.hunt.took(trial, started.elapsed());
        Ok(())
    }

    /// A size that cannot be run ends its line at the largest one that can.
    fn refused(&mut self, trial: &Trial, why: Error) -> Result<()> {
        if !self.hunt.end_below(trial) {
            return Err(why);
        }
        let masses = trial.size;
        tell(&format!(
            "{masses} masses cannot be tried, so smaller ones are the largest: {why:#}"
        ));
        Ok(())
    }

    fn learn(&mut self) {
        for (line, template) in self.question.templates().iter().enumerate() {
            self.hunt
                .knows(line, report::known(&self.outcomes, template));
        }
    }

    /// Whether the last runs were all INVALID.
    fn is_invalid(&self) -> bool {
        let last = self.outcomes.iter().rev().take(MOST_INVALID);
        last.filter(|outcome| !outcome.is_valid()).count() == MOST_INVALID
    }

    fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }
}
