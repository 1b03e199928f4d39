//! Matches rows of two systems with equal specifications.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use record::{Asked, LatencyHold, RunSpec, Value};

use crate::finding::Across;
use crate::lists::sorted;
use crate::survey::{Series, System};

/// A specification by the names of its conditions and parameters, without its duration.
pub(super) type Fields = BTreeMap<String, String>;

pub(super) const LOAD: &str = "load";
pub(super) const CPUS: &str = "cpus";

/// The series of two systems that belong together.
pub(super) struct Matched {
    pub across: Vec<Across>,
    /// Indices of the series in both systems.
    pub places: Vec<[usize; 2]>,
    pub unmatched: [Vec<String>; 2],
}

pub(super) fn fields(spec: &RunSpec) -> Fields {
    let conditions = if spec.imported.is_some() { Vec::new() } else { conditions_of(&spec.asked) };
    let parameters = spec.parameters.iter().map(|(name, value)| (name, value.to_string()));
    let limits = [("threshold", spec.blame_beyond), ("stop-at", spec.stop_at)];
    let limits = limits.into_iter().filter_map(|(name, limit)| Some((name, limit?.to_string())));
    let record = spec.record.then(|| ("record", "steps".to_owned()));
    let all = conditions.into_iter().chain(parameters).chain(limits).chain(record);
    all.map(|(name, value)| (name.to_owned(), value)).collect()
}

fn conditions_of(asked: &Asked) -> Vec<(&'static str, String)> {
    let loads: Vec<String> = asked.loads.iter().map(ToString::to_string).collect();
    let loads = if loads.is_empty() { "none".to_owned() } else { loads.join(",") };
    let idle = match asked.cpu_dma_latency {
        LatencyHold::Hold => "hold",
        LatencyHold::Leave => "leave",
    };
    vec![
        ("policy", asked.policy.to_string()),
        (CPUS, asked.cpus.to_string()),
        ("memory", if asked.memory_lock { "locked" } else { "unlocked" }.to_owned()),
        ("idle-states", idle.to_owned()),
        (LOAD, loads),
        ("beside", if asked.beside { "others may measure" } else { "alone" }.to_owned()),
    ]
}

/// What a row measures, its label, and under which conditions.
pub(super) type Key = (String, Option<String>, Fields);

pub(super) fn key(series: &Series, across: &[String]) -> Key {
    let mut fields = fields(series.spec);
    fields.retain(|name, _| !across.contains(name));
    // The label of the first row may name a CPU.
    let label = (!series.headline()).then(|| series.label.to_owned());
    (series.spec.measurement.clone(), label, fields)
}

/// Has the number of the CPUs instead of the CPUs, because machines number them differently.
fn key_on_any_cpus(series: &Series, across: &[String]) -> Key {
    let mut key = key(series, across);
    if let Some(cpus) = key.2.get_mut(CPUS) {
        *cpus = series.spec.asked.cpus.len().to_string();
    }
    key
}

/// Series with results, by their index.
type Left<'s, 'a> = Vec<(usize, &'s Series<'a>)>;

/// Matches series that are alike; first on the same CPUs, then on the same number of CPUs. A series
/// with several counterparts stays unmatched.
pub(super) fn matched(systems: [&System; 2], across: &[String]) -> Matched {
    let across = chosen(systems, across);
    let names: Vec<String> = across.iter().map(|across| across.field.clone()).collect();
    let mut left = systems.map(measured);
    let mut places = pairs(&mut left, |series| key(series, &names));
    places.extend(pairs(&mut left, |series| key_on_any_cpus(series, &names)));
    places.sort_by_key(|[place, _]| order(&systems[0].series[*place]));
    let titles = |left: Left| left.iter().map(|(_, series)| title(series)).collect();
    Matched { across, places, unmatched: left.map(titles) }
}

/// By measurement, policy and rising parameters, the first row before the others.
fn order(series: &Series) -> impl Ord + use<> {
    let spec = series.spec;
    let parameters = Vec::from_iter(spec.parameters.iter().map(|(_, value)| rising(value)));
    let row = (!series.headline(), series.label.to_owned());
    (spec.measurement.clone(), spec.asked.policy.to_string(), parameters, row)
}

