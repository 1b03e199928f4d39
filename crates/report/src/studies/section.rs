//! The section of a study: each of its findings, with what was published and what was measured.

use analysis::conditions::joined;
use analysis::effect::FALSE_DISCOVERIES;
use analysis::studies::{Judged, Verdict};
use analysis::words::percent;

use crate::document::{Block, Section, Table, TableOf};
use crate::measurements::frames::published_tests;

const INTRODUCTION: &str = "Each finding with its verdict, the paper's figures, and the figures measured here. A \
                            measured figure has a 95 % interval if there are several runs per side.";

/// Returns the section of a study; `None` if none of its findings was judged.
pub(super) fn section(name: &str, source: &str, judged: &[Judged]) -> Option<Section> {
    let mut blocks = vec![Block::Table(table(source, judged))];
    if name == "mur" {
        blocks.push(Block::Table(published_tests()));
    }
    let section = Section::of(format!("study-{name}"), source, INTRODUCTION, blocks);
    (!judged.is_empty()).then_some(section)
}

fn table(source: &str, judged: &[Judged]) -> Table {
    let note = format!(
        "One false-discovery rate of {} for all verdicts of the page; unit of analysis: the run.",
        percent(FALSE_DISCOVERIES)
    );
    TableOf::of(judged)
        .text("Finding", |judgement| &judgement.finding.id)
        .text("Verdict", |judgement| judgement.verdict.name())
        .judged(|judgement| match judgement.verdict {
            Verdict::Holds => Some(true),
            Verdict::Reversed => Some(false),
            Verdict::Undecided(_) | Verdict::NotMeasured(_) | Verdict::NotTestable(_) => None,
        })
        .text("Statement", |judgement| &judgement.finding.statement)
        .text("Published", |judgement| &judgement.finding.published)
        .text("Measured", Judged::measured_in_words)
        .text("Remarks", |judgement| {
            joined(judgement.verdict.why_open().into_iter().chain(judgement.notes()))
        })
        .detail()
        .text("Place", |judgement| &judgement.finding.place)
        .detail()
        .marked(|judgement| judgement.verdict == Verdict::Reversed)
        .note(note)
        .table(format!("Findings of {source}"))
}
