//! How a plan ended, and what that means to a script.

use std::process::ExitCode;

use analysis::fail_if::{Checked, FailIf};
use anyhow::{Error, Result};
use plan::Outcome;

use crate::exit::{EXIT_FAILED, EXIT_INTERRUPTED};
use crate::output::tell;

/// How a plan ended.
pub(crate) struct Ended {
    /// All that is known of it, the runs of its session in the order of the plan.
    pub(crate) outcomes: Vec<Outcome>,
    /// Why something of the plan is missing.
    pub(crate) trouble: Option<Trouble>,
}

/// Why something of a plan is missing.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// Somebody stopped it, or its time is up.
    Interrupted,
    /// A run could not be made; the ones after it were.
    NotMade(Error),
    /// A result could not be stored or shown, so nothing more was measured.
    NotKept(Error),
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

/// Success where every run is valid and keeps every limit; which one is broken is said on
/// standard error, whatever form the results have.
///
/// # Errors
/// Names a limit that is about nothing, and what there is.
pub(crate) fn judged(outcomes: &[Outcome], fail_ifs: &[FailIf]) -> Result<ExitCode> {
    let broken = analysis::fail_if::broken(fail_ifs, outcomes)?;
    tell_broken(broken.iter().map(Checked::sentence));
    let is_kept = broken.is_empty();
    Ok(match is_kept && outcomes.iter().all(Outcome::is_valid) {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(EXIT_FAILED),
    })
}

/// Says what broke a limit, the first few of it.
pub(crate) fn tell_broken(broken: impl ExactSizeIterator<Item = String>) {
    /// A person reads no more; `--junit` and `--json` tell all.
    const MOST: usize = 5;
    let left = broken.len().saturating_sub(MOST);
    broken.take(MOST).for_each(|sentence| tell(&sentence));
    if left > 0 {
        tell(&format!("failed: {left} more of --fail-if"));
    }
}