/// Returns the sort key of a value: numbers and times rise, words are alphabetical.
pub(super) fn rising(value: &Value) -> (u64, String) {
    match value {
        Value::Time(time) => (time.0, String::new()),
        Value::Count(count) | Value::Percent(count) => (*count, String::new()),
        other => (0, other.to_string()),
    }
}

fn measured<'s, 'a>(system: &'s System<'a>) -> Left<'s, 'a> {
    let series = system.series.iter().enumerate();
    series.filter(|(_, series)| series.unavailable().is_none()).collect()
}

/// Removes from both sides, and returns, the series whose key occurs exactly once on each side.
fn pairs(left: &mut [Left; 2], key: impl Fn(&Series) -> Key) -> Vec<[usize; 2]> {
    let mut found: BTreeMap<Key, [Vec<usize>; 2]> = BTreeMap::new();
    for (side, left) in left.iter().enumerate() {
        for (place, series) in left {
            found.entry(key(series)).or_default()[side].push(*place);
        }
    }
    let only = |sides: [Vec<usize>; 2]| match sides.each_ref().map(Vec::as_slice) {
        [[a], [b]] => Some([*a, *b]),
        _ => None,
    };
    let places: Vec<[usize; 2]> = found.into_values().filter_map(only).collect();
    for (side, left) in left.iter_mut().enumerate() {
        left.retain(|(place, _)| !places.iter().any(|pair| pair[side] == *place));
    }
    places
}

/// The named fields; else the loads, if each side has exactly one and they differ.
fn chosen(systems: [&System; 2], named: &[String]) -> Vec<Across> {
    let values = |field: &str| systems.map(|system| values(system, field));
    let across = |field: &str| Across {
        field: field.to_owned(),
        values: values(field).map(|values| {
            let values = Vec::from_iter(values);
            if values.is_empty() { "none".to_owned() } else { values.join("; ") }
        }),
    };
    if !named.is_empty() {
        return named.iter().map(|field| across(field)).collect();
    }
    let [a, b] = values(LOAD);
    let is_question = a.len() == 1 && b.len() == 1 && a != b;
    is_question.then(|| across(LOAD)).into_iter().collect()
}

/// The fields in which the most similar rows of both systems differ, if rows match once these may
/// differ; rows that differ in the named fields come first.
pub(super) fn could_match(systems: [&System; 2], named: &[String]) -> Vec<String> {
    let keys = systems.map(|system| {
        let series = measured(system).into_iter();
        Vec::from_iter(series.map(|(_, series)| key_on_any_cpus(series, &[])))
    });
    let [keys, others] = &keys;
    let pairs = keys.iter().flat_map(|key| others.iter().map(move |other| (key, other)));
    let same_row = pairs.filter(|(a, b)| a.0 == b.0 && a.1 == b.1);
    let differing: BTreeSet<Vec<String>> = same_row
        .map(|((.., a), (.., b))| {
            let names = a.keys().chain(b.keys()).cloned();
            sorted(names.filter(|name| a.get(name) != b.get(name)))
        })
        .collect();
    let ranked = differing.into_iter().filter_map(|across| {
        let rows = matched(systems, &across).places.len();
        let unnamed = named.iter().filter(|field| !across.contains(field)).count();
        (rows > 0).then_some(((unnamed, across.len(), Reverse(rows)), across))
    });
    ranked.min().map_or_else(Vec::new, |(_, across)| across)
}

fn values(system: &System, field: &str) -> BTreeSet<String> {
    let series = measured(system).into_iter();
    series.filter_map(|(_, series)| fields(series.spec).remove(field)).collect()
}

fn title(series: &Series) -> String {
    format!("{}: {}", series.spec.title(), series.label)
}

