//! The findings of an audit of a model's step.

use analysis::audit::{Audited, ConcurrentCalls, Finding, FindingKind, place};
use analysis::lists::each_once;
use analysis::words::{capital, times};

use crate::document::{Block, Cell, Section, Table, TableOf};

pub(crate) fn found(audited: &Audited) -> Section {
    let findings = &audited.findings;
    let remedies = findings
        .iter()
        .map(|found| format!("{}: {}", capital(found.kind.name()), found.kind.remedy()));
    let concurrent = audited.concurrent.iter().map(ConcurrentCalls::in_words);
    let notes = [
        ("What was found", audited.sentences()),
        ("Where", findings.iter().flat_map(places).collect()),
        ("What it printed last", audited.printed.clone()),
        ("What to change", each_once(remedies)),
        ("Threads of the model (not a fault of the step)", concurrent.collect()),
        ("Not watched", audited.not_seen.clone()),
        ("What was watched", audited.watched()),
    ];
    let mut blocks = vec![Block::Table(table(findings))];
    blocks.extend(notes.map(|(title, sentences)| Block::notes(title, sentences)));
    Section { blocks: Block::all_filled(blocks), ..Section::default() }
}

fn table(findings: &[Finding]) -> Table {
    const NOT_OF_STEPS: &str = "it is not of single steps";
    let count = |count: u64| Cell::or((count > 0).then_some(count), NOT_OF_STEPS, Cell::count);
    TableOf::of(findings)
        .text("What", quoted)
        .number("Steps", move |found| count(found.steps_affected))
        .number("First", |found| Cell::or(found.first_step, NOT_OF_STEPS, Cell::count))
        .number("Times", move |found| count(found.count))
        .number("Times as long", |found| {
            let ratio = |ratio| Cell::figure(ratio, times, "");
            Cell::or(found.times_as_long, "no other steps to compare with", ratio)
        })
        .text("Where", |found| found.places.first().map(place).unwrap_or_default())
        .table("")
}

/// Returns the name of a finding; a system call is spelled as in a program.
fn quoted(found: &Finding) -> String {
    match found.kind {
        FindingKind::SystemCall => format!("`{}`", found.name()),
        _ => found.name().to_owned(),
    }
}

fn places(found: &Finding) -> impl Iterator<Item = String> {
    let name = capital(&quoted(found));
    let places = found.places.iter();
    places.map(move |at| format!("{name}: {} ({})", place(at), at.library))
}
