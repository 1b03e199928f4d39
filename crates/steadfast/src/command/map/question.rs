//! The question of a map: a row for each number of threads and other parameter that was typed with
//! several values.

use analysis::standards::Standards;
use anyhow::{Result, bail};
use plan::{Axis, Outcome, RunSpec, Value, fact};
use rt::topology;
use units::Rate;

use super::args::MapArgs;
use super::refine::{Place, Severity};
use super::sizes::{Sizes, Spacing};
use crate::varied::{self, Given};

/// Parameters that a map sets itself, each with the error if it is typed.
const SET: &[(&str, &str)] = &[("mode", "a map consists of real-time runs")];
/// What to type instead of the parameter that is on the map's axis.
const INSTEAD: &str = "--from, --to and --resolution set the sizes";
/// The default smallest size of a tire, and the default lowest rate.
const USUAL_FROM: [u64; 2] = [400, 100];

/// A specification for each row; its size is a placeholder.
pub(super) type Rows = Vec<RunSpec>;

/// The question that a map answers.
pub(super) struct Question {
    /// The rows, or the candidates from which a pretest chooses.
    pub(super) rows: Rows,
    /// The axis of its sizes.
    pub(super) axis: Axis,
    pub(super) sizes: Sizes,
    /// Whether to try every size, not only those near the edges.
    pub(super) is_full: bool,
    /// The size up to which the coarse grid of a row goes at once.
    pub(super) reach: u64,
    /// The rate of the pretest, if one is needed.
    pub(super) pretest: Option<Rate>,
}

impl Question {
    pub(super) fn of(args: &MapArgs) -> Result<Self> {
        let axis = args.varied.axis()?;
        let rows = rows(args)?;
        let sizes = sizes(args, &axis, &rows)?;
        let is_proposed = axis == Axis::Masses && !args.varied.has("threads");
        Ok(Self {
            rows,
            axis,
            sizes,
            is_full: args.full_grid,
            reach: args.to.unwrap_or(sizes.from),
            pretest: is_proposed.then_some(args.pretest_rate),
        })
    }
}

/// Returns the rows that were typed. Without `--threads`, returns rows for every number of threads
/// of a tire from which a pretest can choose.
pub(super) fn rows(args: &MapArgs) -> Result<Rows> {
    let axis = args.varied.axis()?;
    let usual = match axis {
        Axis::Masses => {
            let counts = candidates(args)?.into_iter();
            vec![("threads", counts.map(|count| count.to_string()).collect())]
        }
        _ => Vec::new(),
    };
    // A size that is not a place on the axis is refused together with the other sizes, by its flag.
    let from = args.from.filter(|from| from.is_multiple_of(axis.grain()));
    let place = match axis {
        Axis::Masses => Some(from.unwrap_or(USUAL_FROM[0])),
        _ => from,
    };
    args.varied.runs(&Given { usual, set: SET, instead: INSTEAD, place, blame: false })
}

/// Returns 1, doubled up to two per hardware thread; one per core; one per hardware thread.
fn candidates(args: &MapArgs) -> Result<Vec<usize>> {
    let ground = args.varied.place.target.ground()?;
    let cpus = ground.usable.len();
    let doubled = std::iter::successors(Some(1), |count| Some(2 * count));
    let mut counts: Vec<usize> = doubled.take_while(|count| *count <= 2 * cpus).collect();
    counts.extend([topology::cores_of(&ground.cores, &ground.usable), cpus, 2 * cpus]);
    counts.sort_unstable();
    counts.dedup();
    Ok(counts)
}

/// Returns the sizes that were typed.
pub(super) fn sizes(args: &MapArgs, axis: &Axis, rows: &[RunSpec]) -> Result<Sizes> {
    let grain = axis.grain();
    let threads = rows.iter().map(|row| row.parameters.count("threads"));
    let smallest = axis.smallest(threads.max().unwrap_or(1));
    let from = args.from.unwrap_or(match axis {
        Axis::Masses => USUAL_FROM[0],
        Axis::Rate => USUAL_FROM[1],
        Axis::Instances | Axis::Setting(_) => smallest,
    });
    let most = rows.iter().map(|row| varied::largest(row, axis)).min();
    let most = most.unwrap_or(u64::MAX);
    let to = args.to.unwrap_or(most);
    if let (Axis::Setting(_), Some(_)) = (axis, args.from.or(args.to)) {
        bail!("--over: NAME=FROM..TO sets both ends; leave out --from and --to");
    }
    for (flag, size) in [("--from", from), ("--to", to)] {
        if size == 0 || !size.is_multiple_of(grain) || size > most {
            let multiple = match grain {
                1 => "whole number from 1".to_owned(),
                grain => format!("multiple of {grain}"),
            };
            bail!("{flag}: {size} is not a {}; expected a {multiple} up to {most}", axis.noun());
        }
    }
    if to < from {
        bail!("--to: {to} is below --from {from}");
    }
    match args.resolution {
        Spacing::Step(step) if !step.is_multiple_of(grain) => {
            bail!("--resolution: {step} is not a multiple of {grain}, as sizes must be")
        }
        spacing => Ok(Sizes { from, to, spacing, grain }),
    }
}

/// Returns the run of a place.
pub(super) fn spec(rows: &[RunSpec], axis: &Axis, place: Place) -> RunSpec {
    varied::at(&rows[place.row], axis, place.size)
}

/// Returns the same run at another rate, with `steps` steps.
pub(super) fn at_rate(row: &RunSpec, rate: Rate, steps: u64) -> RunSpec {
    let mut row = row.clone();
    row.parameters.set("rate", Value::Rate(rate));
    varied::lasting(&row, steps)
}

/// Returns how bad the misses of a run are; `None` for an INVALID run.
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
        rows.iter().map(|row| row.parameters.count("threads")).collect()
    }

    fn tire() -> RunSpec {
        rows(&parse("--threads 1").unwrap()).unwrap().remove(0)
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
        let run = spec(&rows, &Axis::Masses, place);
        assert_eq!(run.parameters.count("masses"), 8000);
        assert_eq!(run.asked.duration, Nanos(500_000_000));
        let quicker = at_rate(&run, "2kHz".parse().unwrap(), 400);
        assert_eq!(quicker.asked.duration, Nanos(200_000_000));
    }

    #[test]
    fn what_does_not_fit_a_map_is_refused_with_its_flag() {
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
            ("--resolution 6", "--resolution"),
        ] {
            let args = parse(line).unwrap();
            let error = sizes(&args, &Axis::Masses, &[tire()]).unwrap_err().to_string();
            assert!(error.starts_with(flag), "{line}: {error}");
        }
        assert!(parse("--full-grid").is_err(), "a full grid needs an end");
    }
}
