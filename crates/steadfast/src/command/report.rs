//! `steadfast report`.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};
use plan::Outcome;
use report::Standards;
use store::Store;

use crate::EXIT_FAILED;
use crate::args::ReportArgs;
use crate::driver::judged;
use crate::files::{make_directory, write_reports};
use crate::output::print;

/// Writes or prints the report of stored runs.
pub(crate) fn report(args: &ReportArgs) -> Result<ExitCode> {
    let mut sessions = Vec::new();
    for path in &args.stores {
        sessions.extend(stored(path)?);
    }
    let outcomes = newest_of_each(sessions);
    if outcomes.is_empty() {
        bail!("there is no finished run in what was named; `steadfast quick` makes some");
    }
    let standards = Standards {
        tolerance: args.tolerance,
        ..args.limits.standards(&args.checks)
    };
    if let Some(directory) = &args.out {
        make_directory(directory)?;
        write_reports(directory, &outcomes, &standards)?;
    }
    if args.json {
        print(&format!("{:#}\n", report::json(&outcomes, &standards)))?;
    } else if args.tables.csv {
        print(&report::csv(&outcomes))?;
    } else {
        print(&report::terminal(&outcomes, &standards))?;
    }
    args.tables.write(&outcomes)?;
    args.checks.write(&outcomes, &standards)?;
    let judged = judged(&outcomes, &args.checks.fail_if)?;
    Ok(
        match report::verdict(&outcomes, &standards.limits)
            .errors
            .as_slice()
        {
            [] => judged,
            _ => ExitCode::from(EXIT_FAILED),
        },
    )
}

/// Every finished run of a store by session, the oldest first.
fn stored(path: &Path) -> Result<Vec<Vec<Outcome>>> {
    let store = Store::open_existing(path)?;
    let sessions = store.sessions()?;
    let outcomes = sessions.iter().map(|session| store.outcomes(session.id));
    Ok(outcomes.collect::<Result<_, _>>()?)
}

/// Of sessions whose runs repeat each other on one machine, the newest; each run in the
/// place of its first. What one session repeats, as the rounds of a benchmark, stays.
fn newest_of_each(sessions: Vec<Vec<Outcome>>) -> Vec<Outcome> {
    let mut kept: Vec<(usize, Vec<Outcome>)> = Vec::new();
    for (session, outcome) in sessions
        .into_iter()
        .enumerate()
        .flat_map(|(session, outcomes)| outcomes.into_iter().map(move |o| (session, o)))
    {
        let started = outcome.header.started_unix_ns;
        match kept
            .iter_mut()
            .find(|(_, runs)| repeats(&runs[0], &outcome))
        {
            Some((known, runs)) if *known == session => runs.push(outcome),
            Some(older) if older.1[0].header.started_unix_ns <= started => {
                *older = (session, vec![outcome]);
            }
            Some(_) => {}
            None => kept.push((session, vec![outcome])),
        }
    }
    kept.into_iter().flat_map(|(_, runs)| runs).collect()
}

/// What contradicts another run repeats nothing: both are shown, as an error.
fn repeats(one: &Outcome, other: &Outcome) -> bool {
    one.header.spec == other.header.spec
        && one.header.machine == other.header.machine
        && !report::contradict(one, other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::parse_run_line;
    use plan::{Found, Header, LabFound, Machine};

    /// A run that started at a time.
    fn made(line: &str, started_unix_ns: u64) -> Outcome {
        let spec = crate::request::specs(&parse_run_line(line).unwrap()).unwrap();
        Outcome {
            header: Header {
                run_id: String::new(),
                tool_version: String::new(),
                spec: spec[0].clone(),
                machine: Machine::default(),
                started_unix_ns,
            },
            found: Found::default(),
            warnings: vec![],
            rows: vec![],
        }
    }

    #[test]
    fn runs_of_equal_setups_that_differ_both_stay() {
        let in_lab = |started, samples: &str| {
            let mut run = made("tire", started);
            run.found.lab = Some(LabFound {
                setup_sha256: "the same".into(),
                place: 0,
                samples_sha256: samples.into(),
            });
            vec![run]
        };
        let kept = |samples| newest_of_each(vec![in_lab(1, "a"), in_lab(2, samples)]);
        assert_eq!(kept("a").len(), 1);
        assert_eq!(kept("b").len(), 2);
        assert_eq!(
            report::verdict(&kept("b"), &report::Limits::default())
                .errors
                .len(),
            1
        );
    }

    #[test]
    fn rounds_stay_and_older_sessions_go() {
        let rounds = |first: u64| {
            vec![
                made("ceiling", first),
                made("tire", first + 1),
                made("ceiling", first + 2),
            ]
        };
        let sessions = [rounds(10), vec![made("tire", 0)], rounds(20)];
        let kept = newest_of_each(sessions.into());
        let kept: Vec<(&str, u64)> = kept
            .iter()
            .map(|run| {
                (
                    run.header.spec.measurement.as_str(),
                    run.header.started_unix_ns,
                )
            })
            .collect();
        assert_eq!(kept, [("ceiling", 20), ("ceiling", 22), ("tire", 21)]);
    }
}
