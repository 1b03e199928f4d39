//! How often the claimed levels of a known distribution hold.

use stats::{Level, Once, Sample, Tail};

use crate::parents::Parent;
use crate::random::Random;

const HOUR_NS: f64 = 3.6e12;
/// Each set of samples is judged for two run lengths, so that "once per hour" and "once per day"
/// give four levels.
const HOURS: [f64; 2] = [10.0, 24.1 / 1000.0];
/// Levels are exceeded once in this many times the number of samples.
pub const REACHES: [&str; 4] = ["0.1", "2.4", "42", "1000"];

/// Results of a number of runs.
#[derive(Default)]
pub struct Tally {
    pub runs: u64,
    /// Runs for which no claim was made.
    pub refused: u64,
    pub levels: [Levels; REACHES.len()],
}

/// Results of one level over the runs where it was claimed.
#[derive(Default)]
pub struct Levels {
    pub claimed: u64,
    /// Claims whose interval contained the true value.
    pub held: u64,
    /// Upper ends as multiples of the true value.
    upper: Vec<f64>,
}

/// Simulates `runs` runs, the same at each call.
pub fn tally(parent: &Parent, samples: usize, runs: u64) -> Tally {
    let mut tally = Tally::default();
    for run in 0..runs {
        let seed = parent
            .name
            .bytes()
            .fold(run, |seed, byte| seed.wrapping_mul(0x0100_0000_01b3).wrapping_add(byte.into()));
        let values = parent.samples(&mut Random::new(seed), samples);
        tally.add(parent, &values);
    }
    tally
}

impl Tally {
    fn add(&mut self, parent: &Parent, values: &[i64]) {
        self.runs += 1;
        for (index, hours) in HOURS.into_iter().enumerate() {
            let period_ns = (hours * HOUR_NS / values.len() as f64) as u64;
            let Tail::Fitted(fit) = Tail::of(&a_period_apart(values, period_ns)) else {
                // A refusal does not depend on how long the run took, so it counts once.
                self.refused += u64::from(index == 0);
                continue;
            };
            for (column, once) in (2 * index..).zip([Once::Hour, Once::Day]) {
                if let Some(level) = fit.levels.iter().find(|level| level.once == once) {
                    self.levels[column].add(level, parent.exceeded_once_in(level.samples));
                }
            }
        }
    }
}

fn a_period_apart(values: &[i64], period_ns: u64) -> Vec<Sample> {
    let sample =
        |(index, value): (u64, &i64)| Sample { value_ns: *value, index, at_ns: index * period_ns };
    (0..).zip(values).map(sample).collect()
}

impl Levels {
    fn add(&mut self, level: &Level, truth: f64) {
        self.claimed += 1;
        self.held += u64::from((level.lower_ns..=level.upper_ns).contains(&truth));
        self.upper.push(level.upper_ns / truth);
    }

    /// Returns the median ratio of the upper end to the true value.
    pub fn usual_upper(&self) -> f64 {
        let mut upper = self.upper.clone();
        upper.sort_by(f64::total_cmp);
        upper.get(upper.len() / 2).copied().unwrap_or(f64::NAN)
    }
}
