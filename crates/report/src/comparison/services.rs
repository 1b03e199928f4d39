//! Times of kernel services (SAE, MPE, TEL): without load, with published figures, and the worst
//! over all loads.

use analysis::comparison::{Case, Comparison, LIMIT_NS, cases, load_name, worst, worst_ns};
use analysis::lists::{each_once, groups};
use analysis::merit::conditions;
use analysis::published::{HARDWARE, Latency, stands_beside};
use analysis::survey::{Series, System};
use analysis::{survey, words};
use record::Family::{self, Interrupts, Locks, Messages, ModeSwitches, Models, Services, Wakeups};
use record::fact;

use super::columns::{Topic, average_and_worst, brief, brief_worst, measured};
use super::draws::{draws_of_cases, over_draws};
use super::order::order;
use crate::document::{Block, Cell, Column, Form, Mood, Table, TableOf};

/// Families that have a section elsewhere on the page; `OTHERS` shows the rest.
const NAMED: [Family; 7] = [Services, ModeSwitches, Interrupts, Messages, Locks, Wakeups, Models];

pub(super) const MICRO: Topic = Topic {
    id: "micro",
    title: "Micro-benchmarks",
    introduction: "Average and worst case in µs, one column a system. In grey, where they are shown, published systems as \
                   they were printed, of 2014: another machine, and another clock. They show what \
                   such systems did there, and are not ranked.",
    blocks: |comparison| {
        let times = Figures { are_published: true, ..TIMES };
        let is_micro = |family| matches!(family, Some(Services | ModeSwitches));
        let mut blocks = blocks(comparison, times, is_micro);
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
    blocks: |comparison| blocks(comparison, TIMES, |family| family == Some(Interrupts)),
};

pub(super) const MESSAGES: Topic = Topic {
    id: "messages",
    title: "Messages",
    introduction: "A transfer takes 16 bytes from one task to another, from before the write to \
                   after the read: write, wake-up, switch and read. The context switch is derived: \
                   a transfer through a FIFO minus the round trip of one task alone; it has no \
                   worst case.",
    blocks: |comparison| blocks(comparison, TIMES, |family| family == Some(Messages)),
};

pub(super) const LOCKS: Topic = Topic {
    id: "locks",
    title: "Locks: priority inversion and its end",
    introduction: "How long a high-priority thread waits for a lock that a low one holds for 1 ms, \
                   while a medium one wants the CPU. Where the lock does not lend the low thread its \
                   waiter\u{2019}s priority, high waits for medium too: that is priority inversion.",
    blocks: |comparison| blocks(comparison, WAITS, |family| family == Some(Locks)),
};

pub(super) const OTHERS: Topic = Topic {
    id: "others",
    title: "Other measurements",
    introduction: "",
    blocks: |comparison| {
        blocks(comparison, TIMES, |family| !family.is_some_and(|family| NAMED.contains(&family)))
    },
};

#[derive(Clone, Copy)]
struct Figures {
    /// What a cell without load shows.
    name: &'static str,
    cell: fn(&Series) -> Cell,
    /// The worst over all loads, with the series in which it occurred, and its name.
    worst: for<'s, 'a> fn(&[&'s Series<'a>]) -> Option<(Cell, &'s Series<'a>)>,
    worst_name: &'static str,
    /// Whether the worst cases are those of draws, where there are several.
    are_of_draws: bool,
    is_bad: fn(&Series) -> bool,
    /// The note on what makes a figure bad.
    bad: &'static str,
    /// Whether published systems are shown beside them.
    are_published: bool,
}

const TIMES: Figures = Figures {
    name: "average / worst",
    cell: average_and_worst,
    worst: |series| {
        let worst = worst(series.iter().copied())?;
        Some((brief_worst(&worst), worst.series))
    },
    worst_name: "worst",
    are_of_draws: true,
    is_bad: |series| worst_ns(series).is_some_and(|ns| ns > LIMIT_NS),
    bad: "Bold and red: above 1 ms.",
    are_published: false,
};

const WAITS: Figures = Figures {
    name: "high waits",
    cell: |series| Cell::or(wait_ns(series), "no sample", brief),
    worst: |series| {
        let waits = series.iter().filter_map(|series| Some((wait_ns(series)?, *series)));
        let (ns, series) = waits.max_by(|(a, _), (b, _)| a.total_cmp(b))?;
        Some((brief(ns), series))
    },
    worst_name: "longest wait",
    are_of_draws: false,
    is_bad: inverts,
    bad: "Bold and red: priority inversion.",
    are_published: false,
};

/// Returns the mean or median time that the high thread waits.
fn wait_ns(series: &Series) -> Option<f64> {
    [fact::BREAK_NS, fact::BLOCKED_NS].iter().find_map(|fact| series.mean(fact))
}

/// Whether the medium thread's run adds to the wait.
fn inverts(series: &Series) -> bool {
    let medium = series.spec.parameters.medium_run().0 as f64;
    let waits_for_medium = wait_ns(series).is_some_and(|ns| medium > 0.0 && ns > medium);
    series.any(&fact::VULNERABLE).unwrap_or(waits_for_medium)
}

fn blocks(
    comparison: &Comparison,
    figures: Figures,
    is_part: fn(Option<Family>) -> bool,
) -> Vec<Block> {
    let systems = &*comparison.systems;
    let all = cases(systems, |series| is_part(Family::of(&series.spec.measurement)));
    let (free, loaded): (Vec<&Case>, Vec<&Case>) =
        all.iter().partition(|case| case.asked.loads.is_empty());
    let is_alike = |a: &&Case, b: &&Case| a.is_alike_but_for_load(b);
    let over_all: Vec<&Case> = groups(loaded, is_alike).iter().map(|alike| alike[0]).collect();
    let shown = Some(comparison).filter(|_| figures.are_published);
    let published = shown.map_or_else(Vec::new, Comparison::published_latencies);
    let of_draws = |cases: Vec<&Case>| draws_of_cases(cases).filter(|_| figures.are_of_draws);
    let unit = over_draws(figures.name, of_draws(free.clone()).as_deref());
    let free = table(["Without load", &unit], systems, &free, &published, |case, place| {
        measured(case, place, |series| (figures.cell)(series).bad_if((figures.is_bad)(series)))
    });
    let draws = of_draws(all.iter().collect());
    let load = if draws.is_some() { "the load of the longest" } else { "its load" };
    let unit = format!("{}, and {load}", over_draws(figures.worst_name, draws.as_deref()));
    let worst =
        table(["The worst over all loads", &unit], systems, &over_all, &[], |case, place| {
            worst_cell(case, place, &all, figures)
        });
    let explained = |table: Table| {
        let mut cells = table.rows.iter().flat_map(|line| &line.cells);
        let bad = if cells.any(Cell::is_bad) { figures.bad } else { "" };
        Table { note: format!("{bad} {}", table.note).trim().to_owned(), ..table }
    };
    Block::all_filled([free, worst].map(|table| Block::Table(explained(table))))
}

/// Returns a table with a line per case, and a column per system, measured and published; the
/// caption names the conditions that all cases share.
fn table(
    [caption, unit]: [&str; 2],
    systems: &[System],
    cases: &[&Case],
    published: &[Latency],
    figure: impl Fn(&Case, usize) -> Cell,
) -> Table {
    let conditions = conditions(cases.iter().map(|case| &case.test).collect());
    let shared = conditions.first().filter(|first| conditions.iter().all(|c| c == *first));
    let rows: Vec<(&&Case, &String)> = cases.iter().zip(&conditions).collect();
    let (names, figure) = (each_once(published.iter().map(|latency| &latency.system)), &figure);
    let source = (!names.is_empty()).then(|| {
        format!("As published: another machine ({HARDWARE}), and a clock that measures time.")
    });
    let under = shared.map_or_else(String::new, |conditions| format!(", {conditions}"));
    TableOf::of(&rows)
        .text("Test", |(case, _)| {
            let test = case.test.measurement.replace('_', " ");
            let text = format!("{test}: {}", words::label(case.label));
            Cell::text(text).of_form(Form::Conditions)
        })
        .each(shared.is_none().then_some("Conditions"), |table, head| {
            table.text(head, |(_, conditions)| *conditions)
        })
        .systems(systems, |place, (case, _)| figure(case, place))
        .each(names, |table, name| {
            let column = Column { unit: "as published".to_owned(), ..Column::numbers(name) };
            table.column(column, move |(case, _)| {
                let is_theirs = case.any().is_some_and(stands_beside);
                let of = |l: &&Latency| l.system == *name && l.test == case.test.measurement;
                match published.iter().find(of).filter(|_| is_theirs) {
                    Some(latency) => Cell::number(latency.in_words(), latency.source),
                    None => Cell::number("", "not published"),
                }
                .of_mood(Mood::Detail)
            })
        })
        .note(source.unwrap_or_default())
        .table(format!("{caption}{under}: {unit}"))
}

/// Returns a system's worst figure with and without load, and the load in which it occurred.
fn worst_cell(case: &Case, place: usize, all: &[Case], figures: Figures) -> Cell {
    let alike = all.iter().filter(|peer| peer.is_alike_but_for_load(case));
    let alike: Vec<&Series> = alike.filter_map(|case| case.of[place]).collect();
    Cell::or((figures.worst)(&alike), "no valid run with a worst case", |(cell, series)| {
        let load = survey::loads(&series.spec.asked);
        let text = format!("{} ({})", cell.text, load_name(&load));
        Cell::number(text, cell.title).bad_if((figures.is_bad)(series))
    })
}
