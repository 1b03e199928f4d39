//! Missed-deadline maps and where they change, beside what was published.

use std::collections::BTreeMap;

use crate::document::{Block, Cell, Column, Line, Section, Table, Tone};
use crate::figure::{self, Figure};
use analysis::capacity::{self, Grid};
use analysis::map::{Edges, PROPERTIES, edges, is_usable};
use analysis::published;
use analysis::standards::Standards;
use analysis::survey::System;
use analysis::words;

const INTRODUCTION: &str = "Real-time runs of the tire over masses and threads. A step misses its \
                            deadline when it ends after the next one is due. A size is hard real \
                            time where runs show that it misses none; without a miss so far it may \
                            be.";
/// What was published of a place on a map, and the property that it stands under here.
const SAME: (&str, &str) = ("hard_real_time_lost_at", "first_missed_deadline");

/// The section, where there are real-time runs.
pub(super) fn shown(systems: &[System], standards: &Standards) -> Option<Section> {
    let grids = grids(systems);
    if grids.is_empty() {
        return None;
    }
    let mut blocks = vec![Block::Table(table(&grids, standards))];
    blocks.extend(figures(&grids, standards).into_iter().map(Block::Figure));
    Some(Section {
        id: "map".to_owned(),
        title: "The map: where deadlines are missed".to_owned(),
        introduction: INTRODUCTION.to_owned(),
        blocks,
        ..Section::default()
    })
}

/// The same for a terminal: each map in letters, and what was published of its models.
pub(crate) fn drawn(systems: &[System], standards: &Standards) -> Vec<Section> {
    let grids = grids(systems);
    let of_grid = |(system, grid): &(&System, Grid)| {
        let model = grid.spec.parameters.word("model");
        let (rate, conditions) = (grid.rate(), grid.conditions());
        let rows = edges(grid, standards).into_iter();
        let rows = rows.map(|row| measured(system, grid, &row)).collect();
        let blocks = vec![
            Block::Text {
                lines: letters(grid, standards),
            },
            Block::Table(Table {
                rows,
                ..headed(standards)
            }),
        ];
        Section {
            title: format!("{}: {model} model at {rate}, {conditions}", system.name),
            blocks,
            ..Section::default()
        }
    };
    let mut models: Vec<&str> = Vec::new();
    for (_, grid) in &grids {
        let model = grid.spec.parameters.word("model");
        if !models.contains(&model) {
            models.push(model);
        }
    }
    let published: Vec<String> = models
        .iter()
        .flat_map(|model| published_of(model))
        .collect();
    let published = Section::told("", "As published, at 100 Hz", Tone::Detail, published);
    grids.iter().map(of_grid).chain(published).collect()
}

/// A map for each grid that has more than one size or number of threads.
pub(crate) fn maps(systems: &[System], standards: &Standards) -> Vec<Figure> {
    figures(&grids(systems), standards)
}

fn grids<'s, 'a>(systems: &'s [System<'a>]) -> Vec<(&'s System<'a>, Grid<'a>)> {
    let of_system = |system| {
        let grids = capacity::grids(system).into_iter();
        grids.map(move |grid| (system, grid))
    };
    systems.iter().flat_map(of_system).collect()
}

fn figures(grids: &[(&System, Grid)], standards: &Standards) -> Vec<Figure> {
    let several = grids.iter().filter(|(_, grid)| grid.sizes() > 1);
    let map = |(index, (system, grid)): (usize, &(&System, Grid))| {
        let name = format!("missed-{}", index + 1);
        let edges = edges(grid, standards);
        figure::missed_deadlines(&name, &system.name, grid, &edges, standards)
    };
    several.enumerate().map(map).collect()
}

fn table(grids: &[(&System, Grid)], standards: &Standards) -> Table {
    let of_grid = |(system, grid): &(&System, Grid)| -> Vec<Line> {
        let rows = edges(grid, standards).into_iter();
        rows.map(|row| measured(system, grid, &row)).collect()
    };
    let mut rows: Vec<Line> = grids.iter().flat_map(of_grid).collect();
    rows.extend(of_others());
    Table {
        rows,
        ..headed(standards)
    }
}

