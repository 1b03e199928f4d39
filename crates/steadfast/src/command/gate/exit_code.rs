//! The exit code of a gate.

use std::process::ExitCode;

use analysis::gate::GateAnswer;

use crate::exit::{EXIT_FAILED, EXIT_UNDECIDED};

/// Returns the exit code for an answer; what was not measured never passes.
pub(super) fn exit_code(answer: GateAnswer) -> ExitCode {
    match answer {
        GateAnswer::Passes => ExitCode::SUCCESS,
        GateAnswer::Fails => ExitCode::from(EXIT_FAILED),
        GateAnswer::Undecided | GateAnswer::NotMeasured => ExitCode::from(EXIT_UNDECIDED),
    }
}
