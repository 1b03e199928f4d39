//! What a service of the kernel takes (SAE, MPE, TEL): without load beside published
//! figures, and the worst over all loads.

use super::columns::{average_and_worst, brief, columns, line};
use super::order::order;
use super::topic::Topic;
use crate::document::{Block, Cell, Column, Line, Table};
use analysis::comparison::{Case, Comparison, LIMIT_NS, cases, head, worst_ns};
use analysis::merit::conditions;
use analysis::published::{self, Latency};
use analysis::survey::{Series, System};
use analysis::{survey, words};
use plan::{Family, fact};

const MICRO_TESTS: &[Family] = &[Family::Services, Family::ModeSwitches];
const LOCK_TESTS: &[Family] = &[Family::Locks];
const INTERRUPT_TESTS: &[Family] = &[Family::Interrupts];
const MESSAGE_TESTS: &[Family] = &[Family::Messages];
/// What other sections show.
const ELSEWHERE: &[Family] = &[Family::Wakeups, Family::Models];

fn is_of(families: &[Family], measurement: &str) -> bool {
    Family::of(measurement).is_some_and(|family| families.contains(&family))
}

pub(super) const MICRO: Topic = Topic {
    id: "micro",
    title: "Micro-benchmarks",
    introduction: "Average and worst case in µs, one column a system. In grey, where they are shown, published systems as \
                   they were printed, of 2014: another machine, and another clock. They show what \
                   such systems did there, and stand in no ranking with the others.",
    blocks: |comparison| {
        let mut blocks = blocks(comparison, TIMES, |name| is_of(MICRO_TESTS, name));
        if let Some(Block::Table(table)) = blocks.first_mut() {
            add_published(table, comparison);
        }
        blocks.extend(order(comparison));
        blocks
    },
};

pub(super) const INTERRUPTS: Topic = Topic {
    id: "interrupt",
    title: "Interrupts: by source",
    introduction: "From raising an interrupt to the thread that waits for it, for each source. \
                   Sources raise in different ways: compare systems by one source, not sources \
                   with each other.",
    blocks: |comparison| blocks(comparison, TIMES, |name| is_of(INTERRUPT_TESTS, name)),
};

pub(super) const MESSAGES: Topic = Topic {
    id: "messages",
    title: "Messages",
    introduction: "A transfer takes 16 bytes from one task to another, from before the write to \
                   after the read: write, wake-up, switch and read. The context switch is derived: \
                   a transfer through a FIFO minus the round trip of one task alone; it has no \
                   worst case of its own.",
    blocks: |comparison| blocks(comparison, TIMES, |name| is_of(MESSAGE_TESTS, name)),
};

pub(super) const LOCKS: Topic = Topic {
    id: "locks",
    title: "Locks: priority inversion and its end",
    introduction: "How long a high-priority thread waits for a lock that a low one holds for 1 ms, \
                   while a medium one wants the CPU. Where the lock does not lend the low thread its \
                   waiter\u{2019}s priority, high waits for medium too: that is priority inversion.",
    blocks: |comparison| blocks(comparison, WAITS, |name| is_of(LOCK_TESTS, name)),
};

pub(super) const OTHERS: Topic = Topic {
    id: "others",
    title: "Other measurements",
    introduction: "",
    blocks: |comparison| {
        let named = [MICRO_TESTS, LOCK_TESTS, INTERRUPT_TESTS, ELSEWHERE, MESSAGE_TESTS];
        blocks(comparison, TIMES, |name| !named.iter().any(|families| is_of(families, name)))
    },
};

/// What stands in the cells.
#[derive(Clone, Copy)]
struct Figures {
    unit: &'static str,
    cell: fn(&Series) -> Cell,
    /// What is worst over all loads, and what it is called.
    worst_ns: fn(&Series) -> Option<f64>,
    worst_unit: &'static str,
    /// Whether what is worst is bad.
    is_bad: fn(&Series) -> bool,
    /// What bad figures are, where there are any.
    bad: &'static str,
}

impl Figures {
    fn marked(&self, cell: Cell, series: &Series) -> Cell {
        match (self.is_bad)(series) {
            true => cell.judged(false),
            false => cell,
        }
    }
}

const TIMES: Figures = Figures {
    unit: "average / worst, µs",
    cell: average_and_worst,
    worst_ns,
    worst_unit: "worst, µs, and its load",
    is_bad: |series| worst_ns(series).is_some_and(|ns| ns > LIMIT_NS),
    bad: "Bold and red: above 1 ms.",
};

const WAITS: Figures = Figures {
    unit: "high waits, µs",
    cell: |series| wait_ns(series).map_or_else(|| Cell::none("no sample"), brief),
    worst_ns: wait_ns,
    worst_unit: "longest wait, µs, and its load",
    is_bad: inverts,
    bad: "Bold and red: priority inversion.",
};

/// Mean or median time that the high thread waits.
fn wait_ns(series: &Series) -> Option<f64> {
    [fact::BREAK_NS, fact::BLOCKED_NS].iter().find_map(|fact| series.mean(fact))
}

/// Whether medium's run adds to the wait.
fn inverts(series: &Series) -> bool {
    let medium = series.spec.parameters.time("medium-run").0 as f64;
    let waits_for_medium = wait_ns(series).is_some_and(|ns| medium > 0.0 && ns > medium);
    series.any(&fact::VULNERABLE).unwrap_or(waits_for_medium)
}

