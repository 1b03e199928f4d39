//! Runs, gates and the answers of commands as test cases.

use std::collections::BTreeMap;
use std::time::Duration;

use analysis::fail_if::{self, Checked, FailIf};
use analysis::finding::{Finding, GateAnswer, TOO_BUSY, labelled};
use analysis::gate::{Exact, ExactAnswer, Gate, GateRow};
use analysis::phrases::warned;
use analysis::subject::measured_ns;
use analysis::survey::{is_left_out_of_gate, without_series};
use analysis::{Analysis, clock, file_bins, own_model, words};
use record::{Answer, Disturbed, Outcome, Row};

use super::{NotJudged, Status};

pub struct Suite {
    pub name: String,
    /// Empty if it is not about one machine.
    pub machine_id: String,
    pub cases: Vec<Case>,
}

/// Kinds of cases that judge runs.
pub(crate) const CHECK: &str = "check";
const GATE: &str = "gate";

#[derive(Default)]
pub struct Case {
    pub name: String,
    /// What was measured, or the command that judges, such as `gate`.
    pub kind: String,
    pub status: Status,
    /// How long it measured; 0 for what judges the runs of other cases.
    pub time: Duration,
    pub assertions: usize,
    pub properties: Vec<(&'static str, String)>,
    pub output: Vec<String>,
    /// What a reader must know of a case that passed, such as that it ended early.
    pub note: Option<String>,
    pub metrics: Vec<Metric>,
}

pub struct Metric {
    pub row: String,
    pub unit: &'static str,
    pub median: f64,
    pub p99: f64,
    pub max: f64,
}

/// Returns the cases of all runs, by machine, after those of the command itself.
pub fn suites(analysis: &Analysis, commands: Vec<Case>) -> Vec<Suite> {
    let commands = commands.into_iter().chain(contradiction(&analysis.verdict.errors)).collect();
    let commands =
        Suite { name: "steadfast".to_owned(), machine_id: String::new(), cases: commands };
    let of_machines = of_machines(analysis);
    [commands].into_iter().chain(of_machines).filter(|suite| !suite.cases.is_empty()).collect()
}

/// Returns the case that equal setups in the lab give equal samples, if they did not.
fn contradiction(errors: &[Finding]) -> Option<Case> {
    let name = "equal setups give equal samples".to_owned();
    let failed = || Status::Failed("contradiction", labelled(errors));
    (!errors.is_empty()).then(|| Case::of(name, "samples", failed()))
}

fn of_machines(analysis: &Analysis) -> Vec<Suite> {
    let fail_ifs = &analysis.standards.fail_if;
    let suite = |system: analysis::survey::System| {
        let mut times: BTreeMap<String, usize> = BTreeMap::new();
        let case = |outcome: &Outcome| {
            let title = outcome.header.spec.title();
            let time = times.entry(title.clone()).or_default();
            *time += 1;
            let name = match time {
                1 => title,
                repeated => format!("{title} ({repeated})"),
            };
            of_run(name, outcome, fail_ifs)
        };
        // A system's own runs are without those of self-tests.
        let runs = analysis.outcomes.iter().copied();
        let runs = runs.filter(|run| *run.header.machine == *system.machine);
        let mut cases: Vec<Case> = runs.map(case).collect();
        let gates = analysis.gates.iter().filter(|gate| gate.system == system.name);
        cases.extend(gates.flat_map(of_gate));
        Suite { name: system.name, machine_id: system.machine_id, cases }
    };
    without_series(analysis.outcomes.iter().copied()).into_iter().map(suite).collect()
}

pub fn exact_suites(exact: &Exact) -> Vec<Suite> {
    let case = |run: &analysis::gate::ExactRun| {
        let why = || run.finding().as_ref().map(Finding::sentence).into_iter().collect();
        let status = match run.answer {
            ExactAnswer::Equal | ExactAnswer::Allowed { .. } | ExactAnswer::NotLonger(_) => {
                Status::Passed
            }
            ExactAnswer::Differs(_) => Status::Failed("differs", why()),
            ExactAnswer::Longer(_) => Status::Failed("longer", why()),
            ExactAnswer::NotMeasured { .. } => Status::NotJudged(NotJudged::NotMeasured, why()),
        };
        let is_allowed = matches!(run.answer, ExactAnswer::Allowed { .. });
        let output = if is_allowed { why() } else { Vec::new() };
        let name = format!("{} on {}", run.run, run.kernel);
        Case { output, ..Case::of(name, GATE, status) }
    };
    let cases = exact.runs.iter().map(case).collect();
    vec![Suite { name: format!("gate {}", exact.name), machine_id: String::new(), cases }]
}

/// `INVALID: ...`, or the reason alone if it begins with the kind, as those of gates do.
pub(super) fn with_kind(kind: &str, why: &str) -> String {
    if why.to_lowercase().starts_with(&kind.to_lowercase()) {
        return why.to_owned();
    }
    format!("{kind}: {why}")
}

impl Case {
    /// Whether it is not a run, but what the command judges by runs.
    pub fn is_answer(&self) -> bool {
        [CHECK, GATE].contains(&&*self.kind)
    }

