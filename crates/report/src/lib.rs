//! All output of an analysis: HTML, CSV, JSON, JUnit XML and the terminal's summary; and traces of
//! late samples.
//!
//! All functions are pure: no clock, no store, no network. The same outcomes give the same report,
//! byte for byte.

pub mod answer;
mod atlas;
mod audit;
mod certificate;
mod check;
mod comparison;
mod doctor;
mod document;
mod experiment;
mod figure;
mod frontier;
mod gate;
mod general;
mod interference;
mod measurements;
mod mix;
mod pages;
mod render;
mod sections;
mod self_test;
mod soak;
mod solvers;
mod studies;
mod view;
mod views;

use std::io::{self, Write};

use analysis::Analysis;
use analysis::finding::Finding;
use analysis::times::Times;
use serde::Serialize;

use document::Document;

pub use answer::Answer;
pub use atlas::{listed as atlas_changes, manual as atlas_manual, page as atlas_page};
pub use audit::{AuditReport, audit, audit_answer};
pub use certificate::{Certified, Verified, board, certificate};
pub use check::{CheckReport, check};
pub use doctor::doctor;
pub use experiment::ExperimentView;
pub use frontier::{FrontierView, MapView};
pub use gate::{ExactGate, GateView, exact_gate};
pub use interference::InterferenceView;
pub use mix::BestEffortView;
pub use render::brief::{Span, Weight, brief};
pub use render::csv::{csv, csv_histograms};
pub use render::formats::{Case, FORMATS, Format, NotJudged, Status, Suite, exact_suites, suites};
pub use render::hdr::hdr_log;
pub use render::perfetto::{KernelEvents, Perfetto, TracedRun, perfetto};
pub use self_test::{SelfTestReport, self_test, self_test_answer};
pub use soak::{SOAK_STYLE, metrics, soak_page};
pub use studies::StudiesView;
pub use view::Telling;
pub use views::answer;

/// Returns the self-contained report: it works offline, contains no external addresses and prints
/// well. A comparison of systems has a different page.
pub fn html(analysis: &Analysis) -> String {
    render::html::page(&document(analysis))
}

pub struct Page {
    pub html: String,
    /// Names and contents (RFC 4180) of the files that belong into the directory `tables` beside
    /// the page.
    pub tables: Vec<(String, String)>,
}

/// The page of [`html`], and every table of it as comma-separated values.
pub fn page(analysis: &Analysis) -> Page {
    linked(&document(analysis))
}

fn linked(document: &Document) -> Page {
    let tables = render::tables::table_files(document);
    Page { html: render::html::linked_page(document, tables.links), tables: tables.files }
}

fn document(analysis: &Analysis) -> Document {
    let document = match &analysis.comparison {
        Some(comparison) => pages::comparison(analysis, comparison),
        None => pages::results(analysis),
    };
    document.headed(&analysis.heading)
}

/// Returns the comparison as comma-separated values (RFC 4180): one line per figure of a row; empty
/// without a comparison.
pub fn comparison_csv(analysis: &Analysis) -> String {
    let table = analysis.comparison.as_ref().map(comparison::figures);
    table.as_ref().map_or_else(String::new, render::csv::of_table)
}

/// Returns the summary for a terminal, at most 100 columns wide, without colour; for a comparison
/// of systems, the answer in words and tables.
pub fn terminal(analysis: &Analysis) -> String {
    render::terminal::terminal(&match &analysis.comparison {
        Some(comparison) => pages::compared(analysis, comparison),
        None => pages::summary(analysis),
    })
}

/// Output of `steadfast report --json`, and `report.json`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reported<'r, 'a> {
    /// The short answer, as a terminal shows it without `--verbose`.
    answer: Answer,
    /// What the runs show: the findings behind `answer`, the decisive one first.
    findings: Vec<Finding>,
    #[serde(flatten)]
    analysis: &'r Analysis<'a>,
}

impl<'r, 'a> Reported<'r, 'a> {
    pub fn of(analysis: &'r Analysis<'a>) -> Self {
        let findings = views::leading(analysis).findings(analysis);
        Self { answer: answer(analysis), findings, analysis }
    }
}

/// # Errors
/// If writing fails.
pub fn json(analysis: &Analysis, to: &mut dyn Write) -> io::Result<()> {
    analysis::json::write(&Reported::of(analysis), to)
}

/// Returns times that were not measured by runs of this program, as a table, then sentences.
pub fn times(times: &Times) -> String {
    render::terminal::terminal(&Document::untitled(vec![comparison::apart(times)]))
}

#[cfg(test)]
use testing::outcomes as fixture;
