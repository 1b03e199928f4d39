//! Missed-deadline maps and their boundaries, next to the published ones.

use analysis::capacity::{Grid, Line};
use analysis::frontier::Frontier;
use analysis::frontier::{Edges, Mark, PROPERTIES};
use analysis::lists::{each_once, groups};
use analysis::published::{self, HARDWARE, Threshold};
use analysis::standards::Standards;
use analysis::words;

use super::figure::missed_deadlines;
use crate::document::{Block, Cell, Origin, Section, Table, TableOf, Tone};
use crate::figure::Figure;

const INTRODUCTION: &str = "Real-time runs of a model over its size and threads. A step misses its \
                            deadline when it ends after the next one is due. A size is hard real \
                            time where runs show that it misses none; without a miss so far it may \
                            be.";
/// A published place on a map, and its name in this report.
const SAME: (&str, &str) = ("hard_real_time_lost_at", "first_missed_deadline");

/// A line of the table: what was measured on a number of threads, or a published map.
struct Row {
    system: String,
    model_and_rate: String,
    conditions: String,
    threads: String,
    /// Number of sizes measured; `None` in a published map.
    sizes: Option<usize>,
    /// Each edge, and the evidence for it.
    edges: Vec<Option<Cell>>,
}

pub(crate) fn section(maps: &[Frontier], standards: &Standards) -> Option<Section> {
    let of_sizes = maps.iter().filter(|map| map.grid.is_shown_by_size());
    let by_axis = groups(of_sizes, |a, b| a.grid.axis == b.grid.axis);
    by_axis.first()?;
    let table = |maps: &Vec<&Frontier>| {
        let rows = maps.iter().copied().flat_map(measured).chain(of_others(maps));
        Block::Table(table(&rows.collect::<Vec<Row>>(), &maps[0].grid, standards))
    };
    let mut blocks: Vec<Block> = by_axis.iter().map(table).collect();
    blocks.extend(figures(maps, standards).map(Block::Figure));
    Some(Section::of("map", "The map: where deadlines are missed", INTRODUCTION, blocks))
}

/// Returns a section for a terminal: each map in letters, and what was published about its models.
pub(crate) fn in_letters(maps: &[Frontier], standards: &Standards) -> Vec<Section> {
    let of_map = |map: &Frontier| {
        let grid = &map.grid;
        let table = table(&measured(map).collect::<Vec<Row>>(), grid, standards);
        let blocks = vec![Block::Text { lines: letters(map, standards) }, Block::Table(table)];
        let title = format!("{}: {}, {}", grid.system, at_rate(grid, " at "), grid.conditions());
        Section { title, blocks, ..Section::default() }
    };
    let published = each_once(maps.iter().flat_map(|map| map.grid.published_sizes()));
    let published = published.iter().map(published_size).collect();
    let published = Section::told("", "As published, at 100 Hz", Tone::Detail, published);
    maps.iter().map(of_map).chain(published).collect()
}

/// Draws a figure for each map that has more than one size or number of threads.
pub(crate) fn figures<'m>(
    maps: &'m [Frontier],
    standards: &'m Standards,
) -> impl Iterator<Item = Figure> + 'm {
    let several = maps.iter().filter(|map| map.grid.sizes() > 1);
    let figure = |(index, map): (usize, &'m Frontier)| {
        missed_deadlines(&format!("missed-{}", index + 1), map, standards)
    };
    several.enumerate().map(figure)
}

/// Returns the model, and the rate if all sizes share one.
fn at_rate(grid: &Grid, between: &str) -> String {
    let (model, rate) = (grid.model(), grid.rate());
    rate.map_or_else(|| model.clone(), |rate| format!("{model}{between}{rate}"))
}

