//! The command line of a run, as a user types it.

use base::quoted;

use crate::{LatencyHold, NOWHERE, RunSpec, Value};

/// An option's name, without dashes, and its value as it is typed.
pub type RunOption = (String, String);

/// Returns the options of a run: its parameters, then its conditions, without what is not set.
pub fn run_options(spec: &RunSpec) -> Vec<RunOption> {
    let asked = &spec.asked;
    let is_set = |(_, value): &(&str, &Value)| **value != Value::Word(NOWHERE.to_owned());
    let parameters = spec.parameters.iter().filter(is_set);
    let parameters = parameters.map(|(name, value)| (name, value.to_string()));
    let loads: Vec<String> = asked.loads.iter().map(ToString::to_string).collect();
    let is_held = asked.cpu_dma_latency == LatencyHold::Hold;
    let conditions = [
        ("cpus", asked.cpus.to_string()),
        ("policy", asked.policy.to_string()),
        ("seconds", asked.duration.to_string()),
        ("stop-at", spec.stop_at.map_or_else(String::new, |limit| limit.to_string())),
        ("load", loads.join("+")),
        ("memory", if asked.memory_lock { "locked" } else { "unlocked" }.to_owned()),
        ("idle-states", if is_held { "hold" } else { "leave" }.to_owned()),
        ("threshold", spec.blame_beyond.map_or_else(String::new, |beyond| beyond.to_string())),
    ];
    let all = parameters.chain(conditions).filter(|(_, value)| !value.is_empty());
    all.map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Returns the command line of a run without the options that it has anyway.
pub fn run_line(spec: &RunSpec, usual: &[RunOption]) -> String {
    let options = run_options(spec).into_iter().filter(|option| !usual.contains(option));
    let option = |(name, value): RunOption| match value.starts_with('-') {
        true => format!("--{name}={}", quoted(&value)),
        false => format!("--{name} {}", quoted(&value)),
    };
    let options = options.map(option);
    let blame = spec.blame_beyond.map(|_| "--blame".to_owned());
    let live = spec.live.then(|| "--live".to_owned());
    let beside = spec.asked.beside.then(|| "--beside".to_owned());
    let command = format!("steadfast run {}", spec.measurement);
    let words = [command].into_iter().chain(options).chain(blame).chain(live).chain(beside);
    words.collect::<Vec<String>>().join(" ")
}
