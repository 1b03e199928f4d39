//! Missed-deadline maps and their boundaries, next to the published ones.

use std::slice;

use crate::document::{Block, Cell, Column, Line, Section, Table, Tone};
use crate::figure::{self, Figure};
use analysis::capacity::{Grid, Line as Sizes, Size};
use analysis::map::{Edges, Map, Mark, PROPERTIES};
use analysis::published;
use analysis::standards::Standards;
use analysis::words;
use stats::Tries;

const INTRODUCTION: &str = "Real-time runs of a model over its size and threads. A step misses its \
                            deadline when it ends after the next one is due. A size is hard real \
                            time where runs show that it misses none; without a miss so far it may \
                            be.";
/// A published place on a map, and its name in this report.
const SAME: (&str, &str) = ("hard_real_time_lost_at", "first_missed_deadline");

/// Returns the section, if there are real-time runs.
pub(crate) fn section(maps: &[Map], standards: &Standards) -> Option<Section> {
    let of_sizes = maps.iter().filter(|map| map.grid.is_of_sizes());
    of_sizes.clone().next()?;
    let table = Table {
        rows: of_sizes.flat_map(measured).chain(of_others()).collect(),
        ..headed(&unit(maps), standards)
    };
    let figures = figures(maps, standards).map(Block::Figure);
    Some(Section::of(
        "map",
        "The map: where deadlines are missed",
        INTRODUCTION,
        [Block::Table(table)].into_iter().chain(figures).collect(),
    ))
}

/// Returns a section for a terminal: each map in letters, and what was published about its models.
pub(crate) fn in_letters(maps: &[Map], standards: &Standards) -> Vec<Section> {
    let of_map = |map: &Map| {
        let grid = &map.grid;
        let blocks = vec![
            Block::Text { lines: letters(grid, standards) },
            Block::Table(Table {
                rows: measured(map),
                ..headed(&unit(slice::from_ref(map)), standards)
            }),
        ];
        Section {
            title: format!("{}: {}, {}", grid.system, at_rate(grid, " at "), grid.conditions()),
            blocks,
            ..Section::default()
        }
    };
    let mut models: Vec<&str> = Vec::new();
    for map in maps {
        if !models.contains(&model(map)) {
            models.push(model(map));
        }
    }
    let published: Vec<String> = models.iter().flat_map(|model| published_of(model)).collect();
    let published = Section::told("", "As published, at 100 Hz", Tone::Detail, published);
    maps.iter().map(of_map).chain(published).collect()
}

fn model<'m>(map: &'m Map) -> &'m str {
    map.grid.spec.parameters.word("model")
}

/// Draws a figure for each map that has more than one size or number of threads.
pub(crate) fn figures<'m>(
    maps: &'m [Map],
    standards: &'m Standards,
) -> impl Iterator<Item = Figure> + 'm {
    let several = maps.iter().filter(|map| map.grid.sizes() > 1);
    let figure = |(index, Map { grid, edges, .. }): (usize, &'m Map)| {
        let name = format!("missed-{}", index + 1);
        figure::missed_deadlines(&name, &grid.system, grid, edges, standards)
    };
    several.enumerate().map(figure)
}

/// Returns the model, and the rate if all sizes share one.
fn at_rate(grid: &Grid, between: &str) -> String {
    let (model, rate) = (grid.model(), grid.rate());
    rate.map_or_else(|| model.clone(), |rate| format!("{model}{between}{rate}"))
}

/// Returns the unit of the sizes of all maps; empty if they differ.
fn unit(maps: &[Map]) -> String {
    let unit = |map: &Map| map.grid.axis.unit(2).to_owned();
    let first = maps.first().map(unit).unwrap_or_default();
    match maps.iter().all(|map| unit(map) == first) {
        true => format!(", {first}"),
        false => String::new(),
    }
}

/// Returns the table with its head, without lines.
fn headed(unit: &str, standards: &Standards) -> Table {
    let mut columns: Vec<Column> =
        ["System", "Model and rate", "Solver, policy and loads"].map(Column::words).into();
    columns.push(Column::numbers("Threads"));
    columns.push(Column::numbers("Sizes"));
    let of = |property: &analysis::map::Property| {
        let head = published::property(property.name);
        Column::numbers(&format!("{head}{unit}"))
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

/// Returns a line for each number of threads.
fn measured(map: &Map) -> Vec<Line> {
    let size = |size: Option<(u64, Tries)>| {
        size.map_or_else(
            || Cell::none("no such size was measured"),
            |(size, cell)| {
                let (missed, due) = (words::grouped(cell.missed), words::grouped(cell.due));
                Cell::number(words::bare(&map.grid.axis, size), format!("{missed} of {due} missed"))
            },
        )
    };
    let line = |row: &Edges| {
        let all = || "all".to_owned();
        let mut cells = vec![
            Cell::text(&map.grid.system),
            Cell::text(at_rate(&map.grid, ", ")),
            Cell::text(map.grid.conditions()),
            Cell::number(row.threads.map_or_else(all, |t| t.to_string()), ""),
            Cell::number(row.sizes.to_string(), ""),
        ];
        let sizes = PROPERTIES.iter().map(|property| (property.of)(row));
        cells.extend(sizes.map(size));
        Line { class: "ours", cells }
    };
    map.edges.iter().map(line).collect()
}

/// Returns a line for each published map.
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
    let size = |name: &str| {
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
    cells.extend(PROPERTIES.iter().map(|property| size(property.name)));
    Line { class: "published", cells }
}

/// Returns a line per number of threads, its sizes in ascending order.
fn letters(grid: &Grid, standards: &Standards) -> Vec<String> {
    let letter = |line: &Sizes, count, size: &Size| match Mark::of(
        line,
        size,
        grid.period(count),
        standards,
    ) {
        Mark::Shown => '+',
        Mark::Clean => '.',
        Mark::Soft => 'o',
        Mark::Missed => 'x',
        Mark::Many => '#',
    };
    let line = |line: &Sizes| {
        let ends = [line.sizes.keys().next(), line.sizes.keys().next_back()];
        let [from, to] = ends.map(|end| end.copied().unwrap_or(0));
        let (from, to) = (words::bare(&grid.axis, from), grid.size_in_words(to));
        let letters: String =
            line.sizes.iter().map(|(count, size)| letter(line, *count, size)).collect();
        format!("{:>4}  {letters}  ({from} to {to})", line.threads)
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
    key.into_iter().chain(grid.lines.iter().map(line)).collect()
}

/// Returns what was published about the model.
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
    published.filter(|one| one.model == model).map(sentence).collect()
}
