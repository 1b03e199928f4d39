//! All output of an analysis: HTML, CSV, JSON, JUnit XML and the terminal's summary; and traces of
//! late samples.
//!
//! All functions are pure: no clock, no store, no network. The same outcomes give the same report,
//! byte for byte.

pub mod answer;
mod document;
mod figure;
mod pages;
mod render;
mod sections;
pub mod views;

use std::io::{self, Write};

use analysis::Analysis;
use analysis::audit::{self, Audited};
use analysis::finding::{Finding, NOT_INJECTED};
use analysis::gate::Exact;
use analysis::self_test::own_lateness;
use analysis::times::Times;
use base::SchemaVersion;
use record::{Disturbed, Heading, SelfTest};
use serde::Serialize;

use document::{Document, Section};

pub use answer::Answer;
pub use pages::{SOAK_STYLE, soak_page};
pub use render::brief::{Span, Weight, brief};
pub use render::csv::{csv, csv_histograms};
pub use render::formats::{Case, FORMATS, Format, NotJudged, Status, Suite, exact_suites, suites};
pub use render::hdr::hdr_log;
pub use render::metrics::metrics;
pub use render::perfetto::{KernelEvents, Perfetto, TracedRun, perfetto};
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

/// Output of `steadfast gate check --json`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExactGate<'g> {
    schema_version: SchemaVersion<1>,
    /// A plan in the lab, compared run by run with its baseline.
    gate: &'g Exact,
    /// The answer in words.
    answer: Answer,
}

impl<'g> ExactGate<'g> {
    pub fn of(gate: &'g Exact) -> Self {
        Self { schema_version: SchemaVersion, gate, answer: exact_gate(gate) }
    }
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

pub fn self_test(test: &SelfTest) -> String {
    one(sections::of_test(test))
}

/// Output of `steadfast self-test --json`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SelfTestReport<'t> {
    schema_version: SchemaVersion<1>,
    #[serde(flatten)]
    heading: Heading,
    #[serde(flatten)]
    test: &'t SelfTest,
    /// Number of injected events, over all disturbances.
    injected: u64,
    /// Number of further events, not counted in `injected`, in which the injector itself was
    /// disturbed.
    spoilt: u64,
    /// Number of injected events that were seen as lateness.
    seen: u64,
    /// Number of injected events blamed mainly on the right cause.
    blamed: u64,
    /// `blamed` divided by `injected`; null if nothing was injected.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 1)))]
    share_blamed: Option<f64>,
    /// Number of late events without injection, except those that the host caused: the machine's
    /// own lateness.
    late_without_injection: u64,
    /// Number of late events without injection that were caused by a platform gap, by steal, or by
    /// something that cannot be distinguished from these.
    host_stalls: u64,
    /// What is not injected, and why.
    not_covered: &'static str,
}

impl<'t> SelfTestReport<'t> {
    /// Returns the result of a self-test with the sums over all disturbances.
    pub fn of(test: &'t SelfTest, heading: Heading) -> Self {
        let sum = |of: fn(&Disturbed) -> u64| -> u64 { test.disturbances.iter().map(of).sum() };
        let (injected, blamed) = (sum(|d| d.injected), sum(|d| d.blamed));
        Self {
            schema_version: SchemaVersion,
            heading,
            test,
            injected,
            spoilt: sum(|d| d.spoilt),
            seen: sum(|d| d.seen),
            blamed,
            share_blamed: (injected > 0).then(|| blamed as f64 / injected as f64),
            late_without_injection: own_lateness(test),
            host_stalls: sum(|d| d.late_elsewhere()[1]),
            not_covered: NOT_INJECTED,
        }
    }
}

pub fn audit(audited: &Audited) -> String {
    one(sections::found_by_audit(audited))
}

/// Output of `steadfast audit --json`. For a system of FMUs (an SSP), one document per part, each on
/// one line.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AuditReport<'a> {
    schema_version: SchemaVersion<2>,
    #[serde(flatten)]
    audited: &'a Audited,
    /// What the steps do that real-time steps must not, the worst first; empty if nothing was
    /// found.
    findings: Vec<AuditFinding<'a>>,
    /// The short answer, as a terminal shows it without `--verbose`.
    answer: Answer,
}

/// A finding of an audit, also in words.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct AuditFinding<'a> {
    #[serde(flatten)]
    finding: &'a audit::Finding,
    /// When it occurs, in a few words, such as `every step`; empty for `outputs_differ` and
    /// `stack`.
    when: String,
    /// The finding as a sentence, without initial capital and final full stop.
    told: String,
    /// Remedy for this kind of finding, in words.
    remedy: &'static str,
}

impl<'a> AuditReport<'a> {
    pub fn of(audited: &'a Audited) -> Self {
        let in_words = |finding: &'a audit::Finding| AuditFinding {
            finding,
            when: finding.when(),
            told: finding.in_words(audited.steps),
            remedy: finding.kind.remedy(),
        };
        Self {
            schema_version: SchemaVersion,
            audited,
            findings: audited.findings.iter().map(in_words).collect(),
            answer: audit_answer(audited),
        }
    }
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
