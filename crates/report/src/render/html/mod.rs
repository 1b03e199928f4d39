//! Renders a document as a single self-contained HTML file.

mod chart;
mod page;
mod prose;

pub(crate) use page::{linked_page, page};
