//! The tire's solvers against what the machine allows.

use super::measured::Measured;
use crate::document::{Block, Cell, Column, Line, Section, Table};
use crate::figure::{self, Figure, Point, Roof};
use analysis::Analysis;
use analysis::benchmark::{Benchmark, Ceiling, Entry, Paced, Ratio};
use analysis::survey::median;
use analysis::words;

pub(super) const SECTION: Measured = Measured {
    id: "solvers",
    title: "The tire's solvers against this machine",
    introduction: "Every solver on the same tires, taking turns, beside what the arithmetic \
                   units and the memory of this machine allow: the solvers' own mix of \
                   operations on registers, and a pass over memory that adds to it in place. \
                   Rates are medians over the rounds.",
    measurements: &["ceiling"],
    blocks,
};

fn blocks(analysis: &Analysis) -> Vec<Block> {
    let of_system = |(index, benchmark): (usize, &Benchmark)| {
        let mut blocks = Vec::new();
        if !benchmark.entries.is_empty() {
            blocks.extend(roofline(index, benchmark).map(Block::Figure));
            blocks.push(Block::Table(ratios(benchmark)));
            blocks.push(Block::Table(entries(benchmark)));
        }
        blocks.extend(paced(benchmark).map(Block::Table));
        blocks.push(Block::Table(ceilings(benchmark)));
        blocks
    };
    let benchmarks = analysis.benchmarks.iter();
    benchmarks.enumerate().flat_map(of_system).collect()
}

/// The solvers of each machine in a section of its own, without the picture.
pub(crate) fn solvers(analysis: &Analysis) -> Vec<Section> {
    let section = |benchmark: &Benchmark| Section {
        title: format!("The tire's solvers: {}", benchmark.system),
        blocks: [entries(benchmark), ceilings(benchmark), ratios(benchmark)]
            .into_iter()
            .chain(paced(benchmark))
            .map(Block::Table)
            .collect(),
        ..Section::default()
    };
    analysis.benchmarks.iter().map(section).collect()
}

/// The picture of one machine, with the instruction set that is fastest there.
fn roofline(index: usize, benchmark: &Benchmark) -> Option<Figure> {
    let set = benchmark.ratios.first()?.instructions.as_ref();
    let is_shown = |own: Option<&String>| own.is_none() || own == set;
    let roofs: Vec<Roof> = benchmark
        .ceilings
        .iter()
        .filter(|c| is_shown(c.instructions.as_ref()))
        .filter_map(|c| roof(c, benchmark))
        .collect();
    let points: Vec<Point> = benchmark
        .entries
        .iter()
        .filter(|e| is_shown(e.instructions.as_ref()))
        .filter_map(|e| point(e, benchmark))
        .collect();
    let name = format!("roofline-{}", index + 1);
    figure::roofline(&name, &benchmark.system, &roofs, &points)
}

/// The memory is as fast in both precisions: one slope for both.
fn roof(ceiling: &Ceiling, benchmark: &Benchmark) -> Option<Roof> {
    let same_threads = benchmark.ceilings.iter().filter(|c| c.threads == ceiling.threads);
    let threads = words::counted(ceiling.threads as usize, "thread");
    Some(Roof {
        name: format!("{}, {threads}", ceiling.precision),
        operations_per_s: ceiling.arithmetic_per_s? * ceiling.multiplications_a_mass?,
        bytes_per_s: median(same_threads.filter_map(|c| c.bytes_per_s))?,
        is_alone: ceiling.threads == 1,
    })
}

fn point(entry: &Entry, benchmark: &Benchmark) -> Option<Point> {
    let ceiling = entry.ceiling(&benchmark.ceilings)?;
    let operations = ceiling.multiplications_a_mass?;
    Some(Point {
        solver: entry.solver.clone(),
        operations_a_byte: operations / ceiling.bytes_a_mass? * entry.steps_a_pass,
        operations_per_s: operations * entry.rate_per_s,
        masses: entry.masses,
        is_single: entry.precision == "f32",
        is_alone: entry.threads == 1,
        hover: hover(entry),
    })
}

fn hover(entry: &Entry) -> String {
    let rate = words::quantity(entry.rate_per_s);
    let mut text = format!("{}:\n{rate} mass-updates a second", entry.title());
    if let Some(share) = entry.of_arithmetic {
        text += &format!("\n{} of the arithmetic ceiling", words::percent(share));
    }
    if let Some(times) = entry.times_semaphore {
        text += &format!("\n{} times semaphore", words::quantity(times));
    }
    text
}

fn ratios(benchmark: &Benchmark) -> Table {
    let line = |ratio: &Ratio| {
        let exact = ratio.measured.map(|number| number.to_string());
        Line::of(vec![
            Cell::text(ratio.title()),
            Cell::number(ratio.in_words(), exact.unwrap_or_default()),
        ])
    };
    Table {
        caption: format!("Ratios ({})", benchmark.system),
        columns: vec![Column::words("Ratio"), Column::numbers("Measured")],
        rows: benchmark.ratios.iter().map(line).collect(),
        note: benchmark.disturbance().unwrap_or_default(),
        ..Table::default()
    }
}

