//! The evidence and limits of a report's answer.

use analysis::clock;
use analysis::finding::{Finding, unlabelled};
use analysis::lists::each_once;
use analysis::published::Source;
use analysis::verdict::Verdict;

use crate::document::{Block, Section, Tone};

/// Returns the problems to fix before any result can be trusted.
pub(super) fn alarms(verdict: &Verdict) -> Vec<Section> {
    let errors = Section::told("errors", "ERROR", Tone::Alarm, unlabelled(&verdict.errors));
    let clocks = verdict.clocks_differ.iter().map(Finding::sentence).collect();
    let clocks = Section::told("clocks", "WARNING", Tone::Alarm, clocks);
    errors.into_iter().chain(clocks).collect()
}

pub(super) fn alarming(verdict: &Verdict) -> Vec<String> {
    verdict.errors.iter().chain(&verdict.clocks_differ).map(Finding::sentence).collect()
}

pub(super) fn verdict(verdict: &Verdict) -> Option<Section> {
    let notes = |title: &str, findings: &[Finding]| Block::notes(title, unlabelled(findings));
    let holds = notes("What it holds", &verdict.holds);
    let platform = notes("What the platform takes", &verdict.platform);
    let limits = notes("What limits it", &verdict.limits);
    let mut columns = vec![Block::all_filled([holds, platform]), Block::all_filled([limits])];
    columns.retain(|column| !column.is_empty());
    let mut blocks = Vec::new();
    blocks.extend((!columns.is_empty()).then_some(Block::Beside { columns }));
    blocks.extend(verdict.first.as_ref().map(|first| Block::Change {
        title: "What to change first".to_owned(),
        words: first.words(),
        command: first.command.clone(),
    }));
    Section::of("verdict", "What it holds, and what limits it", "", blocks).filled()
}

/// Returns the meaning of the lab's clock, where it counts instructions.
pub(super) fn clock_meaning(verdict: &Verdict, in_full: bool) -> Option<Section> {
    let meaning = if in_full { &clock::MEANING[..] } else { &[clock::IN_SHORT] };
    let meaning = meaning.iter().map(ToString::to_string);
    let sentences = [verdict.clock.as_ref()?.sentence()].into_iter().chain(meaning).collect();
    let title = "What this clock means, and what it cannot say";
    Section::told("clock-meaning", title, Tone::Meaning, sentences)
}

pub(super) fn reach(notes: &[Finding]) -> Option<Section> {
    Section::told("reach", "Limits of what was measured", Tone::Detail, unlabelled(notes))
}

/// Returns the publications whose figures a page shows; `None` without any.
pub(super) fn sources(sources: &[Source]) -> Option<Section> {
    let entries = sources.iter().map(|source| (source.short, source.full));
    let entries = Block::entries("", entries).filled()?;
    let folded = Block::folded("Where they were published", vec![entries]);
    let machines =
        sources.iter().map(|Source { machine: [year, on], .. }| format!("{year} on {on}"));
    let introduction = format!(
        "As published: of {}. They show what systems of that time did on those machines, not what \
         they would do on this one.",
        each_once(machines).join("; of ")
    );
    Some(Section::of("sources", "Published figures", introduction, vec![folded]))
}
