//! The complete description of a model's file: sentences and a table.

use base::wrapped;
use model_file::{Causality, Content, Description, Dimension, Source, Variable};
use report::Answer;

use crate::startup::output::{WIDTH, aligned, entry};

const NAMES: usize = 20;
/// Width of the label of a hash, next to which its 64 digits fit.
const HASH: usize = 12;
/// Widest cell that other rows are aligned to; a wider cell shifts the rest of its row.
const WIDEST: usize = 32;

pub(super) fn in_full(answer: &Answer, source: &Source) -> String {
    of_answer(answer, &source.sha256)
        + &match &source.content {
            Content::Fmu(archive) => aligned(&variables(&archive.description), WIDEST),
            Content::Library(library) => {
                library.elf.functions.iter().map(|one| format!("{}\n", one.name)).collect()
            }
        }
}

/// Returns the lines of an answer, the hash of its file, and an empty line.
pub(super) fn of_answer(answer: &Answer, sha256: &str) -> String {
    let mut text = format!("{}\n", answer.subject);
    for line in wrapped(&answer.verdict, WIDTH) {
        text += &format!("{line}\n");
    }
    let lines = answer.lines.iter().map(|line| (line.what.as_str(), line.figures.join(", ")));
    let remarks = answer.remarks.iter().map(|remark| (remark.name, remark.words.clone()));
    lines.chain(remarks).for_each(|(name, words)| text += &entry(NAMES, name, &words));
    text += &entry(HASH, "SHA-256", sha256);
    text + "\n"
}

const HEAD: [&str; 9] =
    ["variable", "type", "for", "changes", "start", "unit", "size", "reference", "description"];

type Row = [String; HEAD.len()];

fn variables(about: &Description) -> Vec<Row> {
    let rows = about.variables.iter().map(|one| {
        [
            one.name.clone(),
            one.kind.name().to_owned(),
            one.causality.name().to_owned(),
            one.variability.name().to_owned(),
            start(one),
            one.unit.clone().unwrap_or_default(),
            size(about, one),
            one.reference.to_string(),
            described(about, one),
        ]
    });
    [HEAD.map(str::to_owned)].into_iter().chain(rows).collect()
}

fn start(variable: &Variable) -> String {
    match variable.start.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [first, ..] => format!("{first} ... ({})", variable.start.len()),
    }
}

/// Returns the lengths of an array, or the names of the parameters that contain them.
fn size(about: &Description, variable: &Variable) -> String {
    let lengths = variable.dimensions.iter().map(|dimension| match dimension {
        Dimension::Fixed(length) => length.to_string(),
        Dimension::Of(place) => about.variables[*place].name.clone(),
    });
    lengths.collect::<Vec<_>>().join(" x ")
}

/// Returns the author's description, and what the variable belongs to.
fn described(about: &Description, variable: &Variable) -> String {
    let name = |place: usize| about.variables[place].name.as_str();
    let derivative = variable.derivative_of.map(|of| format!("derivative of {}", name(of)));
    let clocks = variable.clocks.iter().map(|clock| format!("at {}", name(*clock)));
    let ticks = variable.clock.iter().map(|clock| {
        let period = clock.period.map(|period| format!(" every {period} s"));
        let priority = clock.priority.map(|one| format!(", priority {one}"));
        let interval = clock.interval.name();
        format!("{interval}{}{}", period.unwrap_or_default(), priority.unwrap_or_default())
    });
    let is_time = variable.causality == Causality::Independent;
    let time = is_time.then(|| "simulated time".to_owned());
    let author = (!variable.description.is_empty()).then(|| variable.description.clone());
    let all = author.into_iter().chain(derivative).chain(clocks).chain(ticks);
    let all: Vec<String> = all.collect();
    if all.is_empty() { time.unwrap_or_default() } else { all.join("; ") }
}
