//! How much a budget has room for.

use std::time::Duration;

use units::Nanos;

use super::list::BETWEEN;
use crate::driver::time_for_runs;

/// What a run takes besides its measuring: most of it is the start of what runs beside it.
const BESIDES: Duration = Duration::from_secs(2);
/// Rounds that runs are made short for: runs are the unit, and many short ones tell more than few
/// long ones.
const ROUNDS: u32 = 5;
/// Fewer tell nothing of how far runs differ; more than the most tell little more.
const FEWEST_ROUNDS: usize = 2;
const MOST_ROUNDS: usize = 30;
/// The shortest run whose length is chosen here, and the longest.
const LENGTHS: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(10)];

/// The room that a budget has for rounds.
pub(crate) struct Room {
    budget: Nanos,
    /// Runs of a round.
    a_round: u32,
}

impl Room {
    /// That of a budget, for rounds of the reference and so many others.
    pub(crate) fn of(budget: Nanos, others: usize) -> Self {
        let a_round = others + others.div_ceil(BETWEEN);
        Self { budget, a_round: u32::try_from(a_round).unwrap_or(u32::MAX).max(1) }
    }

    /// How long each run measures where nobody says.
    pub(crate) fn length(&self) -> Nanos {
        let each = time_for_runs(self.budget) / ROUNDS / self.a_round;
        let [least, most] = LENGTHS;
        let length = each.saturating_sub(BESIDES).clamp(least, most);
        Nanos(length.as_millis() as u64 * 1_000_000)
    }

    /// How many rounds of runs of that length there are.
    ///
    /// # Errors
    /// What of `--budget` is too short, as the beginning of a line.
    pub(crate) fn rounds(&self, length: Nanos) -> Result<usize, String> {
        let each = Duration::from(length) + BESIDES;
        let a_round = each.as_nanos() * u128::from(self.a_round);
        match (time_for_runs(self.budget).as_nanos() / a_round) as usize {
            fit @ FEWEST_ROUNDS.. => Ok(fit.min(MOST_ROUNDS)),
            _ => Err(format!(
                "--budget: {} is too short for {FEWEST_ROUNDS} rounds of {} runs of {length}",
                self.budget, self.a_round
            )),
        }
    }
}
