//! Carrying a plan out: run after run, each stored before the next one starts.

use anyhow::{Context, Result};
use plan::{Outcome, Recording, RunSpec, Track};
use store::{Session, Store};
use target::{Target, TargetError};

use crate::interrupt::Interrupt;
use crate::progress::{Progress, title};

/// Where a plan's results go, and what of it is there already.
pub(crate) struct Keeping<'a> {
    pub(crate) store: &'a mut Store,
    pub(crate) session: Session,
    pub(crate) keep_samples: bool,
}

/// How a plan ended.
#[derive(Debug, Default)]
pub(crate) struct Ended {
    /// What was measured now, in the order of the plan.
    pub(crate) outcomes: Vec<Outcome>,
    /// Whether somebody stopped it before its end.
    pub(crate) interrupted: bool,
}

/// Carries out what of the plan is not done yet; `on_outcome` sees each result
/// as soon as it is there, before it is stored.
pub(crate) fn carry_out(
    plan: &[RunSpec],
    target: &dyn Target,
    mut keeping: Option<Keeping<'_>>,
    on_outcome: &mut dyn FnMut(&Outcome),
) -> Result<Ended> {
    let interrupt = Interrupt::listen().context("signals cannot be listened to")?;
    let done = keeping
        .as_ref()
        .map(|keeping| keeping.session.done.clone())
        .unwrap_or_default();
    let left: Vec<(usize, &RunSpec)> = plan
        .iter()
        .enumerate()
        .filter(|(ordinal, _)| !done.contains(ordinal))
        .collect();
    let mut progress = Progress::through(&left.iter().map(|(_, spec)| *spec).collect::<Vec<_>>());
    let mut ended = Ended::default();
    for (number, (ordinal, spec)) in left.into_iter().enumerate() {
        progress.start(number, spec);
        let recorded = target.run(spec, &mut || {
            progress.tick();
            !interrupt.is_wanted()
        });
        let recording = match recorded {
            Ok(recording) => recording,
            Err(TargetError::Interrupted) => {
                ended.interrupted = true;
                return Ok(ended);
            }
            Err(TargetError::Failed(why)) => anyhow::bail!("{}: {why}", title(spec)),
        };
        let outcome = probe::outcome(&recording);
        on_outcome(&outcome);
        if let Some(keeping) = &mut keeping {
            keeping.save(ordinal, &outcome, &recording)?;
        }
        ended.outcomes.push(outcome);
        progress.end();
    }
    if let Some(keeping) = keeping {
        keeping.store.finish_session(&keeping.session)?;
    }
    Ok(ended)
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
