//! The findings of an audit of a model's step.

use analysis::audit::{Audited, Finding, FindingKind, place};
use analysis::lists::each_once;
use analysis::phrases::maybe;
use analysis::words::{bytes, capital, counted, times};
use plan::ModelAudited;

use crate::document::{Block, Cell, Section, Table, TableOf};
use crate::views::audit::verdict;

pub(crate) fn found(audited: &Audited) -> Section {
    let findings = &audited.findings;
    let remedies = findings
        .iter()
        .map(|found| format!("{}: {}", capital(found.kind.name()), found.kind.remedy()));
    let notes = [
        ("What was found", sentences(audited)),
        ("Where", findings.iter().flat_map(places).collect()),
        ("What it printed last", audited.printed.clone()),
        ("What to change", each_once(remedies)),
        ("Threads of the model (not a fault of the step)", beside(audited)),
        ("Not watched", audited.not_seen.clone()),
        ("What was watched", watched(audited)),
    ];
    let mut blocks = vec![Block::Table(table(findings))];
    blocks.extend(notes.map(|(title, sentences)| Block::notes(title, sentences)));
    Section { blocks: Block::all_filled(blocks), ..Section::default() }
}

/// Returns the record of an audit that reports on later runs of the model show; `file_sha256` is
/// the hash of the model's file.
pub fn kept(
    audited: &Audited,
    file_sha256: &str,
    tool_version: &str,
    at_unix_ns: u64,
) -> ModelAudited {
    let found = audited.findings.iter().map(|found| found.in_words(audited.steps));
    ModelAudited {
        file_sha256: file_sha256.to_owned(),
        at_unix_ns,
        tool_version: tool_version.to_owned(),
        interface: audited.interface.clone(),
        steps: audited.steps,
        found: found.collect(),
        not_seen: audited.not_seen.clone(),
    }
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

fn sentences(audited: &Audited) -> Vec<String> {
    if audited.findings.is_empty() {
        return vec![verdict(audited)];
    }
    let all = audited.findings.iter().map(|found| found.in_words(audited.steps));
    all.map(|words| format!("{}.", capital(&words))).collect()
}

fn places(found: &Finding) -> impl Iterator<Item = String> {
    let name = capital(&quoted(found));
    let places = found.places.iter();
    places.map(move |at| format!("{name}: {} ({})", place(at), at.library))
}

fn beside(audited: &Audited) -> Vec<String> {
    let all = audited.concurrent.iter().map(|one| {
        let at = maybe(one.place.as_ref(), |at| format!(" at {}", place(at)));
        format!("`{}` {}{at}.", one.name, counted(one.count as usize, "time"))
    });
    all.collect()
}

fn watched(audited: &Audited) -> Vec<String> {
    let steps = counted(audited.steps as usize, "step");
    vec![
        format!(
            "{steps}, run twice as fast as possible, each time in a new process. Watching changes how \
             long a step takes: no time here is a figure of the model; `steadfast run model` measures."
        ),
        format!("Stack used by a step: at most {}.", bytes(audited.stack_bytes)),
        match &audited.outputs_hash {
            Some(hash) => format!(
                "{} after each step, with the hash {hash} over all steps.",
                counted(audited.outputs as usize, "output")
            ),
            None => "The model names no outputs.".to_owned(),
        },
    ]
}
