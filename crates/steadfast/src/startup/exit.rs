//! Exit codes for scripts.

use std::process::ExitCode;

use report::{NotJudged, Status, Suite};

/// Declares the codes: name, number, meaning.
macro_rules! codes {
    ($($name:ident $code:literal $meaning:literal;)*) => {
        $(#[doc = $meaning]
        pub(crate) const $name: u8 = $code;)*

        /// The codes other than 0, with what they mean, as the manual lists them.
        #[cfg(test)]
        pub(crate) const CODES: &[(u8, &str)] = &[$(($code, $meaning)),*];
    };
}

codes! {
    EXIT_FAILED 1 "a run was INVALID, a limit of `--fail-if` was broken, outputs differ from `--check`, or the command's answer \
        is no, such as `check` FAIL, `gate` fails, `self-test` not certified, `audit` with findings, \
        `verify` with a difference";
    EXIT_COULD_NOT_RUN 2 "could not run, or a limit of `--fail-if` matches no run: one line says what \
        is wrong and how to fix it";
    EXIT_NOT_SHOWN 3 "`check`: not shown yet";
    EXIT_UNDECIDED 3 "`gate`: undecided, or not measured; `--check`: too few rows at the times of the run";
    EXIT_TOO_BUSY 3 "`self-test`: the host is too busy to decide";
    EXIT_NOT_RECOMPUTED 3 "`verify`: nothing disagrees, but some figures have no samples to recompute \
        them from";
    EXIT_INTERRUPTED 130 "interrupted by Ctrl-C";
    EXIT_NOBODY_READS 141 "the reader of standard output has ended, or standard output was closed \
        from the start (`>&-`)";
}

pub(crate) fn success_if(is_so: bool) -> ExitCode {
    if is_so { ExitCode::SUCCESS } else { EXIT_FAILED.into() }
}

/// Codes from success to the most severe; that of a command is the most severe one of its cases.
const SEVERITY: [u8; 5] = [0, EXIT_UNDECIDED, EXIT_FAILED, EXIT_INTERRUPTED, EXIT_COULD_NOT_RUN];

/// Returns the exit code for the cases that the formats of build servers show.
pub(crate) fn of(suites: &[Suite]) -> ExitCode {
    let codes = suites.iter().flat_map(|suite| &suite.cases).map(|case| code(&case.status));
    let severity = |code: &u8| SEVERITY.iter().position(|known| known == code);
    codes.max_by_key(severity).map_or(ExitCode::SUCCESS, ExitCode::from)
}

fn code(status: &Status) -> u8 {
    match status {
        Status::Passed | Status::Skipped(_) => 0,
        Status::Failed(..) => EXIT_FAILED,
        Status::NotJudged(kind, _) => match kind {
            NotJudged::Invalid => EXIT_FAILED,
            NotJudged::NotShownYet => EXIT_NOT_SHOWN,
            NotJudged::Undecided | NotJudged::NotMeasured => EXIT_UNDECIDED,
            NotJudged::Interrupted => EXIT_INTERRUPTED,
            NotJudged::CouldNotRun => EXIT_COULD_NOT_RUN,
        },
    }
}
