//! The tire's solvers against each other and against what the machine allows: medians
//! over the rounds of a session.

mod ratios;
mod solvers;

pub use ratios::Ratio;
pub use solvers::{Benchmark, Ceiling, Entry, of, shows};
