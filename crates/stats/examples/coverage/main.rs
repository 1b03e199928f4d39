//! Tests how often the claims that `docs/claims.md` describes hold on known distributions, and
//! prints the tables of that page.
//!
//! `cargo run --release -p stats --example coverage [REPETITIONS [TABLE]...]`

#![allow(clippy::disallowed_methods, reason = "an example may end where no thread can be started")]

#[path = "../../src/drawn.rs"]
mod drawn;
mod misses;
mod parents;
mod quantiles;
#[path = "../../src/random.rs"]
mod random;
mod soaks;
mod tails;

use std::sync::atomic::{AtomicUsize, Ordering};

use parents::Parent;
use tails::{REACHES, Tally};

const THREADS: usize = 2;
const RUNS: [u64; 3] = [10, 30, 100];
const INTERVALS: [u64; 2] = [60, 240];
const QUANTILE_SAMPLES: [usize; 3] = [1_000, 5_000, 10_000];

fn main() {
    let runs = match std::env::args().nth(1).map(|typed| typed.parse()) {
        None => 400,
        Some(Ok(runs)) => runs,
        Some(Err(_)) => {
            eprintln!("coverage: the number of repetitions must be a whole number, such as 400");
            std::process::exit(2);
        }
    };
    let named: Vec<String> = std::env::args().skip(2).collect();
    if let Some(unknown) = named.iter().find(|name| TABLES.iter().all(|(known, _)| known != name)) {
        let known = TABLES.map(|(known, _)| known).join(", ");
        eprintln!("coverage: unknown table `{unknown}`; the tables are {known}");
        std::process::exit(2);
    }
    for (name, print) in TABLES {
        if named.is_empty() || named.iter().any(|one| one == name) {
            print(runs);
            println!();
        }
    }
}

/// Prints a table of that many repetitions.
type Print = fn(u64);

const TABLES: [(&str, Print); 6] = [
    ("tails-10000", |runs| of_tails(runs, 10_000)),
    ("tails-60000", |runs| of_tails(runs, 60_000)),
    ("tails-1000000", |runs| of_tails(runs, 1_000_000)),
    ("misses", of_misses),
    ("soaks", of_soaks),
    ("quantiles", of_quantiles),
];

/// Prints the table of runs with that many samples each.
fn of_tails(runs: u64, samples: usize) {
    let heads = REACHES.map(|times| format!("once in {times} N"));
    println!("| distribution | N | refused | {} |", heads.join(" | "));
    println!("| --- | --- | --- | {} |", REACHES.map(|_| "---").join(" | "));
    let parents: Vec<&Parent> = parents::ALL.iter().collect();
    let lines =
        in_parallel(&parents, |parent| line(parent, samples, &tails::tally(parent, samples, runs)));
    lines.iter().for_each(|line| println!("{line}"));
}

fn of_misses(runs: u64) {
    println!(
        "| machine | runs | interval of the rate | as if independent | without a miss | bad \
         runs bounded | a size shown to hold |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for machine in misses::ALL {
        let shown = percent(machine.shown(runs), runs);
        for number in RUNS {
            let tally = machine.tally(number, runs);
            println!(
                "| {} | {number} | {} | {} | {:.1} % | {:.1} % | {shown:.1} % |",
                machine.name,
                share(tally.held, tally.missed),
                share(tally.held_as_independent, tally.missed),
                percent(tally.clean, runs),
                percent(runs - tally.clean + tally.clean_held, runs),
            );
        }
    }
}

fn of_soaks(runs: u64) {
    println!("| misses | intervals | claim of a soak | as if independent |");
    println!("| --- | --- | --- | --- |");
    for soaked in soaks::ALL {
        for intervals in INTERVALS {
            let [held, independent] = soaked.held(intervals, runs).map(|held| percent(held, runs));
            println!("| {} | {intervals} | {held:.1} % | {independent:.1} % |", soaked.name);
        }
    }
}

fn of_quantiles(runs: u64) {
    println!("| kept | N | p50 | p99 | p99.9 |");
    println!("| --- | --- | --- | --- | --- |");
    for kept in quantiles::KEPT {
        for samples in QUANTILE_SAMPLES {
            let tallies = quantiles::tally(kept, samples, runs);
            let share = |tally: quantiles::Tally| match share(tally.held, tally.claimed) {
                share if tally.claimed == runs => share,
                share => format!("{share} of {}", tally.claimed),
            };
            println!("| {kept} | {samples} | {} |", tallies.map(share).join(" | "));
        }
    }
}

fn line(parent: &Parent, samples: usize, tally: &Tally) -> String {
    let levels = tally.levels.each_ref().map(|levels| match levels.claimed {
        0 => "not claimed".to_owned(),
        claimed => format!("{:.1} % (×{:.2})", percent(levels.held, claimed), levels.usual_upper()),
    });
    let refused = percent(tally.refused, tally.runs);
    format!("| {} | {samples} | {refused:.1} % | {} |", parent.name, levels.join(" | "))
}

/// The share in percent; `-` if `of` is 0.
fn share(part: u64, of: u64) -> String {
    match of {
        0 => "-".to_owned(),
        of => format!("{:.1} %", percent(part, of)),
    }
}

fn percent(part: u64, of: u64) -> f64 {
    100.0 * part as f64 / of as f64
}

/// Returns the result of `of` for each item, in the order of the items.
fn in_parallel<T: Sync>(all: &[T], of: impl Fn(&T) -> String + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        while let Some((index, one)) = Some(next.fetch_add(1, Ordering::Relaxed))
            .and_then(|index| Some((index, all.get(index)?)))
        {
            done.push((index, of(one)));
        }
        done
    };
    let mut done: Vec<(usize, String)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..THREADS).map(|_| scope.spawn(worker)).collect();
        let joined = workers.into_iter().map(|worker| worker.join().expect("no worker panics"));
        joined.flatten().collect()
    });
    done.sort();
    done.into_iter().map(|(_, text)| text).collect()
}
