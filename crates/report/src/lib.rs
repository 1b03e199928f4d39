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

use analysis::Analysis;
use analysis::audit::Audited;
use analysis::times::Times;
use plan::SelfTest;

use document::{Document, Section};

pub use render::brief::{Span, Weight, brief};
pub use render::csv::{csv, csv_histograms};
pub use render::junit::junit;

/// The self-contained report: it works offline, names no outside address and prints. Systems
/// side by side have a page of their own.
#[must_use]
pub fn html(analysis: &Analysis) -> String {
    render::html::page(&document(analysis))
}

/// The same with charts that one zooms and saves as images; larger by the script that draws
/// them, some 4.6 MB.
#[must_use]
pub fn interactive_html(analysis: &Analysis) -> String {
    render::html::interactive_page(&document(analysis))
}

fn document(analysis: &Analysis) -> Document {
    let document = match &analysis.comparison {
        Some(comparison) => pages::comparison(analysis, comparison),
        None => pages::results(analysis),
    };
    document.headed(&analysis.heading)
}

/// What was compared as comma-separated values (RFC 4180): one line a figure of a row; nothing
/// where systems are not laid side by side.
#[must_use]
pub fn comparison_csv(analysis: &Analysis) -> String {
    let comparison = analysis.comparison.as_ref();
    comparison.map_or_else(String::new, render::comparison_csv::contrasts)
}

/// The summary for a terminal, at most 100 columns wide, without colour; of systems side by
/// side the answer in words and tables.
#[must_use]
pub fn terminal(analysis: &Analysis) -> String {
    render::terminal::terminal(&match &analysis.comparison {
        Some(comparison) => pages::compared(analysis, comparison),
        None => pages::summary(analysis),
    })
}

/// Where the frontier lies on each number of threads, what shows it and what spoils it; with
/// `size`, how much longer a step of that size can take; at last what is to be said of
/// the search.
#[must_use]
pub fn frontier(analysis: &Analysis, size: Option<u64>, search: &[String]) -> String {
    render::terminal::terminal(&pages::frontier(analysis, size, search))
}

/// Every map, with its edges beside the published ones.
#[must_use]
pub fn map(analysis: &Analysis) -> String {
    render::terminal::terminal(&pages::map(analysis))
}

/// What neighbours do to runs: every matrix.
#[must_use]
pub fn interference(analysis: &Analysis) -> String {
    render::terminal::terminal(&pages::interference(analysis))
}

/// How much best-effort work fits beside the rates of a mix: every choice of scheduling.
#[must_use]
pub fn best_effort(analysis: &Analysis) -> String {
    render::terminal::terminal(&pages::best_effort(analysis))
}

/// What a self-test found: the table of disturbances, then words.
#[must_use]
pub fn self_test(test: &SelfTest) -> String {
    one(sections::of_test(test))
}

/// What an audit of a model's step found: the table of findings, then words.
#[must_use]
pub fn audit(audited: &Audited) -> String {
    one(sections::found_by_audit(audited))
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