/// Describes conditions relative to the peers on the same system, without the compared fields.
pub(super) fn conditions(series: &Series, system: &System, across: &[Across]) -> String {
    let peers: Vec<&Series> = system.of(&series.spec.measurement).collect();
    let compared: Vec<&str> =
        across.iter().map(|across_field| across_field.field.as_str()).collect();
    series.conditions_without(&compared, &peers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::wakeup;
    use crate::survey::System;
    use base::{CpuSet, Policy};
    use record::Outcome;

    fn system(runs: &[Outcome]) -> System<'_> {
        System::named("one".into(), runs.iter().collect()).unwrap()
    }

    fn names(across: &[Across]) -> Vec<&str> {
        across.iter().map(|across| across.field.as_str()).collect()
    }

    #[test]
    fn equal_specifications_match_and_others_are_left() {
        let fifo = Policy::Fifo(80);
        let runs = [wakeup(fifo, None, 8e3, 6e4), wakeup(Policy::OTHER, None, 8e3, 6e4)];
        let other = [wakeup(fifo, None, 8e3, 6e4), wakeup(fifo, Some("cpu"), 8e3, 6e4)];
        let (runs, other) = (system(&runs), system(&other));
        let matched = matched([&runs, &other], &[]);
        assert_eq!(matched.places, [[0, 0], [1, 1], [2, 2]]);
        assert_eq!(matched.unmatched.map(|left| left.len()), [3, 3]);
        assert!(matched.across.is_empty());
    }

    #[test]
    fn loads_are_the_question_where_each_side_has_its_own() {
        let fifo = Policy::Fifo(80);
        let runs = [wakeup(fifo, None, 8e3, 6e4)];
        let loaded = [wakeup(fifo, Some("cpu"), 8e3, 6e4)];
        let both = [&system(&runs), &system(&loaded)];
        let found = matched(both, &[]);
        assert_eq!(found.places.len(), 3);
        assert_eq!(found.across[0].values, ["none", "cpu"]);
        assert_eq!(names(&matched(both, &["load".into()]).across), ["load"]);
        assert!(matched(both, &["policy".into()]).places.is_empty());
    }

    #[test]
    fn where_nothing_matches_the_fields_that_help_are_found() {
        let runs = [wakeup(Policy::OTHER, None, 8e3, 6e4)];
        let mut other = [wakeup(Policy::Fifo(80), None, 8e3, 6e4)];
        let fields = |other: &[Outcome]| could_match([&system(&runs), &system(other)], &[]);
        assert_eq!(fields(&other), ["policy"]);
        other[0].header.spec.blame_beyond = Some(base::Nanos(50_000));
        assert_eq!(fields(&other), ["policy", "threshold"]);
        let found = matched([&system(&runs), &system(&other)], &fields(&other));
        assert_eq!(found.across[1].values, ["none", "50us"]);
        other[0].header.spec.blame_beyond = None;
        other[0].header.spec.stop_at = Some(base::Nanos(30_000));
        assert_eq!(fields(&other), ["policy", "stop-at"]);
        other[0].header.spec.stop_at = None;
        other[0].header.spec.asked.memory_lock = false;
        assert_eq!(fields(&other), ["memory", "policy"]);
        // One load more on the other side: across loads, its rows would have two counterparts.
        let [run] = &other;
        let mut both = [run.clone(), run.clone()];
        both[1].header.spec.asked.loads = vec!["cpu".parse().unwrap()];
        let named = could_match([&system(&runs), &system(&both)], &["load".to_owned()]);
        assert_eq!(named, ["memory", "policy"]);
        let tire = [crate::fixture::tire("real-fast", 100, 1, 10, 0)];
        assert!(fields(&tire).is_empty());
        // What only one system measured does not count.
        let [tire] = tire;
        assert_eq!(fields(&[run.clone(), tire]), ["memory", "policy"]);
    }

    #[test]
    fn what_has_several_counterparts_has_none() {
        let fifo = Policy::Fifo(80);
        let runs = [wakeup(fifo, None, 8e3, 6e4)];
        let loads = [wakeup(fifo, Some("cpu"), 8e3, 6e4), wakeup(fifo, Some("memory"), 8e3, 6e4)];
        let found = matched([&system(&runs), &system(&loads)], &["load".into()]);
        assert!(found.places.is_empty());
        assert_eq!(found.unmatched[1].len(), 6);
    }

    #[test]
    fn other_cpus_match_where_there_are_as_many() {
        let fifo = Policy::Fifo(80);
        let one = [wakeup(fifo, None, 8e3, 6e4)];
        let mut other = one.clone();
        other[0].header.spec.asked.cpus = CpuSet::one(7);
        let found = matched([&system(&one), &system(&other)], &[]);
        assert_eq!(found.places.len(), 3);
        other[0].header.spec.asked.cpus = "6-7".parse().unwrap();
        assert!(matched([&system(&one), &system(&other)], &[]).places.is_empty());
    }
}
