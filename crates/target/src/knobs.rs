//! The answer of a machine about the state of its knobs.

use knob::OnMachine;

use crate::TargetError;
use crate::following::Ended;

/// The role that answers.
pub const ROLE: &str = "role-knobs";
/// The most bytes of an answer; machines have thousands of interrupts.
pub(crate) const MOST_BYTES: u64 = 16 << 20;

/// Reads the answer of a process in that role, which has ended.
///
/// # Errors
/// Why there is no answer.
pub(crate) fn told(ended: &Ended) -> Result<OnMachine, TargetError> {
    let words = || ended.error().unwrap_or_else(|| ended.status.to_string());
    match ended.status.success() {
        true => read(&ended.output),
        false => Err(not_told(&words())),
    }
}

/// Reads the answer from its text.
pub(crate) fn read(answer: &[u8]) -> Result<OnMachine, TargetError> {
    serde_json::from_slice(answer).map_err(|error| not_told(&error.to_string()))
}

fn not_told(why: &str) -> TargetError {
    TargetError::Failed(format!("the state of the knobs there is unknown: {why}"))
}
