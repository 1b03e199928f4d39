//! `steadfast map`: which sizes of the tire meet every deadline, on which numbers of threads.

mod known;
mod pretest;
mod question;
mod refine;
mod sizes;

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use plan::RunSpec;
use report::{Standards, grouped};

pub(crate) use self::sizes::Spacing;

use self::known::Known;
use self::pretest::Proposed;
use self::refine::{Place, Refinement};
use self::sizes::Sizes;
use crate::args::MapArgs;
use crate::files::{make_directory, write_reports};
use crate::output::{print, tell};
use crate::progress::in_words;
use crate::ready::places;
use crate::session::Ended;

/// Tries the sizes, stores every run, writes the report and prints the map.
pub(crate) fn map(args: &MapArgs) -> Result<ExitCode> {
    let standards = args.limits.standards(&args.checks);
    let sizes = question::sizes(args)?;
    let candidates = question::rows(args)?;
    make_directory(&args.out)?;
    args.checks.check(&candidates)?;
    let mut work = Work {
        known: Known::open(&args.out, &args.target)?,
        standards: &standards,
    };
    let measured = work.measure(args, candidates, sizes)?;
    let ended = work.known.into_ended();
    let written = write_reports(&args.out, &ended.outcomes, &standards);
    print(&report::map(&ended.outcomes, &standards))?;
    written?;
    print(&summary(&ended, measured.as_ref()))?;
    print(&places(&args.out))?;
    args.checks.write(&ended.outcomes, &standards)?;
    ended.exit_code(&args.checks.fail_if)
}

/// Runs under way.
struct Work<'a> {
    known: Known,
    standards: &'a Standards,
}

impl Work<'_> {
    /// The pretest where it is needed, then the map; `None` where it ended before.
    fn measure(
        &mut self,
        args: &MapArgs,
        candidates: Vec<RunSpec>,
        sizes: Sizes,
    ) -> Result<Option<Refinement>> {
        let (rows, reach) = match question::has_threads(args) {
            true => {
                let reach = vec![args.to.unwrap_or(sizes.from); candidates.len()];
                (candidates, reach)
            }
            false => match self.pretest(args, &candidates, sizes)? {
                None => return Ok(None),
                Some(proposed) => proposed.into_iter().map(|one| (one.row, one.reach)).unzip(),
            },
        };
        let map = match args.full_grid {
            true => Refinement::full(sizes, rows.len()),
            false => Refinement::new(sizes, &reach),
        };
        self.carry_out("Map", map, &rows)
    }

    /// Which rows are worth while.
    fn pretest(
        &mut self,
        args: &MapArgs,
        candidates: &[RunSpec],
        sizes: Sizes,
    ) -> Result<Option<Vec<Proposed>>> {
        let rate = args.pretest_rate;
        let rows = pretest::rows(candidates, rate);
        let rough = Refinement::new(pretest::sizes(sizes), &vec![sizes.from; rows.len()]);
        let Some(done) = self.carry_out("Pretest", rough, &rows)? else {
            return Ok(None);
        };
        let proposed = pretest::proposed(candidates, rate, &done);
        tell(&format!("Pretest at {rate}: {}.", told(&proposed)));
        Ok(Some(proposed))
    }

    /// Round after round until no cell is left to try; `None` where it ended before.
    fn carry_out(
        &mut self,
        what: &str,
        mut map: Refinement,
        rows: &[RunSpec],
    ) -> Result<Option<Refinement>> {
        let mut round = 0;
        loop {
            let wanted = map.next();
            if wanted.is_empty() {
                return Ok(Some(map));
            }
            let spec = |place: &Place| question::spec(rows, *place);
            let missing: Vec<RunSpec> = wanted
                .iter()
                .map(spec)
                .filter(|spec| self.known.find(spec).is_none())
                .collect();
            if !missing.is_empty() {
                round += 1;
                tell(&ahead(what, round, &missing, map.left()));
                if !self.known.make(&missing)? {
                    return Ok(None);
                }
            }
            for place in wanted {
                let outcome = self.known.find(&spec(&place));
                let severity = outcome.and_then(|o| question::severity(o, self.standards));
                let Some(severity) = severity else {
                    return Ok(None);
                };
                map.observe(place, severity);
            }
        }
    }
}

/// What a round is, and how much may follow.
fn ahead(what: &str, round: usize, missing: &[RunSpec], left: Option<usize>) -> String {
    let durations = || missing.iter().map(|spec| spec.asked.duration.0);
    let time = Duration::from_nanos(durations().sum());
    let now = format!(
        "{what}, round {round}: {} runs, {}",
        missing.len(),
        in_words(time)
    );
    match left.map(|left| left.saturating_sub(missing.len())) {
        Some(0) => format!("{now}; the last."),
        Some(later) => {
            let each = Duration::from_nanos(durations().max().unwrap_or(0));
            let times = u32::try_from(later).unwrap_or(u32::MAX);
            let then = in_words(each.saturating_mul(times));
            format!("{now}; then about {later} more, {then}.")
        }
        None => format!("{now}; then larger sizes, and those near the edges."),
    }
}

/// `1 thread holds 12 000 masses, 2 threads 20 000`.
fn told(proposed: &[Proposed]) -> String {
    let one = |one: &Proposed| {
        let threads = one.row.parameters.count("threads");
        let usable = one.usable.map_or_else(|| "no size".to_owned(), grouped);
        format!("--threads {threads} (usable up to {usable})")
    };
    let all: Vec<String> = proposed.iter().map(one).collect();
    format!("worth a row are {}", all.join(", "))
}

/// What it took.
fn summary(ended: &Ended, map: Option<&Refinement>) -> String {
    let runs = grouped(ended.outcomes.len() as u64);
    match map {
        Some(map) => format!(
            "\n{runs} runs in all; a full grid at this resolution up to the largest \
             size has {}.\n",
            grouped(map.grid() as u64)
        ),
        None => format!("\n{runs} runs are kept; the same command goes on from here.\n"),
    }
}
