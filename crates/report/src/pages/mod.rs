//! The documents: their sections, and the order of these.

mod comparison;
mod results;
mod soak;
mod summary;

pub(crate) use comparison::{compared, comparison};
pub(crate) use results::{page_of_view, results};
pub use soak::{SOAK_STYLE, soak_page};
pub(crate) use summary::summary;
