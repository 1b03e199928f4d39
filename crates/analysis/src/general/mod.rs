//! Findings of all runs together: deadlines first, else times and speeds.

mod deadlines;
mod explain;
mod findings;
mod fixes;
mod times;

pub use deadlines::{Case, cases, telling};
pub use findings::findings;
pub use times::{Beside, Timed, beside_deadlines, without_deadlines};

#[cfg(test)]
mod tests;
