//! The documents: their sections, and the order of these.

mod comparison;
mod results;
mod summary;
mod view;

pub(crate) use comparison::{compared, comparison};
pub(crate) use results::results;
pub(crate) use summary::summary;
pub(crate) use view::{of_view, page_of_view};
