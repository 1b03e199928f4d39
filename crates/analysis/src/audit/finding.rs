//! Findings: what was seen in two passes, grouped by kind.

use std::collections::BTreeMap;

use record::{AuditRecord, ChangedWhen, CodePlace, Deed, Occurrence, Pass, PassEnd, StepRun};
use serde::Serialize;

use super::kind::FindingKind;
use super::steps::{Pattern, Steps};
use crate::lists::{each_once, sorted};

/// Stack that a run touches before it measures, in bytes.
pub const TOUCHED_STACK: u64 = 128 << 10;

/// Something that a step does and a real-time step must not do.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Finding {
    /// Kind of finding.
    pub kind: FindingKind,
    /// Names of the functions or system calls, or what else it is about, such as a thread; may be
    /// empty.
    pub names: Vec<String>,
    /// Number of occurrences in all steps together; for threads started before the first step, the
    /// number of threads; 1 for `crash` and `hang`; 0 for `outputs_differ`, `stack` and `change`.
    pub count: u64,
    /// Total bytes of all occurrences; 0 if the kind has no size.
    pub bytes: u64,
    /// Number of steps that do it.
    pub steps_affected: u64,
    /// First step that does it, counted from 0; null if the finding is not about single steps.
    pub first_step: Option<u64>,
    /// Steps that do it, with consecutive steps of the same count in one entry; empty for `crash`,
    /// `hang` and findings that are not about single steps.
    pub steps: Vec<StepRun>,
    /// Number of occurrences before the first step.
    pub before_steps: u64,
    /// Places in the code that it comes from, the most frequent first.
    pub places: Vec<CodePlace>,
    /// Median duration of these steps divided by that of the other steps, including the cost of
    /// watching; null if one of the two groups has no timed step, for example because every step
    /// does it.
    pub times_as_long: Option<f64>,
    #[serde(skip)]
    pub pattern: Pattern,
    /// What only some kinds of finding have.
    #[serde(skip)]
    pub details: Details,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Details {
    #[default]
    None,
    /// Where the model crashed or never returned, and how it ended.
    Broken { phase: String, what: String },
    /// How many of its threads inherit the policy and the CPUs of the step.
    Heirs(usize),
    /// What the model left changed, and whether that happened in its steps.
    Changed { what: String, when: ChangedWhen },
}

pub(super) fn all(record: &AuditRecord) -> Vec<Finding> {
    let [inside, outside] = [&record.inside, &record.outside];
    let broken = broken(outside).or_else(|| broken(inside));
    let of_passes = [broken, differing(inside, outside), threads(inside), stack(inside)];
    let mut findings: Vec<Finding> = of_passes.into_iter().flatten().collect();
    let changes = inside.changes.iter().chain(&outside.changes);
    findings.extend(changes.map(|change| Finding {
        names: vec![change.what.clone()],
        details: Details::Changed { what: change.what.clone(), when: change.when },
        ..Finding::about(FindingKind::Change)
    }));
    let mut groups: BTreeMap<(FindingKind, &str), Vec<&Occurrence>> = BTreeMap::new();
    for occurrence in inside.occurrences.iter().chain(&outside.occurrences) {
        let kind = FindingKind::of(occurrence.deed);
        // Each system call is a separate finding; the functions that allocate share one.
        let name = if kind == FindingKind::SystemCall { occurrence.name.as_str() } else { "" };
        let is_of_step =
            occurrence.by_step && (!occurrence.runs.is_empty() || kind == FindingKind::FloatMode);
        if is_of_step {
            groups.entry((kind, name)).or_default().push(occurrence);
        }
    }
    findings.extend(groups.into_iter().map(|((kind, _), all)| gathered(kind, &all, record)));
    findings.sort_by_key(|finding| finding.kind);
    findings
}

