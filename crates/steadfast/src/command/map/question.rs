//! The question of a map: a row for each number of threads and other parameter that was typed with
//! several values.

use analysis::standards::{Standards, Strictness};
use anyhow::{Result, bail};
use clap::Args;
use plan::{Axis, RunSpec, Value};
use rt::topology;
use stats::frontier::{Search, Sought, Start};
use units::{Nanos, Rate};

use super::pretest;
use crate::progress::say;
use crate::search::{FrontierSearch, Lengths, SearchLine};
use crate::varied::{self, Given, VariedArgs};

#[derive(Debug, Args)]
#[command(mut_arg("out", |arg| arg.default_value("steadfast-map")))]
pub(crate) struct MapArgs {
    /// Smallest size; for a tire a multiple of 4 [default: 400 masses, one instance per thread, 100
    /// Hz]
    #[arg(long, value_name = "N")]
    pub(crate) from: Option<u64>,
    /// Largest size; default: each row continues until it misses many deadlines
    #[arg(long, value_name = "N")]
    pub(crate) to: Option<u64>,
    /// Measure every size from --from to --to at this resolution, not only those near the edges
    #[arg(long, requires = "to")]
    pub(crate) full_grid: bool,
    /// Rate of the pretest of a tire, which proposes thread counts if --threads is not given
    #[arg(long, value_name = "RATE", default_value = "2kHz")]
    pub(crate) pretest_rate: Rate,
    /// Total time for the map; the same command continues afterwards [default: as long as it takes]
    #[arg(long, value_name = "TIME", value_parser = Nanos::parse_seconds)]
    pub(crate) budget: Option<Nanos>,
    #[command(flatten)]
    pub(crate) varied: VariedArgs,
}

/// Parameters that a map sets itself, each with the error if it is typed.
const SET: &[(&str, &str)] = &[("mode", "a map consists of real-time runs")];
/// What to type instead of the parameter that is on the map's axis.
const INSTEAD: &str = "--from, --to and --resolution set the sizes";
/// The default smallest size of a tire, and the default lowest rate.
const USUAL_FROM: [u64; 2] = [400, 100];

/// Returns the rows that were typed. Without `--threads`, returns rows for every number of threads
/// of a tire from which a pretest can choose.
pub(super) fn rows(args: &MapArgs) -> Result<Vec<RunSpec>> {
    let axis = args.varied.axis()?;
    let usual = match axis {
        Axis::Masses => {
            let counts = candidates(args)?.into_iter();
            vec![("threads", counts.map(|count| Value::Count(count as u64)).collect())]
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

/// Returns the smallest and the largest size that were typed, or their defaults.
fn ends(args: &MapArgs, axis: &Axis, rows: &[RunSpec]) -> Result<[u64; 2]> {
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
    Ok([from, to])
}

/// Returns the search; without `--threads`, a pretest comes first and chooses among these rows.
pub(super) fn search(args: &MapArgs, rows: &[RunSpec]) -> Result<FrontierSearch> {
    let axis = args.varied.axis()?;
    let [from, to] = ends(args, &axis, rows)?;
    let spacing = args.varied.spacing(&axis)?;
    let Standards { limits, many, .. } = args.varied.kept.answer.standards();
    let usable = Sought { is_last: true, ..Sought::of_share(limits.soft.share()) };
    let edges = vec![Sought::of_share(0.0), Sought::of_share(many.share()), usable];
    let start = if args.full_grid { Start::Grid } else { Start::Doubled(args.to.unwrap_or(from)) };
    let over = axis.clone();
    let search = move |row: &RunSpec| Search {
        demand: limits.demands(Strictness::Hard, over.periods(row)),
        edges: edges.clone(),
        start,
        spacing,
        grain: over.grain(),
        smallest: from,
        largest: to,
        period_ns: row.parameters.time("rate").0 as f64,
        quick: varied::steps(row),
    };
    if axis != Axis::Masses || args.varied.has("threads") {
        let lines = rows.iter().map(|row| SearchLine::new(row.clone(), search(row)));
        return Ok(FrontierSearch::new(axis, lines.collect(), Lengths::Fixed));
    }
    let rate = args.pretest_rate;
    let pretest = rows.iter().map(|row| {
        let row = pretest::shortened(row, rate);
        let (start, spacing) = (Start::Doubled(from), pretest::SPACING);
        let search = Search { edges: vec![usable], start, spacing, ..search(&row) };
        SearchLine::new(row, search)
    });
    let pretest = FrontierSearch::new(axis, pretest.collect(), Lengths::Fixed);
    let rows = rows.to_vec();
    Ok(pretest.followed_by(move |done| {
        let held = done.iter().map(|line| line.search.ends(&line.known, &usable)[0]);
        let proposed = pretest::proposed(rows.into_iter().zip(held));
        say(&format!("Pretest at {rate}: {}.", pretest::in_words(&proposed)));
        let lines = proposed.into_iter().map(|(row, _)| SearchLine::new(row.clone(), search(&row)));
        lines.collect()
    }))
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
        let run = varied::at(&rows[0], &Axis::Masses, 8000);
        assert_eq!(run.parameters.count("masses"), 8000);
        assert_eq!(run.asked.duration, Nanos(500_000_000));
        let quicker = pretest::shortened(&run, "2kHz".parse().unwrap());
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
            let error = search(&args, &[tire()]).err().unwrap().to_string();
            assert!(error.starts_with(flag), "{line}: {error}");
        }
        assert!(parse("--full-grid").is_err(), "a full grid needs an end");
    }
}
