//! The analysis as JSON: stable names that carry their unit, the same for every measurement.

mod document;
mod report;
mod run;

pub use document::{json, write_json};
pub use report::of_systems;
pub use run::run_json;
