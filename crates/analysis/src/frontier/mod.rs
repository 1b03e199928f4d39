//! The largest size that holds, for each number of threads: with what shows it, and with
//! what the platform alone spoilt.

mod json;
mod lines;
mod sizes;
#[cfg(test)]
mod tests;
mod words;

pub use json::json;
pub use lines::{End, Ends, Frontier, Line, of};
pub use sizes::Size;
pub use words::{caption, interval, notes, overall, room};
