//! How many rounds of runs decide a finding.

use record::{Machine, RunSpec};
use stats::Contrast;

use super::finding::{Condition, Finding, Relation};
use super::side::Side;
use crate::effect::FALSE_DISCOVERIES;

/// Fewer runs per side say little about run-to-run variation.
const LEAST: usize = 3;
/// Longer runs decide sooner than more rounds than these.
pub const MOST_ROUNDS: usize = 40;
/// A finding clearly holds if its quantity is this many times inside its bound.
const CLEARLY: f64 = 1.8;
/// The standard deviation that is assumed between the logarithms of figures of equal runs.
const BETWEEN_RUNS: f64 = 0.05;
/// The chance below which a finding counts as decided if half of all findings are.
const LEVEL: f64 = FALSE_DISCOVERIES / 2.0;
/// The share of sessions in which a finding that clearly holds is to be decided.
const POWER: f64 = 0.8;
/// Degrees of freedom of a spread that is known.
const KNOWN: f64 = 1e9;

impl Finding {
    /// Returns the least number of rounds of these runs, at least 3, that decide this finding in
    /// 80 % of sessions if it clearly holds: its quantity is 1.8 times inside its bound, or in the
    /// middle of two. `None` if [`MOST_ROUNDS`] do not. Runs differ by 5 %, and counts by chance; a
    /// side of another machine is taken to have enough.
    pub fn rounds(&self, machine: &Machine, runs: &[&RunSpec]) -> Option<usize> {
        let is_decided = |rounds: usize| {
            self.conditions.iter().all(|condition| condition.is_decided(rounds, machine, runs))
        };
        (LEAST..=MOST_ROUNDS).find(|rounds| is_decided(*rounds))
    }
}

impl Condition {
    fn is_decided(&self, rounds: usize, machine: &Machine, runs: &[&RunSpec]) -> bool {
        if self.relation != Relation::Share {
            return self.contrast(rounds as f64).detectable(LEVEL, POWER) <= self.distance();
        }
        self.sides.iter().all(|side| {
            let run = runs.iter().find(|run| side.is_of(run, machine));
            let events = run.map(|run| side.events(run) * rounds as u64).filter(|all| *all > 0);
            events.is_none_or(|events| self.is_counted(events as f64))
        })
    }

    /// Returns the logarithm of how far a quantity that is clearly in the region is from its bounds.
    fn distance(&self) -> f64 {
        match (self.low, self.high) {
            (Some(low), Some(high)) => (high / low).ln() / 2.0,
            _ => CLEARLY.ln(),
        }
    }

    /// Returns how well this number of runs per side shows a ratio.
    fn contrast(&self, runs: f64) -> Contrast {
        let of_ratio = BETWEEN_RUNS * (2.0 / runs).sqrt();
        let (error, freedom) = match self.relation {
            Relation::Value => (BETWEEN_RUNS / runs.sqrt(), runs - 1.0),
            // As in `Quantity::spread`.
            Relation::Spread => ((runs - 2.0).recip().sqrt(), 2.0 * (runs - 1.0)),
            Relation::Overall => {
                (of_ratio / (self.sides.len() as f64 / 2.0).sqrt(), 2.0 * (runs - 1.0))
            }
            Relation::Ratio | Relation::Order | Relation::Share => (of_ratio, 2.0 * (runs - 1.0)),
        };
        Contrast { log_ratio: 0.0, error, freedom }
    }

    /// Whether this many counted events show a share that is clearly above the lower bound, or that
    /// none of them shows it below the upper one.
    fn is_counted(&self, events: f64) -> bool {
        let is_above = |low: f64| {
            let share = (CLEARLY * low).min((1.0 + low) / 2.0);
            let error = ((1.0 - share) / (share * events)).sqrt();
            let contrast = Contrast { log_ratio: 0.0, error, freedom: KNOWN };
            contrast.detectable(LEVEL, POWER) <= (share / low).ln()
        };
        let is_below = |high: f64| events * (-high).ln_1p() <= (LEVEL / 2.0).ln();
        self.low.is_none_or(is_above) && self.high.is_none_or(is_below)
    }
}

impl Side {
    /// Returns how many events a run counts for it; 0 if its length does not say.
    fn events(&self, run: &RunSpec) -> u64 {
        let processes = run.parameters.processes().max(1);
        let each = match (self.figure.as_str(), self.condition("row")) {
            ("missed", None) => processes,
            ("missed", Some("others")) => processes - 1,
            ("preempted", _) => run.parameters.threads().max(1),
            _ => 1,
        };
        run.periods() * each
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::findings;
    use super::*;
    use crate::fixture;
    use base::Nanos;
    use record::Value;

    fn rounds_of(id: &str, machine: &Machine, runs: &[&RunSpec]) -> Option<usize> {
        findings().into_iter().find(|finding| finding.id == id).unwrap().rounds(machine, runs)
    }

    #[test]
    fn far_bounds_need_three_rounds_narrow_ones_more_and_spreads_most() {
        let machine = Machine::default();
        let rounds = |id| rounds_of(id, &machine, &[]);
        assert_eq!(rounds("SAE-1"), Some(3));
        let narrow = rounds("TEL-6").unwrap();
        assert!((4..=9).contains(&narrow), "{narrow}");
        assert_eq!(rounds("MPE-10"), rounds("MPE-23"));
        assert!((20..=MOST_ROUNDS).contains(&rounds("MPE-10").unwrap()), "{:?}", rounds("MPE-10"));
    }

    #[test]
    fn rare_overruns_need_as_many_frames_as_show_them() {
        let run = fixture::frames("spin", 0);
        let machine = &run.header.machine;
        let of_length = |hours: u64, processes: u64, others: &str| {
            let mut spec = run.header.spec.clone();
            spec.asked.duration = Nanos(hours * 3_600_000_000_000);
            let word = |word: &str| Value::Word(word.to_owned());
            for (name, value) in [
                ("processes", Value::Count(processes)),
                ("affinity", word("locked")),
                ("others", word(others)),
                ("fill", Value::Percent(85)),
            ] {
                spec.parameters.set(name, value);
            }
            spec
        };
        let cpus = machine.cpus.len() as u64;
        let rounds = |hours| {
            let runs = [("moved", cpus - 1), ("stay", cpus)];
            let runs = runs.map(|(others, processes)| of_length(hours, processes, others));
            rounds_of("MUR-18", machine, &runs.each_ref())
        };
        let (one, four) = (rounds(1).unwrap(), rounds(4).unwrap());
        assert!(one >= four && four == LEAST, "{one} {four}");
        let mut short = of_length(1, cpus, "stay");
        short.asked.duration = Nanos::SECOND;
        assert_eq!(rounds_of("MUR-18", machine, &[&short]), None);
    }
}