    pub fn of(name: String, kind: &str, status: Status) -> Self {
        Self { name, kind: kind.to_owned(), status, ..Self::default() }
    }
}

fn of_gate(gate: &Gate) -> Vec<Case> {
    match gate.rows.as_slice() {
        [] => {
            let why = labelled(&gate.findings());
            let status = Status::NotJudged(NotJudged::NotMeasured, why);
            vec![Case::of("gate".to_owned(), GATE, status)]
        }
        rows => rows.iter().map(|row| of_gate_row(gate, row)).collect(),
    }
}

fn of_gate_row(gate: &Gate, row: &GateRow) -> Case {
    let why = || {
        gate.finding(row).map(Finding::Gate).as_ref().map(Finding::sentence).into_iter().collect()
    };
    let status = match row.answer.kind() {
        GateAnswer::Passes => Status::Passed,
        GateAnswer::Fails => Status::Failed("gate", why()),
        GateAnswer::Undecided => Status::NotJudged(NotJudged::Undecided, why()),
        GateAnswer::NotMeasured => Status::NotJudged(NotJudged::NotMeasured, why()),
    };
    Case { output: why(), ..Case::of(format!("gate {}", row.label), GATE, status) }
}

fn of_run(name: String, outcome: &Outcome, fail_ifs: &[FailIf]) -> Case {
    let header = &outcome.header;
    let checked = fail_if::of_run(fail_ifs, outcome);
    let started = header.known_start_unix_ns().map(|ns| ("started_utc", words::rfc3339(ns)));
    let figures = outcome.rows.iter().map(figures);
    let note = outcome.end_by_limit().map(|early| format!("ENDED EARLY: {}", early.cause()));
    let valid = outcome.rows.iter().filter(|_| outcome.is_valid());
    Case {
        assertions: checked.len(),
        time: Duration::from_nanos(measured_ns(outcome)),
        properties: [("run_id", header.run_id.clone())].into_iter().chain(started).collect(),
        output: note
            .iter()
            .cloned()
            .chain(figures)
            .chain(checked.iter().map(Checked::sentence))
            .collect(),
        note,
        metrics: valid.filter_map(|row| metric(row, outcome)).collect(),
        ..Case::of(name, &header.spec.measurement, status(outcome, &checked))
    }
}

fn metric(row: &Row, outcome: &Outcome) -> Option<Metric> {
    let latency = row.latency.as_ref()?;
    let (unit, ns) = match clock::instruction_ns(&outcome.header.machine) {
        Some(ns) => ("instructions", ns as f64),
        None => ("ns", 1.0),
    };
    let quantile = |share: f64| file_bins::quantile_ns(&[row], latency, share) as f64 / ns;
    Some(Metric {
        row: row.label.clone(),
        unit,
        median: quantile(0.5),
        p99: quantile(0.99),
        max: latency.max.value_ns as f64 / ns,
    })
}

fn status(outcome: &Outcome, checked: &[Checked]) -> Status {
    if is_left_out_of_gate(outcome) {
        return Status::Skipped(format!(
            "INVALID, left out of the gate: {}",
            invalid(outcome).join(" ")
        ));
    }
    if let Some(disturbed) = Disturbed::of(outcome) {
        return of_self_test(disturbed);
    }
    if !outcome.is_valid() {
        return Status::NotJudged(NotJudged::Invalid, invalid(outcome));
    }
    let broken = checked.iter().filter(|checked| !checked.is_passed());
    let broken: Vec<String> = broken.map(Checked::sentence).collect();
    if !broken.is_empty() {
        return Status::Failed("limit", broken);
    }
    if let Some(status) = of_reference(outcome) {
        return status;
    }
    let mut needs = outcome.rows.iter().map(|row| row.unavailable.as_deref());
    match needs.next().flatten() {
        Some(first) if needs.all(|needs| needs.is_some()) => {
            Status::Skipped(words::unavailable(first))
        }
        _ => Status::Passed,
    }
}

/// Returns the status of a run whose outputs do not agree with their reference.
fn of_reference(outcome: &Outcome) -> Option<Status> {
    let checked = outcome.rows.iter().find_map(own_model::checked_in)?;
    let why = || vec![checked.words()];
    if checked.first.is_some() {
        return Some(Status::Failed("reference", why()));
    }
    checked.is_undecided().then(|| Status::NotJudged(NotJudged::NotMeasured, why()))
}

fn invalid(outcome: &Outcome) -> Vec<String> {
    let invalidating = outcome.warnings.iter().filter(|warning| warning.invalidates());
    invalidating.map(|warning| warned(&warning.cause(), &warning.remedy())).collect()
}

fn of_self_test(disturbed: Disturbed) -> Status {
    match Answer::derived_from(&[disturbed]) {
        (Answer::Certified, _) => Status::Passed,
        (Answer::TooBusyToTell, reasons) => {
            Status::Skipped(format!("{TOO_BUSY} {}", reasons.join("; ")))
        }
        (Answer::NotCertified | Answer::BrokenClock, reasons) => {
            Status::Failed("self-test", reasons)
        }
    }
}

fn figures(row: &Row) -> String {
    let counts = format!(
        "{}: due {}, executed {}, skipped {}",
        row.label, row.due, row.executed, row.skipped
    );
    match (&row.unavailable, &row.latency) {
        (Some(needs), _) => format!("{}: {}", row.label, words::unavailable(needs)),
        (None, None) => counts,
        (None, Some(latency)) => format!(
            "{counts}, average {}, max {}",
            words::time(latency.mean_ns()),
            words::time(latency.max.value_ns as f64)
        ),
    }
}
