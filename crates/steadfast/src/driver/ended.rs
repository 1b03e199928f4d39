//! How a plan ended, and what that means to a script.

use std::process::ExitCode;

use analysis::fail_if::FailIf;
use anyhow::{Error, Result};
use plan::Outcome;

use crate::{EXIT_FAILED, EXIT_INTERRUPTED};

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

/// Success where every run is valid and keeps every limit.
///
/// # Errors
/// Names a limit that is about nothing, and what there is.
pub(crate) fn judged(outcomes: &[Outcome], fail_ifs: &[FailIf]) -> Result<ExitCode> {
    let is_kept = analysis::fail_if::check_runs(fail_ifs, outcomes)?;
    Ok(match is_kept && outcomes.iter().all(Outcome::is_valid) {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(EXIT_FAILED),
    })
}
