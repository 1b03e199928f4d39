//! `steadfast map`: maps which sizes of the tire, or which settings of a user's own model, meet
//! every deadline on which numbers of threads.

mod pretest;
#[cfg(test)]
pub(crate) mod tests;

use std::process::ExitCode;
use std::time::Instant;

use analysis::standards::{Standards, Strictness};
use anyhow::{Result, bail};
use base::{Nanos, Rate};
use clap::Args;
use record::{Axis, RunSpec, Value};
use report::MapView;
use rt::topology;
use stats::frontier::{Search, Sought, Start};

use crate::options::request;
use crate::options::request::subject::MAP;
use crate::session::progress::say;
use crate::session::search::{FrontierSearch, Lengths, SearchLine, time_of};
use crate::session::search_args::{self, Given, VariedArgs};

pub(crate) fn map(args: &MapArgs) -> Result<ExitCode> {
    let started = Instant::now();
    let until = args.budget.map(time_of).transpose()?.map(|time| started + time);
    let rows = rows(args)?;
    let mut search = search(args, &rows)?;
    let ended = search.carry_out("map", &rows, &args.varied, until)?;
    if let Some(budget) = args.budget {
        search.expect_runs(&ended, budget)?;
    }
    let found = search.findings(&ended.outcomes);
    let kept = &args.varied.kept;
    kept.give(ended, &kept.answer.standards(), &MapView { in_letters: true, search: found }, "")
}

#[derive(Debug, Args)]
#[command(mut_arg("out", |arg| arg.default_value("steadfast-map")))]
#[command(mut_arg("threads", |arg| arg.help("Threads that share the ring or the instances, a row of the map for each value [default: those that a pretest proposes; for model 1]")))]
pub(crate) struct MapArgs {
    /// What to map: the built-in `tire`, or `model`, your own
    #[arg(value_name = "MEASUREMENT", value_parser = MAP.names(), default_value = "tire")]
    measurement: String,
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
    #[arg(long, value_name = "TIME")]
    pub(crate) budget: Option<Nanos>,
    #[command(flatten)]
    pub(crate) varied: VariedArgs,
}

/// What to type instead of the parameter that is on the map's axis.
const INSTEAD: &str = "--from, --to and --resolution set the sizes";
/// The default smallest size of a tire, and the default lowest rate.
const USUAL_FROM: [u64; 2] = [400, 100];

/// Returns the rows that were typed. Without `--threads`, returns rows for every number of threads
/// of a tire from which a pretest can choose.
fn rows(args: &MapArgs) -> Result<Vec<RunSpec>> {
    let measurement = request::measurement(&args.measurement)?;
    let axis = args.varied.axis(measurement)?;
    // A size that is not a place on the axis is refused together with the other sizes, by its flag.
    let mut place = args.from.filter(|from| from.is_multiple_of(axis.grain()));
    let mut usual = Vec::new();
    if axis == Axis::Masses {
        let counts = candidates(args)?.into_iter();
        usual.push(("threads", counts.map(|count| Value::Count(count as u64)).collect()));
        place = place.or(Some(USUAL_FROM[0]));
    }
    let (subject, instead) = (&MAP, INSTEAD);
    args.varied.runs(&Given { subject, measurement, usual, instead, place, blame: false })
}

/// Returns 1, doubled up to two per hardware thread; one per core; one per hardware thread.
fn candidates(args: &MapArgs) -> Result<Vec<usize>> {
    let ground = args.varied.place.ground()?;
    let cpus = ground.usable.len();
    let doubled = std::iter::successors(Some(1), |count| Some(2 * count));
    let mut counts: Vec<usize> = doubled.take_while(|count| *count <= 2 * cpus).collect();
    counts.extend([topology::cores_of(&ground.cores, &ground.usable), cpus, 2 * cpus]);
    counts.sort_unstable();
    counts.dedup();
    Ok(counts)
}

fn ends(args: &MapArgs, axis: &Axis, rows: &[RunSpec]) -> Result<[u64; 2]> {
    let grain = axis.grain();
    let threads = rows.iter().map(|row| row.parameters.threads());
    let smallest = axis.smallest(threads.max().unwrap_or(1));
    let from = args.from.unwrap_or(match axis {
        Axis::Masses => USUAL_FROM[0],
        Axis::Rate => USUAL_FROM[1],
        Axis::Instances | Axis::Setting(_) => smallest,
    });
    let most = rows.iter().map(|row| search_args::largest(row, axis)).min().unwrap_or(u64::MAX);
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
fn search(args: &MapArgs, rows: &[RunSpec]) -> Result<FrontierSearch> {
    let axis = args.varied.axis(request::measurement(&args.measurement)?)?;
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
        period_ns: row.parameters.rate_period().0 as f64,
        quick: measure::steps(row),
    };
    if axis != Axis::Masses || args.varied.parameters.has("threads") {
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
