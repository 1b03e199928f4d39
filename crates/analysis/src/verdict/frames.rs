//! Whether the processes of each run held their frames.

use plan::fact;

use crate::real_time::RealTime;
use crate::standards::Limits;
use crate::survey::{Series, System, told_apart};
use crate::words;

/// A sentence for each run of frames with its own conditions.
pub(super) fn held(system: &System, limits: &Limits) -> Vec<String> {
    let runs: Vec<&Series> =
        system.of("frame").filter(|series| series.total(&fact::OVERRUNS).is_some()).collect();
    let first = runs.iter().filter(|series| series.headline);
    first.map(|first| sentence(first, &runs, limits)).collect()
}

/// What became of the frames of all processes of the run that begins with `first`.
fn sentence(first: &Series, runs: &[&Series], limits: &Limits) -> String {
    let processes: Vec<&Series> =
        runs.iter().copied().filter(|series| series.spec == first.spec).collect();
    let overran = sum(&processes, |process| process.total(&fact::OVERRUNS).unwrap_or(0));
    let skipped = sum(&processes, Series::skipped);
    let what = format!(
        "{} with frames of {} at {} ({})",
        words::counted(first.spec.parameters.count("processes") as usize, "process"),
        parameter(first, "fill"),
        parameter(first, "rate"),
        conditions(first, runs),
    );
    if overran + skipped == 0 {
        let frames = words::counted(first.due() as usize, "frame");
        let judged: Option<Vec<RealTime>> =
            processes.iter().map(|process| RealTime::of_series(process, limits)).collect();
        let is_shown = judged.is_some_and(|all| all.iter().all(RealTime::is_shown));
        return match is_shown {
            true => format!("Holds {what}: no overrun in {frames} each."),
            false => format!("No overrun so far in {frames} each, {what}."),
        };
    }
    let periods = match skipped {
        0 => String::new(),
        skipped => format!(
            "; {} of {} periods had none",
            words::grouped(skipped),
            words::grouped(sum(&processes, Series::due))
        ),
    };
    format!(
        "Does not hold {what}: {} of {} overran{periods}.",
        words::grouped(overran),
        words::counted(sum(&processes, Series::executed) as usize, "frame"),
    )
}

fn sum<'a>(processes: &[&Series<'a>], of: fn(&Series<'a>) -> u64) -> u64 {
    processes.iter().map(|process| of(process)).sum()
}

fn parameter(series: &Series, name: &str) -> String {
    let value = series.spec.parameters.get(name);
    value.map_or_else(String::new, words::value)
}

/// The policy, and what tells the run from others of its kind.
fn conditions(series: &Series, runs: &[&Series]) -> String {
    let asked = &series.spec.asked;
    let mut words = vec![format!("`{}`", asked.policy)];
    for name in ["start", "affinity", "others", "overrun", "peer"] {
        let word = series.spec.parameters.word(name);
        if runs.iter().any(|run| run.spec.parameters.word(name) != word) {
            words.push(format!("{name} {word}"));
        }
    }
    let others: Vec<_> = runs.iter().map(|run| &run.spec.asked).collect();
    words.extend(told_apart(asked, &others));
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use crate::Analysis;
    use crate::fixture::frames;
    use crate::standards::Standards;
    use plan::{Outcome, fact};

    fn sentences(runs: &[Outcome]) -> Vec<String> {
        Analysis::of(runs, &Standards::default()).verdict.holds
    }

    #[test]
    fn clean_frames_are_held_and_overruns_are_counted() {
        let mut clean = frames("timer", 170_000);
        for row in &mut clean.rows {
            if row.fact(&fact::OVERRUNS).is_some() {
                row.tell(&fact::OVERRUNS, 0);
                row.tell(&fact::MISSED, 0);
            }
        }
        assert_eq!(
            sentences(std::slice::from_ref(&clean)),
            ["No overrun so far in 1 000 frames each, 2 processes with frames of 85 % at 100 Hz \
                 (`fifo:80`)."]
        );
        let often = vec![clean.clone(); 29];
        assert_eq!(
            sentences(&often),
            ["Holds 2 processes with frames of 85 % at 100 Hz (`fifo:80`): no overrun in 29 000 \
                 frames each."]
        );
        assert_eq!(
            sentences(&[clean, frames("hybrid", 170_000)])[1],
            "Does not hold 2 processes with frames of 85 % at 100 Hz (`fifo:80`, start hybrid): 1 of \
             2 000 frames overran."
        );
    }

    #[test]
    fn periods_without_a_frame_are_told() {
        let mut run = frames("timer", 170_000);
        for row in run.rows.iter_mut().take(1) {
            (row.due, row.executed, row.skipped) = (1000, 990, 10);
        }
        let told = &sentences(&[run])[0];
        assert!(
            told.ends_with("1 of 1 990 frames overran; 10 of 2 000 periods had none."),
            "{told}"
        );
    }
}
