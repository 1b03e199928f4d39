//! Which solver of the tire to take, in few words.

use plan::Size;

use super::parts::{Answer, Line, Standing};
use super::subject::Named;
use crate::benchmark::{Benchmark, Entry};
use crate::words;

/// The fastest solver of each size on each machine.
pub(super) fn of(machines: &[Named], benchmarks: &[Benchmark]) -> Option<Answer> {
    let on_machine = |machine: &Named| {
        let own = benchmarks.iter().find(|b| b.system == machine.system.name);
        on_machine(machine, own?)
    };
    let each = machines.iter().filter_map(on_machine);
    each.reduce(|all, other| Answer {
        verdict: format!("{} {}", all.verdict, other.verdict),
        lines: [all.lines, other.lines].concat(),
        ..all
    })
}

/// The fastest solver of each size, the largest last; of equal sizes in the first precision on
/// the most threads.
fn on_machine(machine: &Named, benchmark: &Benchmark) -> Option<Answer> {
    let first = benchmark.entries.first()?;
    let same = |entry: &&Entry| entry.precision == first.precision;
    let own: Vec<&Entry> = benchmark.entries.iter().filter(same).collect();
    let mut sizes: Vec<(u64, u64)> = own.iter().map(|e| (e.masses, e.threads)).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let fastest = |(masses, threads): &(u64, u64)| {
        let alike = own.iter().filter(|e| (e.masses, e.threads) == (*masses, *threads));
        alike.max_by(|one, other| one.rate_per_s.total_cmp(&other.rate_per_s)).copied()
    };
    let fastest: Vec<&Entry> = sizes.iter().filter_map(fastest).collect();
    Some(Answer {
        standing: Standing::Plain,
        verdict: verdict(machine, &fastest),
        lines: fastest.iter().map(|entry| line(machine, entry)).collect(),
        ..Answer::default()
    })
}

/// Which solver to take, and from which size on another one.
fn verdict(machine: &Named, fastest: &[&Entry]) -> String {
    let mut told: Vec<String> = Vec::new();
    for pair in fastest.chunk_by(|one, other| one.solver == other.solver) {
        let from = match told.is_empty() {
            true => String::new(),
            false => format!(" from {} on", words::size(Size::MASSES, pair[0].masses)),
        };
        told.push(format!("{}{from}", pair[0].solver));
    }
    format!("TAKE the solver {}{}: it was the fastest.", told.join(", then "), machine.place())
}

fn line(machine: &Named, entry: &Entry) -> Line {
    let threads = words::counted(entry.threads as usize, "thread");
    let share = |share: Option<f64>, of| Some(format!("{} of {of}", words::percent(share?)));
    let figures = [
        Some(format!("{} {}", entry.solver, entry.precision)),
        Some(format!("{} million/s", words::quantity(entry.rate_per_s / 1e6))),
        entry.times_semaphore.map(|times| format!("{} x semaphore", words::quantity(times))),
        share(entry.of_arithmetic, "arithmetic"),
    ];
    Line {
        what: machine.told(format!("{}, {threads}", words::size(Size::MASSES, entry.masses))),
        figures: figures.into_iter().flatten().collect(),
    }
}
