//! Every run with the conditions asked and found, and what made runs INVALID.

use plan::{Asked, CpuCounters, Found, LatencyHold, Outcome, Row, ThreadFound};
use serde::Serialize;
use serde_json::Value;

use super::fingerprint::throttling;
use super::metrics::{count, in_micros, in_words};
use super::table::{Cell, Column, Line, Table};
use crate::quantiles::{needed, supported};
use crate::survey::loads;
use crate::words;

/// One run with all that is known of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Run {
    title: String,
    run_id: String,
    started: String,
    valid: bool,
    warnings: Vec<Warning>,
    figures: Table,
    further: Vec<(String, String)>,
    conditions: Table,
    settings: Vec<(&'static str, String)>,
    threads: Table,
}

/// A warning in words.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Warning {
    cause: String,
    remedy: String,
    invalidates: bool,
}

/// A reason for which runs are INVALID.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Invalid {
    cause: String,
    remedy: String,
    runs: Vec<String>,
}

/// Every run, in the order given.
pub(super) fn of(outcomes: &[Outcome]) -> Vec<Run> {
    outcomes.iter().map(run).collect()
}

/// Every reason for which runs are INVALID, each once.
pub(super) fn invalid(outcomes: &[Outcome]) -> Vec<Invalid> {
    let mut reasons: Vec<Invalid> = Vec::new();
    for outcome in outcomes {
        let title = outcome.header.spec.title();
        for warning in outcome.warnings.iter().filter(|w| w.invalidates()) {
            let (cause, remedy) = (warning.cause(), warning.remedy());
            let known = |reason: &&mut Invalid| reason.cause == cause && reason.remedy == remedy;
            match reasons.iter_mut().find(known) {
                Some(reason) if reason.runs.contains(&title) => {}
                Some(reason) => reason.runs.push(title.clone()),
                None => reasons.push(Invalid {
                    cause,
                    remedy,
                    runs: vec![title.clone()],
                }),
            }
        }
    }
    reasons
}

fn run(outcome: &Outcome) -> Run {
    let warning = |warning: &plan::Warning| Warning {
        cause: warning.cause(),
        remedy: warning.remedy(),
        invalidates: warning.invalidates(),
    };
    Run {
        title: outcome.header.spec.title(),
        run_id: outcome.header.run_id.clone(),
        started: words::moment(outcome.header.started_unix_ns),
        valid: outcome.is_valid(),
        warnings: outcome.warnings.iter().map(warning).collect(),
        figures: figures(outcome),
        further: further(outcome),
        conditions: conditions(outcome),
        settings: settings(outcome),
        threads: threads(outcome),
    }
}

/// A table of one run.
fn table(caption: &str, columns: Vec<Column>, rows: impl Iterator<Item = Vec<Cell>>) -> Table {
    Table {
        caption: caption.to_owned(),
        columns,
        rows: rows.map(|cells| Line { class: "", cells }).collect(),
        note: String::new(),
    }
}

fn figures(outcome: &Outcome) -> Table {
    let numbers = [
        "Due",
        "Executed",
        "Skipped",
        "Average, µs",
        "p50, µs",
        "p90, µs",
        "p99, µs",
        "p99.9, µs",
        "p99.99, µs",
        "Worst, µs",
        "Worst at",
    ];
    let mut columns = vec![Column::words("Row")];
    columns.extend(numbers.map(Column::numbers));
    table("Figures", columns, outcome.rows.iter().map(row))
}

fn row(row: &Row) -> Vec<Cell> {
    if let Some(needs) = &row.unavailable {
        let not_available = Cell {
            text: format!("not available: {needs}"),
            more_columns: 10,
            ..Cell::default()
        };
        return vec![Cell::text(words::label(&row.label)), not_available];
    }
    let mut cells = vec![
        Cell::text(words::label(&row.label)),
        count(row.due),
        count(row.executed),
        count(row.skipped),
    ];
    match &row.latency {
        None => cells.extend(std::iter::repeat_n(Cell::none("no sample"), 8)),
        Some(latency) => {
            cells.push(in_micros(latency.mean_ns()));
            cells.extend([0.5, 0.9, 0.99, 0.999, 0.9999].map(|share| {
                let why = || format!("needs {} samples", words::grouped(needed(share)));
                supported(latency, share).map_or_else(|| Cell::none(why()), in_micros)
            }));
            cells.push(in_micros(latency.max.value_ns as f64));
            cells.push(in_words(latency.max.at_ns as f64));
        }
    }
    cells
}

