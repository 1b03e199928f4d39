//! The conditions of a run: what was requested, and what was found.

use std::collections::{BTreeMap, BTreeSet};

use base::{CpuSet, Observed};
use record::{
    Asked, CpuCounters, Found, LatencyHold, LoadFound, OthersFound, Outcome, ThreadFound, Warning,
    fact,
};
use serde_json::Value;

use crate::lists::{groups, sorted};
use crate::machine::{NOT_STATED, throttling};
use crate::survey::loads;
use crate::words;

/// A requested condition: its name, the requested value, the value found.
type Condition = (&'static str, fn(&Asked) -> String, fn(&Outcome) -> String);

const CONDITIONS: &[Condition] = &[
    (
        "Policy",
        |asked| asked.policy.to_string(),
        |outcome| {
            let policies = |t: &ThreadFound| [t.asked_policy, t.policy, t.policy_at_end];
            summary(outcome, |thread| policies(thread).map(|policy| policy.to_string()))
        },
    ),
    (
        "CPUs",
        |asked| asked.cpus.to_string(),
        |outcome| {
            summary(outcome, |t| [&t.asked_cpus, &t.cpus, &t.cpus_at_end].map(CpuSet::to_string))
        },
    ),
    (
        "Memory lock",
        |asked| if asked.memory_lock { "all memory" } else { "none" }.to_owned(),
        |outcome| format!("{} locked", words::bytes(outcome.found.system.memory_locked_bytes)),
    ),
    (
        "Idle states (/dev/cpu_dma_latency)",
        |asked| match asked.cpu_dma_latency {
            LatencyHold::Hold => "held at 0 µs".to_owned(),
            LatencyHold::Leave => "left alone".to_owned(),
        },
        idle_states_found,
    ),
    ("Load", loads, |outcome| work_done(&outcome.found.loads)),
    (
        "Other measurements on these CPUs",
        |asked| if asked.beside { "may be" } else { "none" }.to_owned(),
        |outcome| measured_beside(&outcome.warnings),
    ),
    ("Duration", |asked| words::time(asked.duration.0 as f64), |_| String::new()),
];

pub(crate) fn idle_states_found(outcome: &Outcome) -> String {
    let us = outcome.found.system.cpu_dma_latency_us;
    us.map_or_else(|| "unreadable".to_owned(), |us| format!("{us} µs"))
}

fn measured_beside(warnings: &[Warning]) -> String {
    let who = warnings.iter().find_map(|warning| match warning {
        Warning::MeasuredBeside { who, .. } => Some(who.as_str()),
        Warning::MeasuredBesideUnknown { .. } => Some("not known"),
        _ => None,
    });
    who.unwrap_or("none").to_owned()
}

/// A setting that is only read: its name and the value found.
type Setting = (&'static str, fn(&Found) -> String);

const SETTINGS: &[Setting] = &[
    ("Frequency governor", |found| by_cpu(&found.system.governors, String::clone)),
    ("Frequency at the start", |found| {
        by_cpu(&found.system.start_frequencies_khz, |khz| format!("{} MHz", khz / 1000))
    }),
    ("Temperature at the start", |found| {
        let words = |(sensor, celsius): (&String, &f64)| format!("{sensor}: {celsius:.1} °C");
        joined(found.system.start_temperatures_c.iter().map(words))
    }),
    ("Power of the processors", |found| {
        found.system.power_w.map_or_else(String::new, words::watts)
    }),
    ("Real-time throttling", |found| {
        throttling(found.system.sched_rt_runtime_us, found.system.sched_rt_period_us)
    }),
    ("Fair server", |found| by_cpu(&found.system.fair_servers, |server| fair_server(server))),
    ("Timer slack", timer_slack),
    ("Clock source", |found| found.system.clock_source.clone().unwrap_or_default()),
    ("SMT", |found| found.system.smt.clone().unwrap_or_default()),
    ("Isolated CPUs", |found| found.system.isolated_cpus.clone()),
    ("Housekeeping CPUs", |found| found.system.housekeeping_cpus.to_string()),
    ("Everything else", |found| found.others.as_ref().map_or_else(String::new, moved)),
    ("Stolen by the hypervisor", |found| {
        let stolen = |cpu: &CpuCounters| {
            Some(format!("CPU {}: {}", cpu.cpu, words::time(cpu.steal_ns? as f64)))
        };
        joined(found.cpus.iter().filter_map(stolen))
    }),
    ("Interrupts", |found| {
        let taken = |cpu: &CpuCounters| {
            Some(format!("CPU {}: {}", cpu.cpu, words::grouped(cpu.interrupts?)))
        };
        joined(found.cpus.iter().filter_map(taken))
    }),
];

/// Returns the slack of the threads to which one applies, each value once.
fn timer_slack(found: &Found) -> String {
    let slack = found.threads.iter().filter_map(|thread| thread.timer_slack_ns);
    joined(slack.collect::<BTreeSet<u64>>().into_iter().map(|ns| words::time(ns as f64)))
}

fn moved(others: &OthersFound) -> String {
    let tasks = |count: u64| words::counted(count as usize, "task");
    format!(
        "{} moved to {}, {} given back; {} bound to their CPU, {} refused",
        tasks(others.moved),
        others.cpus.in_words(),
        words::grouped(others.given_back),
        words::grouped(others.bound),
        words::grouped(others.refused),
    )
}

pub fn asked(outcome: &Outcome) -> impl Iterator<Item = (&'static str, String)> {
    let spec = &outcome.header.spec;
    let known = CONDITIONS.iter().filter(|_| spec.imported.is_none());
    known.map(move |(name, of_asked, _)| (*name, of_asked(&spec.asked)))
}

pub fn asked_and_found(outcome: &Outcome) -> impl Iterator<Item = [String; 3]> {
    let spec = &outcome.header.spec;
    let unknown = spec.imported.iter().flat_map(|file| &file.not_stated);
    let known = CONDITIONS.iter().filter(|_| spec.imported.is_none());
    known
        .map(|(name, of_asked, of_found)| {
            [(*name).to_owned(), of_asked(&spec.asked), of_found(outcome)]
        })
        .chain(
            unknown
                .map(|name| [words::capital(name), NOT_STATED.to_owned(), NOT_STATED.to_owned()]),
        )
        .chain(viewer(outcome))
        .map(|texts| texts.map(or_dash))
}

fn viewer(outcome: &Outcome) -> Option<[String; 3]> {
    let row = outcome.rows.first()?;
    let count = |fact| words::grouped(row.fact(fact).and_then(Value::as_u64).unwrap_or(0));
    let frames = format!(
        "{} frames due, {} sent, {} refused, {} dropped",
        count(&fact::FRAMES_DUE),
        count(&fact::FRAMES_SENT),
        count(&fact::FRAMES_REFUSED),
        count(&fact::FRAMES_DROPPED)
    );
    let address = row.fact(&fact::WATCHED_AT)?.as_str()?;
    Some(["Viewer".to_owned(), address.to_owned(), frames])
}

/// Returns the settings that were read; none for an imported file, which states none.
pub fn settings(outcome: &Outcome) -> Vec<(&'static str, String)> {
    if outcome.header.spec.imported.is_some() {
        return Vec::new();
    }
    let setting = |(name, of_found): &Setting| (*name, or_dash(of_found(&outcome.found)));
    let lab = outcome.found.lab.iter().flat_map(|found| {
        [
            ("Setup, SHA-256", found.setup_sha256.clone()),
            ("Samples, SHA-256", found.samples_sha256.clone()),
        ]
    });
    SETTINGS.iter().map(setting).chain(lab).collect()
}

/// Returns what the machine decided about a run, by name; empty for runs that did not record it.
pub fn of_machine(outcome: &Outcome) -> impl Iterator<Item = (&str, String)> {
    let conditions = &outcome.found.system.machine;
    conditions.iter().map(|(name, found)| (name.as_str(), observed(found)))
}

fn observed(found: &Observed<String>) -> String {
    match found {
        Observed::Seen(value) => value.clone(),
        Observed::Absent => "none".to_owned(),
        Observed::Hidden(why) => format!("not seen: {why}"),
    }
}

fn or_dash(text: String) -> String {
    if text.is_empty() { "–".to_owned() } else { text }
}

pub fn joined(texts: impl Iterator<Item = String>) -> String {
    texts.collect::<Vec<String>>().join("; ")
}

/// The work of each load: the total and, of several processes, the least and the most of one.
fn work_done(found: &[LoadFound]) -> String {
    let each_load = found.chunk_by(|a, b| a.name == b.name);
    joined(each_load.map(|processes| {
        let cpus = processes.iter().fold(CpuSet::default(), |all, process| all.with(&process.cpus));
        let done = || processes.iter().map(|process| process.work_done);
        let all = words::grouped(done().sum());
        let (load, unit) = (&processes[0].name, &processes[0].unit);
        let mut text = format!("{load} on {}: {all} {unit}", cpus.in_words());
        if let (Some(least), Some(most), 2..) = (done().min(), done().max(), processes.len()) {
            let (least, most) = (words::grouped(least), words::grouped(most));
            text += &format!(" ({least} to {most} by each of {} processes)", processes.len());
        }
        text
    }))
}

/// Summarizes what the threads were found with, each value once, and which of them differ from the
/// request; `of` returns the request, and the values before and after the run.
fn summary(outcome: &Outcome, of: impl Fn(&ThreadFound) -> [String; 3]) -> String {
    let mut values: Vec<String> = Vec::new();
    let mut others: Vec<&str> = Vec::new();
    for thread in &outcome.found.threads {
        let [asked, before, after] = of(thread);
        if before != asked || after != asked {
            others.push(&thread.name);
        }
        values.extend([before, after]);
    }
    let values = sorted(values).join("; ");
    if others.is_empty() {
        values
    } else {
        format!("{values}; not as asked: {}", others.join(", "))
    }
}

/// Formats `RUNTIME/PERIOD` in nanoseconds.
fn fair_server(server: &str) -> String {
    let times = server.split_once('/').and_then(|(runtime, period)| {
        let (runtime, period) = (runtime.parse().ok()?, period.parse().ok()?);
        Some(format!("{} of each {}", words::time(runtime), words::time(period)))
    });
    times.unwrap_or_else(|| server.to_owned())
}

fn by_cpu<T>(values: &BTreeMap<usize, T>, words: impl Fn(&T) -> String) -> String {
    let values = values.iter().map(|(cpu, value)| (*cpu, words(value)));
    let groups = groups(values, |(_, a), (_, b)| a == b);
    joined(groups.iter().map(|alike| {
        let cpus: CpuSet = alike.iter().map(|(cpu, _)| *cpu).collect();
        format!("{} ({})", alike[0].1, cpus.in_words())
    }))
}
