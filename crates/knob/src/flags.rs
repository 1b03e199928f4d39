//! Conditions and parameters of the run itself, for which nothing is written.

use std::time::Duration;

use base::{CpuSet, Policy};
use record::{LatencyHold, RunSpec, Value};
use rt::topology;

use crate::knob::{Flag, Knob, Way};

/// Declares knobs of the run: name, advised value, other value, function that changes it, function
/// that reads it, summary.
macro_rules! flags {
    ($($name:literal, $advised:literal | $other:literal, $apply:expr, $now:expr, $summary:literal;)*) => {
        pub(crate) const KNOBS: &[Knob] = &[$(Knob {
            name: $name,
            summary: $summary,
            way: Way::Flag(Flag {
                apply: $apply,
                now: $now,
                advised: $advised,
                other: $other,
            }),
            settle: Duration::ZERO,
            source: "steadfast help run",
            ..Knob::PLAIN
        }),*];
    };
}

flags! {
    "policy", "fifo:80" | "other", set_policy, |spec| Some(spec.asked.policy.to_string()),
        "the run's scheduling policy (--policy)";
    "memory_lock", "locked" | "unlocked", set_memory, memory,
        "whether the run's memory is locked (--memory)";
    "idle_hold", "hold" | "leave", set_idle, idle,
        "whether idle states are held off (--idle-states)";
    "others", "moved" | "stay",
        |spec, value| set_word(spec, "others", &["moved", "stay"], value),
        |spec| word(spec, "others"),
        "whether other tasks are moved off the measured CPUs (--others)";
    "timer", "sleep" | "interval",
        |spec, value| set_word(spec, "timer", &["sleep", "interval"], value),
        |spec| word(spec, "timer"),
        "how a thread waits (--timer)";
    "start", "spin" | "timer",
        |spec, value| set_word(spec, "start", &["spin", "hybrid", "timer"], value),
        |spec| word(spec, "start"),
        "how a frame waits: by a timer, or by spinning (--start)";
    "barrier", "spin" | "futex",
        |spec, value| set_word(spec, "barrier", &["spin", "futex"], value),
        |spec| word(spec, "barrier"),
        "how the threads of a tire wait for each other (--barrier)";
    "empty_sibling", "empty" | "used", set_sibling, sibling,
        "loads leave the SMT siblings of measured CPUs empty";
}

fn set_policy(spec: &mut RunSpec, value: &str) -> Result<(), String> {
    spec.asked.policy = value.parse::<Policy>().map_err(|why| why.to_string())?;
    Ok(())
}

fn set_memory(spec: &mut RunSpec, value: &str) -> Result<(), String> {
    spec.asked.memory_lock = one_of(value, "locked", "unlocked")?;
    Ok(())
}

fn memory(spec: &RunSpec) -> Option<String> {
    let words = ["unlocked", "locked"];
    Some(words[usize::from(spec.asked.memory_lock)].to_owned())
}

fn set_idle(spec: &mut RunSpec, value: &str) -> Result<(), String> {
    let is_held = one_of(value, "hold", "leave")?;
    spec.asked.cpu_dma_latency = if is_held { LatencyHold::Hold } else { LatencyHold::Leave };
    Ok(())
}

fn idle(spec: &RunSpec) -> Option<String> {
    let word = match spec.asked.cpu_dma_latency {
        LatencyHold::Hold => "hold",
        LatencyHold::Leave => "leave",
    };
    Some(word.to_owned())
}

/// Returns whether a value is the first of two words; any other word is an error.
fn one_of(value: &str, yes: &str, no: &str) -> Result<bool, String> {
    match value {
        _ if value == yes => Ok(true),
        _ if value == no => Ok(false),
        _ => Err(format!("`{value}` is not one of {yes}, {no}")),
    }
}

/// Sets a parameter that is a word, if the measurement declares it.
fn set_word(spec: &mut RunSpec, name: &str, words: &[&str], value: &str) -> Result<(), String> {
    if !words.contains(&value) {
        return Err(format!("`{value}` is not one of {}", words.join(", ")));
    }
    if word(spec, name).is_none() {
        return Err(format!("`{}` has no --{name}", spec.measurement));
    }
    spec.parameters.set(name, Value::Word(value.to_owned()));
    Ok(())
}

fn word(spec: &RunSpec, name: &str) -> Option<String> {
    match spec.parameters.get(name) {
        Some(Value::Word(word)) => Some(word.clone()),
        _ => None,
    }
}

/// Returns the second hardware threads of the measured cores.
fn siblings(spec: &RunSpec) -> CpuSet {
    let measured = &spec.asked.cpus;
    let of_cores = measured.iter().map(topology::siblings);
    let all = of_cores.fold(CpuSet::default(), |all, core| all.with(&core));
    all.without(measured)
}

/// Moves loads without chosen CPUs to other CPUs, or back to all CPUs. It uses the cores of this
/// machine, which must be the one that measures.
fn set_sibling(spec: &mut RunSpec, value: &str) -> Result<(), String> {
    let empty = siblings(spec);
    let kept = topology::usable().without(&empty);
    if empty.is_empty() || spec.asked.loads.is_empty() || kept.is_empty() {
        return Err("no load can run on the same core as a measured CPU".to_owned());
    }
    let is_empty = one_of(value, "empty", "used")?;
    for load in &mut spec.asked.loads {
        load.cpus = is_empty.then(|| kept.clone());
    }
    Ok(())
}

fn sibling(spec: &RunSpec) -> Option<String> {
    let empty = siblings(spec);
    let uses = |load: &record::LoadSpec| {
        let cpus = load.cpus.as_ref();
        cpus.is_none_or(|cpus| cpus.without(&empty) != *cpus)
    };
    let is_used = spec.asked.loads.iter().any(uses);
    let word = if is_used { "used" } else { "empty" };
    (!empty.is_empty()).then(|| word.to_owned())
}
