//! The tire's solvers against each other and against what the machine allows: medians
//! over the rounds of a session.

mod entry;
mod paced;
mod ratios;
mod solvers;

pub use entry::{Ceiling, Entry};
pub use paced::Paced;
pub use ratios::{Pair, Ratio, With};
pub use solvers::{Benchmark, findings, named, of, paced, shows};
