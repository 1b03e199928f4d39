//! What the search took, against a grid; and what more time would give.

use std::time::Duration;

use analysis::words::{self, grouped};
use plan::{Axis, Outcome, RunSpec};

use super::plan::{Hunt, Line};
use crate::driver::Plan;
use crate::progress::in_words;

/// Configurations of the papers' grid (SAE 2014-01-0200).
const OF_THE_PAPERS: u64 = 52_470;

/// The sentences.
pub(super) fn words(hunt: &Hunt, outcomes: &[Outcome]) -> Vec<String> {
    let durations = outcomes.iter().map(|outcome| outcome.header.spec.asked.duration.0);
    let mut words = vec![format!(
        "{} runs, {} of measuring.",
        grouped(outcomes.len() as u64),
        in_words(Duration::from_nanos(durations.sum()))
    )];
    if hunt.is_of_one_size() {
        return words;
    }
    words.push(grid(hunt));
    words.extend(hunt.lines().filter_map(|(template, line)| left(hunt.axis(), template, line)));
    if hunt.is_done() {
        words.push(
            "Nothing is left to try: all ends are shown, and as near to each other as asked."
                .to_owned(),
        );
    }
    words
}

fn grid(hunt: &Hunt) -> String {
    let sum = |of: fn(&Line) -> u64| hunt.lines().map(|(_, line)| of(line)).sum::<u64>();
    let alike = sum(|line| line.search.grid(&line.known));
    let axis = hunt.axis();
    let coarse = format!(
        "A grid over the same range has {} {}s at this resolution, each to be tried as long",
        grouped(alike),
        axis.noun()
    );
    if *axis != Axis::Masses {
        return coarse + ".";
    }
    let fine = sum(|line| {
        let largest = line.known.keys().last();
        largest.map_or(0, |largest| largest / line.search.grain)
    });
    format!(
        "{coarse}; and {} at that of the papers, every {}, who measured {} in all.",
        grouped(fine),
        words::place(axis, axis.grain()),
        grouped(OF_THE_PAPERS)
    )
}

/// What a line still needs.
fn left(axis: &Axis, template: &RunSpec, line: &Line) -> Option<String> {
    let left = line.search.left(&line.known);
    let rate = template.parameters.get("rate");
    let rate = rate.filter(|_| *axis != Axis::Rate);
    let time = left.iter().map(|next| line.time_of(next.size, next.steps));
    (!left.is_empty()).then(|| {
        format!(
            "Not finished {}, threads {}: to show both ends takes about {} more runs, {}.",
            rate.map_or_else(|| "yet".to_owned(), |rate| format!("at {rate}")),
            template.parameters.count("threads"),
            grouped(left.len() as u64),
            in_words(time.sum())
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::frontier::question::Question;
    use crate::command::frontier::tests::parse;
    use crate::driver::{Known, fake};

    #[test]
    fn the_search_is_told_against_a_grid_and_what_is_left_of_it() {
        let args = parse("--rate 1kHz --threads 1 --held-for 2s --budget 60s").unwrap();
        let question = || Question::of(&args).unwrap();
        let (mut hunt, mut known) =
            (Hunt::new(question(), Duration::from_secs(60)), Known::default());
        while let Some(due) = hunt.next(&known) {
            let outcome = fake::outcome(&due.spec, due.ordinal, 8100);
            known.add(Some(due.ordinal), outcome);
            let told = words(&hunt, &[]);
            assert!(told[2].starts_with("Not finished at 1kHz, threads 1"), "{told:?}");
        }
        let told = words(&hunt, &[]);
        assert!(told[1].contains("has 20 sizes"), "{told:?}");
        assert!(told[2].starts_with("Nothing is left"), "{told:?}");
    }
}
