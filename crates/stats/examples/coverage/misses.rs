//! How often bounds of miss rates hold on machines where some runs are bad.

use stats::Tries;
use stats::frontier::{
    BAD_RUNS, Criterion, Demand, Edge, Known, Next, Search, Seen, Sought, Spacing, Start, standings,
};

use crate::random::Random;

/// A machine that misses in some runs more often than in others.
pub struct Machine {
    pub name: &'static str,
    /// Share of runs that are bad.
    pub bad_runs: f64,
    /// Share of deadlines missed in bad runs, and in the others.
    pub missed: [f64; 2],
}

pub const ALL: &[Machine] = &[
    Machine { name: "no run misses", bad_runs: 0.0, missed: [0.0, 0.0] },
    Machine { name: "each run misses 0.2 %", bad_runs: 0.0, missed: [0.0, 0.002] },
    Machine { name: "1 run in 10 misses 5 %", bad_runs: 0.1, missed: [0.05, 0.0] },
    Machine {
        name: "1 run in 10 misses 5 %, the others 0.1 %",
        bad_runs: 0.1,
        missed: [0.05, 0.001],
    },
    Machine { name: "1 run in 3 misses 2 %", bad_runs: 1.0 / 3.0, missed: [0.02, 0.0] },
];

/// Results of a number of series of runs.
#[derive(Default)]
pub struct Tally {
    /// Series with a miss.
    pub missed: u64,
    /// Of these, those where the interval of the miss rate contained the long-run rate.
    pub held: u64,
    /// The same if misses are treated as independent.
    pub held_as_independent: u64,
    /// Series without a miss.
    pub clean: u64,
    /// Of these, those where the bound of the share of bad runs held.
    pub clean_held: u64,
}

const DEADLINES: u64 = 1000;

impl Machine {
    fn run(&self, random: &mut Random, deadlines: u64) -> Tries {
        let is_bad = random.uniform() < self.bad_runs;
        let chance = self.missed[usize::from(!is_bad)];
        let missed = (0..deadlines).filter(|_| random.uniform() < chance).count();
        Tries::one(deadlines, missed as u64)
    }

    /// Simulates a number of series of runs, the same at each call.
    pub fn tally(&self, runs: u64, series: u64) -> Tally {
        let mut random = Random::new(runs);
        let mut tally = Tally::default();
        for _ in 0..series {
            let mut tries = Tries::default();
            (0..runs).for_each(|_| tries.add(self.run(&mut random, DEADLINES)));
            tally.add(self, tries);
        }
        tally
    }

    /// Simulates searches for the largest size, with runs that are bad at every size. Returns how
    /// many searches claim that a size is shown to hold without a miss.
    pub fn shown(&self, searches: u64) -> u64 {
        let is_shown = |search: &u64| {
            let mut random = Random::new(*search);
            let (search, mut known) = (hard(), Known::new());
            for _ in 0..RUNS {
                let Some(next) = search.next(&known) else {
                    break;
                };
                let seen = self.seen(&mut random, next);
                known.entry(next.size).or_default().add(seen);
            }
            let edge = Edge::shown(&standings(&known, Criterion::InDeadlines, &search.demand));
            edge.held.is_some()
        };
        (0..searches).filter(is_shown).count() as u64
    }

    /// Simulates a run of a size; from size 20 000 a step takes longer than a period.
    fn seen(&self, random: &mut Random, next: Next) -> Seen {
        let usual_ns = 50.0 * next.size as f64;
        let tries = match usual_ns < PERIOD_NS {
            true => self.run(random, next.steps),
            false => Tries::one(next.steps, next.steps),
        };
        Seen { deadlines: tries, own: tries, steps: tries, usual_ns }
    }
}

impl Tally {
    fn add(&mut self, machine: &Machine, tries: Tries) {
        let [bad, good] = machine.missed;
        let truth = machine.bad_runs * bad + (1.0 - machine.bad_runs) * good;
        if let Some(share) = tries.bad_runs(1) {
            self.clean += 1;
            // A good run has misses too if misses are independent.
            self.clean_held += u64::from(share >= machine.bad_runs);
            return;
        }
        self.missed += 1;
        let holds = |rate: stats::MissRate| (rate.lower..=rate.upper).contains(&truth);
        let independent = stats::MissRate::of(tries.missed, tries.due);
        self.held += u64::from(tries.rate(1).is_some_and(holds));
        self.held_as_independent += u64::from(independent.is_some_and(holds));
    }
}

const PERIOD_NS: f64 = 1e6;
/// Runs per search: as many as a long search makes.
const RUNS: u64 = 150;

/// A search as `steadfast frontier` does it at 1 kHz.
fn hard() -> Search {
    Search {
        demand: Demand { most: 0.0, shown: 1e-4, least: 10_000, bad_runs: BAD_RUNS },
        edges: Sought::HELD.to_vec(),
        start: Start::Pilots(2000),
        spacing: Spacing::Share(0.05),
        grain: 4,
        smallest: 4,
        largest: 1_000_000,
        period_ns: PERIOD_NS,
        quick: 1000,
    }
}
