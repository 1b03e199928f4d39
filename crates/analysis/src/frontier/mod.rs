//! The largest size that holds for each number of threads, with its evidence, and with what the
//! platform alone disturbed.

mod findings;
mod json;
mod lines;
#[cfg(test)]
mod tests;

pub(crate) use findings::{beyond, headroom};
pub use findings::{findings, foremost};
pub(crate) use json::json;
pub(crate) use lines::mark_probes;
pub use lines::{Frontier, of};
