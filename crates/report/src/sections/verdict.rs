//! What stands behind the answer of a report, and what frames it.

use analysis::clock;
use analysis::published::Source;
use analysis::verdict::Verdict;

use crate::document::{Block, Section, Tone};

/// What must be mended before anything is believed.
pub(crate) fn alarms(verdict: &Verdict) -> Vec<Section> {
    let errors = Section::told("errors", "ERROR", Tone::Alarm, verdict.errors.clone());
    let clocks = Vec::from_iter(verdict.clocks_differ.clone());
    let clocks = Section::told("clocks", "WARNING", Tone::Alarm, clocks);
    errors.into_iter().chain(clocks).collect()
}

/// The sentences of the alarms.
pub(super) fn alarming(verdict: &Verdict) -> impl Iterator<Item = &String> {
    verdict.errors.iter().chain(&verdict.clocks_differ)
}

/// What the machine holds, what limits it, and what to change first.
pub(crate) fn verdict(verdict: &Verdict) -> Option<Section> {
    let notes = |title: &str, sentences: &[String]| {
        (!sentences.is_empty()).then(|| Block::notes(title, sentences.to_vec()))
    };
    let holds = notes("What it holds", &verdict.holds);
    let platform = notes("What the platform takes", &verdict.platform);
    let limits = notes("What limits it", &verdict.limits);
    let columns = [holds.into_iter().chain(platform).collect(), Vec::from_iter(limits)];
    let columns: Vec<Vec<Block>> =
        columns.into_iter().filter(|column: &Vec<Block>| !column.is_empty()).collect();
    let mut blocks = Vec::new();
    if !columns.is_empty() {
        blocks.push(Block::Beside { columns });
    }
    blocks.extend(verdict.first.as_ref().map(|first| Block::Change {
        title: "What to change first".to_owned(),
        change: first.clone(),
    }));
    (!blocks.is_empty())
        .then(|| Section::of("verdict", "What it holds, and what limits it", "", blocks))
}

/// What the clock of the lab means, where it counts instructions.
pub(crate) fn clock_meaning(sentences: Vec<String>) -> Option<Section> {
    Section::told("clock-meaning", clock::TITLE, Tone::Meaning, sentences)
}

/// What was measured, and what that can and cannot tell.
pub(crate) fn reach(notes: Vec<String>) -> Option<Section> {
    Section::told("reach", "Limits of what was measured", Tone::Detail, notes)
}

/// The publications whose figures are shown; `None` without any.
pub(crate) fn sources(introduction: String, sources: &[Source]) -> Option<Section> {
    let entries = sources.iter().map(|source| (source.short, source.full));
    (!sources.is_empty()).then(|| {
        Section::of(
            "sources",
            "Published figures",
            introduction,
            vec![Block::folded("Where they were published", vec![Block::entries("", entries)])],
        )
    })
}
