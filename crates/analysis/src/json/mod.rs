//! Results as JSON: stable names that carry their unit, the same for every measurement.

mod lines;
mod run;
mod runs;

use std::io;

use serde::Serialize;

pub use run::{headed, run_json};
pub(crate) use runs::Runs;

/// Writes an analysis, or a part of it, as readable JSON: one line per field of the entries of its
/// lists, and one run at a time.
///
/// # Errors
/// Returns the writer's errors.
pub fn write(told: &impl Serialize, to: &mut dyn io::Write) -> io::Result<()> {
    let lines = lines::Lines::default();
    told.serialize(&mut serde_json::Serializer::with_formatter(&mut *to, lines))?;
    writeln!(to)
}
