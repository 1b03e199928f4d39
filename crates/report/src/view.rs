//! The trait of all views.

use analysis::finding::{ANSWER, CHECK, Finding, MISSED, Said, labelled, unlabelled};
use analysis::words::capital;
use analysis::{Analysis, invalid, summary};

use crate::answer::{Answer, Line, Remark, effort, subject};
use crate::document::{Block, Document, Section, Table, Tone};
use crate::figure::Figure;
use crate::render::terminal::terminal;

/// A view of an analysis for one capability of the program.
pub(crate) trait View: Sync {
    /// The share of the runs that were measured for this view; `None` if it has nothing to show.
    fn weight(&self, analysis: &Analysis) -> Option<f64>;

    /// Its findings, the decisive one first; empty if no run is about it.
    fn findings(&self, analysis: &Analysis) -> Vec<Finding>;

    /// The few figures behind the first finding.
    fn figures(&self, analysis: &Analysis) -> Vec<Line>;

    /// A picture of the first finding, for the top of a page; `None` if another picture is more
    /// useful.
    fn picture(&self, _analysis: &Analysis) -> Option<Figure> {
        None
    }

    /// All its sections of a page; those of measurements are not among them.
    fn sections(&self, _analysis: &Analysis) -> Vec<Section> {
        Vec::new()
    }
}

/// Returns what a section of a view shows: its findings, the pictures of them, and all figures.
pub(super) fn evidence(
    findings: &[Finding],
    pictures: impl IntoIterator<Item = Figure>,
    table: Table,
) -> Vec<Block> {
    let notes = Block::notes("", labelled(findings));
    let pictures = pictures.into_iter().map(Block::Figure);
    [notes].into_iter().chain(pictures).chain([Block::Table(table)]).collect()
}

/// The answer to a question, for a reader.
pub trait Telling {
    /// The first findings in words.
    fn answer(&self, analysis: &Analysis) -> Answer;
    /// Everything that a terminal can show, and the warnings of the runs.
    fn details(&self, analysis: &Analysis) -> String;
}

impl<V: View + ?Sized> Telling for V {
    fn answer(&self, analysis: &Analysis) -> Answer {
        let subject = subject(&analysis.systems);
        let effort = effort(analysis.outcomes.iter().copied());
        let mut findings = self.findings(analysis);
        if findings.is_empty() {
            findings.push(invalid::nothing(&analysis.outcomes));
        }
        worded(subject, effort, &findings, self.figures(analysis))
    }

    fn details(&self, analysis: &Analysis) -> String {
        let mut sections = self.sections(analysis);
        let warnings = unlabelled(&summary::warnings(&analysis.outcomes));
        sections.extend(Section::told("", "Warnings", Tone::Detail, warnings));
        terminal(&Document::untitled(sections))
    }
}

/// Formats findings as an answer: the decisive ones are the verdict, each other one is a remark.
pub(crate) fn worded(
    subject: String,
    effort: String,
    findings: &[Finding],
    lines: Vec<Line>,
) -> Answer {
    let mut deciding: Vec<Said> = findings.iter().map(Finding::said).collect();
    let more = deciding.iter().skip(1).take_while(|said| said.label == ANSWER).count();
    let others = deciding.split_off(1 + more);
    Answer {
        subject,
        effort,
        standing: deciding.iter().map(|said| said.standing).max().unwrap_or_default(),
        verdict: deciding.into_iter().map(opening).collect::<Vec<String>>().join(" "),
        lines,
        remarks: others.into_iter().map(Remark::from).collect(),
    }
}

/// Returns a deciding finding as a sentence; a bare number of misses says what it counts.
fn opening(said: Said) -> String {
    match said.label {
        MISSED => said.verdict(),
        CHECK => capital(&said.words),
        _ => said.words,
    }
}
