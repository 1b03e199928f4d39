//! The runs of one `[[run]]` of a plan file: every combination of its values.

use std::path::Path;

use analysis::comparison::NOT_CARRIED;
use analysis::lists::each_once;
use anyhow::Result;
use load::{LOADS, Load, Processes};
use measure::{MEASUREMENTS, Measurement};
use record::RunSpec;
use toml::de::DeTable;

use crate::options::place::{Ground, Place};
use crate::options::request::values::{self, Mistake, Typed, misspelt, refused};
use crate::options::request::{self, RunRequest};
use crate::options::{Condition, keys};
use crate::startup::interrupt;

const MEASUREMENT: &str = "measurement";

#[derive(Clone, Copy)]
pub(crate) struct Reading<'a> {
    /// Applied to every run before its own keys.
    pub(crate) begin: &'a dyn Fn(&mut RunRequest),
    /// Whether a run that is not possible on its target is a mistake in the file.
    pub(crate) is_checked: bool,
    /// The directory from which paths in the plan count; default: that of the plan.
    pub(crate) directory: Option<&'a Path>,
}

impl Default for Reading<'_> {
    fn default() -> Self {
        Self { begin: &|_| {}, is_checked: true, directory: None }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Written {
    /// The run line, as a user would type it after `steadfast run`.
    pub(crate) line: String,
    pub(crate) place: Place,
    /// The run on this machine.
    pub(crate) spec: RunSpec,
}

/// A target, with what planning needs to know about it.
pub(super) type Known = (Place, Ground);

/// A key of a table with all its values.
struct Axis {
    key: &'static str,
    /// The condition that the key sets; otherwise it is a parameter.
    condition: Option<&'static Condition>,
    values: Vec<Typed>,
}

impl Axis {
    fn set(&self, request: &mut RunRequest, text: &str) -> Result<(), String> {
        match self.condition {
            Some(condition) => request.put(condition, text),
            None => request.parse(self.key, text).map_err(|why| why.reason()),
        }
    }
}

/// Returns every combination; the last key varies first. Equal targets are opened only once, also
/// among those already in `places`, so that only one connection is made.
pub(super) fn crossed(
    reading: &Reading<'_>,
    at: usize,
    table: &DeTable,
    places: &mut Vec<Known>,
) -> Result<Vec<Written>, Mistake> {
    let chosen = measurements(at, table)?;
    refuse_strange_keys(table, &chosen)?;
    let mut runs = Vec::new();
    for measurement in chosen {
        let axes = axes(table, measurement, reading.directory)?;
        let count = size(&axes);
        let mut bare = RunRequest::of(measurement);
        (reading.begin)(&mut bare);
        let mut head = measurement.name().to_owned();
        if bare.place != Place::Local && table.get("target").is_none() {
            head += &format!(" --target {}", bare.place);
        }
        for number in 0..count {
            if interrupt::is_wanted() {
                return Err(Mistake::at(at, "interrupted while the runs of this table were made"));
            }
            let (line, request) = typed(&head, &bare, &axes, number)?;
            let run = written(line, &request, places);
            runs.push(run.map_err(|why| refused(&why, at, table))?);
        }
    }
    if !reading.is_checked {
        return Ok(runs);
    }
    for (place, _) in &*places {
        let there = runs.iter().filter(|run| run.place == *place);
        place.check(there.map(|run| &run.spec)).map_err(|why| refused(&why, at, table))?;
    }
    Ok(runs)
}

fn measurements(at: usize, table: &DeTable) -> Result<Vec<&'static dyn Measurement>, Mistake> {
    let Some(names) = table.get(MEASUREMENT) else {
        let lacks = || Mistake::at(at, "expected `measurement` in this [[run]]");
        return Err(misspelt(table, &[MEASUREMENT]).unwrap_or_else(lacks));
    };
    let mut chosen = Vec::new();
    for Typed { text, at } in values::all(names)? {
        let found = request::measurement(&text);
        chosen.push(found.map_err(|why| Mistake::at(at, format!("{why:#}")))?);
    }
    Ok(chosen)
}

/// Returns how many runs a table means, before any is made.
pub(super) fn combinations(
    reading: &Reading<'_>,
    at: usize,
    table: &DeTable,
) -> Result<usize, Mistake> {
    measurements(at, table)?.into_iter().try_fold(0usize, |sum, measurement| {
        Ok(sum.saturating_add(size(&axes(table, measurement, reading.directory)?)))
    })
}

fn size(axes: &[Axis]) -> usize {
    axes.iter().map(|axis| axis.values.len()).fold(1, usize::saturating_mul)
}

