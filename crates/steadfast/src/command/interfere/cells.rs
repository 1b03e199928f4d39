//! What is tried: each aggressor in each place, and quiet runs between them.

use ::plan::{LoadSpec, RunSpec};
use anyhow::{Result, anyhow, bail};
use load::{LOADS, Load};
use rt::neighbours::Neighbours;
use rt::topology;
use units::{CpuSet, Vicinity};

use super::args::InterfereArgs;
use crate::args::PlaceArgs;
use crate::of_line::of_line;
use crate::output::tell;
use crate::rounds::{Room, Rounds};

/// The load that does nothing, beside which all others stand.
const SHAM: &str = analysis::interference::SHAM;
/// Loads of programs in general that are tried beside those that do one thing: the bandwidth of the
/// memory in steps, pages, disk, and what arrives from a network.
const GENERAL: [&str; 6] = ["memory%25", "memory%50", "memory", "paging", "disk", "network"];

/// What the arguments ask for, on this machine: the quiet run, and one with each aggressor in each
/// place.
///
/// # Errors
/// One line that names the flag that cannot be meant.
pub(super) fn of(args: &InterfereArgs) -> Result<Rounds> {
    let usable = topology::usable();
    among(args, &Neighbours::here(), &usable)
}

/// The same on a machine of which that is known.
pub(super) fn among(
    args: &InterfereArgs,
    neighbours: &Neighbours,
    usable: &CpuSet,
) -> Result<Rounds> {
    let (mut quiet, said) = of_line(&args.of, &PlaceArgs::default())?;
    if !quiet.asked.loads.is_empty() {
        bail!("--of: --load: loads are what is tried; name them with --aggressors");
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
        anyhow!("{why}: give more, or fewer --aggressors or --places, or shorter runs in --of")
    })?;
    let cell = |load: &LoadSpec, (place, cpus): &(Vicinity, CpuSet)| {
        let mut spec = quiet.clone();
        spec.asked.loads = vec![LoadSpec { cpus: Some(cpus.clone()), ..load.clone() }];
        spec.vicinity = Some(*place);
        spec
    };
    let of_place = |place| aggressors.iter().map(move |load| cell(load, place));
    let cells: Vec<RunSpec> = places.iter().flat_map(of_place).collect();
    Ok(Rounds::of(quiet, cells, rounds))
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
    let own = LOADS.iter().filter(|load| load.is_aggressor).filter(has_all);
    let names = own.map(|load| load.name).chain(GENERAL);
    names.filter_map(|name| name.parse().ok()).collect()
}

/// What this machine lacks for a load.
fn lacks(spec: &LoadSpec) -> Option<String> {
    let load = load::find(&spec.name)?;
    let argument = spec.argument.as_deref();
    let argument = argument.unwrap_or(load.usual_argument());
    (load.check)(argument).err().or_else(|| (load.lacks)(argument))
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
