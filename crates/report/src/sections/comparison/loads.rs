//! What loads got done beside the deciding wake-ups: that they worked, and what their work
//! costs on each system.

use crate::document::{Cell, Line, Table};
use plan::{LoadFound, Outcome};

use super::columns::{columns, words_of};
use analysis::comparison::{head, is_deciding, loads_of};
use analysis::survey::{System, loads};
use analysis::words;

/// A line a load; nothing without loads.
pub(super) fn work(systems: &[System]) -> Option<Table> {
    let loads = loads_of(systems);
    let rows: Vec<Line> = loads.iter().filter_map(|load| row(systems, load)).collect();
    (!rows.is_empty()).then(|| Table {
        caption: "What each load got done a second, beside the thread that asks for 1 ms"
            .to_owned(),
        columns: columns(&["Load", "Counted in"], systems),
        rows,
        note: "Loads run under the default policy and take all that the thread leaves of the CPU: \
               where one gets less done, its work costs that system more."
            .to_owned(),
        folded: false,
    })
}

fn row(systems: &[System], load: &str) -> Option<Line> {
    let runs: Vec<Option<&Outcome>> = systems.iter().map(|system| run(system, load)).collect();
    let first = runs.iter().flatten().next()?;
    let units: Vec<&str> = of_each(first).map(|processes| &*processes[0].unit).collect();
    let figure = |run: &Option<&Outcome>| match run {
        Some(run) => Cell::number(a_second(run).join("; "), ""),
        None => Cell::none("no valid run"),
    };
    (!units.is_empty()).then(|| {
        Line::of(
            words_of([head(load), &units.join("; ")])
                .into_iter()
                .chain(runs.iter().map(figure))
                .collect(),
        )
    })
}

fn run<'a>(system: &System<'a>, load: &str) -> Option<&'a Outcome> {
    let mut runs = system.valid();
    runs.find(|run| is_deciding(&run.header.spec) && loads(&run.header.spec.asked) == load)
}

/// The processes of each load of a run.
fn of_each(run: &Outcome) -> impl Iterator<Item = &[LoadFound]> {
    let found = &run.found.loads;
    found.chunk_by(|one, other| one.name == other.name)
}

fn a_second(run: &Outcome) -> Vec<String> {
    let seconds = run.header.spec.asked.duration.as_secs_f64();
    let rate = |processes: &[LoadFound]| {
        let done: u64 = processes.iter().map(|process| process.work_done).sum();
        words::grouped((done as f64 / seconds).round() as u64)
    };
    of_each(run).map(rate).collect()
}
