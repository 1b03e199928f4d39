//! The page of a certificate: one sheet of paper.

use analysis::Analysis;
use analysis::certificate::{Certificate, Scope};
use analysis::finding::Finding;
use analysis::machine::facts;
use analysis::phrases::{maybe, some};
use analysis::words::{counted, moment};

use crate::answer::{Answer, of_machine};
use crate::document::{Block, Cell, Document, Section, Table, TableOf, Tone};

/// What the page has room for: one sheet of paper.
const MOST_LINES: usize = 6;
const MOST_REMARKS: usize = 3;
const MOST_TESTS: usize = 8;
const MOST_COMMANDS: usize = 3;
const MOST_CHARACTERS: usize = 300;

/// What the figures of the answer count.
const WORST: &str = "Worst is the longest time from when work was due until it was done (a wake-up: until \
                     it began); headroom is the period minus that. A skipped period counts as \
                     missed, with the time until the next step was done.";

/// Facts of a machine that the page leaves out, since results.db has them.
const LEFT_OUT: [&str; 5] =
    ["Architecture", "Sibling threads", "Caches", "Instruction sets", "Kernel build"];

pub(super) fn page(analysis: &Analysis, certificate: &Certificate, answer: &Answer) -> Document {
    let starts = analysis.outcomes.iter().map(|outcome| outcome.header.started_unix_ns);
    let facts = [
        answer.effort.clone(),
        format!("from {}", starts.min().map_or_else(String::new, moment)),
        format!("steadfast {}", certificate.tool_version),
    ];
    let sections = [
        claim(answer),
        Section::of("scope", "What was measured", WORST, vec![Block::Table(scope(certificate))]),
        machines(analysis),
        limits(certificate),
        Section::of("repeat", "Repeat it", "", vec![repeat(&certificate.commands)]),
        check(certificate),
    ];
    Document {
        title: answer.subject.clone(),
        subtitle: facts.join(" · "),
        note: cut(analysis.heading.note.as_ref().map_or("", record::Note::text)),
        sections: sections.into(),
    }
}

/// Returns the answer with its bounds, without what to change.
fn claim(answer: &Answer) -> Section {
    let lines = answer.lines.iter().take(MOST_LINES);
    let lines = lines.map(|line| (line.what.as_str(), line.figures.as_slice()));
    let remarks = answer.remarks.iter().filter(|remark| !remark.is_to_type()).take(MOST_REMARKS);
    let remarks = remarks.map(|remark| (remark.name, cut(&remark.words)));
    let blocks = [Block::Table(Table::without_heads(lines)), Block::entries("", remarks)];
    Section {
        tone: Tone::Answer,
        standing: answer.standing,
        ..Section::of("certificate", cut(&answer.verdict), "", Block::all_filled(blocks))
    }
}

/// Cuts a text to what the page has room for.
fn cut(text: &str) -> String {
    match text.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{} ...", &text[..end]),
        None => text.to_owned(),
    }
}

fn scope(certificate: &Certificate) -> Table {
    let shown = certificate.scope.len().min(MOST_TESTS);
    let rest = &certificate.scope[shown..];
    let runs: usize = rest.iter().map(|scope| scope.runs).sum();
    let note = maybe(some(rest.len()), |more| {
        format!("And {more} more, with {}; certificate.json lists them.", counted(runs, "run"))
    });
    TableOf::of(&certificate.scope[..shown])
        .text("Run", |scope: &Scope| cut(&scope.run))
        .text("Load", |scope| scope.loads.clone())
        .number("Time of each", |scope| Cell::time(scope.duration_ns as f64))
        .runs(|scope| (scope.runs - scope.invalid, scope.invalid, None))
        .note(note)
        .table("")
}

fn machines(analysis: &Analysis) -> Section {
    let systems = &analysis.systems;
    let (title, entries) = match &**systems {
        [only] => {
            let mut facts = facts(only.machine);
            facts.retain(|(name, _)| !LEFT_OUT.contains(name));
            let facts = facts.into_iter().map(|(name, value)| (name, cut(&value)));
            ("Machine and settings", Block::entries("", facts))
        }
        several => {
            let shown = several.iter().take(MOST_TESTS);
            let machines = shown.map(|system| (&system.name, of_machine(system.machine)));
            ("Machines", Block::entries("", machines))
        }
    };
    Section::of("machine", title, "", vec![entries])
}

fn limits(certificate: &Certificate) -> Section {
    let tested = certificate.self_tests.iter().take(1).map(Finding::sentence);
    let left = certificate.not_tried.iter().map(|finding| cut(&finding.named()));
    let columns = vec![
        vec![Block::notes("Self-test", tested.collect())],
        vec![Block::notes("Not tried", left.collect())],
        vec![Block::notes("Warnings", warnings(certificate))],
    ];
    Section::of("limits", "Limits", "", vec![Block::Beside { columns }])
}

fn warnings(certificate: &Certificate) -> Vec<String> {
    let shown = certificate.warned.len().min(MOST_REMARKS);
    let lines = certificate.warned[..shown].iter().map(|finding| cut(&finding.sentence()));
    let more = some(certificate.warned.len() - shown);
    let more = more.map(|more| format!("And {more} more; certificate.json lists them."));
    lines.chain(more).collect()
}

fn repeat(commands: &[String]) -> Block {
    let shown = commands.len().min(MOST_COMMANDS);
    let mut lines = commands[..shown].to_vec();
    if let more @ 1.. = commands.len() - shown {
        lines.push(format!("# and {more} more: see certificate.json"));
    }
    Block::Text { lines }
}

fn check(certificate: &Certificate) -> Section {
    let (name, hash) = match certificate.recordings.as_slice() {
        [only] => (format!("Run {}", only.run_id), &only.samples_sha256),
        several => {
            let name = format!("SHA-256 of {}", counted(several.len(), "recording"));
            (name, &certificate.recordings_sha256)
        }
    };
    let entries = Block::entries("", hash.iter().map(|hash| (name.as_str(), hash)));
    Section::of("check", "Check it", how_to_check(certificate), vec![entries])
}

fn how_to_check(certificate: &Certificate) -> String {
    let recordings = &certificate.recordings;
    let kept = recordings.iter().filter(|recorded| recorded.samples_sha256.is_some()).count();
    let all = recordings.len();
    let recomputed = match kept {
        0 => "Only histograms were kept, so figures cannot be recomputed.",
        _ if kept == all => "Every figure can be recomputed from the samples in results.db.",
        _ => &format!("Figures of {kept} of {} can be recomputed.", counted(all, "run")),
    };
    format!(
        "{recomputed} `steadfast verify DIR` does that with steadfast {}, and compares every file of this \
         certificate.",
        certificate.tool_version
    )
}
