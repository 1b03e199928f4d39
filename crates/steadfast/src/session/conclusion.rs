//! How a command with runs ends: the cases in the formats of build servers and the exit code are
//! the same values.

use std::process::ExitCode;

use analysis::Analysis;
use analysis::fail_if::{self, Checked};
use anyhow::Result;
use report::{Case, NotJudged, Status, Suite};

use crate::options::AnswerArgs;
use crate::session::driver::{Trouble, tell_broken};
use crate::startup::exit;
use crate::startup::output::tell;

#[cfg(test)]
mod tests;

/// Writes the requested formats and returns the exit code. `own` are the answers of the command
/// itself, beside those of its runs and gates.
///
/// # Errors
/// Why the plan could not be executed, or which limit matches nothing in it.
pub(crate) fn conclude(
    answer: &AnswerArgs,
    analysis: &Analysis,
    trouble: Option<Trouble>,
    mut own: Vec<Case>,
) -> Result<ExitCode> {
    let trouble = trouble.or_else(|| tell_limits(answer, analysis).err().map(Trouble::NotMade));
    own.extend(trouble.as_ref().and_then(|trouble| of_trouble(trouble, &own)));
    let suites = report::suites(analysis, own);
    answer.write(analysis, &suites)?;
    if answer.json || answer.csv {
        tell_answers(&suites);
    }
    match trouble {
        Some(Trouble::NotMade(error) | Trouble::NotKept(error)) => Err(error),
        Some(Trouble::Interrupted) | None => Ok(exit::of(&suites)),
    }
}

/// Reports what the command judged and did not pass, which rows and runs do not say.
fn tell_answers(suites: &[Suite]) {
    let cases = suites.iter().flat_map(|suite| &suite.cases);
    let wrong = cases.filter(|case| case.is_answer() && !case.status.is_fine());
    wrong.for_each(|case| tell(&format!("{}: {}", case.name, case.status.why())));
}

/// Reports which limits of `--fail-if` are broken.
fn tell_limits(answer: &AnswerArgs, analysis: &Analysis) -> Result<()> {
    let broken = fail_if::broken(&answer.fail_if, &analysis.outcomes)?;
    tell_broken(broken.iter().map(Checked::sentence));
    Ok(())
}

/// Returns the case of a plan that is incomplete; `None` if its answer is no all the same.
fn of_trouble(trouble: &Trouble, own: &[Case]) -> Option<Case> {
    let (kind, why) = match trouble {
        Trouble::NotMade(error) | Trouble::NotKept(error) => {
            (NotJudged::CouldNotRun, format!("{error:#}"))
        }
        Trouble::Interrupted
            if own.iter().any(|case| matches!(case.status, Status::Failed(..))) =>
        {
            return None;
        }
        Trouble::Interrupted => (NotJudged::Interrupted, "not every run was made".to_owned()),
    };
    Some(Case::of("every run was made".to_owned(), "session", Status::NotJudged(kind, vec![why])))
}