/// The facts of each row, without what its label says already.
fn further(outcome: &Outcome) -> Vec<(String, String)> {
    let of_row = |row: &Row| {
        let facts = row.facts.iter().map(|(name, fact)| told(name, fact));
        let facts = facts.filter(|fact| !fact.eq_ignore_ascii_case(&row.label));
        (words::label(&row.label), joined(facts))
    };
    let all = outcome.rows.iter().map(of_row);
    all.filter(|(_, facts)| !facts.is_empty()).collect()
}

/// A fact in words; of a list the first few entries.
fn told(name: &str, fact: &Value) -> String {
    const FIRST_FEW: usize = 8;
    let plain = name.strip_suffix("_ns").unwrap_or(name).replace('_', " ");
    match fact {
        Value::Array(entries) if entries.is_empty() => format!("{plain}: none"),
        Value::Array(entries) => {
            let mut few: Vec<String> = entries.iter().take(FIRST_FEW).map(entry).collect();
            if entries.len() > FIRST_FEW {
                few.push(format!("and {} more", entries.len() - FIRST_FEW));
            }
            format!("{plain}: {}", few.join(" · "))
        }
        Value::Object(_) => format!("{plain}: {}", entry(fact)),
        Value::Bool(yes) => format!("{plain}: {}", if *yes { "yes" } else { "no" }),
        Value::String(word) => format!("{plain} {word}"),
        Value::Number(number) => match number.as_f64() {
            Some(ns) if name.ends_with("_ns") => format!("{plain} {}", words::time(ns)),
            Some(number) => format!("{plain} {}", words::quantity(number)),
            None => format!("{plain} {number}"),
        },
        Value::Null => format!("{plain}: not told"),
    }
}

fn entry(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let words: Vec<String> = fields.iter().map(|(name, fact)| told(name, fact)).collect();
            words.join(", ")
        }
        other => other.to_string(),
    }
}

