//! Splits one system by what varies in its runs, such as the policies of a campaign: each value is
//! a variant, and variants are compared as systems are.

use std::collections::{BTreeMap, BTreeSet};

use base::Policy;
use record::{Outcome, RunSpec};

use super::matching::{CPUS, Fields, Key, LOAD, fields, key, rising};
use super::question::Unanswerable;
use crate::lists::sorted;
use crate::survey::{Series, System, loads, systems};
use crate::words;

const POLICY: &str = "policy";
/// These come first; everything else follows by its name.
const FIRST: [&str; 7] = [POLICY, LOAD, "solver", "threads", CPUS, "memory", "idle-states"];
/// Larger values of these take more CPUs.
const WITH_CPUS: [&str; 2] = ["threads", "processes"];

#[derive(Debug)]
pub struct Varied {
    /// The conditions or parameters whose values define the variants.
    pub by: Vec<String>,
    /// Fields in which variants may differ: the above, and CPUs if they vary with them.
    pub across: Vec<String>,
    /// What else varies in otherwise equal runs.
    pub also: Vec<String>,
    pub left_out: usize,
}

/// Returns the conditions and parameters in which otherwise equal runs differ, that is, what
/// `compare` of one store can be asked about, its own choice first. Empty for several systems,
/// which are compared themselves.
pub fn varying(outcomes: &[Outcome]) -> Vec<String> {
    match systems(outcomes).as_slice() {
        [system] => varies_alone(system),
        _ => Vec::new(),
    }
}

/// Variants by the named fields, else by the first that varies; `None` without either.
pub(in crate::comparison) fn taken_apart<'a>(
    system: &System<'a>,
    named: &[String],
) -> Result<Option<(Varied, Vec<System<'a>>)>, Unanswerable> {
    let alone = varies_alone(system);
    let by = match (named, alone.first()) {
        ([], None) => return Ok(None),
        ([], Some(first)) => vec![first.clone()],
        (named, _) => named.to_vec(),
    };
    let Some(across) = freed(system, &by) else {
        let nothing = ["nothing here does".to_owned()];
        let known = words::listed(if alone.is_empty() { &nothing } else { &alone });
        return Err(Unanswerable::NotVaried { names: words::listed(&by), known });
    };
    let (systems, left_out) = variants(system, &by);
    let also = alone.into_iter().filter(|name| !by.contains(name));
    let varied = Varied { also: also.collect(), by, across, left_out };
    Ok(Some((varied, systems)))
}

fn varies_alone(system: &System) -> Vec<String> {
    let mut names =
        sorted(headlines(system).flat_map(|headline| fields(headline.spec).into_keys()));
    let place = |name: &String| FIRST.iter().position(|first| first == name);
    names.sort_by_key(|name| place(name).unwrap_or(FIRST.len()));
    names.retain(|name| freed(system, std::slice::from_ref(name)).is_some());
    names
}

/// The fields that may differ so that rows with different values of `by` are otherwise equal.
fn freed(system: &System, by: &[String]) -> Option<Vec<String>> {
    let with_cpus = by.iter().any(|name| WITH_CPUS.contains(&name.as_str()));
    let and_cpus = with_cpus.then(|| [by, &[CPUS.to_owned()]].concat());
    let mut choices = [by.to_vec()].into_iter().chain(and_cpus);
    choices.find(|across| {
        let mut found: BTreeMap<Key, BTreeSet<Vec<String>>> = BTreeMap::new();
        for series in headlines(system) {
            if let Some(values) = values(&fields(series.spec), by) {
                found.entry(key(series, across)).or_default().insert(values);
            }
        }
        found.values().any(|values| values.len() > 1)
    })
}

fn headlines<'s, 'a>(system: &'s System<'a>) -> impl Iterator<Item = &'s Series<'a>> {
    let series = system.series.iter();
    series.filter(|series| series.headline() && series.unavailable().is_none())
}

fn values(of: &Fields, by: &[String]) -> Option<Vec<String>> {
    by.iter().map(|name| of.get(name).cloned()).collect()
}

