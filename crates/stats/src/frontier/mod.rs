//! The largest size that holds: what runs of several sizes say of it, and which run tells
//! most next.
//!
//! Both are functions of the runs alone, in whatever order they were made. So a search goes
//! on from any runs that there are, and a report says of them what the search would.

mod edge;
mod search;
#[cfg(test)]
mod tests;
mod tried;

pub use edge::{Criterion, Edge, Standings};
pub use search::{Next, Purpose, Search};
pub use tried::{BAD_RUNS, Demand, Demands, Known, Seen, Standing};
