//! The answer of a machine about the state of its knobs.

use knob::OnMachine;

use crate::TargetError;
use crate::following::Ended;

/// The role that answers.
pub const ROLE: &str = "role-knobs";
/// The most bytes of an answer; machines have thousands of interrupts.
pub(crate) const MOST_BYTES: u64 = 16 << 20;

/// Reads the answer of a process in that role, which has ended.
pub(crate) fn told(ended: &Ended) -> Result<OnMachine, TargetError> {
    if ended.status.success() {
        return read(&ended.output);
    }
    Err(not_told(&ended.error().unwrap_or_else(|| ended.status.to_string())))
}

pub(crate) fn read(answer: &[u8]) -> Result<OnMachine, TargetError> {
    serde_json::from_slice(answer).map_err(|error| not_told(&error.to_string()))
}

fn not_told(why: &str) -> TargetError {
    TargetError::Failed(format!("the state of the knobs there is unknown: {why}"))
}
