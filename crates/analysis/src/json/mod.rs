//! Results as JSON: stable names that carry their unit, the same for every measurement.

mod lines;
mod run;
mod runs;

use std::io;

use serde::Serialize;

pub use run::{headed, run_json};
pub(crate) use runs::Runs;

/// Writes an analysis, or a part of it, as JSON for people: a line a field of what its lists
/// hold, and a run at a time.
///
/// # Errors
/// Those of the writer.
pub fn write(told: &impl Serialize, to: &mut dyn io::Write) -> io::Result<()> {
    let lines = lines::Lines::default();
    told.serialize(&mut serde_json::Serializer::with_formatter(&mut *to, lines))?;
    writeln!(to)
}
