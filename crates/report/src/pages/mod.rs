//! The documents: their sections, and the order of these.

mod common;
mod comparison;
mod glance;
mod machines;
mod results;
mod results_table;
mod runs;
mod summary;
mod verdict;

pub(crate) use comparison::{compared, comparison};
pub(crate) use results::{page_of_view, results};
pub(crate) use summary::summary;
