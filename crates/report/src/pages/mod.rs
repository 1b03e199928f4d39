//! The documents: which sections answer what was asked, in which order.

mod comparison;
mod results;

pub(crate) use comparison::comparison;
pub(crate) use results::results;
