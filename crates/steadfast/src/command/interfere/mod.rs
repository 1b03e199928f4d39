//! `steadfast interfere`: measures how much each neighbour slows a run, by what it does and where.

#[cfg(test)]
pub(crate) mod tests;

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, anyhow, bail};
use base::{CpuSet, Nanos, Vicinity};
use clap::Args;
use load::{LOADS, Load};
use record::{LoadSpec, RunSpec};
use report::InterferenceView;
use rt::neighbours::Neighbours;
use rt::topology;

use crate::command::run::line::of_line;
use crate::options::loads;
use crate::options::place::Place;
use crate::session::results_dir::KeptArgs;
use crate::session::rounds::{Room, Rounds};
use crate::startup::output::tell;

#[derive(Debug, Args)]
#[command(mut_arg("out", |arg| arg.default_value("steadfast-interfere")))]
pub(crate) struct InterfereArgs {
    /// The run whose neighbours are varied, as typed after `steadfast run`, such as 'wakeup
    /// --period 1ms --cpus 1'
    #[arg(long, value_name = "RUN LINE")]
    pub(crate) of: String,
    /// Total time; the command runs as many rounds as fit. The same command with the same --out
    /// continues an interrupted session
    #[arg(long, value_name = "TIME", default_value = "15min")]
    pub(crate) budget: Nanos,
    /// Loads that the neighbours run, one after the other, such as cache+memory%50+fork; default:
    /// the neighbour loads of `steadfast list` that this machine supports. A sham, which only
    /// sleeps, is always included
    #[arg(long, value_name = "LOAD+...", value_parser = loads)]
    pub(crate) aggressors: Vec<Vec<LoadSpec>>,
    /// Where the neighbours run, relative to the measured CPUs: same-cpu (under the default
    /// policy), sibling, shared-cache, other-cache, other-socket; default: all that this machine
    /// has
    #[arg(long, value_name = "PLACE,...", value_delimiter = ',')]
    pub(crate) places: Vec<Vicinity>,
    #[command(flatten)]
    pub(crate) kept: KeptArgs,
}

pub(crate) fn interfere(args: &InterfereArgs) -> Result<ExitCode> {
    let started = Instant::now();
    let rounds = among(args, &Neighbours::here(), &topology::usable())?;
    let kept = &args.kept;
    let ended = rounds.carry_out("interfere", kept, &Place::Local, started, args.budget)?;
    kept.give(ended, &kept.answer.standards(), &InterferenceView, "")
}

/// The load that does nothing: the control for all others.
const SHAM: &str = analysis::interference::SHAM;
/// General loads that are tried in addition to those that do one thing.
const GENERAL: [&str; 6] = ["memory%25", "memory%50", "memory", "paging", "disk", "network"];

/// Returns the runs to try on a machine: the quiet run, and one with each aggressor in each place.
fn among(args: &InterfereArgs, neighbours: &Neighbours, usable: &CpuSet) -> Result<Rounds> {
    let (mut quiet, said) = of_line("--of", &args.of, &Place::default())?;
    if !quiet.asked.loads.is_empty() {
        bail!("--of: --load: interfere sets the loads itself; choose them with --aggressors");
    }
    let measured = quiet.asked.cpus.clone();
    let at = |place: Vicinity| (place, neighbours.at(place, &measured, usable));
    let aggressors = aggressors(args)?;
    let places = places(args, at, &measured)?;
    let room = Room::of(args.budget, aggressors.len() * places.len());
    if said.is_none() {
        quiet.asked.duration = room.length();
    }
    let rounds = room.rounds(quiet.asked.duration).map_err(|why| {
        anyhow!("{why}, choose fewer --aggressors or --places, or shorten the runs in --of")
    })?;
    let cell = |load: &LoadSpec, (place, cpus): &(Vicinity, CpuSet)| {
        let mut spec = quiet.clone();
        spec.asked.loads = vec![LoadSpec { cpus: Some(cpus.clone()), ..load.clone() }];
        spec.vicinity = Some(*place);
        spec
    };
    let of_place = |place| aggressors.iter().map(move |load| cell(load, place));
    let others: Vec<RunSpec> = places.iter().flat_map(of_place).collect();
    Ok(Rounds { reference: quiet, others, rounds })
}

/// Returns the typed loads, or all that this machine supports; the sham is last.
fn aggressors(args: &InterfereArgs) -> Result<Vec<LoadSpec>> {
    let typed: Vec<LoadSpec> = args.aggressors.iter().flatten().cloned().collect();
    let is_typed = !typed.is_empty();
    let mut all: Vec<LoadSpec> = Vec::new();
    for spec in if is_typed { typed } else { usual() } {
        if spec.cpus.is_some() {
            bail!("--aggressors: `{spec}`: leave out the CPUs, which --places sets");
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

fn usual() -> Vec<LoadSpec> {
    let has_all = |load: &&Load| load.argument.is_none_or(|one| one.default.is_some());
    let own = LOADS.iter().filter(|load| load.is_aggressor).filter(has_all);
    own.map(|load| load.name).chain(GENERAL).filter_map(|name| name.parse().ok()).collect()
}

fn lacks(spec: &LoadSpec) -> Option<String> {
    let load = load::find(&spec.name)?;
    let argument = spec.argument.as_deref().unwrap_or(load.usual_argument());
    (load.check)(argument).err().or_else(|| (load.lacks)(argument))
}

fn places(
    args: &InterfereArgs,
    at: impl Fn(Vicinity) -> (Vicinity, CpuSet),
    measured: &CpuSet,
) -> Result<Vec<(Vicinity, CpuSet)>> {
    let there = |place: &(Vicinity, CpuSet)| !place.1.is_empty();
    if args.places.is_empty() {
        return Ok(Vicinity::ALL.into_iter().map(at).filter(there).collect());
    }
    let places = BTreeSet::from_iter(args.places.iter().copied()).into_iter().map(at);
    let places: Vec<(Vicinity, CpuSet)> = places.collect();
    if let Some((place, _)) = places.iter().find(|place| !there(place)) {
        bail!(
            "--places: this process may use no CPU at that place: {place}, relative to CPU \
             {measured}"
        );
    }
    Ok(places)
}