/// The table without its lines.
fn headed(standards: &Standards) -> Table {
    let mut columns: Vec<Column> = ["System", "Model and rate", "Solver, policy and loads"]
        .map(Column::words)
        .into();
    columns.push(Column::numbers("Threads"));
    columns.push(Column::numbers("Sizes"));
    let of = |property: &analysis::map::Property| {
        Column::numbers(&format!("{}, masses", published::property(property.name)))
    };
    columns.extend(PROPERTIES.iter().map(of));
    Table {
        caption: "Sizes without a miss, and where misses begin".to_owned(),
        columns,
        note: format!(
            "Hard: no miss over {}. Many: {}. Soft: at most {}. Over all threads: the largest size \
             that is so on every number of threads, the smallest with a miss and with many on any, and the largest that is soft \
             real time on one of them. Published figures: {}.",
            standards.limits.shown_in_words(),
            standards.many,
            standards.limits.soft,
            published::HARDWARE
        ),
        ..Table::default()
    }
}

fn measured(system: &System, grid: &Grid, row: &Edges) -> Line {
    let model = grid.spec.parameters.word("model");
    let threads = row
        .threads
        .map_or_else(|| "all".to_owned(), |t| t.to_string());
    let mut cells = vec![
        Cell::text(&system.name),
        Cell::text(format!("{model} model, {}", grid.rate())),
        Cell::text(grid.conditions()),
        Cell::number(threads, ""),
        Cell::number(row.sizes.to_string(), ""),
    ];
    cells.extend(PROPERTIES.iter().map(|property| {
        (property.of)(row).map_or_else(
            || Cell::none("no such size was measured"),
            |(masses, cell)| {
                let (missed, due) = (words::grouped(cell.missed), words::grouped(cell.due));
                Cell::number(words::grouped(masses), format!("{missed} of {due} missed"))
            },
        )
    }));
    Line {
        class: "ours",
        cells,
    }
}

/// A line for each published map.
fn of_others() -> Vec<Line> {
    let all = published::thresholds();
    let mut maps: Vec<Vec<&published::Threshold>> = Vec::new();
    for one in &all {
        match maps.iter_mut().find(|map| of_one_map(map[0], one)) {
            Some(map) => map.push(one),
            None => maps.push(vec![one]),
        }
    }
    maps.iter().map(|map| published_line(map)).collect()
}

fn of_one_map(one: &published::Threshold, other: &published::Threshold) -> bool {
    let names = |t: &published::Threshold| {
        let [system, scheduler, threads] = [&t.system, &t.scheduler, &t.threads].map(Clone::clone);
        (system, scheduler, threads, t.source)
    };
    names(one) == names(other)
}

fn published_line(map: &[&published::Threshold]) -> Line {
    let masses = |name: &str| {
        let is = |one: &&&published::Threshold| {
            one.property == name || (name == SAME.1 && one.property == SAME.0)
        };
        map.iter().find(is).map_or_else(
            || Cell::none("not published"),
            |one| {
                let exact = published::property(&one.property);
                Cell::number(words::grouped(one.masses), exact)
            },
        )
    };
    let first = map[0];
    let mut cells = vec![
        Cell::text(format!("{} ({})", first.system, first.source)),
        Cell::text(format!("{} model, 100 Hz", first.model)),
        Cell::text(format!("semaphore solver, {}", first.scheduler)),
        Cell::number(&first.threads, ""),
        Cell::none("not published"),
    ];
    cells.extend(PROPERTIES.iter().map(|property| masses(property.name)));
    Line {
        class: "published",
        cells,
    }
}

/// A line a number of threads, its sizes rising.
fn letters(grid: &Grid, standards: &Standards) -> Vec<String> {
    let demand = grid.hard(&standards.limits);
    let letter = |cell: &capacity::Cell, among: usize| match cell {
        cell if demand.is_shown(*cell, among) => '+',
        cell if cell.missed == 0 => '.',
        cell if is_usable(cell, standards) => 'o',
        cell if standards.many.is_in(cell) => '#',
        _ => 'x',
    };
    let line = |(threads, row): (&u64, &BTreeMap<u64, capacity::Cell>)| {
        let ends = [row.keys().next(), row.keys().next_back()];
        let [from, to] = ends.map(|end| words::grouped(end.copied().unwrap_or(0)));
        let cells: String = row.values().map(|cell| letter(cell, row.len())).collect();
        format!("{threads:>4}  {cells}  ({from} to {to} masses)")
    };
    let key = [
        format!(
            "A line a number of threads: `+` shown to miss none (over {}),",
            standards.limits.shown_in_words()
        ),
        format!(
            "`.` no miss so far, `o` misses as soft real time may (at most {}), `x` more, `#` many",
            standards.limits.soft
        ),
        format!("({}).", standards.many),
    ];
    key.into_iter().chain(grid.cells.iter().map(line)).collect()
}

/// What was published of the model.
fn published_of(model: &str) -> Vec<String> {
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
