//! The page and the badge of a certificate, its verification, and the board of several. A
//! certificate is about other views' answers, so it is not among the views.

use analysis::Analysis;
use analysis::certificate::{Board, Certificate, Place, Scope, Test};
use analysis::finding::{Finding, Standing};
use analysis::lists::each_once;
use analysis::machine::facts;
use analysis::phrases::{joined, maybe, missed, some};
use analysis::words::{counted, listed, moment, time};
use serde::Serialize;
use serde_json::json;

use super::view::worded;
use crate::answer::{Answer, Line, Remark, of_machine};
use crate::document::{Block, Cell, Document, Section, Table, TableOf, Tone};
use crate::render;

/// The files of a certificate that follow from the stored results.
pub struct Certified {
    pub page: String,
    /// A picture (SVG) for a README, whose text has load and duration.
    pub badge: String,
    pub json: String,
}

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

pub fn certificate(analysis: &Analysis, certificate: &Certificate) -> Certified {
    #[derive(Serialize)]
    struct Document<'a> {
        answer: &'a Answer,
        #[serde(flatten)]
        certificate: &'a Certificate,
    }
    let answer = super::answer(analysis).headed(&analysis.heading);
    Certified {
        page: render::html::page(&page(analysis, certificate, &answer)),
        badge: drawn(badge(certificate, &answer), answer.standing),
        json: format!("{:#}\n", json!(Document { answer: &answer, certificate })),
    }
}

fn page(analysis: &Analysis, certificate: &Certificate, answer: &Answer) -> Document {
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

/// Returns the two lines of a badge: the answer; loads, time and machine.
fn badge(certificate: &Certificate, answer: &Answer) -> [String; 2] {
    let loads = each_once(certificate.scope.iter().map(|scope| scope.loads.clone()));
    let about = [listed(&loads), answer.effort.clone(), answer.subject.clone()];
    [answer.verdict.clone(), about.join("; ")]
}

/// Width of a character of the badge, in pixels; browsers fit the text to it.
const CHARACTER: usize = 6;
const MOST_OF_BADGE: usize = 110;

/// Draws two lines of text: white on the colour of the verdict, then the details.
fn drawn(lines: [String; 2], standing: Standing) -> String {
    let colour = match standing {
        Standing::Plain => "#0b5a94",
        Standing::Good => "#1b6e3c",
        Standing::Open => "#8a5a00",
        Standing::Bad => "#b3261e",
    };
    let lines = lines.map(|line| line.chars().take(MOST_OF_BADGE).collect::<String>());
    let [first, second] = lines.each_ref().map(|line| minijinja::HtmlEscape(line).to_string());
    let [one, two] = lines.each_ref().map(|line| line.chars().count() * CHARACTER);
    let width = one.max(two) + 86;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"40\" role=\"img\" \
         aria-label=\"Steadfast: {first} {second}\"><title>Steadfast: {first} {second}</title>\
         <rect width=\"{width}\" height=\"40\" rx=\"4\" fill=\"#1c242c\"/>\
         <path d=\"M74 0h{0}a4 4 0 0 1 4 4v16H74z\" fill=\"{colour}\"/>\
         <g fill=\"#fff\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">\
         <text x=\"8\" y=\"24\" textLength=\"58\">Steadfast</text>\
         <text x=\"80\" y=\"14\" textLength=\"{one}\">{first}</text>\
         <text x=\"80\" y=\"33\" textLength=\"{two}\">{second}</text></g></svg>\n",
        width - 78
    )
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verified {
    pub agrees: bool,
    pub findings: Vec<Finding>,
    pub answer: Answer,
}

impl Verified {
    /// Puts the findings of a verification into words; `subject` is the folder.
    pub fn of(subject: String, files: usize, runs: usize, findings: Vec<Finding>) -> Self {
        let effort = format!("{}, {}", counted(files, "file"), counted(runs, "run"));
        let answer = worded(subject, effort, &findings, Vec::new());
        Self { agrees: answer.standing != Standing::Bad, findings, answer }
    }
}

/// Returns the order of several certificates: the answer, and every test as a table for a terminal.
pub fn board(board: &Board, certificates: usize) -> (Answer, String) {
    let ranked = board.tests.iter().filter(|test| test.is_ranked());
    let name =
        |test: &Test| format!("{}, {}, {}", test.run, test.loads, time(test.duration_ns as f64));
    let line = |test: &Test| {
        let first = &test.places[0];
        Line { what: name(test), figures: vec![format!("1. {}", first.name), proof(first)] }
    };
    let answer = worded(
        counted(certificates, "certificate"),
        counted(board.tests.len(), "test"),
        &board.findings,
        ranked.map(line).collect(),
    );
    let mut rows: Vec<(String, Option<u64>, &Place)> = Vec::new();
    for test in &board.tests {
        let ranked = (1..).zip(&test.places);
        rows.extend(
            ranked.map(|(rank, place)| (name(test), test.is_ranked().then_some(rank), place)),
        );
    }
    let ns = |value: Option<i64>| Cell::or(value, "no sample", |ns| Cell::micros(ns as f64));
    let table = TableOf::of(&rows)
        .grouped(|(group, ..)| group.clone())
        .number("Rank", |(_, rank, _)| Cell::or(*rank, "nothing to compare it with", Cell::count))
        .text("Certificate", |(.., place)| place.name.clone())
        .number("Runs", |(.., place)| Cell::count(place.runs as u64))
        .text("Deadlines", |(.., place)| {
            let deadlines = (place.due > 0).then_some(place);
            Cell::or(deadlines, "no deadline", |place| {
                Cell::text(missed(place.missed, place.due)).bad_if(place.missed > 0)
            })
        })
        .number("p99.9, µs", move |(.., place)| ns(place.p999_ns))
        .number("Max, µs", move |(.., place)| ns(place.max_ns))
        .text("Proof", |(.., place)| proof(place))
        .table("");
    let mut sections = vec![Section::of("board", "Tests", "", vec![Block::Table(table)])];
    let remarks = answer.remarks.iter().map(Remark::sentence).collect();
    sections.extend(Section::told("", &answer.verdict, Tone::Detail, remarks));
    sections.reverse();
    let details = render::terminal::terminal(&Document::untitled(sections));
    (answer, details)
}

fn proof(place: &Place) -> String {
    let order = place.shown.map(|is_shown| {
        format!("ahead of the next: {}", if is_shown { "shown" } else { "not shown" })
    });
    let figures = (!place.is_recomputed).then(|| "figures not recomputed".to_owned());
    joined(order.into_iter().chain(figures), "; ")
}
