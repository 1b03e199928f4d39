//! Whether the processes of each run held their frames.

use record::fact;

use crate::finding::{AboutDeadlines, Finding};
use crate::real_time::RealTime;
use crate::standards::Limits;
use crate::survey::{Series, System, told_apart};
use crate::words;

/// Returns a finding for each set of runs of frames with equal conditions.
pub(super) fn held(system: &System, limits: &Limits) -> Vec<Finding> {
    let runs: Vec<&Series> =
        system.of("frame").filter(|series| series.total(&fact::OVERRUNS).is_some()).collect();
    let first = runs.iter().filter(|series| series.headline());
    first.map(|first| finding(first, &runs, limits)).collect()
}

/// Judges the frames of all processes of the run that begins with `first`.
fn finding(first: &Series, runs: &[&Series], limits: &Limits) -> Finding {
    let processes: Vec<&Series> =
        runs.iter().copied().filter(|series| series.spec == first.spec).collect();
    let judged: Option<Vec<RealTime>> =
        processes.iter().map(|process| RealTime::of_series(process, limits)).collect();
    Finding::Deadlines(AboutDeadlines::Frames {
        processes: first.spec.parameters.processes(),
        fill: parameter(first, "fill"),
        rate: parameter(first, "rate"),
        conditions: conditions(first, runs),
        overran: sum(&processes, |process| process.total(&fact::OVERRUNS).unwrap_or(0)),
        executed: sum(&processes, Series::executed),
        skipped: sum(&processes, Series::skipped),
        due: sum(&processes, Series::due),
        each: first.due(),
        shown: judged.is_some_and(|all| all.iter().all(RealTime::is_shown)),
    })
}

fn sum<'a>(processes: &[&Series<'a>], of: fn(&Series<'a>) -> u64) -> u64 {
    processes.iter().map(|process| of(process)).sum()
}

fn parameter(series: &Series, name: &str) -> String {
    let value = series.spec.parameters.get(name);
    value.map_or_else(String::new, words::value)
}

/// Describes the policy, and what distinguishes the run from others of its kind.
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
    use crate::finding::AboutDeadlines::Frames;
    use crate::finding::Finding;
    use crate::fixture::frames;
    use crate::standards::DEFAULT_STANDARDS;
    use record::{Outcome, fact};

    /// Overrun, executed, skipped and due frames, and whether they show that the frames hold.
    fn counts(runs: &[Outcome]) -> Vec<([u64; 4], bool)> {
        let found = Analysis::of(runs, &DEFAULT_STANDARDS).verdict.holds.into_iter();
        let counts = |finding| match finding {
            Finding::Deadlines(Frames { overran, executed, skipped, due, shown, .. }) => {
                Some(([overran, executed, skipped, due], shown))
            }
            _ => None,
        };
        found.filter_map(counts).collect()
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
        assert_eq!(counts(std::slice::from_ref(&clean)), [([0, 2_000, 0, 2_000], false)]);
        let often = vec![clean.clone(); 29];
        assert_eq!(counts(&often), [([0, 58_000, 0, 58_000], true)]);
        let counts = counts(&[clean, frames("hybrid", 170_000)]);
        assert_eq!(counts[1], ([1, 2_000, 0, 2_000], false));
    }

    #[test]
    fn periods_without_a_frame_are_counted() {
        let mut run = frames("timer", 170_000);
        for row in run.rows.iter_mut().take(1) {
            (row.due, row.executed, row.skipped) = (1000, 990, 10);
        }
        assert_eq!(counts(&[run]), [([1, 1_990, 10, 2_000], false)]);
    }
}
