//! The work of the loads during the decisive wake-ups: evidence that they ran, and its cost on each
//! system.

use analysis::comparison::{is_deciding, load_name, loads_of};
use analysis::conditions::joined;
use analysis::survey::{System, loads};
use analysis::words;
use record::{LoadFound, Outcome};

use super::columns::head_of_line;
use crate::document::{Cell, Table, TableOf};

pub(super) fn work(systems: &[System]) -> Table {
    let loads = loads_of(systems).into_iter();
    let rows: Vec<Row> = loads.filter_map(|load| row(systems, load)).collect();
    TableOf::of(&rows)
        .text("Load", |row| head_of_line(load_name(&row.load)))
        .text("Counted in", |row| head_of_line(&row.units))
        .systems(systems, |place, row| {
            Cell::or(row.runs[place], "no valid run", |run| match per_second(run).as_slice() {
                [count] => Cell::count(*count),
                rates => Cell::number(joined(rates.iter().copied().map(words::grouped)), ""),
            })
        })
        .note(
            "Loads run under the default policy and use what the thread leaves of the CPU: where a \
             load gets less done, its work costs that system more.",
        )
        .table("Work of each load per second, at the same time as a thread with a period of 1 ms")
}

struct Row<'a> {
    load: String,
    units: String,
    runs: Vec<Option<&'a Outcome>>,
}

fn row<'a>(systems: &[System<'a>], load: String) -> Option<Row<'a>> {
    let runs: Vec<Option<&Outcome>> = systems.iter().map(|system| run(system, &load)).collect();
    let first = runs.iter().flatten().next()?;
    let units = joined(of_each(first).map(|processes| processes[0].unit.clone()));
    (!units.is_empty()).then_some(Row { load, units, runs })
}

fn run<'a>(system: &System<'a>, load: &str) -> Option<&'a Outcome> {
    let mut runs = system.valid();
    runs.find(|run| is_deciding(&run.header.spec) && loads(&run.header.spec.asked) == load)
}

fn of_each(run: &Outcome) -> impl Iterator<Item = &[LoadFound]> {
    let found = &run.found.loads;
    found.chunk_by(|a, b| a.name == b.name)
}

fn per_second(run: &Outcome) -> Vec<u64> {
    let seconds = run.header.spec.asked.duration.as_secs_f64();
    let rate = |processes: &[LoadFound]| {
        let done: u64 = processes.iter().map(|process| process.work_done).sum();
        (done as f64 / seconds).round() as u64
    };
    of_each(run).map(rate).collect()
}
