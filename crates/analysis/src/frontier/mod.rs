//! The largest size that holds, for each number of threads: with what shows it, and with
//! what the platform alone spoilt.

mod glance;
mod json;
mod lines;
#[cfg(test)]
mod tests;
mod words;

pub use glance::glance;
pub use json::searched;
pub use lines::{Frontier, of};
pub(crate) use words::ended;
pub use words::{caption, interval, notes, overall, room};
