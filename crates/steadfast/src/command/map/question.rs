//! What is asked: a row for each number of threads and whatever else was typed with several
//! values.

use analysis::standards::Standards;
use anyhow::{Result, bail};
use plan::{Outcome, RunSpec, Value, fact};
use rt::topology;
use units::Rate;

use super::args::MapArgs;
use super::refine::{Place, Severity};
use super::sizes::Sizes;
use crate::command::run::args::RunArgs;
use crate::request;
use crate::tires::{self, GRAIN, SIZE};

/// What a map sets by itself.
const SET: [(&str, &str); 2] = [
    (
        SIZE.parameter,
        "--from, --to and --resolution set the sizes",
    ),
    ("mode", "a map is one of real-time runs"),
];

/// A specification for each row; its size is a placeholder.
pub(super) type Rows = Vec<RunSpec>;

/// What is asked.
pub(super) struct Question {
    /// The rows, or those that a pretest is to choose from.
    pub(super) rows: Rows,
    pub(super) sizes: Sizes,
    /// Whether every size is tried, not only those near the edges.
    pub(super) is_full: bool,
    /// Up to where the coarse grid of a row goes at once.
    pub(super) reach: u64,
    /// The rate of the pretest, where one is needed.
    pub(super) pretest: Option<Rate>,
}

impl Question {
    pub(super) fn of(args: &MapArgs) -> Result<Self> {
        let sizes = sizes(args)?;
        Ok(Self {
            rows: rows(args)?,
            sizes,
            is_full: args.full_grid,
            reach: args.to.unwrap_or(sizes.from),
            pretest: (!args.tires.has("threads")).then_some(args.pretest_rate),
        })
    }
}

/// The rows that were typed. Without `--threads`, those of every number that a pretest
/// is to choose from.
pub(super) fn rows(args: &MapArgs) -> Result<Rows> {
    request::specs(&typed(args)?)
}

/// What would be typed after `steadfast run`.
fn typed(args: &MapArgs) -> Result<RunArgs> {
    let mut typed = args.tires.typed("tire --mode real-time", &SET)?;
    let size = vec![args.from.to_string()];
    typed.parameters.0.insert(SIZE.parameter, size);
    if !args.tires.has("threads") {
        let counts = candidates(args)?;
        let counts = counts.iter().map(ToString::to_string).collect();
        typed.parameters.0.insert("threads", counts);
    }
    Ok(typed)
}

/// One, doubled up to two a hardware thread, one a core, one a hardware thread.
fn candidates(args: &MapArgs) -> Result<Vec<usize>> {
    let ground = args.tires.place.target.ground()?;
    let cpus = ground.usable.len();
    let doubled = std::iter::successors(Some(1), |count| Some(2 * count));
    let mut counts: Vec<usize> = doubled.take_while(|count| *count <= 2 * cpus).collect();
    counts.extend([
        topology::cores_of(&ground.cores, &ground.usable),
        cpus,
        2 * cpus,
    ]);
    counts.sort_unstable();
    counts.dedup();
    Ok(counts)
}

/// The sizes that were typed.
pub(super) fn sizes(args: &MapArgs) -> Result<Sizes> {
    let most = tires::largest();
    let to = args.to.unwrap_or(most);
    for (flag, size) in [("--from", args.from), ("--to", to)] {
        if size == 0 || !size.is_multiple_of(GRAIN) || size > most {
            bail!("{flag}: {size} is no size; give a multiple of {GRAIN} up to {most}");
        }
    }
    if to < args.from {
        bail!("--to: {to} is below --from {}", args.from);
    }
    Ok(Sizes {
        from: args.from,
        to,
        spacing: args.resolution,
    })
}

/// The run of a place.
pub(super) fn spec(rows: &[RunSpec], place: Place) -> RunSpec {
    tires::with(
        &rows[place.row],
        [(SIZE.parameter, Value::Count(place.size))],
    )
}

/// The same at another rate, for so many steps.
pub(super) fn at_rate(row: &RunSpec, rate: Rate, steps: u64) -> RunSpec {
    let values = [("rate", Value::Rate(rate)), ("steps", Value::Count(steps))];
    tires::with(row, values)
}

/// How bad the misses of a run are; `None` of an INVALID one.
pub(super) fn severity(outcome: &Outcome, standards: &Standards) -> Option<Severity> {
    let row = outcome.rows.first().filter(|_| outcome.is_valid())?;
    let fact = row.fact(&fact::MISSED).and_then(serde_json::Value::as_u64);
    let missed = fact.unwrap_or(row.skipped);
    let share = missed as f64 / row.due.max(1) as f64;
    Some(match share {
        0.0 => Severity::None,
        share if share <= standards.limits.soft.share() => Severity::Soft,
        share if share <= standards.many.share() => Severity::Frequent,
        _ => Severity::Many,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::map::tests::parse;
    use units::Nanos;

    fn threads(line: &str) -> Vec<u64> {
        let rows = rows(&parse(line).unwrap()).unwrap();
        rows.iter()
            .map(|row| row.parameters.count("threads"))
            .collect()
    }

    #[test]
    fn each_number_of_threads_is_a_row() {
        assert_eq!(threads("--threads 1,2 --rate 1kHz"), [1, 2]);
        let cpus = topology::usable().len() as u64;
        let usual = threads("");
        assert_eq!((usual[0], usual.last()), (1, Some(&(2 * cpus))));
        assert!(usual.contains(&cpus), "{usual:?}");
    }

    #[test]
    fn runs_are_as_long_as_their_rate_and_steps_say() {
        let args = parse("--threads 1 --rate 1kHz --steps 500").unwrap();
        let rows = rows(&args).unwrap();
        let place = Place { row: 0, size: 8000 };
        let run = spec(&rows, place);
        assert_eq!(run.parameters.count(SIZE.parameter), 8000);
        assert_eq!(run.asked.duration, Nanos(500_000_000));
        let quicker = at_rate(&run, "2kHz".parse().unwrap(), 400);
        assert_eq!(quicker.asked.duration, Nanos(200_000_000));
    }

    #[test]
    fn what_makes_no_map_is_refused_with_its_flag() {
        for (line, flag) in [
            ("--masses 400", "--masses"),
            ("--mode real-fast", "--mode"),
            ("--seconds 3", "--seconds"),
            ("--period 1ms", "--period"),
        ] {
            let error = rows(&parse(line).unwrap()).unwrap_err().to_string();
            assert!(error.starts_with(flag), "{line}: {error}");
        }
        for (line, flag) in [
            ("--from 6", "--from"),
            ("--to 0", "--to"),
            ("--to 40", "--to"),
        ] {
            let error = sizes(&parse(line).unwrap()).unwrap_err().to_string();
            assert!(error.starts_with(flag), "{line}: {error}");
        }
        assert!(parse("--full-grid").is_err(), "a full grid has an end");
    }
}
