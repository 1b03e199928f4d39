//! A gate in the lab over draws: machines of one kernel whose runs begin at different moments. Samples differ then, and
//! worst cases are a matter of chance; typical times hardly move.

use record::Outcome;

use super::exact::{Exact, ExactAnswer, ExactRun, Sampled, setup};
use super::moved::moved;
use crate::survey::invalidating;

impl Exact {
    /// Compares the typical times of runs with those of a baseline. Both have the runs of the plan in its order, once
    /// for each of `draws` draws; `None` was not made, for this reason.
    pub fn over_draws(
        name: &str,
        draws: usize,
        baseline: &[Sampled],
        now: &[Option<Sampled>],
        why: &str,
    ) -> Self {
        let runs = baseline.len() / draws;
        let run = |place: usize| {
            let was: Vec<&Outcome> =
                baseline.iter().skip(place).step_by(runs).map(|run| &run.outcome).collect();
            let now: Vec<Option<&Outcome>> = now
                .iter()
                .skip(place)
                .step_by(runs)
                .map(|run| run.as_ref().map(|run| &run.outcome))
                .collect();
            of_run(&was, &now, why)
        };
        Self::made(name, draws, (0..runs).map(run).collect(), setup(baseline, now))
    }
}

fn of_run(was: &[&Outcome], now: &[Option<&Outcome>], why: &str) -> ExactRun {
    let made: Option<Vec<&Outcome>> = now.iter().copied().collect();
    let answer = match made {
        None => Err(why.to_owned()),
        Some(now) => match now.iter().find_map(|run| invalidating(run)) {
            Some(warning) => Err(warning.cause()),
            None => moved(was, &now),
        },
    };
    let answer = match answer {
        Err(why) => ExactAnswer::NotMeasured { why },
        Ok(moved) if moved.longer.is_empty() => ExactAnswer::NotLonger(moved),
        Ok(moved) => ExactAnswer::Longer(moved),
    };
    ExactRun::of(was[0], now[0], answer)
}
