//! Carrying a plan out: run after run, each stored before the next one starts.

use std::process::ExitCode;

use anyhow::{Context, Error, Result};
use plan::{Machine, Outcome, Recording, RunSpec, Track};
use report::FailIf;
use store::{Session, Store};
use target::{Target, TargetError};

use crate::interrupt::Interrupt;
use crate::output::tell;
use crate::progress::{Progress, title};
use crate::self_tests;
use crate::{EXIT_FAILED, EXIT_INTERRUPTED};

/// How often a run is made again whose connection was lost.
const MOST_REPEATS: usize = 3;

/// Where a plan's results go, and what of it is there already.
pub(crate) struct Keeping<'a> {
    pub(crate) store: &'a mut Store,
    pub(crate) session: Session,
    pub(crate) keep_samples: bool,
}

/// How a plan ended.
pub(crate) struct Ended {
    /// What was measured now, in the order of the plan.
    pub(crate) outcomes: Vec<Outcome>,
    /// Why something of the plan is missing.
    pub(crate) trouble: Option<Trouble>,
}

/// Why something of a plan is missing.
pub(crate) enum Trouble {
    /// Somebody stopped it.
    Interrupted,
    /// A run could not be made; the ones after it were.
    NotMade(Error),
    /// A result could not be stored or shown, so nothing more was measured.
    NotKept(Error),
}

/// Gives back what a killed run has left: tasks moved off its CPUs, and its trace. Comes
/// before any command: this process may be among the tasks, and would plan with the CPUs
/// left to it.
pub(crate) fn give_back_left_over() {
    let given_back = runner::give_back_left_over();
    tell_given_back(given_back.tasks);
    if let traces @ 1.. = given_back.traces {
        tell(&format!(
            "Removed traces that killed runs had left: {traces}."
        ));
    }
    if let folders @ 1.. = given_back.folders {
        tell(&format!(
            "Removed temporary folders that killed runs had left: {folders}."
        ));
    }
}

/// Says so where tasks were given their CPUs back.
pub(crate) fn tell_given_back(tasks: u64) {
    if tasks > 0 {
        tell(&format!(
            "Gave {tasks} tasks the CPUs back that a killed run had moved them off."
        ));
    }
}

/// The session on that machine that was interrupted, else a new one.
pub(crate) fn take_up(
    store: &mut Store,
    title: &str,
    plan: &[RunSpec],
    machine: &Machine,
) -> Result<Session> {
    match store.resumable(title, plan, machine)? {
        Some(session) => {
            let (done, all) = (session.done.len(), plan.len());
            tell(&format!(
                "Taking up the interrupted session: {done} of {all} runs are done."
            ));
            Ok(session)
        }
        None => Ok(store.begin_session(title, plan, machine)?),
    }
}

/// Carries out what of the plan is not done yet, each run on the target of its ordinal;
/// `show` sees each result as soon as it is stored.
pub(crate) fn carry_out<'t>(
    target_of: &dyn Fn(usize) -> &'t dyn Target,
    plan: &[RunSpec],
    mut keeping: Option<Keeping<'_>>,
    show: &mut dyn FnMut(&Outcome, &Recording) -> Result<()>,
) -> Result<Ended> {
    let interrupt = Interrupt::listen().context("signals cannot be listened to")?;
    let left = left_of(plan, keeping.as_ref());
    let mut progress = Progress::through(left.iter().map(|(_, spec)| *spec));
    let mut ended = Ended {
        outcomes: Vec::new(),
        trouble: None,
    };
    for (number, (ordinal, spec)) in left.into_iter().enumerate() {
        progress.start(number, spec);
        let mut keep_going = || {
            progress.tick();
            !interrupt.is_wanted()
        };
        let recorded = measure(target_of(ordinal), spec, &mut keep_going);
        let done = recorded.and_then(|recording| {
            let outcome = probe::outcome(&recording);
            if let Some(keeping) = &mut keeping {
                keeping
                    .save(ordinal, &outcome, &recording)
                    .map_err(Trouble::NotKept)?;
            }
            ended.outcomes.push(outcome);
            show(&ended.outcomes[ended.outcomes.len() - 1], &recording).map_err(Trouble::NotKept)
        });
        progress.end();
        match done {
            Ok(()) => {}
            Err(trouble @ Trouble::NotMade(_)) => ended.trouble = Some(trouble),
            Err(trouble) => {
                ended.trouble = Some(trouble);
                return Ok(ended);
            }
        }
    }
    if let (Some(keeping), None) = (keeping, &ended.trouble) {
        keeping.store.finish_session(&keeping.session)?;
    }
    Ok(ended)
}