fn table(rows: &[Row], grid: &Grid, standards: &Standards) -> Table {
    let unit = grid.axis.unit(2);
    let is_published = rows.iter().any(|row| row.sizes.is_none());
    let published =
        if is_published { format!(" Published figures: {HARDWARE}.") } else { String::new() };
    let note = format!(
        "Hard: no miss, which shows {}. Many: {}. Soft: at most {}. Over all threads: the largest size \
         without a miss on every number of threads, the smallest with a miss and with many on any, and the largest that is soft \
         real time on one of them.{published}",
        standards.limits.shown_in_words(),
        standards.many,
        standards.limits.soft,
    );
    TableOf::of(rows)
        .text("System", |row| &row.system)
        .text("Model and rate", |row| &row.model_and_rate)
        .text("Solver, policy and loads", |row| &row.conditions)
        .number("Threads", |row| Cell::number(row.threads.clone(), ""))
        .number("Sizes", |row| {
            Cell::or(row.sizes, "not published", |sizes| Cell::count(sizes as u64))
        })
        .each(PROPERTIES.iter().enumerate(), |table, (place, property)| {
            let head = format!("{}, {unit}", published::property(property.name));
            table.number(&head, move |row| {
                let why =
                    if row.sizes.is_some() { "no such size was measured" } else { "not published" };
                Cell::or(row.edges[place].clone(), why, |edge| edge)
            })
        })
        .of_origin(|_| Origin::Published)
        .marked(|row| row.sizes.is_some())
        .note(note)
        .table("Sizes without a miss, and where misses begin")
}

/// Returns a row for each number of threads.
fn measured(map: &Frontier) -> impl Iterator<Item = Row> {
    let grid = &map.grid;
    let row = |edges: Edges| Row {
        system: grid.system.clone(),
        model_and_rate: at_rate(grid, ", "),
        conditions: grid.conditions(),
        threads: edges.threads.map_or_else(|| "all".to_owned(), |threads| threads.to_string()),
        sizes: Some(edges.sizes),
        edges: PROPERTIES
            .iter()
            .map(|property| {
                let (size, tries) = (property.of)(&edges)?;
                let missed = analysis::phrases::number_missed(tries.missed, tries.due);
                Some(Cell::place(&grid.axis, size).titled(missed))
            })
            .collect(),
    };
    map.edges().into_iter().map(row)
}

fn of_others(maps: &[&Frontier]) -> Vec<Row> {
    let published = each_once(maps.iter().flat_map(|map| map.grid.published_sizes()));
    let map = |threshold: &Threshold| {
        (
            threshold.system.clone(),
            threshold.scheduler.clone(),
            threshold.threads.clone(),
            threshold.source,
        )
    };
    let maps = groups(published, |a, b| map(a) == map(b));
    maps.iter().map(|map| of_publication(map)).collect()
}

fn of_publication(map: &[Threshold]) -> Row {
    let edge = |name: &str| {
        let threshold = map.iter().find(|threshold| {
            threshold.property == name || (name == SAME.1 && threshold.property == SAME.0)
        })?;
        Some(Cell::count(threshold.masses).titled(published::property(&threshold.property)))
    };
    let first = &map[0];
    Row {
        system: format!("{} ({})", first.system, first.source),
        model_and_rate: format!("{} model, 100 Hz", first.model),
        conditions: format!("semaphore solver, {}", first.scheduler),
        threads: first.threads.clone(),
        sizes: None,
        edges: PROPERTIES.iter().map(|property| edge(property.name)).collect(),
    }
}

/// Returns a line per number of threads, its sizes in ascending order.
fn letters(map: &Frontier, standards: &Standards) -> Vec<String> {
    let grid = &map.grid;
    let letter = |mark| match mark {
        Mark::Shown => '+',
        Mark::Clean => '.',
        Mark::Soft => 'o',
        Mark::Missed => 'x',
        Mark::Many => '#',
    };
    let line = |line: &Line| {
        let ends = [line.sizes.keys().next(), line.sizes.keys().next_back()];
        let [from, to] = ends.map(|end| end.copied().unwrap_or(0));
        let (from, to) = (words::bare(&grid.axis, from), grid.size_in_words(to));
        let letters: String = line.sizes.keys().map(|size| letter(map.mark(line, *size))).collect();
        format!("{:>4}  {letters}  ({from} to {to})", line.threads)
    };
    let key = [
        "One line per number of threads:".to_owned(),
        format!("`+` no miss, which shows {},", standards.limits.shown_in_words()),
        format!(
            "`.` no miss so far, `o` misses as soft real time may (at most {}), `x` more, `#` many",
            standards.limits.soft
        ),
        format!("({}).", standards.many),
    ];
    key.into_iter().chain(grid.lines.iter().map(line)).collect()
}

fn published_size(threshold: &Threshold) -> String {
    let threads = match threshold.threads.as_str() {
        "1" => "1 thread".to_owned(),
        threads => format!("{threads} threads"),
    };
    let property = published::property(&threshold.property);
    let Threshold { system, source, model, scheduler, .. } = threshold;
    let masses = words::grouped(threshold.masses);
    format!("{system} ({source}), {model} model, {scheduler}, {threads}: {property} {masses}.")
}
