//! Systems beside one another.

mod contrasts;
mod csv;
mod kernels;

use analysis::comparison::Comparison;

/// The answer in words and a table, at most 100 columns wide.
#[must_use]
pub fn terminal(comparison: &Comparison) -> String {
    match &comparison.contrasts {
        Some(contrasts) => contrasts::terminal(comparison, contrasts),
        None => kernels::terminal(comparison),
    }
}

/// The page: one file that works offline.
#[must_use]
pub fn html(comparison: &Comparison) -> String {
    crate::render::html::page(&crate::pages::comparison(comparison))
}

/// What was compared as comma-separated values (RFC 4180): one line a figure of a row.
#[must_use]
pub fn csv(comparison: &Comparison) -> String {
    let contrasts = comparison.contrasts.as_ref();
    contrasts.map_or_else(String::new, |contrasts| {
        csv::of(contrasts, &comparison.systems)
    })
}
