//! A document as one HTML file that needs nothing else.

mod chart;
mod interactive;
mod page;
mod prose;
mod script;

pub(crate) use page::{interactive_page, page};