/// A system for each value, the default first, and the number of runs without a value.
fn variants<'a>(system: &System<'a>, by: &[String]) -> (Vec<System<'a>>, usize) {
    let mut runs: BTreeMap<Vec<(u64, String)>, Vec<&Outcome>> = BTreeMap::new();
    let mut left_out = 0;
    for outcome in &system.outcomes {
        let spec = &outcome.header.spec;
        let Some(values) = values(&fields(spec), by) else {
            left_out += 1;
            continue;
        };
        let ranks = by.iter().zip(&values).map(|(name, value)| rank(spec, name, value));
        runs.entry(ranks.collect()).or_default().push(outcome);
    }
    let named = |runs: Vec<&'a Outcome>| {
        let spec = &runs.first()?.header.spec;
        let names = Vec::from_iter(by.iter().map(|field| name(spec, field)));
        System::named(names.join(" + "), runs)
    };
    (runs.into_values().filter_map(named).collect(), left_out)
}

/// Returns the order of values: the default policy and no load come first.
fn rank(spec: &RunSpec, name: &str, value: &str) -> (u64, String) {
    let asked = &spec.asked;
    let (number, text) = match (name, spec.parameters.get(name)) {
        (_, Some(value)) => rising(value),
        (POLICY, _) => (u64::from(asked.policy != Policy::OTHER), String::new()),
        (LOAD, _) => (u64::from(!asked.loads.is_empty()), String::new()),
        (CPUS, _) => (asked.cpus.len() as u64, String::new()),
        _ => (0, String::new()),
    };
    (number, text + value)
}

/// Names a value without its field: `fifo:80`, `load cpu`, `threads 2`.
fn name(spec: &RunSpec, field: &str) -> String {
    let value = fields(spec).remove(field).unwrap_or_default();
    match field {
        POLICY => value,
        LOAD => loads(&spec.asked),
        _ => format!("{field} {value}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{tire, wakeup};
    use base::CpuSet;

    fn names(runs: &[Outcome], by: &[&str]) -> Option<(Varied, Vec<String>)> {
        let by: Vec<String> = by.iter().map(|name| (*name).to_owned()).collect();
        let (varied, variants) = taken_apart(&systems(runs)[0], &by).unwrap()?;
        Some((varied, variants.into_iter().map(|variant| variant.name).collect()))
    }

    #[test]
    fn policies_come_first_and_what_is_usual_before_the_rest() {
        let fifo = Policy::Fifo(80);
        let runs = [
            wakeup(fifo, Some("cpu"), 8e3, 6e4),
            wakeup(fifo, None, 8e3, 6e4),
            wakeup(Policy::OTHER, None, 8e3, 6e4),
            tire("real-fast", 400, 1, 10, 0),
        ];
        let (varied, variants) = names(&runs, &[]).unwrap();
        assert_eq!(variants, ["other", "fifo:80"]);
        assert_eq!((varied.by, varied.also), (vec!["policy".into()], vec!["load".into()]));
        let (varied, variants) = names(&runs, &["load", "period"]).unwrap();
        assert_eq!(variants, ["no load + period 1ms", "load cpu + period 1ms"]);
        assert_eq!(varied.left_out, 1);
        assert!(names(&runs[3..], &[]).is_none());
        assert_eq!(varying(&runs), ["policy", "load"]);
    }

    #[test]
    fn more_threads_take_more_cpus() {
        let mut two = tire("real-fast", 400, 2, 10, 0);
        two.header.spec.asked.cpus = "0-1".parse().unwrap();
        let mut ten = tire("real-fast", 400, 10, 10, 0);
        ten.header.spec.asked.cpus = "0-9".parse().unwrap();
        let mut one = tire("real-fast", 400, 1, 10, 0);
        one.header.spec.asked.cpus = CpuSet::one(0);
        let (varied, variants) = names(&[ten, two, one], &[]).unwrap();
        assert_eq!(variants, ["threads 1", "threads 2", "threads 10"]);
        assert_eq!(varied.across, ["threads", "cpus"]);
    }

    #[test]
    fn what_does_not_vary_alone_is_refused_with_what_does() {
        let runs =
            [wakeup(Policy::Fifo(80), None, 8e3, 6e4), wakeup(Policy::OTHER, None, 8e3, 6e4)];
        let error = taken_apart(&systems(&runs)[0], &["load".into()]).err().unwrap();
        assert!(error.to_string().contains("differ in load"), "{error}");
        assert!(error.to_string().contains("policy"), "{error}");
    }
}
