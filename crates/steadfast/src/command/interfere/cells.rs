//! What is tried: each aggressor in each place, and quiet runs between them.

use std::time::Duration;

use ::plan::{LoadSpec, RunSpec};
use anyhow::{Result, bail};
use load::{LOADS, Load};
use rt::neighbours::Neighbours;
use rt::topology;
use units::{CpuSet, Nanos, Vicinity};

use super::args::InterfereArgs;
use crate::args::PlaceArgs;
use crate::driver::time_for_runs;
use crate::of_line::of_line;
use crate::order::Order;
use crate::output::tell;

/// The load that does nothing, beside which all others stand.
const SHAM: &str = analysis::interference::SHAM;
/// Loads of programs in general that are tried beside those that do one thing: the bandwidth of the
/// memory in steps, pages, disk, and what arrives from a network.
const GENERAL: [&str; 6] = [
    "memory%25",
    "memory%50",
    "memory",
    "paging",
    "disk",
    "network",
];
/// Cells between two quiet runs: quiet is compared with each of many, and so is worth more runs than
/// one of them, but not as many as all.
const BETWEEN_QUIET: usize = 3;
/// What a run takes besides its measuring: most of it is the start of its neighbour.
const BESIDES: Duration = Duration::from_secs(2);
/// Rounds that runs are made short for: runs are the unit, and many short ones tell more than few
/// long ones.
const ROUNDS: u32 = 5;
/// Fewer tell nothing of how far runs differ; more than the most tell little more.
const FEWEST_ROUNDS: usize = 2;
const MOST_ROUNDS: usize = 30;
/// The shortest run whose length is chosen here, and the longest.
const LENGTHS: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(10)];

/// The quiet run, and one with each aggressor in each place.
pub(super) struct Cells {
    quiet: RunSpec,
    cells: Vec<RunSpec>,
    rounds: usize,
    order: Order,
}

impl Cells {
    /// What the arguments ask for, on this machine.
    ///
    /// # Errors
    /// One line that names the flag that cannot be meant.
    pub(super) fn of(args: &InterfereArgs) -> Result<Self> {
        let usable = topology::usable();
        Self::among(args, &Neighbours::here(), &usable)
    }

    /// The same on a machine of which that is known.
    pub(super) fn among(
        args: &InterfereArgs,
        neighbours: &Neighbours,
        usable: &CpuSet,
    ) -> Result<Self> {
        let (mut quiet, said) = of_line(&args.of, &PlaceArgs::default())?;
        if !quiet.asked.loads.is_empty() {
            bail!("--of: --load: loads are what is tried; name them with --aggressors");
        }
        let measured = quiet.asked.cpus.clone();
        let at = |place: Vicinity| (place, neighbours.at(place, &measured, usable));
        let aggressors = aggressors(args)?;
        let places = places(args, at, &measured)?;
        let count = aggressors.len() * places.len();
        let budget = time_for_runs(args.budget);
        let a_round = u32::try_from(count + count.div_ceil(BETWEEN_QUIET)).unwrap_or(u32::MAX);
        if said.is_none() {
            quiet.asked.duration = length(budget / ROUNDS / a_round.max(1));
        }
        let each = Duration::from(quiet.asked.duration) + BESIDES;
        let fit = (budget.as_nanos() / (each * a_round.max(1)).as_nanos()) as usize;
        if fit < FEWEST_ROUNDS {
            bail!(
                "--budget: {} is too short for {FEWEST_ROUNDS} rounds of {a_round} runs of {}: give \
                 more, or fewer --aggressors or --places, or shorter runs in --of",
                args.budget,
                quiet.asked.duration
            );
        }
        let cell = |load: &LoadSpec, (place, cpus): &(Vicinity, CpuSet)| {
            let mut spec = quiet.clone();
            spec.asked.loads = vec![LoadSpec {
                cpus: Some(cpus.clone()),
                ..load.clone()
            }];
            spec.vicinity = Some(*place);
            spec
        };
        let of_place = |place| aggressors.iter().map(move |load| cell(load, place));
        let cells: Vec<RunSpec> = places.iter().flat_map(of_place).collect();
        let names: Vec<String> = cells.iter().map(RunSpec::title).collect();
        Ok(Self {
            order: Order::drawn_from(names.iter().map(String::as_str)),
            quiet,
            cells,
            rounds: fit.min(MOST_ROUNDS),
        })
    }

