//! Everything that people and programs see of an analysis: HTML, CSV, JUnit XML and the
//! terminal's summary.
//!
//! Pure functions: no clock, no store, no network. The same outcomes give the same
//! report, byte for byte.

mod document;
mod figure;
mod pages;
mod render;
mod sections;

use analysis::comparison::Comparison;
use analysis::standards::Standards;
use analysis::times::Times;
use plan::{Outcome, SelfTest};

use document::{Document, Section};

pub use render::csv::{csv, csv_histograms};
pub use render::junit::junit;

/// The self-contained report of outcomes: it works offline, names no outside address and
/// prints. Several kernels of the lab are laid side by side.
#[must_use]
pub fn html(outcomes: &[Outcome], standards: &Standards) -> String {
    render::html::page(&document(outcomes, standards))
}

/// The same with charts that one zooms and saves as images; larger by the script that draws
/// them, some 4.6 MB.
#[must_use]
pub fn interactive_html(outcomes: &[Outcome], standards: &Standards) -> String {
    render::html::interactive_page(&document(outcomes, standards))
}

fn document(outcomes: &[Outcome], standards: &Standards) -> Document {
    match Comparison::if_of_kernels(outcomes, standards) {
        Some(comparison) => pages::comparison(&comparison),
        None => pages::results(outcomes, standards),
    }
}

/// The page of a comparison.
#[must_use]
pub fn comparison_html(comparison: &Comparison) -> String {
    render::html::page(&pages::comparison(comparison))
}

/// The answer of a comparison in words and tables, for a terminal.
#[must_use]
pub fn comparison_terminal(comparison: &Comparison) -> String {
    render::terminal::terminal(&pages::compared(comparison))
}

/// What was compared as comma-separated values (RFC 4180): one line a figure of a row.
#[must_use]
pub fn comparison_csv(comparison: &Comparison) -> String {
    render::comparison_csv::contrasts(&comparison.contrasts, &comparison.systems)
}

/// The summary of outcomes for a terminal, at most 100 columns wide, without colour. Several
/// kernels of the lab are laid side by side.
#[must_use]
pub fn terminal(outcomes: &[Outcome], standards: &Standards) -> String {
    match Comparison::if_of_kernels(outcomes, standards) {
        Some(comparison) => comparison_terminal(&comparison),
        None => render::terminal::terminal(&pages::summary(outcomes, standards)),
    }
}

/// Where the frontier lies on each number of threads, what shows it and what spoils it; with
/// `size`, how much longer a step of that many masses can take; at last what is to be said of
/// the search.
#[must_use]
pub fn frontier(
    outcomes: &[Outcome],
    standards: &Standards,
    size: Option<u64>,
    search: &[String],
) -> String {
    render::terminal::terminal(&pages::frontier(outcomes, standards, size, search))
}

/// Every map of the outcomes, with its edges beside the published ones.
#[must_use]
pub fn map(outcomes: &[Outcome], standards: &Standards) -> String {
    render::terminal::terminal(&pages::map(outcomes, standards))
}

/// What a self-test found: the table of disturbances, then words.
#[must_use]
pub fn self_test(test: &SelfTest) -> String {
    one(sections::of_test(test))
}

/// Times that no run of this program took, as a table, then words.
#[must_use]
pub fn times(times: &Times) -> String {
    one(sections::comparison::apart(times))
}

fn one(section: Section) -> String {
    render::terminal::terminal(&Document::untitled(vec![section]))
}

#[cfg(test)]
use testing::outcomes as fixture;
