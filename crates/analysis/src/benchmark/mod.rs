//! The tire's solvers against each other and against what the machine allows: medians
//! over the rounds of a session.

mod entry;
mod ratios;
mod solvers;

pub use entry::{Ceiling, Entry};
pub use ratios::Ratio;
pub use solvers::{Benchmark, of, shows};