fn entries(benchmark: &Benchmark) -> Table {
    let share = |share: Option<f64>| ratio(share, words::percent);
    let line = |entry: &Entry| {
        Line::of(vec![
            Cell { class: "case", ..Cell::text(&entry.solver) },
            entry.instructions.as_ref().map_or_else(|| Cell::none("no vectors"), Cell::text),
            Cell::text(&entry.precision),
            Cell::number(entry.threads.to_string(), ""),
            Cell::number(words::grouped(entry.masses), ""),
            Cell::number(
                words::quantity(entry.rate_per_s / 1e6),
                words::grouped(entry.rate_per_s as u64),
            ),
            ratio(entry.times_semaphore, words::quantity),
            share(entry.of_arithmetic),
            share(entry.of_memory),
        ])
    };
    let mut columns: Vec<Column> =
        ["Solver", "Instructions", "Precision"].map(Column::words).into();
    let numbers = [
        "Threads",
        "Masses",
        "Updates, million/s",
        "Against semaphore, times",
        "Of the arithmetic ceiling",
    ];
    columns.extend(numbers.map(Column::numbers));
    // A terminal has no room for it.
    columns.push(Column::numbers("Of the memory ceiling").in_detail());
    Table {
        caption: format!("{}: {}", benchmark.system, benchmark.rounds()),
        columns,
        rows: benchmark.entries.iter().map(line).collect(),
        note: "The memory ceiling is that of as many passes over the state as the solver makes: \
               one a step, or one in up to 32. Above 100 % the state lies in caches."
            .to_owned(),
        ..Table::default()
    }
}

/// Real-time steps by how their threads get ready, where any do.
fn paced(benchmark: &Benchmark) -> Option<Table> {
    let line = |paced: &Paced| {
        Line::of(vec![
            Cell { class: "case", ..Cell::text(&paced.solver) },
            Cell::text(&paced.precision),
            Cell::number(paced.threads.to_string(), ""),
            Cell::number(words::grouped(paced.masses), ""),
            Cell::text(&paced.warm_up),
            Cell::number(words::time(paced.step_ns), paced.step_ns.to_string()),
            ratio(paced.times_back_to_back, words::quantity),
            Cell::number(words::percent(paced.ready_share), ""),
        ])
    };
    let mut columns: Vec<Column> = ["Solver", "Precision"].map(Column::words).into();
    columns.extend(["Threads", "Masses"].map(Column::numbers));
    columns.push(Column::words("Warm-up"));
    columns.extend(
        ["Due to end, typical", "Times a step back to back", "Price: of its CPUs"]
            .map(Column::numbers),
    );
    (!benchmark.paced.is_empty()).then(|| Table {
        caption: format!("{}: real-time steps after a sleep", benchmark.system),
        columns,
        rows: benchmark.paced.iter().map(line).collect(),
        note: "A step that follows a sleep has to be woken up, and finds its state and its \
               processor colder than one that follows a step. The price is the time that threads \
               spend getting ready instead of sleeping."
            .to_owned(),
        ..Table::default()
    })
}

fn ceilings(benchmark: &Benchmark) -> Table {
    let line = |ceiling: &Ceiling| {
        Line::of(vec![
            ceiling.instructions.as_ref().map_or_else(|| Cell::none("not told"), Cell::text),
            Cell::text(&ceiling.precision),
            Cell::number(ceiling.threads.to_string(), ""),
            ratio(ceiling.arithmetic_per_s.map(|rate| rate / 1e6), words::quantity),
            ratio(ceiling.multiplications_a_mass, words::quantity),
            ratio(ceiling.memory_per_s.map(|rate| rate / 1e6), words::quantity),
            ratio(ceiling.bytes_a_mass, words::quantity),
            ratio(ceiling.bytes_per_s.map(|rate| rate / 1e9), words::quantity),
        ])
    };
    let mut columns: Vec<Column> = ["Instructions", "Precision"].map(Column::words).into();
    let numbers = [
        "Threads",
        "Arithmetic, million/s",
        "Operations, a mass",
        "Memory, million/s",
        "Bytes, a mass",
        "Bytes, 10⁹/s",
    ];
    columns.extend(numbers.map(Column::numbers));
    Table {
        caption: format!("{}: mass-updates a second that are possible", benchmark.system),
        columns,
        rows: benchmark.ceilings.iter().map(line).collect(),
        note: "Operations are multiplications and fused multiply-adds. Bytes are those of the \
               state, read and written once in a pass."
            .to_owned(),
        ..Table::default()
    }
}

/// A figure where there is one.
fn ratio(number: Option<f64>, in_words: fn(f64) -> String) -> Cell {
    number.map_or_else(
        || Cell::none("not measured"),
        |number| Cell::number(in_words(number), number.to_string()),
    )
}
