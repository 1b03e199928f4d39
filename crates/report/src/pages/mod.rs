//! The documents: which sections answer what was asked, in which order.

mod best_effort;
mod comparison;
mod interference;
mod results;
mod searched;
mod summary;

pub(crate) use best_effort::best_effort;
pub(crate) use comparison::{compared, comparison};
pub(crate) use interference::interference;
pub(crate) use results::results;
pub(crate) use searched::{frontier, map};
pub(crate) use summary::summary;
