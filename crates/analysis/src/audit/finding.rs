//! Findings: what was seen in two passes, brought together by kind.

use std::collections::BTreeMap;

use plan::{AuditRecord, CodePlace, Occurrence, Pass, PassEnd, StepRun};
use serde::Serialize;

use super::kind::FindingKind;
use super::steps::Steps;
use crate::words;

/// Stack that a run touches before it measures, in bytes.
const TOUCHED_STACK: u64 = 128 << 10;

/// Something that a real-time step must not do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// What it is.
    pub kind: FindingKind,
    /// Functions or system calls by name, or what else it is about.
    pub names: Vec<String>,
    /// How often, in all steps together.
    pub count: u64,
    /// Bytes of all of them together, where they have any.
    pub bytes: u64,
    /// How many steps do it.
    pub steps_affected: u64,
    /// The first step that does; the first of all is number 0.
    pub first_step: Option<u64>,
    /// All of them.
    pub steps: Vec<StepRun>,
    /// How often before the first step.
    pub before_steps: u64,
    /// Where in the code it comes from, the most frequent first.
    pub places: Vec<CodePlace>,
    /// How many times as long these steps take as the others, in the median; `None` where all
    /// do it.
    pub times_as_long: Option<f64>,
    /// Which steps, in a word or two.
    pub when: String,
    /// All of it in a sentence.
    pub told: String,
    /// What to change about it.
    pub remedy: &'static str,
}

/// Everything that was found, the worst first.
pub(super) fn all(record: &AuditRecord) -> Vec<Finding> {
    let [inside, outside] = [&record.inside, &record.outside];
    let mut findings: Vec<Finding> =
        broken(outside).or_else(|| broken(inside)).into_iter().collect();
    findings.extend(differing(inside, outside));
    findings.extend(threads(inside));
    findings.extend(stack(inside));
    findings.extend(inside.changes.iter().map(|change| {
        let when = if change.in_steps { "in the steps" } else { "before the first" };
        let told = format!("the model {}, {when}", change.what);
        Finding::about(FindingKind::Change, when, told).named(&change.what)
    }));
    let mut groups: BTreeMap<(FindingKind, &str), Vec<&Occurrence>> = BTreeMap::new();
    for one in inside.occurrences.iter().chain(&outside.occurrences) {
        let kind = FindingKind::of(one.deed);
        // Each system call is a finding of its own; the functions that allocate are one.
        let name = if kind == FindingKind::SystemCall { one.name.as_str() } else { "" };
        let is_of_step = one.by_step && (!one.runs.is_empty() || kind == FindingKind::FloatMode);
        if is_of_step {
            groups.entry((kind, name)).or_default().push(one);
        }
    }
    let groups = groups.into_iter();
    findings.extend(groups.map(|((kind, _), all)| gathered(kind, &all, record)));
    findings.sort_by_key(|finding| finding.kind);
    findings
}

impl Finding {
    fn about(kind: FindingKind, when: &str, told: String) -> Self {
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
            when: when.to_owned(),
            told,
            remedy: kind.remedy(),
        }
    }

    fn named(mut self, name: &str) -> Self {
        self.names.push(name.to_owned());
        self
    }
}

/// A place as a person reads it: `plant_step+12 in plant.so+0x1139`.
#[must_use]
pub fn told_place(place: &CodePlace) -> String {
    let file = place.library.rsplit('/').next().unwrap_or_default();
    match &place.symbol {
        Some(symbol) => format!("{symbol} in {file}+{:#x}", place.offset),
        None => format!("{file}+{:#x}", place.offset),
    }
}

/// What one or more occurrences of a kind are together.
fn gathered(kind: FindingKind, all: &[&Occurrence], record: &AuditRecord) -> Finding {
    let mut steps = Steps::default();
    all.iter().for_each(|one| steps.add(&one.runs));
    let mut names: Vec<String> =
        all.iter().map(|one| one.name.clone()).filter(|name| !name.is_empty()).collect();
    names.sort_unstable();
    names.dedup();
    let mut placed: Vec<&&Occurrence> = all.iter().filter(|one| one.place.is_some()).collect();
    placed.sort_by_key(|one| std::cmp::Reverse(one.count()));
    let mut places: Vec<CodePlace> = Vec::new();
    for place in placed.iter().filter_map(|one| one.place.clone()) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let times_as_long = times_as_long(&steps, &record.inside.step_ns);
    Finding {
        count: steps.count(),
        bytes: all.iter().map(|one| one.bytes).sum(),
        steps_affected: steps.affected(),
        first_step: steps.first(),
        steps: steps.runs(),
        before_steps: all.iter().map(|one| one.beside).sum(),
        told: sentence(kind, &steps, &names, record.steps, times_as_long),
        names,
        places,
        times_as_long,
        ..Finding::about(kind, &steps.when(record.steps), String::new())
    }
}

