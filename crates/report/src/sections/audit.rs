//! What an audit of a model's step found.

use analysis::audit::{Audited, Finding, FindingKind, told_place};
use analysis::words::{self, capital};

use crate::document::{Block, Cell, Column, Section, Table};

const NUMBERS: [&str; 4] = ["Steps", "First", "Times", "Times as long"];

/// The table of findings, then words.
pub(crate) fn found(audited: &Audited) -> Section {
    let mut blocks = Vec::new();
    if !audited.findings.is_empty() {
        blocks.push(Block::Table(table(&audited.findings)));
    }
    let findings = &audited.findings;
    let mut remedies: Vec<String> = Vec::new();
    for finding in findings {
        let remedy = format!("{}: {}", capital(finding.kind.name()), finding.remedy);
        if !remedies.contains(&remedy) {
            remedies.push(remedy);
        }
    }
    for (title, sentences) in [
        ("What was found", told(audited)),
        ("Where", findings.iter().flat_map(places).collect()),
        ("What to change", remedies),
        ("Threads of the model, which are no fault of the step", beside(audited)),
        ("Not seen", audited.not_seen.clone()),
        ("What was looked at", looked_at(audited)),
    ] {
        if !sentences.is_empty() {
            blocks.push(Block::notes(title, sentences));
        }
    }
    Section { blocks, ..Section::default() }
}

fn table(findings: &[Finding]) -> Table {
    let columns = std::iter::once(Column::words("What")).chain(NUMBERS.map(Column::numbers));
    let columns = columns.chain([Column::words("Where")]);
    Table::listing("", columns.collect(), findings.iter().map(line))
}

fn line(finding: &Finding) -> Vec<Cell> {
    let name = match (finding.kind, finding.names.first()) {
        (FindingKind::SystemCall, Some(name)) => format!("`{name}`"),
        (kind, _) => kind.name().to_owned(),
    };
    let none = || Cell::none("it is not of single steps");
    let count = |count: u64| match count {
        0 => none(),
        count => Cell::number(words::grouped(count), count.to_string()),
    };
    let first = finding.first_step.map(|step| Cell::number(words::grouped(step), step.to_string()));
    let times =
        finding.times_as_long.map(|times| Cell::number(words::times(times), times.to_string()));
    vec![
        Cell::text(name),
        count(finding.steps_affected),
        first.unwrap_or_else(none),
        count(finding.count),
        times.unwrap_or_else(|| Cell::none("no other steps to compare with")),
        Cell::text(finding.places.first().map(told_place).unwrap_or_default()),
    ]
}

fn told(audited: &Audited) -> Vec<String> {
    match audited.findings.as_slice() {
        [] => vec![audited.answer.verdict.clone()],
        all => all.iter().map(|finding| format!("{}.", capital(&finding.told))).collect(),
    }
}

fn places(finding: &Finding) -> impl Iterator<Item = String> {
    let named = match (finding.kind, finding.names.first()) {
        (FindingKind::SystemCall, Some(name)) => name,
        (kind, _) => kind.name(),
    };
    let named = named.to_owned();
    finding
        .places
        .iter()
        .map(move |place| format!("{}: {} ({})", capital(&named), told_place(place), place.library))
}

fn beside(audited: &Audited) -> Vec<String> {
    let all = audited.beside.iter().map(|one| {
        let place = one.place.as_ref().map(|place| format!(" at {}", told_place(place)));
        let times = words::counted(one.count as usize, "time");
        format!("`{}` {times}{}.", one.name, place.unwrap_or_default())
    });
    all.collect()
}

fn looked_at(audited: &Audited) -> Vec<String> {
    let steps = words::counted(audited.steps as usize, "step");
    let mut all = vec![format!(
        "{steps}, made twice as fast as possible, in a process of its own each time. Watching changes what a step \
         takes: no time here is a figure of the model; `steadfast run model` measures."
    )];
    all.push(format!("Stack used by a step: {} at most.", words::bytes(audited.stack_bytes)));
    all.push(match &audited.outputs_hash {
        Some(hash) => format!(
            "{} after each step, with the hash {hash} over all steps.",
            words::counted(audited.outputs as usize, "output")
        ),
        None => "The model names no outputs that could be looked at.".to_owned(),
    });
    all
}
