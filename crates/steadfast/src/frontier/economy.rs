//! What the search took, against a grid; and what more time would give.

use std::time::Duration;

use plan::{Outcome, RunSpec};
use report::grouped;

use super::hunt::{Hunt, Line};
use super::question::period;
use crate::progress::in_words;
use crate::tires::GRAIN;

/// Configurations of the papers' grid (SAE 2014-01-0200).
const OF_THE_PAPERS: u64 = 52_470;

/// The sentences.
pub(super) fn words(templates: &[RunSpec], hunt: &Hunt, outcomes: &[Outcome]) -> Vec<String> {
    let durations = outcomes
        .iter()
        .map(|outcome| outcome.header.spec.asked.duration.0);
    let mut words = vec![format!(
        "{} runs, {} of measuring.",
        grouped(outcomes.len() as u64),
        in_words(Duration::from_nanos(durations.sum()))
    )];
    if hunt.size.is_some() {
        return words;
    }
    words.push(grid(hunt));
    let lines = templates.iter().zip(hunt.lines());
    words.extend(lines.filter_map(|(template, line)| left(template, line)));
    if hunt.is_done() {
        words.push(
            "Nothing is left to try: all ends are shown, and as near to each other as asked."
                .to_owned(),
        );
    }
    words
}

fn grid(hunt: &Hunt) -> String {
    let sum = |of: fn(&Line) -> u64| hunt.lines().map(of).sum::<u64>();
    let alike = sum(|line| line.search.grid(&line.known));
    let fine = sum(|line| {
        line.known
            .keys()
            .last()
            .map_or(0, |largest| largest / GRAIN)
    });
    format!(
        "A grid over the same range has {} sizes at this resolution, each to be tried as long; and \
         {} at that of the papers, every {GRAIN} masses, who measured {} in all.",
        grouped(alike),
        grouped(fine),
        grouped(OF_THE_PAPERS)
    )
}

/// What a line still needs.
fn left(template: &RunSpec, line: &Line) -> Option<String> {
    let (runs, steps) = line.search.left(&line.known);
    (runs > 0).then(|| {
        let rate = template.parameters.get("rate");
        format!(
            "Not finished at {}, threads {}: to show both ends takes about {} more runs, {}.",
            rate.map_or_else(|| period(template).to_string(), ToString::to_string),
            template.parameters.count("threads"),
            grouped(runs),
            in_words(line.time_of(steps))
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::parse_frontier;
    use crate::frontier::question::Question;
    use stats::Tries;
    use stats::frontier::{Known, Seen};

    #[test]
    fn the_search_is_told_against_a_grid_and_what_is_left_of_it() {
        let args = parse_frontier("--rate 1kHz --threads 1 --held-for 2s").unwrap();
        let question = Question::of(&args).unwrap();
        let mut hunt = Hunt::new(question.searches(Duration::from_secs(60)), None);
        let seen = |runs, missed, usual_ns| {
            let mut tries = Tries::default();
            (0..runs).for_each(|_| tries.add(Tries::one(1000, missed)));
            Seen {
                deadlines: tries,
                own: tries,
                steps: tries,
                usual_ns,
            }
        };
        let missed = (8200, seen(1, 1000, 1.01e6));
        for (runs, left) in [
            (1, "Not finished at 1kHz, threads 1"),
            (40, "Nothing is left"),
        ] {
            hunt.knows(0, Known::from([(8000, seen(runs, 0, 0.99e6)), missed]));
            let words = words(question.templates(), &hunt, &[]);
            assert!(
                words[1].contains("has 20 sizes") && words[1].contains("2 050"),
                "{words:?}"
            );
            assert!(words[2].starts_with(left), "{words:?}");
        }
    }
}
