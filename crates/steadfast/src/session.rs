//! Carrying a plan out: run after run, each stored before the next one starts.

use std::process::ExitCode;

use anyhow::{Context, Error, Result};
use plan::{Outcome, Recording, RunSpec, Track};
use store::{Session, Store};
use target::{Local, Target, TargetError};

use crate::interrupt::Interrupt;
use crate::progress::{Progress, title};
use crate::{EXIT_FAILED, EXIT_INTERRUPTED};

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
    /// Why it ended before its end.
    pub(crate) early: Option<Early>,
}

/// Why a plan ended before its end.
pub(crate) enum Early {
    /// Somebody stopped it.
    Interrupted,
    /// A run could not be made, or not be kept.
    Failed(Error),
}

/// Carries out what of the plan is not done yet, on this machine; `on_outcome`
/// sees each result as soon as it is there, before it is stored.
pub(crate) fn carry_out(
    plan: &[RunSpec],
    mut keeping: Option<Keeping<'_>>,
    on_outcome: &mut dyn FnMut(&Outcome) -> Result<()>,
) -> Result<Ended> {
    let target = Local::new().context("this program's own file cannot be found")?;
    let interrupt = Interrupt::listen().context("signals cannot be listened to")?;
    let left = left_of(plan, keeping.as_ref());
    let mut progress = Progress::through(left.iter().map(|(_, spec)| *spec));
    let mut outcomes = Vec::new();
    for (number, (ordinal, spec)) in left.into_iter().enumerate() {
        progress.start(number, spec);
        let kept = measure(&target, spec, &progress, &interrupt).and_then(|recording| {
            let outcome = probe::outcome(&recording);
            on_outcome(&outcome)?;
            if let Some(keeping) = &mut keeping {
                keeping.save(ordinal, &outcome, &recording)?;
            }
            Ok(outcome)
        });
        match kept {
            Ok(outcome) => outcomes.push(outcome),
            Err(early) => {
                return Ok(Ended {
                    outcomes,
                    early: Some(early),
                });
            }
        }
        progress.end();
    }
    if let Some(keeping) = keeping {
        keeping.store.finish_session(&keeping.session)?;
    }
    Ok(Ended {
        outcomes,
        early: None,
    })
}

/// The runs that are not done yet, with their places in the plan.
fn left_of<'a>(plan: &'a [RunSpec], keeping: Option<&Keeping<'_>>) -> Vec<(usize, &'a RunSpec)> {
    let done = |ordinal: &usize| keeping.is_some_and(|k| k.session.done.contains(ordinal));
    plan.iter()
        .enumerate()
        .filter(|(ordinal, _)| !done(ordinal))
        .collect()
}

fn measure(
    target: &dyn Target,
    spec: &RunSpec,
    progress: &Progress,
    interrupt: &Interrupt,
) -> Result<Recording, Early> {
    let recorded = target.run(spec, &mut || {
        progress.tick();
        !interrupt.is_wanted()
    });
    recorded.map_err(|error| match error {
        TargetError::Interrupted => Early::Interrupted,
        TargetError::Failed(why) => Error::msg(why).context(title(spec)).into(),
    })
}

impl From<Error> for Early {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl Keeping<'_> {
    fn save(&mut self, ordinal: usize, outcome: &Outcome, recording: &Recording) -> Result<()> {
        let samples: &[Track] = if self.keep_samples {
            &recording.tracks
        } else {
            &[]
        };
        self.store.save(&self.session, ordinal, outcome, samples)?;
        Ok(())
    }
}

impl Ended {
    /// What the results mean to a script.
    ///
    /// # Errors
    /// Why the plan could not be carried out.
    pub(crate) fn exit_code(self) -> Result<ExitCode> {
        match self.early {
            Some(Early::Failed(error)) => Err(error),
            Some(Early::Interrupted) => Ok(ExitCode::from(EXIT_INTERRUPTED)),
            None if self.outcomes.iter().all(Outcome::is_valid) => Ok(ExitCode::SUCCESS),
            None => Ok(ExitCode::from(EXIT_FAILED)),
        }
    }
}
