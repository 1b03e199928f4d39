//! One run alternating with others, in as many rounds as a budget has room for.

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use anyhow::Result;
use base::Nanos;
use record::{GateSide, RunSpec};

use crate::options::place::Place;
use crate::session::budget::Need;
use crate::session::driver::{Ended, List, Rule, Targets, Work, time_for_runs};
use crate::session::order::in_rounds;
use crate::session::results_dir::KeptArgs;

/// Number of other runs between two runs of the reference. The reference is compared with every
/// other run, so it deserves more runs than one of them, but not as many as all together.
const BETWEEN: usize = 3;

pub(crate) struct Rounds {
    pub(crate) reference: RunSpec,
    pub(crate) others: Vec<RunSpec>,
    pub(crate) rounds: usize,
}

impl Rounds {
    pub(crate) fn specs(&self) -> Vec<RunSpec> {
        [std::slice::from_ref(&self.reference), &self.others].concat()
    }

    /// Returns all runs in the order in which they are executed: each round contains every other
    /// run once, in random order, with the reference before every few of them.
    pub(crate) fn turns(&self) -> Vec<RunSpec> {
        let all = in_rounds(&self.others, self.rounds);
        let rounds = all.chunks(self.others.len().max(1));
        let groups = rounds.flat_map(|round| round.chunks(BETWEEN));
        let reference = std::slice::from_ref(&self.reference);
        groups.flat_map(|group| [reference, group].concat()).collect()
    }

    /// Returns the plan that leaves out runs that turn out to be impossible.
    pub(crate) fn plan(&self) -> List {
        List::with(&self.turns(), Rule::Possible(Some(Box::new(self.reference.clone()))))
    }

    /// Executes as many runs as the budget, which began at `started`, has room for. Results are kept
    /// in a session with that title; an unfinished session is resumed.
    pub(crate) fn carry_out(
        &self,
        title: &str,
        kept: &KeptArgs,
        place: &Place,
        started: Instant,
        budget: Nanos,
    ) -> Result<Ended> {
        let specs = self.specs();
        place.check(&specs)?;
        let keeping = kept.session(title, &specs, place.machine()?)?;
        let deadline = started + time_for_runs(budget);
        let mut targets = Targets::at(place)?;
        Work::resumed(keeping)?.until(deadline).carry_out(&mut self.plan(), &mut targets)
    }
}

/// Time per run in addition to measuring, mostly to start what runs at the same time.
const BESIDES: Duration = Duration::from_secs(2);
/// The number of rounds for which the length of runs is chosen. The run is the unit of analysis, so
/// many short runs show more than few long ones.
const ROUNDS: u32 = 5;
/// Fewer rounds say nothing about run-to-run variation; more than the maximum add little.
const FEWEST_ROUNDS: usize = 2;
const MOST_ROUNDS: usize = 30;
/// The shortest and the longest run whose length is chosen here.
const LENGTHS: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(10)];

/// The rounds of a gate: its answer is one comparison, for which there is time for many.
const GATE_ROUNDS: u32 = 20;
const FEWEST_GATE_ROUNDS: usize = 6;

pub(crate) struct Room {
    budget: Nanos,
    a_round: u32,
    /// The number of rounds for which the length of runs is chosen.
    usual: u32,
    rounds: RangeInclusive<usize>,
}

impl Room {
    /// Returns the room of a budget, for rounds of the reference and `others` other runs.
    pub(crate) fn of(budget: Nanos, others: usize) -> Self {
        let a_round = others + others.div_ceil(BETWEEN);
        Self {
            budget,
            a_round: u32::try_from(a_round).unwrap_or(u32::MAX).max(1),
            usual: ROUNDS,
            rounds: FEWEST_ROUNDS..=MOST_ROUNDS,
        }
    }

    pub(crate) fn for_gate(budget: Nanos) -> Self {
        Self {
            budget,
            a_round: GateSide::ALL.len() as u32,
            usual: GATE_ROUNDS,
            rounds: FEWEST_GATE_ROUNDS..=usize::MAX,
        }
    }

    pub(crate) fn length(&self) -> Nanos {
        let each = time_for_runs(self.budget) / self.usual / self.a_round;
        let length = each.saturating_sub(BESIDES).clamp(LENGTHS[0], LENGTHS[1]);
        Nanos(length.as_millis() as u64 * 1_000_000)
    }

    /// Returns how many rounds of runs with that length fit.
    ///
    /// # Errors
    /// Why `--budget` is too short, as the beginning of a line.
    pub(crate) fn rounds(&self, length: Nanos) -> Result<usize, String> {
        let Self { budget, a_round, .. } = self;
        let (fewest, fitting) = (self.rounds.start(), self.fitting(*budget, length));
        if fitting >= *fewest {
            return Ok(fitting.min(*self.rounds.end()));
        }
        let need = Need {
            what: format!("{fewest} rounds of {a_round} runs"),
            runs: fewest.saturating_mul(*a_round as usize),
            each: length,
            besides: BESIDES,
            percent: 100,
        };
        Err(need.refusal(*budget))
    }

    fn fitting(&self, budget: Nanos, length: Nanos) -> usize {
        let each = Duration::from(length) + BESIDES;
        let a_round = each.as_nanos() * u128::from(self.a_round);
        (time_for_runs(budget).as_nanos() / a_round) as usize
    }
}
