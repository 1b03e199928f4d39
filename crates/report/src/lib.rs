//! All output of an analysis: HTML, CSV, JSON, JUnit XML and the terminal's summary; and traces of
//! late samples.
//!
//! All functions are pure: no clock, no store, no network. The same outcomes give the same report,
//! byte for byte.

pub mod answer;
mod document;
mod english;
mod figure;
mod pages;
mod render;
mod sections;
pub mod views;

use std::io::{self, Write};

use analysis::Analysis;
use analysis::audit::Audited;
use analysis::fields::SCHEMA_VERSION;
use analysis::finding::Finding;
use analysis::gate::Exact;
use analysis::self_test::own_lateness;
use analysis::times::Times;
use plan::{Disturbed, SelfTest};
use serde::Serialize;
use serde_json::{Value, json};

use document::{Document, Section};
use english::NOT_INJECTED;

pub use answer::Answer;
pub use english::{effects, sentence, soak};
pub use pages::{SOAK_STYLE, soak_page};
pub use render::brief::{Span, Weight, brief};
pub use render::csv::{csv, csv_histograms};
pub use render::formats::{Case, FORMATS, Format, NotJudged, Status, Suite, exact_suites, suites};
pub use render::metrics::metrics;
pub use render::perfetto::{KernelEvents, Perfetto, TracedRun, perfetto};
pub use sections::kept_audit;
pub use views::audit::answer as audit_answer;
pub use views::certificate::{Certified, Verified, board, certificate};
pub use views::{CheckReport, Telling, answer, check, doctor, exact_gate, self_test_answer};

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
    let table = analysis.comparison.as_ref().map(sections::comparison::figures);
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

pub fn exact_gate_json(exact: &Exact) -> Value {
    json!({ "schema_version": SCHEMA_VERSION, "gate": exact, "answer": exact_gate(exact) })
}

/// The content of `report.json`: the analysis, the findings of the leading view and its answer in
/// words.
#[derive(Serialize)]
pub struct Reported<'r, 'a> {
    answer: Answer,
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

pub fn self_test(test: &SelfTest) -> String {
    one(sections::of_test(test))
}

/// Returns the result of a self-test as JSON, with the sums over all disturbances.
pub fn self_test_json(test: &SelfTest) -> Value {
    let sum = |of: fn(&Disturbed) -> u64| -> u64 { test.disturbances.iter().map(of).sum() };
    let (injected, blamed) = (sum(|d| d.injected), sum(|d| d.blamed));
    let mut all = json!({
        "schema_version": SCHEMA_VERSION,
        "injected": injected,
        "spoilt": sum(|d| d.spoilt),
        "seen": sum(|d| d.seen),
        "blamed": blamed,
        "share_blamed": (injected > 0).then(|| blamed as f64 / injected as f64),
        "late_without_injection": own_lateness(test),
        "host_stalls": sum(|d| d.late_elsewhere()[1]),
        "not_covered": NOT_INJECTED,
    });
    if let (Value::Object(all), Value::Object(test)) = (&mut all, json!(test)) {
        all.extend(test);
    }
    all
}

pub fn audit(audited: &Audited) -> String {
    one(sections::found_by_audit(audited))
}

/// Returns an audit as JSON: its findings as values and in words, and the answer.
pub fn audit_json(audited: &Audited) -> Value {
    let mut document = json!(audited);
    let in_json = document["findings"].as_array_mut().into_iter().flatten();
    for (found, in_json) in audited.findings.iter().zip(in_json) {
        in_json["when"] = json!(english::audit::when(found));
        in_json["told"] = json!(english::audit::finding(found, audited.steps));
        in_json["remedy"] = json!(english::audit::remedy(found.kind));
    }
    document["answer"] = json!(audit_answer(audited));
    document
}

/// Returns times that were not measured by runs of this program, as a table, then sentences.
pub fn times(times: &Times) -> String {
    one(sections::comparison::apart(times))
}

fn one(section: Section) -> String {
    render::terminal::terminal(&Document::untitled(vec![section]))
}

#[cfg(test)]
use testing::outcomes as fixture;
