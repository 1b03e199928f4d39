//! Maps in the terminal: a letter a size, and where rows change.

use plan::Outcome;

use crate::render::terminal::{block, warnings};
use analysis::capacity::{Grid, Line, Size, grids};
use analysis::map::{Edges, Mark, PROPERTIES, Property, edges};
use analysis::published;
use analysis::standards::Standards;
use analysis::survey::{System, systems};
use analysis::words;

/// Every map of the outcomes, with its edges beside the published ones.
#[must_use]
pub fn map(outcomes: &[Outcome], standards: &Standards) -> String {
    let systems = systems(outcomes);
    let mut text = String::new();
    let mut models: Vec<String> = Vec::new();
    for system in &systems {
        for grid in &grids(system) {
            text += &drawn(system, grid, standards);
            let model = grid.spec.parameters.word("model").to_owned();
            if !models.contains(&model) {
                models.push(model);
            }
        }
    }
    let published: Vec<String> = models.iter().flat_map(|model| of_others(model)).collect();
    text += &block("As published, at 100 Hz", &published);
    let invalid = outcomes
        .iter()
        .filter(|outcome| !outcome.is_valid())
        .count();
    if invalid > 0 {
        let runs = words::counted(invalid, "run");
        text += &format!("\nINVALID, and on no map: {runs}.\n");
    }
    text + &block("Warnings", &warnings(outcomes))
}

fn drawn(system: &System, grid: &Grid, standards: &Standards) -> String {
    let rows = edges(grid, standards);
    let told: Vec<String> = rows.iter().map(sentence).collect();
    let model = grid.spec.parameters.word("model");
    format!(
        "\n{}: {model} model at {}, {}\n{}{}",
        system.name,
        grid.rate(),
        grid.conditions(),
        letters(grid, standards),
        block("Sizes", &told),
    )
}

/// A line a number of threads, its sizes rising.
fn letters(grid: &Grid, standards: &Standards) -> String {
    let letter = |line: &Line, size: &Size| match Mark::of(line, size, grid.period(), standards) {
        Mark::Shown => '+',
        Mark::Clean => '.',
        Mark::Soft => 'o',
        Mark::Missed => 'x',
        Mark::Many => '#',
    };
    let line = |line: &Line| {
        let ends = [line.sizes.keys().next(), line.sizes.keys().next_back()];
        let [from, to] = ends.map(|end| words::grouped(end.copied().unwrap_or(0)));
        let letters: String = line.sizes.values().map(|size| letter(line, size)).collect();
        format!(
            "  {:>4}  {letters}  ({from} to {to} masses)\n",
            line.threads
        )
    };
    let lines: String = grid.lines.iter().map(line).collect();
    format!(
        "  A line a number of threads: `+` shown to miss none (over {}),\n  `.` no miss so far, \
         `o` misses as soft real time may (at most {}), `x` more, `#` many\n  ({}).\n{lines}",
        standards.limits.shown_in_words(),
        standards.limits.soft,
        standards.many
    )
}

fn sentence(edges: &Edges) -> String {
    let of = |property: &Property| {
        let size = (property.of)(edges);
        let (masses, cell) = size?;
        Some(format!(
            "{} {} ({} of {} missed)",
            published::property(property.name),
            words::grouped(masses),
            words::grouped(cell.missed),
            words::grouped(cell.due)
        ))
    };
    let told: Vec<String> = PROPERTIES.iter().filter_map(of).collect();
    let threads = match edges.threads {
        Some(threads) => words::counted(threads as usize, "thread"),
        None => "over all".to_owned(),
    };
    let sizes = words::counted(edges.sizes, "size");
    format!("{threads} ({sizes} measured): {}.", told.join("; "))
}

/// What was published of the model.
fn of_others(model: &str) -> Vec<String> {
    let published = published::thresholds().into_iter();
    let sentence = |one: published::Threshold| {
        format!(
            "{} ({}), {model} model, {}, {}: {} {}.",
            one.system,
            one.source,
            one.scheduler,
            match one.threads.as_str() {
                "1" => "1 thread".to_owned(),
                threads => format!("{threads} threads"),
            },
            published::property(&one.property),
            words::grouped(one.masses)
        )
    };
    published
        .filter(|one| one.model == model)
        .map(sentence)
        .collect()
}
