//! Maps in the terminal: a letter a size, and where rows change.

use std::collections::BTreeMap;

use plan::Outcome;

use crate::render::terminal::{block, warnings};
use analysis::capacity::{Cell, Grid, grids};
use analysis::map::{Edges, PROPERTIES, Property, edges, is_usable};
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
    let demand = grid.hard(&standards.limits);
    let letter = |cell: &Cell, among: usize| match cell {
        cell if demand.is_shown(*cell, among) => '+',
        cell if cell.missed == 0 => '.',
        cell if is_usable(cell, standards) => 'o',
        cell if standards.many.is_in(cell) => '#',
        _ => 'x',
    };
    let line = |(threads, row): (&u64, &BTreeMap<u64, Cell>)| {
        let ends = [row.keys().next(), row.keys().next_back()];
        let [from, to] = ends.map(|end| words::grouped(end.copied().unwrap_or(0)));
        let cells: String = row.values().map(|cell| letter(cell, row.len())).collect();
        format!("  {threads:>4}  {cells}  ({from} to {to} masses)\n")
    };
    let lines: String = grid.cells.iter().map(line).collect();
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
