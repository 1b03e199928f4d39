//! The largest size that holds: what runs of several sizes say about it, and which run is the most
//! informative next one.
//!
//! Both are functions of the runs alone, in any order. So a search can continue from any existing
//! runs, and a report draws the same conclusions from them as the search would.

mod edge;
mod search;
#[cfg(test)]
mod tests;
mod tried;

pub use edge::{Criterion, Edge, Standings, standings};
pub use search::{Next, Search, Sought, Spacing, Start};
pub use tried::{BAD_RUNS, Demand, Demands, Known, Seen, Standing, claims};