/// The runs that are not done yet, with their places in the plan.
fn left_of<'a>(plan: &'a [RunSpec], keeping: Option<&Keeping<'_>>) -> Vec<(usize, &'a RunSpec)> {
    let done = |ordinal: &usize| keeping.is_some_and(|k| k.session.done.contains(ordinal));
    plan.iter()
        .enumerate()
        .filter(|(ordinal, _)| !done(ordinal))
        .collect()
}

/// Makes a run, again where the connection to the target was lost. `keep_going` is asked
/// several times a second.
pub(crate) fn measure(
    target: &dyn Target,
    spec: &RunSpec,
    keep_going: &mut dyn FnMut() -> bool,
) -> Result<Recording, Trouble> {
    let mut recorded = target.run(spec, keep_going);
    for repeat in 1..=MOST_REPEATS {
        let Err(TargetError::Lost(why)) = &recorded else {
            break;
        };
        tell(&format!(
            "{}: {why}; making the run again ({repeat} of {MOST_REPEATS})",
            title(spec)
        ));
        recorded = target.run(spec, keep_going);
    }
    if recorded.is_err() {
        // A runner that was killed could not.
        runner::give_back_left_over();
    }
    let recorded = recorded.map(|mut recording| {
        recording.found.self_test = self_tests::newest(&recording.header.machine);
        recording
    });
    recorded.map_err(|error| trouble(spec, error))
}

/// Waits until nobody else measures on the CPUs of a run, where the target can tell.
pub(crate) fn wait(
    target: &dyn Target,
    spec: &RunSpec,
    keep_going: &mut dyn FnMut() -> bool,
) -> Result<(), Trouble> {
    let waited = target.wait(spec, keep_going);
    waited.map_err(|error| trouble(spec, error))
}

fn trouble(spec: &RunSpec, error: TargetError) -> Trouble {
    match error {
        TargetError::Interrupted => Trouble::Interrupted,
        TargetError::Failed(why) | TargetError::Lost(why) => {
            Trouble::NotMade(Error::msg(format!("{}: {why}", title(spec))))
        }
    }
}

impl<'a> Keeping<'a> {
    /// A new session for a plan on this machine.
    ///
    /// # Errors
    /// Where the store cannot be written.
    pub(crate) fn begin(
        store: &'a mut Store,
        title: &str,
        plan: &[RunSpec],
        machine: &Machine,
        keep_samples: bool,
    ) -> Result<Self> {
        let session = store.begin_session(title, plan, machine)?;
        Ok(Self {
            store,
            session,
            keep_samples,
        })
    }

    /// Saves the run at a place of the plan.
    ///
    /// # Errors
    /// Where the store cannot be written, or holds a run at that place.
    pub(crate) fn save(
        &mut self,
        ordinal: usize,
        outcome: &Outcome,
        recording: &Recording,
    ) -> Result<()> {
        let samples: Vec<Track> = if self.keep_samples {
            [&*recording.tracks, &*recording.evidence].concat()
        } else {
            Vec::new()
        };
        self.store.save(&self.session, ordinal, outcome, &samples)?;
        Ok(())
    }
}

impl Ended {
    /// What the results mean to a script.
    ///
    /// # Errors
    /// Why the plan could not be carried out, or which limit is about nothing in it.
    pub(crate) fn exit_code(self, fail_ifs: &[FailIf]) -> Result<ExitCode> {
        match self.trouble {
            Some(Trouble::NotMade(error) | Trouble::NotKept(error)) => Err(error),
            Some(Trouble::Interrupted) => Ok(ExitCode::from(EXIT_INTERRUPTED)),
            None => judged(&self.outcomes, fail_ifs),
        }
    }
}

/// Success where every run is valid and keeps every limit.
///
/// # Errors
/// Names a limit that is about nothing, and what there is.
pub(crate) fn judged(outcomes: &[Outcome], fail_ifs: &[FailIf]) -> Result<ExitCode> {
    Ok(match report::check_runs(fail_ifs, outcomes)? {
        true => validity(outcomes),
        false => ExitCode::from(EXIT_FAILED),
    })
}

/// Success where every run is valid.
pub(crate) fn validity(outcomes: &[Outcome]) -> ExitCode {
    if outcomes.iter().all(Outcome::is_valid) {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(EXIT_FAILED)
    }
}