fn blocks(comparison: &Comparison, figures: Figures, is_part: impl Fn(&str) -> bool) -> Vec<Block> {
    let systems = &*comparison.systems;
    let of = |series: &Series| is_part(&series.spec.measurement);
    let all = cases(systems, of);
    let (free, loaded): (Vec<&Case>, Vec<&Case>) =
        all.iter().partition(|case| case.asked.loads.is_empty());
    let over_all = first_of_each(&loaded).into_iter();
    let worst = |case: &Case| worst_cells(case, &all, figures);
    let tables = [
        table("Without load", figures.unit, systems, free.into_iter(), |case| {
            let cell = |series: &Series| figures.marked((figures.cell)(series), series);
            line(Vec::new(), case, cell).cells
        }),
        table("The worst over all loads", figures.worst_unit, systems, over_all, worst),
    ];
    let filled = tables.into_iter().filter(|table| !table.rows.is_empty());
    filled.map(|table| Block::Table(explained(table, figures.bad))).collect()
}

/// With a note on what is bad, where anything is.
fn explained(table: Table, bad: &str) -> Table {
    let mut cells = table.rows.iter().flat_map(|line| &line.cells);
    let note = match cells.any(Cell::is_bad) {
        true => bad.to_owned(),
        false => table.note,
    };
    Table { note, ..table }
}

/// A line a case; conditions that all of them share stand above.
fn table<'c, 's: 'c, 'a: 's>(
    caption: &str,
    unit: &str,
    systems: &[System],
    cases: impl Iterator<Item = &'c Case<'s, 'a>>,
    figures: impl Fn(&Case) -> Vec<Cell>,
) -> Table {
    let cases: Vec<&Case> = cases.collect();
    let conditions = conditions(cases.iter().map(|case| &case.test).collect());
    let shared = conditions.first().filter(|first| conditions.iter().all(|c| c == *first));
    let heads: &[&str] = match shared {
        Some(_) => &["Test"],
        None => &["Test", "Conditions"],
    };
    let row = |(case, conditions): (&&Case, &String)| {
        let test = case.test.measurement.replace('_', " ");
        let mut cells = vec![Cell {
            class: "conditions",
            ..Cell::text(format!("{test}: {}", words::label(case.label)))
        }];
        cells.extend(shared.is_none().then(|| Cell::text(conditions)));
        cells.extend(figures(case));
        Line::of(cells)
    };
    let under = shared.map_or_else(String::new, |conditions| format!(", {conditions}"));
    Table {
        caption: format!("{caption}{under}: {unit}"),
        columns: columns(heads, systems),
        rows: cases.iter().zip(&conditions).map(row).collect(),
        note: String::new(),
        folded: false,
    }
}

fn first_of_each<'c, 's, 'a>(loaded: &[&'c Case<'s, 'a>]) -> Vec<&'c Case<'s, 'a>> {
    let mut first: Vec<&Case> = Vec::new();
    for case in loaded {
        if !first.iter().any(|known| known.is_alike_but_for_load(case)) {
            first.push(case);
        }
    }
    first
}

/// The worst of each system over all loads and none, with the load that it came with.
fn worst_cells(one: &Case, all: &[Case], figures: Figures) -> Vec<Cell> {
    let cell = |place: usize| {
        let alike = all.iter().filter(|case| case.is_alike_but_for_load(one));
        let worst = alike
            .filter_map(|case| case.of[place])
            .filter_map(|series| Some(((figures.worst_ns)(series)?, series)))
            .max_by(|(one, _), (other, _)| one.total_cmp(other));
        worst.map_or_else(
            || Cell::none("no valid run with a worst case"),
            |(ns, series)| {
                let load = survey::loads(&series.spec.asked);
                let cell = brief(ns);
                let cell = Cell::number(format!("{} ({})", cell.text, head(&load)), cell.title);
                figures.marked(cell, series)
            },
        )
    };
    (0..one.of.len()).map(cell).collect()
}

/// Adds a column for each published system to the table without load, at the row of its
/// test that published figures stand beside.
fn add_published(table: &mut Table, comparison: &Comparison) {
    let latencies = comparison.published_latencies();
    let mut names: Vec<&str> = Vec::new();
    for latency in &latencies {
        if !names.contains(&latency.system.as_str()) {
            names.push(&latency.system);
        }
    }
    let free = cases(&*comparison.systems, |series| is_of(MICRO_TESTS, &series.spec.measurement));
    let free: Vec<&Case> = free.iter().filter(|case| case.asked.loads.is_empty()).collect();
    if free.is_empty() || names.is_empty() {
        return;
    }
    table.columns.extend(
        names
            .iter()
            .map(|name| Column { unit: "as published".to_owned(), ..Column::numbers(name) }),
    );
    for (line, case) in table.rows.iter_mut().zip(free) {
        let is_theirs = case.any().is_some_and(published::stands_beside);
        line.cells.extend(names.iter().map(|name| {
            let of = |l: &&Latency| l.system == *name && l.test == case.test.measurement;
            let latency = latencies.iter().find(of).filter(|_| is_theirs);
            latency.map_or_else(|| published_cell("", "not published"), printed)
        }));
    }
    let source = format!(
        "As published: another machine ({}), and a clock that tells time.",
        published::HARDWARE
    );
    table.note = format!("{} {source}", table.note).trim_start().to_owned();
}

fn printed(latency: &Latency) -> Cell {
    published_cell(&latency.in_words(), latency.source)
}

fn published_cell(text: &str, title: &str) -> Cell {
    Cell { class: "number published", ..Cell::number(text, title) }
}