    /// Every run once, the quiet one first.
    pub(super) fn specs(&self) -> Vec<RunSpec> {
        let quiet = std::iter::once(&self.quiet);
        quiet.chain(&self.cells).cloned().collect()
    }

    /// All runs in the order in which they are made: in each round every cell once, in an order
    /// drawn from their names, and a quiet run before every few of them.
    pub(super) fn turns(&self) -> Vec<RunSpec> {
        let places = self.order.places(self.cells.len(), self.rounds);
        let rounds = places.chunks(self.cells.len());
        let groups = rounds.flat_map(|round| round.chunks(BETWEEN_QUIET));
        let turn = |group: &[usize]| -> Vec<RunSpec> {
            let cells = group.iter().map(|place| &self.cells[*place]);
            std::iter::once(&self.quiet).chain(cells).cloned().collect()
        };
        groups.flat_map(turn).collect()
    }
}

/// What was typed, or all that this machine has what they need for; the sham last.
fn aggressors(args: &InterfereArgs) -> Result<Vec<LoadSpec>> {
    let typed: Vec<LoadSpec> = args.aggressors.iter().flatten().cloned().collect();
    let is_typed = !typed.is_empty();
    let mut all: Vec<LoadSpec> = Vec::new();
    for spec in if is_typed { typed } else { usual() } {
        if spec.cpus.is_some() {
            bail!("--aggressors: `{spec}`: --places says on which CPUs it works");
        }
        match lacks(&spec) {
            Some(why) if is_typed => bail!("--aggressors: `{spec}`: {why}"),
            Some(why) => tell(&format!("Left out {spec}: {why}")),
            None if spec.name != SHAM && !all.contains(&spec) => all.push(spec),
            None => {}
        }
    }
    all.extend(SHAM.parse());
    Ok(all)
}

/// The loads that are tried where nobody says which.
fn usual() -> Vec<LoadSpec> {
    let has_all = |load: &&Load| load.argument.is_none_or(|one| one.default.is_some());
    let own = LOADS
        .iter()
        .filter(|load| load.is_aggressor)
        .filter(has_all);
    let names = own.map(|load| load.name).chain(GENERAL);
    names.filter_map(|name| name.parse().ok()).collect()
}

/// What this machine lacks for a load.
fn lacks(spec: &LoadSpec) -> Option<String> {
    let load = load::find(&spec.name)?;
    let argument = spec.argument.as_deref();
    let argument = argument.unwrap_or(load.usual_argument());
    (load.check)(argument)
        .err()
        .or_else(|| (load.lacks)(argument))
}

/// The places with their CPUs.
fn places(
    args: &InterfereArgs,
    at: impl Fn(Vicinity) -> (Vicinity, CpuSet),
    measured: &CpuSet,
) -> Result<Vec<(Vicinity, CpuSet)>> {
    let there = |place: &(Vicinity, CpuSet)| !place.1.is_empty();
    if args.places.is_empty() {
        return Ok(Vicinity::all().map(at).filter(there).collect());
    }
    let mut places: Vec<Vicinity> = args.places.clone();
    places.sort_unstable();
    places.dedup();
    let places: Vec<(Vicinity, CpuSet)> = places.into_iter().map(at).collect();
    match places.iter().find(|place| !there(place)) {
        Some((place, _)) => bail!(
            "--places: no CPU that this process may use stands there: {place}, seen from CPU \
             {measured}"
        ),
        None => Ok(places),
    }
}

/// How long each run measures, of that share of the budget.
fn length(each: Duration) -> Nanos {
    let [least, most] = LENGTHS;
    let length = each.saturating_sub(BESIDES).clamp(least, most);
    Nanos(length.as_millis() as u64 * 1_000_000)
}
