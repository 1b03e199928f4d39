//! How a plan ended, and its exit code.

use std::process::ExitCode;

use anyhow::{Error, Result};
use record::Outcome;

use crate::startup::exit::{EXIT_INTERRUPTED, success_if};
use crate::startup::output::tell;

pub(crate) struct Ended {
    /// All that is known; runs of the session are in the order of the plan.
    pub(crate) outcomes: Vec<Outcome>,
    /// Why something is missing from the plan.
    pub(crate) trouble: Option<Trouble>,
}

#[derive(Debug)]
pub(crate) enum Trouble {
    /// The user stopped it, or its time is up.
    Interrupted,
    /// A run could not be made; the runs after it were.
    NotMade(Error),
    /// A result could not be stored or shown, so nothing more was measured.
    NotKept(Error),
}

impl Ended {
    /// Returns the exit code of a command that writes no formats and takes no limits.
    ///
    /// # Errors
    /// Why the plan could not be executed.
    pub(crate) fn exit_code(self) -> Result<ExitCode> {
        match self.trouble {
            Some(Trouble::NotMade(error) | Trouble::NotKept(error)) => Err(error),
            Some(Trouble::Interrupted) => Ok(ExitCode::from(EXIT_INTERRUPTED)),
            None => Ok(success_if(self.outcomes.iter().all(Outcome::is_valid))),
        }
    }
}

/// Reports what broke a limit, up to a few lines.
pub(crate) fn tell_broken(broken: impl ExactSizeIterator<Item = String>) {
    /// More lines would not be read; `--junit` and `--json` contain all of them.
    const MOST: usize = 5;
    let left = broken.len().saturating_sub(MOST);
    broken.take(MOST).for_each(|sentence| tell(&sentence));
    if left > 0 {
        tell(&format!("failed: {left} more, which --json has"));
    }
}