/// The sentence, with what names it and what it costs.
fn sentence(
    kind: FindingKind,
    steps: &Steps,
    names: &[String],
    all: u64,
    times: Option<f64>,
) -> String {
    let mut told = steps.sentence(all, &kind.verb());
    let count = steps.count();
    let is_named = matches!(
        kind,
        FindingKind::SystemCall | FindingKind::FloatMode | FindingKind::Status | FindingKind::Lock
    );
    let mut details = Vec::new();
    if is_named && !names.is_empty() {
        details.push(words::listed(names));
    }
    if count > steps.affected() {
        details.push(format!("{} times in all", words::grouped(count)));
    }
    if !details.is_empty() {
        told.push_str(&format!(": {}", details.join(", ")));
    }
    // Less than that may be chance.
    const TOLD_FROM: f64 = 1.2;
    if let Some(times) = times.filter(|times| *times >= TOLD_FROM) {
        told.push_str(&format!("; {} {} times as long", takes(steps), words::times(times)));
    }
    told
}

fn takes(steps: &Steps) -> &'static str {
    match steps.affected() {
        1 => "it takes",
        _ => "these take",
    }
}

/// The median time of the steps that do something against that of the others.
fn times_as_long(steps: &Steps, step_ns: &[u64]) -> Option<f64> {
    let numbered = (0u64..).zip(step_ns.iter().copied());
    let (with, without): (Vec<_>, Vec<_>) = numbered.partition(|(step, _)| steps.holds(*step));
    let median = |all: Vec<(u64, u64)>| {
        let mut times: Vec<u64> = all.into_iter().map(|(_, time)| time).collect();
        times.sort_unstable();
        times.get(times.len() / 2).map(|time| (*time).max(1) as f64)
    };
    Some(median(with)? / median(without)?)
}

fn broken(pass: &Pass) -> Option<Finding> {
    let PassEnd::Broken { phase, step, what, place } = &pass.end else {
        return None;
    };
    let kind = match what.contains("did not return") {
        true => FindingKind::Hang,
        false => FindingKind::Crash,
    };
    let when = step.map_or_else(|| phase.clone(), |step| format!("step {}", words::grouped(step)));
    Some(Finding {
        first_step: *step,
        steps_affected: u64::from(step.is_some()),
        count: 1,
        places: place.iter().cloned().collect(),
        ..Finding::about(
            kind,
            &when,
            format!("the model failed in its {phase}{}: {what}", numbered(*step)),
        )
    })
}

fn numbered(step: Option<u64>) -> String {
    step.map_or_else(String::new, |step| format!(", step {}", words::grouped(step)))
}

fn differing(inside: &Pass, outside: &Pass) -> Option<Finding> {
    let are_whole = [inside, outside].iter().all(|pass| pass.end == PassEnd::Whole);
    let told = "the outputs of two equal passes differ".to_owned();
    let differ = are_whole && inside.outputs_hash != outside.outputs_hash;
    differ.then(|| Finding::about(FindingKind::OutputsDiffer, "", told))
}

/// Threads that were there before the first step.
fn threads(pass: &Pass) -> Option<Finding> {
    let all = pass.threads.len();
    if all == 0 {
        return None;
    }
    let heirs = pass.threads.iter().filter(|thread| thread.inherits_policy).count();
    let inherits = match (heirs, all) {
        (0, _) => "none inherits the policy of the step",
        (heirs, all) if heirs == all && all > 1 => {
            "all inherit the policy and the CPUs of the step"
        }
        (1, 1) => "it inherits the policy and the CPUs of the step",
        _ => "some inherit the policy and the CPUs of the step",
    };
    let (made, verb) = (words::counted(all, "thread"), if all == 1 { "is" } else { "are" });
    let told = format!("{made} {verb} made before the first step; {inherits}");
    let made = |one: &&Occurrence| one.deed == plan::Deed::Thread && one.beside > 0;
    Some(Finding {
        count: all as u64,
        before_steps: all as u64,
        names: pass.threads.iter().map(|thread| thread.name.clone()).collect(),
        places: pass.occurrences.iter().filter(made).filter_map(|one| one.place.clone()).collect(),
        ..Finding::about(FindingKind::Thread, "before the first", told)
    })
}

/// What uses more may have left out the last page of what was looked at.
const PAGE: u64 = 4096;

fn stack(pass: &Pass) -> Option<Finding> {
    let told = format!(
        "a step uses {} of stack or more, as much as a run touches before it measures",
        words::bytes(TOUCHED_STACK)
    );
    (pass.stack_bytes + PAGE > TOUCHED_STACK).then(|| Finding::about(FindingKind::Stack, "", told))
}
