//! Systems beside one another.

mod csv;
mod terminal;
mod wakeups;

use analysis::comparison::Comparison;

pub use terminal::terminal;

/// The page: one file that works offline.
#[must_use]
pub fn html(comparison: &Comparison) -> String {
    crate::render::html::page(&crate::pages::comparison(comparison))
}

/// What was compared as comma-separated values (RFC 4180): one line a figure of a row.
#[must_use]
pub fn csv(comparison: &Comparison) -> String {
    csv::of(&comparison.contrasts, &comparison.systems)
}
