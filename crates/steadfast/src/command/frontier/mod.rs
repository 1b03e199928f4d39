//! `steadfast frontier`: searches, within a given time, for the largest tire that holds its rate,
//! for the limit of a user's own model, or for how much best-effort work fits into a mix of models; and
//! `steadfast map`, which maps the sizes around such limits.

pub(crate) mod args;
pub(crate) mod beside;
pub(crate) mod map;
#[cfg(test)]
pub(crate) mod tests;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use analysis::own_model;
use anyhow::{Result, bail};
use measure::MIX;
use record::{Axis, RunSpec, Value};
use report::FrontierView;
use stats::frontier::{Search, Sought, Start};

use self::args::FrontierArgs;
use crate::options::request;
use crate::options::request::subject::FRONTIER;
use crate::session::progress::say;
use crate::session::search::{FrontierSearch, Lengths, SearchLine, time_of};
use crate::session::search_args::{self, Given};

pub(crate) fn frontier(args: &FrontierArgs) -> Result<ExitCode> {
    match &args.mix {
        Some(plan) if args.measurement == MIX => return beside::beside(args, plan),
        Some(file) if args.measurement == own_model::MEASUREMENT => {
            bail!("{file}: a model is named by an option; write `frontier model --fmu {file}`")
        }
        Some(plan) => bail!("{plan}: a plan is that of a mix; write `frontier mix {plan}`"),
        None => {}
    }
    let started = Instant::now();
    let time = time_of(args.budget)?;
    let templates = templates(args)?;
    let mut search = search(args, &templates, time)?;
    if args.size.is_none() {
        say(&search.time_it_takes(time));
    }
    let ended = search.carry_out("frontier", &templates, &args.varied, Some(started + time))?;
    search.expect_runs(&ended, args.budget)?;
    let found = search.findings(&ended.outcomes);
    let view = FrontierView { size: args.size, search: found };
    args.varied.kept.give(ended, &args.standards(), &view, "")
}

/// What to type instead of the parameter that is searched for.
const INSTEAD: &str = "the search finds it; use --size N for the headroom of one size";
/// Quick runs in a line's share of the budget, which leaves enough for longer ones.
const QUICK_RUNS: u32 = 60;
/// A quick run has at least this many deadlines, even if it then takes more of the budget: enough
/// to distinguish 1 % of misses from none.
const QUICK_DEADLINES: u64 = 300;
/// At least this many quick runs fit into the share all the same.
const FEWEST_RUNS: u32 = 12;
/// The size of the first pilot run: one unit per this many nanoseconds of the period.
const PILOT_NS_A_UNIT: u64 = 500;
const PILOT_SIZES: (u64, u64) = (400, 10_000);
/// The first rate to try: one that most models hold.
const PILOT_HERTZ: u64 = 100;

/// Returns a specification for each line; its size and steps are placeholders.
fn templates(args: &FrontierArgs) -> Result<Vec<RunSpec>> {
    if args.varied.conditions.seconds.is_some() {
        bail!("--seconds: the search sets the length of runs; use --budget and --held-for");
    }
    let measurement = request::measurement(&args.measurement)?;
    if let (Axis::Setting(_), Some(_)) = (args.varied.axis(measurement)?, args.size) {
        bail!(
            "--size: works with masses, instances or a rate, not with a variable; use --over rate --set ..."
        );
    }
    let steps = ("steps", vec![Value::Count(1)]);
    // Of the tire: one, and one per CPU.
    let threads = ("threads", vec![Value::Count(1), Value::Word("cpus".to_owned())]);
    args.varied.runs(&Given {
        subject: &FRONTIER,
        measurement,
        usual: match measurement.name() {
            "tire" => vec![steps, threads],
            _ => Vec::new(),
        },
        instead: INSTEAD,
        place: args.size,
        blame: !args.no_blame,
    })
}

fn search(args: &FrontierArgs, templates: &[RunSpec], time: Duration) -> Result<FrontierSearch> {
    let measurement = request::measurement(&args.measurement)?;
    let (axis, standards) = (args.varied.axis(measurement)?, args.standards());
    let spacing = args.varied.spacing(&axis)?;
    let share = time / u32::try_from(templates.len()).unwrap_or(u32::MAX).max(1);
    let line = |template: &RunSpec| {
        let period = template.parameters.rate_period();
        let deadlines = |time: Duration| time.as_nanos() as u64 / period.0.max(1);
        let most = deadlines(share / FEWEST_RUNS).max(1);
        let (grain, smallest) = (axis.grain(), axis.smallest(template.parameters.threads()));
        let (least, highest) = PILOT_SIZES;
        let first = match axis {
            Axis::Masses => (period.0 / PILOT_NS_A_UNIT).clamp(least, highest),
            Axis::Rate => PILOT_HERTZ,
            Axis::Instances | Axis::Setting(_) => smallest,
        };
        let search = Search {
            demand: standards.limits.demands(standards.strictness, axis.periods(template)),
            edges: Sought::HELD.to_vec(),
            start: Start::Pilots(first.max(smallest).next_multiple_of(grain)),
            spacing,
            grain,
            smallest,
            largest: search_args::largest(template, &axis),
            period_ns: period.0 as f64,
            quick: deadlines(share / QUICK_RUNS).max(QUICK_DEADLINES).min(most),
        };
        SearchLine::new(template.clone(), search)
    };
    let lines = templates.iter().map(line).collect();
    Ok(FrontierSearch::new(axis, lines, Lengths::Searched).of_size(args.size))
}
