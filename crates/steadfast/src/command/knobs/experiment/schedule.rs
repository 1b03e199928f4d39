//! How a budget is shared between the stages of an experiment.

use std::time::Duration;

use analysis::experiment::{Stage, round};
use anyhow::{Result, bail};
use units::Nanos;

use crate::driver::planned;
use plan::RunSpec;

/// Rounds of the screening: two tell how far runs differ, and more than four are better spent on
/// longer runs.
const ROUNDS: [usize; 3] = [4, 3, 2];
/// Rounds in turns, at least and at most.
const TURNS: [usize; 2] = [2, 16];
/// The screening's share of the time, in percent.
const SCREENING_PERCENT: u32 = 55;
/// The shortest run.
pub(super) const SHORTEST: Nanos = Nanos::SECOND;
/// The longest: more runs tell more than longer ones.
const LONGEST: Nanos = Nanos(30 * Nanos::SECOND.0);

/// How often and how long everything is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Schedule {
    /// How often the whole screening is made.
    pub(super) rounds: usize,
    /// How long each run measures.
    pub(super) each: Nanos,
    /// What runs in turns may take in all.
    pub(super) for_turns: Duration,
    settling: Duration,
}

impl Schedule {
    /// That for so many knobs with the sham, all of which act after `settling`. Each run measures
    /// as long as the person said, else as long as there is time for.
    ///
    /// # Errors
    /// Where the budget is too short: the least that is enough.
    pub(super) fn within(
        budget: Duration,
        knobs: usize,
        typed: Option<Nanos>,
        settling: Duration,
    ) -> Result<Self> {
        let runs = round(Stage::Screening, knobs).len();
        if runs == 0 {
            bail!("{knobs} knobs are too many for one experiment; name fewer");
        }
        let time = budget * SCREENING_PERCENT / 100;
        let besides = besides(settling);
        let each = |rounds: usize| (time / (runs * rounds) as u32).saturating_sub(besides);
        let least = typed.unwrap_or(SHORTEST);
        let fits = ROUNDS.into_iter().find(|rounds| nanos(each(*rounds)) >= least);
        let Some(rounds) = fits else {
            let fewest = (runs * ROUNDS[ROUNDS.len() - 1]) as u32;
            let whole = (Duration::from(least) + besides) * fewest * 100 / SCREENING_PERCENT;
            bail!(
                "--budget: {} knobs and a sham take {} s at least, with runs of {least}; name fewer knobs or \
                 give more time",
                knobs - 1,
                whole.as_secs() + 1
            );
        };
        Ok(Self {
            rounds,
            each: typed.unwrap_or_else(|| nanos(each(rounds)).min(LONGEST)),
            for_turns: budget - time,
            settling,
        })
    }

    /// Rounds for so many runs a round, in turns.
    pub(super) fn turns(&self, runs: usize, spec: &RunSpec) -> usize {
        let together = round(Stage::Together, 1).len();
        let each = planned(spec) + self.settling;
        let rounds =
            self.for_turns.as_nanos() / (each.as_nanos() * (runs + together) as u128).max(1);
        (rounds as usize).clamp(TURNS[0], TURNS[1])
    }
}

fn nanos(time: Duration) -> Nanos {
    Nanos(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX))
}

fn besides(settling: Duration) -> Duration {
    settling + Duration::from_millis(400)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn more_time_gives_more_rounds_then_longer_runs() {
        let of = |minutes| Schedule::within(minutes * MINUTE, 10, None, Duration::from_secs(1));
        let [short, usual, long] = [4, 10, 60].map(|minutes| of(minutes).unwrap());
        assert!(short.rounds < usual.rounds && usual.each < long.each);
        let why = of(1).unwrap_err().to_string();
        assert!(why.contains("--budget") && why.contains("at least"), "{why}");
    }

    #[test]
    fn runs_are_as_long_as_was_said() {
        let said = Some(Nanos(5 * Nanos::SECOND.0));
        let schedule = Schedule::within(20 * MINUTE, 6, said, Duration::ZERO).unwrap();
        assert_eq!(Some(schedule.each), said);
        assert!(Schedule::within(20 * MINUTE, 44, None, Duration::ZERO).is_err());
    }
}
