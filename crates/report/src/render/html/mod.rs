//! A document as one HTML file that needs nothing else.

mod page;
mod prose;
mod script;

pub(crate) use page::page;
