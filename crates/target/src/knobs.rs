//! The answer of a machine that is asked how its knobs stand.

use knob::OnMachine;

use crate::TargetError;
use crate::following::Ended;

/// The role that answers.
pub const ROLE: &str = "role-knobs";
/// What an answer may take, in bytes: machines have thousands of interrupts.
pub(crate) const MOST_BYTES: u64 = 16 << 20;

/// What a process in that role has said to its end.
///
/// # Errors
/// Why it said nothing.
pub(crate) fn told(ended: &Ended) -> Result<OnMachine, TargetError> {
    let words = || ended.error().unwrap_or_else(|| ended.status.to_string());
    match ended.status.success() {
        true => read(&ended.output),
        false => Err(not_told(&words())),
    }
}

/// The same in the words that came.
pub(crate) fn read(answer: &[u8]) -> Result<OnMachine, TargetError> {
    serde_json::from_slice(answer).map_err(|error| not_told(&error.to_string()))
}

fn not_told(why: &str) -> TargetError {
    TargetError::Failed(format!("how the knobs stand there is not told: {why}"))
}
