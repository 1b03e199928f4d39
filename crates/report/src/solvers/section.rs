//! The tire's solvers compared with the limits of the machine.

use analysis::benchmark::{Benchmark, Pair, Ratio, With};
use analysis::finding::Finding;
use analysis::{Analysis, words};
use record::Size;

use super::figure::roofline;
use crate::document::{Block, Cell, Form, Section, Table, TableOf};
use crate::sections::measured::Measured;

pub(crate) const SECTION: Measured = Measured {
    id: "solvers",
    title: "The tire's solvers on this machine",
    introduction: "Every solver on the same tires, alternating, compared with what the arithmetic units \
                   and the memory of this machine allow: the solvers' own mix of operations on \
                   registers, and a pass over memory that adds to it in place. Rates are medians \
                   over the rounds.",
    measurements: &["ceiling"],
    blocks,
};

fn blocks(analysis: &Analysis) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (index, benchmark) in analysis.benchmarks.iter().enumerate() {
        if !benchmark.entries.is_empty() {
            let roofline = roofline(&format!("roofline-{}", index + 1), benchmark);
            blocks.extend(roofline.map(Block::Figure));
            blocks.extend([ratios(benchmark), entries(benchmark)].map(Block::Table));
        }
        blocks.extend(Block::Table(paced(benchmark)).filled());
        blocks.push(Block::Table(ceilings(benchmark)));
    }
    blocks
}

/// Returns a section per machine with its solvers, without the roofline.
pub(crate) fn solvers(analysis: &Analysis) -> Vec<Section> {
    let section = |benchmark: &Benchmark| {
        let tables = [entries(benchmark), ceilings(benchmark), ratios(benchmark)];
        let mut blocks = Vec::from(tables.map(Block::Table));
        blocks.extend(Block::Table(paced(benchmark)).filled());
        let title = format!("The tire's solvers: {}", benchmark.system);
        Section { title, blocks, ..Section::default() }
    };
    analysis.benchmarks.iter().map(section).collect()
}

fn ratios(benchmark: &Benchmark) -> Table {
    TableOf::of(&benchmark.ratios)
        .text("Ratio", compared)
        .number("Measured", |ratio| {
            let times = |factor| format!("{} times", words::quantity(factor));
            match (ratio.measured, ratio.compared.with) {
                (None, _) => Cell::number("not measured", ""),
                (Some(share), With::ArithmeticCeiling) => Cell::share(share),
                (Some(factor), _) => Cell::figure(factor, times, "times"),
            }
        })
        .note(benchmark.disturbance().as_ref().map(Finding::verdict).unwrap_or_default())
        .table(format!("Ratios ({})", benchmark.system))
}

/// `simd compared with semaphore, 57 000 masses, f64, all cores`.
fn compared(Ratio { compared: pair, instructions, .. }: &Ratio) -> String {
    let Pair { solver, precision, masses, is_one_thread, with } = *pair;
    let size = words::size(Size::MASSES, masses);
    let of_what = match with {
        With::Solver(other) => format!("{solver} compared with {other}, {size}"),
        With::Masses(other) => {
            format!("{solver} at {size} compared with itself at {}", words::grouped(other))
        }
        With::ArithmeticCeiling => format!("{solver} of the arithmetic ceiling, {size}"),
    };
    let threads = if is_one_thread { "one thread" } else { "all cores" };
    let set = instructions.as_ref().map(|set| format!(" ({set})")).unwrap_or_default();
    format!("{of_what}, {precision}, {threads}{set}")
}

fn entries(benchmark: &Benchmark) -> Table {
    let note = "The memory ceiling is that of as many passes over the state as the solver makes: one \
        per step, or one in up to 32. Above 100 % the state is in caches.";
    TableOf::of(&benchmark.entries)
        .text("Solver", |entry| &entry.solver)
        .of_form(Form::Case)
        .text("Instructions", |entry| {
            Cell::or(entry.instructions.as_ref(), "no vectors", Cell::text)
        })
        .text("Precision", |entry| &entry.precision)
        .number("Threads", |entry| Cell::count(entry.threads))
        .number("Masses", |entry| Cell::count(entry.masses))
        .number("Updates, million/s", |entry| {
            let exact = words::grouped(entry.rate_per_s as u64);
            Cell::quantity(entry.rate_per_s / 1e6).titled(exact)
        })
        .number("Compared with semaphore, times", |entry| {
            number(entry.times_semaphore, Cell::quantity)
        })
        .number("Of the arithmetic ceiling", |entry| number(entry.of_arithmetic, Cell::share))
        .number("Of the memory ceiling", |entry| number(entry.of_memory, Cell::share))
        // Too wide for a terminal.
        .detail()
        .note(note)
        .table(format!("{}: {}", benchmark.system, medians(benchmark.rounds())))
}

/// Returns the real-time steps by how their threads get ready.
fn paced(benchmark: &Benchmark) -> Table {
    let note = "A step that follows a sleep has to be woken up, and finds its state and its \
                processor colder than one that follows a step. The price is the time that threads \
                spend getting ready instead of sleeping.";
    TableOf::of(&benchmark.paced)
        .text("Solver", |paced| &paced.solver)
        .of_form(Form::Case)
        .text("Precision", |paced| &paced.precision)
        .number("Threads", |paced| Cell::count(paced.threads))
        .number("Masses", |paced| Cell::count(paced.masses))
        .text("Warm-up", |paced| &paced.warm_up)
        .number("Due to end, median", |paced| Cell::figure(paced.step_ns, words::time, "ns"))
        .number("Times a step back to back", |paced| {
            number(paced.times_back_to_back, Cell::quantity)
        })
        .number("Price: of its CPUs", |paced| Cell::share(paced.ready_share).titled(""))
        .note(note)
        .table(format!("{}: real-time steps after a sleep", benchmark.system))
}

fn ceilings(benchmark: &Benchmark) -> Table {
    let per = |rate: Option<f64>, unit: f64| number(rate.map(|rate| rate / unit), Cell::quantity);
    TableOf::of(&benchmark.ceilings)
        .text("Instructions", |ceiling| {
            Cell::or(ceiling.instructions.as_ref(), "not recorded", Cell::text)
        })
        .text("Precision", |ceiling| &ceiling.precision)
        .number("Threads", |ceiling| Cell::count(ceiling.threads))
        .number("Arithmetic, million/s", move |ceiling| per(ceiling.arithmetic_per_s, 1e6))
        .number("Operations, per mass", move |ceiling| per(ceiling.multiplications_a_mass, 1.0))
        .number("Memory, million/s", move |ceiling| per(ceiling.memory_per_s, 1e6))
        .number("Bytes, per mass", move |ceiling| per(ceiling.bytes_a_mass, 1.0))
        .number("Bytes, 10⁹/s", move |ceiling| per(ceiling.bytes_per_s, 1e9))
        .note(
            "Operations are multiplications and fused multiply-adds. Bytes are those of the state, \
             read and written once per pass.",
        )
        .table(format!("{}: possible mass updates per second", benchmark.system))
}

fn number(number: Option<f64>, cell: fn(f64) -> Cell) -> Cell {
    Cell::or(number, "not measured", cell)
}

/// `medians of 5 rounds`.
fn medians([least, most]: [usize; 2]) -> String {
    let from = if least < most { format!("{least} to ") } else { String::new() };
    format!("medians of {from}{}", words::counted(most, "round"))
}
