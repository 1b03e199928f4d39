//! Missed-deadline maps: where misses begin, where they are many, and up to where a size
//! is usable, for each number of threads and over all (SAE, tables 3 to 5; MPE 4.4).

mod edges;
mod findings;
mod mark;

pub use edges::{Edges, PROPERTIES, Property, Size, best_threads};
pub use findings::findings;
pub use mark::Mark;

pub use crate::share::ManyMisses;
