//! Divides a budget between the stages of an experiment.

use std::time::Duration;

use analysis::experiment::{Stage, round};
use analysis::words::counted;
use anyhow::{Result, bail};
use base::Nanos;

use super::args::TryArgs;
use crate::options::place::Place;
use crate::session::budget::Need;
use crate::session::driver::{planned, time_for_runs};
use record::RunSpec;

/// Rounds of the screening: two show how much runs differ; more than four use the time worse.
const ROUNDS: [usize; 3] = [4, 3, 2];
const TURNS: [usize; 2] = [2, 16];
const SCREENING_PERCENT: u32 = 55;
pub(super) const SHORTEST: Nanos = Nanos::SECOND;
/// The longest run: more runs show more than longer runs.
const LONGEST: Nanos = Nanos(30 * Nanos::SECOND.0);

/// About how long a virtual machine of the lab, one for each run, takes to boot and to settle.
const BOOTING: Duration = Duration::from_secs(5);
/// Time per run in addition to measuring and settling.
const BESIDES: Duration = Duration::from_millis(400);
/// Placeholder for the length of a run that the budget decides.
pub(super) const OPEN: Nanos = Nanos(0);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Schedule {
    pub(super) rounds: usize,
    pub(super) each: Nanos,
    /// The time for all runs of the alternation together.
    pub(super) for_turns: Duration,
    settling: Duration,
}

impl Schedule {
    /// Returns the schedule for `knobs` knobs, the sham among them, that all act after `settling`.
    /// By default each run measures for as long as the budget allows.
    pub(super) fn within(
        budget: Nanos,
        knobs: usize,
        typed: Option<Nanos>,
        settling: Duration,
    ) -> Result<Self> {
        let runs = round(Stage::Screening, knobs).len();
        if runs == 0 {
            bail!("{knobs} knobs are too many for one experiment; choose fewer");
        }
        let for_runs = time_for_runs(budget);
        let time = for_runs * SCREENING_PERCENT / 100;
        let besides = settling + BESIDES;
        let each = |rounds: usize| (time / (runs * rounds) as u32).saturating_sub(besides);
        let least = typed.unwrap_or(SHORTEST);
        let fits = ROUNDS.into_iter().find(|rounds| nanos(each(*rounds)) >= least);
        let Some(rounds) = fits else {
            let rounds = ROUNDS[ROUNDS.len() - 1];
            let screened = format!("{} and a sham", counted(knobs - 1, "knob"));
            let need = Need {
                what: format!("{rounds} rounds of {runs} runs, which screen {screened}"),
                runs: runs * rounds,
                each: least,
                besides,
                percent: SCREENING_PERCENT,
            };
            bail!("{}, or choose fewer knobs", need.refusal(budget));
        };
        Ok(Self {
            rounds,
            each: typed.unwrap_or_else(|| nanos(each(rounds)).min(LONGEST)),
            for_turns: for_runs - time,
            settling,
        })
    }

    pub(super) fn turns(&self, runs: usize, spec: &RunSpec) -> usize {
        let together = round(Stage::Together, 1).len();
        let each = planned(spec) + self.settling;
        let a_round = each.as_nanos() * (runs + together) as u128;
        let rounds = self.for_turns.as_nanos() / a_round.max(1);
        (rounds as usize).clamp(TURNS[0], TURNS[1])
    }
}

pub(super) fn schedule(
    args: &TryArgs,
    subject: &RunSpec,
    knobs: usize,
    settling: Duration,
) -> Result<Schedule> {
    let said = Some(subject.asked.duration).filter(|said| *said != OPEN);
    let booting = if matches!(args.place, Place::Vm(_)) { BOOTING } else { Duration::ZERO };
    Schedule::within(args.budget, knobs, said, settling + booting)
}

fn nanos(time: Duration) -> Nanos {
    Nanos(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: u64 = 60 * Nanos::SECOND.0;

    #[test]
    fn more_time_gives_more_rounds_then_longer_runs() {
        let of =
            |minutes| Schedule::within(Nanos(minutes * MINUTE), 10, None, Duration::from_secs(1));
        let [short, usual, long] = [4, 10, 60].map(|minutes| of(minutes).unwrap());
        assert!(short.rounds < usual.rounds && usual.each < long.each);
        let why = of(1).unwrap_err().to_string();
        assert!(why.starts_with("--budget: 60s is too short for 2 rounds"), "{why}");
    }

    #[test]
    fn runs_are_as_long_as_was_typed() {
        let typed = Some(Nanos(5 * Nanos::SECOND.0));
        let schedule = Schedule::within(Nanos(20 * MINUTE), 6, typed, Duration::ZERO).unwrap();
        assert_eq!(Some(schedule.each), typed);
        assert!(Schedule::within(Nanos(20 * MINUTE), 44, None, Duration::ZERO).is_err());
    }
}