/// A condition that is asked for: its name, what was asked, what was found.
type Condition = (&'static str, fn(&Asked) -> String, fn(&Outcome) -> String);

const CONDITIONS: &[Condition] = &[
    ("Policy", |asked| asked.policy.to_string(), policies),
    (
        "CPUs",
        |asked| asked.cpus.to_string(),
        |outcome| summary(outcome, |thread| thread.cpus_at_end.to_string()),
    ),
    (
        "Memory lock",
        |asked| {
            if asked.memory_lock {
                "all memory"
            } else {
                "none"
            }
            .to_owned()
        },
        |outcome| {
            let locked = outcome.found.system.memory_locked_bytes;
            format!("{} locked", words::bytes(locked))
        },
    ),
    (
        "Idle states (/dev/cpu_dma_latency)",
        |asked| match asked.cpu_dma_latency {
            LatencyHold::Hold => "held at 0 µs".to_owned(),
            LatencyHold::Leave => "left alone".to_owned(),
        },
        |outcome| match outcome.found.system.cpu_dma_latency_us {
            Some(us) => format!("{us} µs"),
            None => "unreadable".to_owned(),
        },
    ),
    ("Load", loads, |outcome| {
        let work = |load: &plan::LoadFound| {
            let (done, unit) = (words::grouped(load.work_done), &load.unit);
            format!(
                "{} on {}: {done} {unit}",
                load.name,
                words::cpus(&load.cpus)
            )
        };
        joined(outcome.found.loads.iter().map(work))
    }),
    (
        "Duration",
        |asked| words::time(asked.duration.0 as f64),
        |_| String::new(),
    ),
];

/// A setting that is only read: its name, and what was found.
type Setting = (&'static str, fn(&Found) -> String);

const SETTINGS: &[Setting] = &[
    ("Frequency governor", |found| {
        by_cpu(&found.system.governors)
    }),
    ("Real-time throttling", |found| {
        throttling(
            found.system.sched_rt_runtime_us,
            found.system.sched_rt_period_us,
        )
    }),
    ("Fair server", |found| {
        let words = |(cpu, server): (&usize, &String)| (*cpu, fair_server(server));
        by_cpu(&found.system.fair_servers.iter().map(words).collect())
    }),
    ("Clock source", |found| {
        found.system.clock_source.clone().unwrap_or_default()
    }),
    ("SMT", |found| found.system.smt.clone().unwrap_or_default()),
    ("Isolated CPUs", |found| found.system.isolated_cpus.clone()),
    ("Housekeeping CPUs", |found| {
        found.system.housekeeping_cpus.to_string()
    }),
    ("Stolen by the hypervisor", |found| {
        let stolen =
            |cpu: &CpuCounters| format!("CPU {}: {}", cpu.cpu, words::time(cpu.steal_ns as f64));
        joined(found.cpus.iter().map(stolen))
    }),
    ("Interrupts", |found| {
        let taken = |cpu: &CpuCounters| {
            Some(format!(
                "CPU {}: {}",
                cpu.cpu,
                words::grouped(cpu.interrupts?)
            ))
        };
        joined(found.cpus.iter().filter_map(taken))
    }),
];

fn conditions(outcome: &Outcome) -> Table {
    let asked = &outcome.header.spec.asked;
    let lines = CONDITIONS.iter().map(|(name, of_asked, of_found)| {
        let texts = [(*name).to_owned(), of_asked(asked), of_found(outcome)];
        texts.map(|text| Cell::text(or_dash(text))).into()
    });
    let columns = ["Condition", "Asked", "Found"].map(Column::words).into();
    table("Conditions", columns, lines)
}

fn settings(outcome: &Outcome) -> Vec<(&'static str, String)> {
    let setting = |(name, of_found): &Setting| (*name, or_dash(of_found(&outcome.found)));
    SETTINGS.iter().map(setting).collect()
}

fn or_dash(text: String) -> String {
    if text.is_empty() {
        "–".to_owned()
    } else {
        text
    }
}

fn joined(texts: impl Iterator<Item = String>) -> String {
    texts.collect::<Vec<String>>().join("; ")
}

fn policies(outcome: &Outcome) -> String {
    summary(outcome, |thread| thread.policy_at_end.to_string())
}

/// A property of every measuring thread, each value once.
fn summary(outcome: &Outcome, of: fn(&ThreadFound) -> String) -> String {
    let mut values: Vec<(String, Vec<&str>)> = Vec::new();
    for thread in &outcome.found.threads {
        let value = of(thread);
        match values.iter_mut().find(|(known, _)| *known == value) {
            Some((_, names)) => names.push(&thread.name),
            None => values.push((value, vec![&thread.name])),
        }
    }
    let several = values.len() > 1;
    let words = values.into_iter().map(|(value, names)| match several {
        true => format!("{value} ({})", names.join(", ")),
        false => value,
    });
    joined(words)
}

/// `RUNTIME/PERIOD` in nanoseconds as words.
fn fair_server(server: &str) -> String {
    let times = server.split_once('/').and_then(|(runtime, period)| {
        let (runtime, period) = (runtime.parse().ok()?, period.parse().ok()?);
        Some(format!(
            "{} of each {}",
            words::time(runtime),
            words::time(period)
        ))
    });
    times.unwrap_or_else(|| server.to_owned())
}

fn by_cpu(values: &std::collections::BTreeMap<usize, String>) -> String {
    let mut groups: Vec<(&str, Vec<usize>)> = Vec::new();
    for (cpu, value) in values {
        match groups.iter_mut().find(|(known, _)| known == value) {
            Some((_, cpus)) => cpus.push(*cpu),
            None => groups.push((value, vec![*cpu])),
        }
    }
    let words = groups.into_iter().map(|(value, cpus)| {
        let cpus: units::CpuSet = cpus.into_iter().collect();
        format!("{value} ({})", words::cpus(&cpus))
    });
    joined(words)
}

fn threads(outcome: &Outcome) -> Table {
    let mut columns: Vec<Column> = [
        "Thread",
        "Policy asked",
        "Policy found",
        "CPUs asked",
        "CPUs found",
    ]
    .map(Column::words)
    .into();
    let numbers = [
        "Page faults",
        "Waited",
        "Preempted",
        "Migrations",
        "CPU time",
    ];
    columns.extend(numbers.map(Column::numbers));
    let line = |thread: &ThreadFound| {
        let counters = &thread.counters;
        let faults = counters.minor_faults + counters.major_faults;
        let (minor, major) = (counters.minor_faults, counters.major_faults);
        vec![
            Cell::text(&thread.name),
            Cell::text(thread.asked_policy.to_string()),
            then(
                &thread.policy.to_string(),
                &thread.policy_at_end.to_string(),
            ),
            Cell::text(thread.asked_cpus.to_string()),
            then(&thread.cpus.to_string(), &thread.cpus_at_end.to_string()),
            Cell::number(
                words::grouped(faults),
                format!("{minor} minor, {major} major"),
            ),
            count(counters.voluntary_switches),
            count(counters.involuntary_switches),
            counters
                .migrations
                .map_or_else(|| Cell::none("not told by the kernel"), count),
            in_words(counters.cpu_time_ns as f64),
        ]
    };
    table(
        "Measuring threads",
        columns,
        outcome.found.threads.iter().map(line),
    )
}

/// A value before the measured loop and, where it changed, after it.
fn then(before: &str, after: &str) -> Cell {
    match before == after {
        true => Cell::text(before),
        false => Cell {
            class: "bad",
            ..Cell::text(format!("{before}, then {after}"))
        },
    }
}
