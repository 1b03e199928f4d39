//! Compares solvers: rates in million mass-updates per second (medians of interleaved rounds),
//! ratios to the first solver, and shares of what the arithmetic units allow.
//!
//! `cargo run --release -p tire --example compare -- MASSES ROUNDS SOLVER[:PRECISION[:THREADS[:SET]]]...`

#![allow(clippy::disallowed_methods, reason = "an example may end where no thread can be started")]

use std::error::Error;
use std::sync::Barrier;

use tire::{Setup, State, Worker, ceiling};

/// Length of one timed run.
const RUN_NS: u64 = 150_000_000;

struct Contestant {
    name: String,
    setup: Setup,
    workers: Vec<Worker>,
    steps: u64,
    rates: Vec<f64>,
    /// Rates that the arithmetic units of one thread allow, one per round.
    peaks: Vec<f64>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [masses, rounds, names @ ..] = arguments.as_slice() else {
        return Err("expected MASSES ROUNDS SOLVER[:PRECISION[:THREADS[:SET]]]...".into());
    };
    let (masses, rounds): (usize, usize) = (masses.parse()?, rounds.parse()?);
    let contestants: Result<Vec<_>, _> =
        names.iter().map(|name| Contestant::new(name, masses)).collect();
    let mut contestants = contestants?;
    for round in 0..=rounds {
        for contestant in &mut contestants {
            contestant.run(round > 0);
        }
    }
    let first = contestants.first().map_or(1.0, Contestant::median);
    for contestant in &contestants {
        let (rate, hash) = (contestant.median(), State::gather(&contestant.workers).hash());
        let steps = contestant.workers[0].steps();
        let (times, share) = (rate / first, rate / contestant.ceiling() * 100.0);
        println!(
            "{:24} {rate:8.1} M/s {times:7.2} times {share:5.1} %  {hash:016x} after {steps}",
            contestant.name
        );
    }
    Ok(())
}

impl Contestant {
    fn new(name: &str, masses: usize) -> Result<Self, Box<dyn Error>> {
        let mut setup = Setup { masses, ..Setup::default() };
        let mut words = name.split(':');
        setup.solver = tire::solver(words.next().unwrap_or_default())?;
        if let Some(precision) = words.next() {
            setup.precision = precision.parse()?;
        }
        if let Some(threads) = words.next() {
            setup.threads = threads.parse()?;
        }
        if let Some(set) = words.next() {
            setup.instructions = set.parse()?;
        }
        let workers = tire::prepare(&setup)?;
        Ok(Self {
            name: name.to_owned(),
            setup,
            workers,
            steps: 1,
            rates: Vec::new(),
            peaks: Vec::new(),
        })
    }

    /// Runs for a while. The first, uncounted call finds how many steps that takes.
    fn run(&mut self, is_counted: bool) {
        let mut ns = run(&mut self.workers, self.steps);
        while !is_counted && ns < RUN_NS / 2 {
            self.steps = (self.steps * RUN_NS / ns.max(1)).min(self.steps * 8).max(1);
            ns = run(&mut self.workers, self.steps);
        }
        if is_counted {
            let updates = self.setup.masses as u64 * self.steps;
            self.rates.push(updates as f64 * 1e3 / ns as f64);
            self.peaks.push(peak(&self.setup));
        }
    }

    fn median(&self) -> f64 {
        median(&self.rates)
    }

    /// Million mass-updates per second that the arithmetic units of all threads allow.
    fn ceiling(&self) -> f64 {
        median(&self.peaks) * self.setup.threads as f64
    }
}

fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Million mass-updates per second that the arithmetic units of this thread allow.
fn peak(setup: &Setup) -> f64 {
    const TURNS: u64 = 400_000;
    let from = rt::clock::now();
    let done = ceiling::arithmetic(setup.instructions, setup.precision, TURNS);
    done.unwrap_or(0) as f64 * 1e3 / (rt::clock::now() - from) as f64
}

/// Runs all workers, each on its CPU. Returns nanoseconds from the last start to the last end.
fn run(workers: &mut [Worker], steps: u64) -> u64 {
    let cpus: Vec<usize> = rt::topology::online().iter().collect();
    let start = Barrier::new(workers.len());
    let timed = |(index, worker): (usize, &mut Worker)| {
        let cpu = cpus[index % cpus.len()];
        // Pinning is optional: where it is not permitted, the thread may migrate.
        let _ = rt::sched::set_affinity(&[cpu].into_iter().collect());
        worker.settle();
        start.wait();
        let from = rt::clock::now();
        worker.run(steps).expect("no worker leaves early");
        (from, rt::clock::now())
    };
    let times: Vec<(u64, u64)> = std::thread::scope(|scope| {
        let timed = &timed;
        let spawn = |part| scope.spawn(move || timed(part));
        let threads: Vec<_> = workers.iter_mut().enumerate().map(spawn).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    let from = times.iter().map(|(from, _)| *from).max().unwrap_or(0);
    times.iter().map(|(_, to)| *to).max().unwrap_or(0).saturating_sub(from)
}