impl Finding {
    fn about(kind: FindingKind) -> Self {
        Self {
            kind,
            names: Vec::new(),
            count: 0,
            bytes: 0,
            steps_affected: 0,
            first_step: None,
            steps: Vec::new(),
            before_steps: 0,
            places: Vec::new(),
            times_as_long: None,
            pattern: Pattern::Other,
            details: Details::None,
        }
    }
}

fn gathered(kind: FindingKind, all: &[&Occurrence], record: &AuditRecord) -> Finding {
    let mut steps = Steps::default();
    all.iter().for_each(|occurrence| steps.add(&occurrence.runs));
    let names = sorted(
        all.iter().map(|occurrence| occurrence.name.clone()).filter(|name| !name.is_empty()),
    );
    let mut placed: Vec<&&Occurrence> =
        all.iter().filter(|occurrence| occurrence.place.is_some()).collect();
    placed.sort_by_key(|occurrence| std::cmp::Reverse(occurrence.count()));
    let places = each_once(placed.iter().filter_map(|occurrence| occurrence.place.clone()));
    let times_as_long = times_as_long(&steps, &record.inside.step_ns);
    Finding {
        count: steps.count(),
        bytes: all.iter().map(|occurrence| occurrence.bytes).sum(),
        steps_affected: steps.affected(),
        first_step: steps.first(),
        steps: steps.runs(),
        before_steps: all.iter().map(|occurrence| occurrence.beside).sum(),
        pattern: steps.pattern(record.steps),
        names,
        places,
        times_as_long,
        ..Finding::about(kind)
    }
}

fn times_as_long(steps: &Steps, step_ns: &[u64]) -> Option<f64> {
    let numbered = (0u64..).zip(step_ns.iter().copied());
    let (with, without): (Vec<_>, Vec<_>) = numbered.partition(|(step, _)| steps.holds(*step));
    let median = |mut all: Vec<(u64, u64)>| {
        all.sort_unstable_by_key(|(_, time)| *time);
        all.get(all.len() / 2).map(|(_, time)| (*time).max(1) as f64)
    };
    Some(median(with)? / median(without)?)
}

fn broken(pass: &Pass) -> Option<Finding> {
    let PassEnd::Broken { phase, step, what, place } = &pass.end else { return None };
    let is_hang = what.contains("did not return");
    let kind = if is_hang { FindingKind::Hang } else { FindingKind::Crash };
    Some(Finding {
        first_step: *step,
        steps_affected: u64::from(step.is_some()),
        count: 1,
        places: place.iter().cloned().collect(),
        details: Details::Broken { phase: phase.clone(), what: what.clone() },
        ..Finding::about(kind)
    })
}

fn differing(inside: &Pass, outside: &Pass) -> Option<Finding> {
    let are_whole = [inside, outside].iter().all(|pass| pass.end == PassEnd::Whole);
    let differ = are_whole && inside.outputs_hash != outside.outputs_hash;
    differ.then(|| Finding::about(FindingKind::OutputsDiffer))
}

/// Returns the threads that existed before the first step.
fn threads(pass: &Pass) -> Option<Finding> {
    let all = pass.threads.len() as u64;
    let heirs = pass.threads.iter().filter(|thread| thread.inherits_policy).count();
    let made = |occurrence: &&Occurrence| occurrence.deed == Deed::Thread && occurrence.beside > 0;
    (all > 0).then(|| Finding {
        count: all,
        before_steps: all,
        names: pass.threads.iter().map(|thread| thread.name.clone()).collect(),
        places: pass
            .occurrences
            .iter()
            .filter(made)
            .filter_map(|occurrence| occurrence.place.clone())
            .collect(),
        pattern: Pattern::BeforeSteps,
        details: Details::Heirs(heirs),
        ..Finding::about(FindingKind::Thread)
    })
}

/// One page more, because a use beyond the examined area may have left out its last page.
const PAGE: u64 = 4096;

fn stack(pass: &Pass) -> Option<Finding> {
    let is_much = pass.stack_bytes + PAGE > TOUCHED_STACK;
    is_much.then(|| Finding::about(FindingKind::Stack))
}