pub(super) fn expect_few(at: usize, runs: usize) -> Result<(), Mistake> {
    request::expect_few(runs).map_err(|why| Mistake::at(at, why))
}

/// Returns the keys that the table has, in the order in which their flags are typed.
fn axes(
    table: &DeTable,
    measurement: &dyn Measurement,
    directory: Option<&Path>,
) -> Result<Vec<Axis>, Mistake> {
    let conditions = keys().map(|condition| (condition.name, Some(condition)));
    let parameters = measurement.parameters().iter().map(|parameter| (parameter.name, None));
    let mut axes = Vec::new();
    for (key, condition) in conditions.chain(parameters) {
        if let Some(value) = table.get(key) {
            let of_plan = |typed: Typed| values::from(directory, measurement, key, typed);
            let values = values::all(value)?.into_iter().map(of_plan);
            let values = values.flat_map(|value| each(key, value)).collect();
            axes.push(Axis { key, condition, values });
        }
    }
    Ok(axes)
}

/// Expands a value: `load = "each"` means all loads that do what programs do, except those that may
/// not be installed and whose arguments are the user's choice; `load = "each-in-lab"` those that
/// machines of the lab can run.
fn each(key: &str, value: Typed) -> Vec<Typed> {
    let is_meant: fn(&Load) -> bool = match (key, &*value.text) {
        ("load", "each") => |load| load.processes != Processes::Guard,
        ("load", "each-in-lab") => |load| NOT_CARRIED.iter().all(|(name, _)| *name != load.name),
        _ => return vec![value],
    };
    let meant = LOADS.iter().filter(|load| !load.is_aggressor && is_meant(load));
    meant.map(|load| Typed { text: load.name.to_owned(), at: value.at }).collect()
}

fn typed(
    head: &str,
    bare: &RunRequest,
    axes: &[Axis],
    number: usize,
) -> Result<(String, RunRequest), Mistake> {
    let (mut line, mut request) = (head.to_owned(), bare.clone());
    let mut left = axes.iter().map(|axis| axis.values.len()).product::<usize>();
    for axis in axes {
        left /= axis.values.len();
        let (key, value) = (axis.key, &axis.values[number / left % axis.values.len()]);
        let needs = axis.condition.and_then(|condition| condition.needs);
        line += &needs.map_or_else(String::new, |needed| format!(" --{needed}"));
        line += &format!(" --{key} {}", value.text);
        axis.set(&mut request, &value.text)
            .map_err(|why| Mistake::at(value.at, format!("{key}: {why}")))?;
    }
    Ok((line, request))
}

fn written(line: String, request: &RunRequest, places: &mut Vec<Known>) -> Result<Written> {
    let (place, ground) = known(&request.place, places)?;
    let specs = request::specs_on(ground, request)?;
    let [spec] = <[RunSpec; 1]>::try_from(specs).expect("one value of each key is one run");
    Ok(Written { line, place: place.clone(), spec })
}

/// Returns the entry for a target, which is added if it is new.
fn known<'p>(place: &Place, places: &'p mut Vec<Known>) -> Result<&'p Known> {
    let at = places.iter().position(|(known, _)| known == place);
    if at.is_none() {
        places.push((place.clone(), place.ground()?));
    }
    Ok(&places[at.unwrap_or(places.len() - 1)])
}

/// Refuses a key that no chosen measurement takes, because it would be ignored.
fn refuse_strange_keys(table: &DeTable, chosen: &[&dyn Measurement]) -> Result<(), Mistake> {
    let conditions = keys().map(|condition| condition.name);
    let parameters = chosen.iter().flat_map(|m| m.parameters().iter().map(|p| p.name));
    let keys = each_once([MEASUREMENT].into_iter().chain(conditions).chain(parameters));
    let Some(key) = table.keys().find(|key| !keys.contains(&&**key.get_ref())) else {
        return Ok(());
    };
    let name = key.get_ref().as_ref();
    let takes = |m: &&&dyn Measurement| m.parameters().iter().any(|p| p.name == name);
    let takers: Vec<&str> = MEASUREMENTS.iter().filter(takes).map(|m| m.name()).collect();
    if takers.is_empty() {
        let expected = base::expected(name, keys);
        return Err(Mistake::on(key, format!("`{name}` is not a key of a run; {expected}")));
    }
    let (takers, keys) = (takers.join(" and "), keys.join(", "));
    let what = "which this [[run]] does not measure; expected";
    Err(Mistake::on(key, format!("`{name}` is a parameter of {takers}, {what} {keys}")))
}
