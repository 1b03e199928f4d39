//! The tire's solvers against each other and against what the machine allows: medians
//! over the rounds of a session.

mod demands;
mod solvers;

pub use demands::Answer;
pub use solvers::{Benchmark, Ceiling, Entry, falls_short, of, shows};
