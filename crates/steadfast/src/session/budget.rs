//! What the time of a budget goes to, for the refusal of one that is too short.

use std::time::Duration;

use base::Nanos;
use record::RunSpec;

use crate::session::driver::{planned, time_for_runs};

/// The runs without which a command cannot answer.
pub(crate) struct Need {
    /// The runs in words, such as `6 rounds of 3 runs`.
    pub(crate) what: String,
    pub(crate) runs: usize,
    pub(crate) each: Nanos,
    /// Time per run in addition to measuring: to start and prepare it.
    pub(crate) besides: Duration,
    /// The share of the time for runs that is theirs, from 1 to 100.
    pub(crate) percent: u32,
}

/// Time that is kept for starting the first run.
pub(crate) const TO_START: Duration = Duration::from_secs(1);

impl Need {
    /// Returns what one run needs.
    pub(crate) fn of_run(what: &str, run: &RunSpec) -> Self {
        let besides = planned(run).saturating_sub(run.asked.duration.into()) + TO_START;
        Self { what: what.to_owned(), runs: 1, each: run.asked.duration, besides, percent: 100 }
    }

    fn time(&self) -> Duration {
        let runs = u32::try_from(self.runs).unwrap_or(u32::MAX);
        (Duration::from(self.each).saturating_add(self.besides)).saturating_mul(runs)
    }

    /// Returns the smallest budget, in whole seconds, whose time for runs suffices.
    pub(crate) fn least(&self) -> Nanos {
        let time = self.time().saturating_mul(100) / self.percent;
        let suffices = |seconds: u64| time_for_runs(Nanos(seconds * Nanos::SECOND.0)) >= time;
        let most = u64::MAX / Nanos::SECOND.0;
        let (mut too_short, mut enough) = (time.as_secs().min(most), most);
        while too_short + 1 < enough {
            let middle = too_short.midpoint(enough);
            *(if suffices(middle) { &mut enough } else { &mut too_short }) = middle;
        }
        Nanos(enough * Nanos::SECOND.0)
    }

    /// Returns why `budget` is too short, with the sum that the least one has to hold, as the
    /// beginning of a line.
    pub(crate) fn refusal(&self, budget: Nanos) -> String {
        let Self { what, each, .. } = self;
        let [besides, runs] = [self.besides, self.time()].map(nanos);
        let least = self.least();
        let report = nanos(Duration::from(least).saturating_sub(time_for_runs(least)));
        let share = match self.percent {
            100 => String::new(),
            percent => format!(", which get {percent} % of the time for runs"),
        };
        format!(
            "--budget: {budget} is too short for {what}: {each} each and {besides} to start it, {runs} \
             together{share}; {report} for the report; give {least} or more"
        )
    }
}

fn nanos(time: Duration) -> Nanos {
    Nanos(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn need(each: Nanos, percent: u32) -> Need {
        let besides = Duration::from_secs(2);
        Need { what: "6 rounds of 3 runs".to_owned(), runs: 18, each, besides, percent }
    }

    #[test]
    fn the_budget_that_is_named_is_the_smallest_that_suffices() {
        for (each, percent) in [(2, 100), (2, 55), (3_000 * 86_400, 100)] {
            let need = need(Nanos(each * Nanos::SECOND.0), percent);
            let least = need.least();
            let time = need.time() * 100 / percent;
            assert!(time_for_runs(least) >= time);
            assert!(time_for_runs(Nanos(least.0 - Nanos::SECOND.0)) < time);
        }
    }

    #[test]
    fn the_parts_of_the_sum_are_said() {
        let second = Nanos::SECOND.0;
        assert_eq!(
            need(Nanos(2 * second), 100).refusal(Nanos(45 * second)),
            "--budget: 45s is too short for 6 rounds of 3 runs: 2s each and 2s to start it, 72s \
             together; 3.8s for the report; give 76s or more"
        );
    }
}
