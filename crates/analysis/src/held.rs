//! What a size holds, or any periodic work: how many deadlines were due and missed, in how
//! many runs, the bound that this carries, and so whether it is shown to hold, seems to, or
//! does not. The verdict, the frontier, the map and the tables are views of this.

use stats::frontier::{Demand, Standing};
use stats::{MissRate, Tries};

use crate::words;

/// What deadlines came to, and what that shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Held {
    /// How many were due and missed, in how many runs.
    pub tries: Tries,
    /// The rate of misses at 95 % confidence, which all sizes of a line share; anything without
    /// a deadline.
    pub bound: MissRate,
    /// Where that stands to what was demanded.
    pub standing: Standing,
}

const ANYTHING: MissRate = MissRate { rate: 0.0, lower: 0.0, upper: 1.0 };

impl Held {
    /// Deadlines of one of `among` sizes, judged by a demand.
    #[must_use]
    pub fn of(tries: Tries, demand: Demand, among: usize) -> Self {
        Self {
            tries,
            bound: tries.rate(among).unwrap_or(ANYTHING),
            standing: demand.standing(tries, among),
        }
    }

    /// Whether it is shown: of nothing else is said that it holds.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        self.standing == Standing::Held
    }

    /// `missed none of 200 steps`, `missed 12 of 200 steps`.
    #[must_use]
    pub fn missed(&self, steps: &str) -> String {
        let missed = match self.tries.missed {
            0 => "none".to_owned(),
            missed => words::grouped(missed),
        };
        let told = format!("missed {missed} of {} {steps}", words::grouped(self.tries.due));
        told.trim_end().to_owned()
    }

    /// The same, where none was missed with the bound that it carries: `missed none of 200 steps
    /// (fewer than 1 in 67)`.
    #[must_use]
    pub fn counted(&self, steps: &str) -> String {
        let missed = self.missed(steps);
        match self.tries.missed {
            0 => format!("{missed} (fewer than {})", one_in(self.bound.upper)),
            _ => missed,
        }
    }
}

/// The name of a standing in results.
#[must_use]
pub fn name(standing: Standing) -> &'static str {
    match standing {
        Standing::Held => "shown to hold",
        Standing::SeemsHeld => "seems to hold",
        Standing::SeemsMissed => "seems to miss",
        Standing::Missed => "shown to miss",
    }
}

/// A rate as one in so many; `3 in 100` where that is nearer.
#[must_use]
pub fn one_in(rate: f64) -> String {
    match 1.0 / rate {
        often if often >= 10.0 => format!("1 in {}", words::grouped(often as u64)),
        _ => words::percent(rate),
    }
}
