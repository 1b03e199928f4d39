//! What the search took, compared with a grid; and what more time would give.

use std::time::Duration;

use analysis::finding::Finding;
use plan::{Axis, Outcome, RunSpec};

use super::plan::{Hunt, Line};
use crate::driver::Plan;

/// What is to be said of the search itself.
pub(super) fn findings(hunt: &Hunt, outcomes: &[Outcome]) -> Vec<Finding> {
    let durations = outcomes.iter().map(|outcome| outcome.header.spec.asked.duration.0);
    let effort =
        Finding::SearchEffort { runs: outcomes.len() as u64, measured_ns: durations.sum() };
    if hunt.is_of_one_size() {
        return vec![effort];
    }
    let unfinished =
        hunt.lines().filter_map(|(template, line)| unfinished(hunt.axis(), template, line));
    let finished = hunt.is_done().then_some(Finding::Finished);
    [effort, grid(hunt)].into_iter().chain(unfinished).chain(finished).collect()
}

fn grid(hunt: &Hunt) -> Finding {
    let sum = |of: fn(&Line) -> u64| hunt.lines().map(|(_, line)| of(line)).sum::<u64>();
    let of_papers = |line: &Line| {
        let largest = line.known.keys().last();
        largest.map_or(0, |largest| largest / line.search.grain)
    };
    let axis = hunt.axis();
    Finding::FullGrid {
        axis: axis.clone(),
        places: sum(|line| line.search.grid(&line.known)),
        of_papers: (*axis == Axis::Masses).then(|| sum(of_papers)),
    }
}

/// What a line still needs.
fn unfinished(axis: &Axis, template: &RunSpec, line: &Line) -> Option<Finding> {
    let left = line.search.left(&line.known);
    let period = template.parameters.time("rate");
    let time: Duration = left.iter().map(|next| line.time_of(next.size, next.steps)).sum();
    (!left.is_empty()).then(|| Finding::Unfinished {
        rate_hz: (*axis != Axis::Rate).then(|| 1e9 / period.0 as f64),
        threads: template.parameters.count("threads"),
        runs: left.len() as u64,
        time_ns: time.as_nanos() as u64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::frontier::question::Question;
    use crate::command::frontier::tests::parse;
    use crate::driver::{Known, fake};

    #[test]
    fn the_search_is_compared_with_a_grid_and_says_what_is_left() {
        let args = parse("--rate 1kHz --threads 1 --held-for 2s --budget 60s").unwrap();
        let question = || Question::of(&args).unwrap();
        let (mut hunt, mut known) =
            (Hunt::new(question(), Duration::from_secs(60)), Known::default());
        while let Some(due) = hunt.next(&known) {
            let outcome = fake::outcome(&due.spec, due.ordinal, 8100);
            known.add(Some(due.ordinal), outcome);
            let found = findings(&hunt, &[]);
            let is_left = |one: &Finding| {
                matches!(one, Finding::Unfinished { rate_hz: Some(1e3), threads: 1, .. })
            };
            assert!(is_left(&found[2]), "{found:?}");
        }
        let found = findings(&hunt, &[]);
        assert!(matches!(found[1], Finding::FullGrid { places: 20, .. }), "{found:?}");
        assert_eq!(found[2], Finding::Finished);
    }
}
