//! Why it is so, what to do first, and how sure the answer is.

use blame::Summary;
use doctor::{Diagnosis, Finding, State};
use plan::{Outcome, Warning};

use super::deadlines::Case;
use super::parts::{Remark, Standing};
use super::subject::Named;
use crate::causes::summaries;
use crate::held::one_in;
use crate::own_model;
use crate::standards::Limits;
use crate::survey::{self, Series, System};
use crate::verdict::Verdict;
use crate::words;

/// The name of the remark that tells how far the answer reaches.
pub const SURE: &str = "Sure?";
/// The name of the remark that tells what to change first.
pub const FIRST: &str = "Do first";
/// Changes that a person makes before they measure again.
const FIRST_CHANGES: usize = 3;
/// Letters of all of them together: two lines beside their name on the narrowest usual terminal.
const GLANCE: usize = 130;

/// What spoils a result or must be known with it, before anything else.
pub(super) fn alarms(verdict: &Verdict, outcomes: &[&Outcome]) -> Vec<Remark> {
    let errors = verdict.errors.iter().chain(&verdict.clocks_differ);
    let errors = errors.map(|error| Remark::new("Error", error));
    let first = outcomes.iter().flat_map(|outcome| &outcome.warnings);
    let first = first.into_iter().find(|warning| warning.invalidates());
    let name = match verdict.invalid == verdict.runs {
        true => "Cause",
        false => "INVALID",
    };
    let invalid = first.map(|warning| Remark::new(name, invalid(warning, verdict)));
    errors.chain(invalid).collect()
}

/// What made runs INVALID, with what mends it where none could be used.
fn invalid(warning: &Warning, verdict: &Verdict) -> String {
    match verdict.invalid {
        all if all == verdict.runs => {
            format!("{}. Remedy: {}.", warning.cause(), warning.remedy())
        }
        some => format!("{some} of {}: {}", verdict.runs, warning.cause()),
    }
}

/// What is to be known of a person's own model: of the only one, or of the first of which the
/// figures depend on it.
pub(super) fn of_model(machines: &[Named]) -> Vec<Remark> {
    let systems = machines.iter().map(|machine| machine.system);
    let own = systems.flat_map(|system| system.of(own_model::MEASUREMENT));
    let own: Vec<&Series> = own.collect();
    let told = |series: &Series| {
        let of_model = own_model::remarks(series).into_iter();
        let remark = |(name, words): (&'static str, String)| match own.len() {
            1 => Remark::new(name, words),
            _ => Remark::new(name, format!("{}: {words}", own_model::name(series))),
        };
        of_model.map(remark).collect::<Vec<_>>()
    };
    let is_odd = |remark: &&Remark| own_model::ODD.contains(&remark.name);
    match own.as_slice() {
        [only] => told(only),
        several => {
            let all: Vec<Remark> = several.iter().flat_map(|one| told(one)).collect();
            all.iter().find(is_odd).cloned().into_iter().collect()
        }
    }
}

/// The main causes of what was late, where a run looked for them; else what the doctor finds
/// first. Nothing where nothing is wrong.
pub(super) fn why(systems: &[System], advised: &Advised, standing: Standing) -> Option<Remark> {
    let blamed = systems
        .iter()
        .flat_map(|system| &system.series)
        .flat_map(summaries);
    let blamed: Vec<Summary> = blamed.filter(|summary| summary.late > 0).collect();
    if !blamed.is_empty() {
        return Some(Remark::new("Why", main_causes(&blamed)));
    }
    if !matches!(standing, Standing::Bad | Standing::Open) {
        return None;
    }
    let refused = systems.iter().flat_map(|system| &system.outcomes);
    let refused = refused.flat_map(|outcome| &outcome.warnings);
    let refused: Vec<String> = refused
        .filter(|w| w.invalidates())
        .map(Warning::cause)
        .collect();
    let is_told = |finding: &Finding| refused.iter().any(|cause| finding.found.starts_with(cause));
    let first = advised.warnings.iter().find(|finding| !is_told(finding))?;
    let place = &advised.place;
    Some(Remark::new(
        "Why",
        format!("probably{place}: {}", first.found),
    ))
}

/// `10 of 12 late by task `hog` (fifo:90)`.
fn main_causes(blamed: &[Summary]) -> String {
    let late: u64 = blamed.iter().map(|summary| summary.late).sum();
    let mut causes: Vec<(&str, u64)> = Vec::new();
    for total in blamed.iter().flat_map(|summary| &summary.causes) {
        match causes.iter_mut().find(|(words, _)| *words == total.words) {
            Some((_, count)) => *count += total.main_of,
            None => causes.push((&total.words, total.main_of)),
        }
    }
    causes.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let main = causes.iter().take(2).filter(|(_, count)| *count > 0);
    let main = main.map(|(words, count)| format!("{} by {words}", words::grouped(*count)));
    let main: Vec<String> = main.collect();
    let late = words::grouped(late);
    match main.as_slice() {
        [] => format!("{late} late; no cause seen"),
        main => format!("of {late} late, {}", main.join(", ")),
    }
}

/// The first changes that the doctor advises, as many as are read at a glance.
pub(super) fn first(advised: &Advised) -> Option<Remark> {
    let warnings = advised.warnings.iter().take(FIRST_CHANGES);
    let changes: Vec<String> = warnings.map(|one| in_at_most(one, GLANCE)).collect();
    let changes = match changes.as_slice() {
        [] => return None,
        [only] => only.clone(),
        several => numbered(several),
    };
    let changes = match advised.place.trim_start() {
        "" => changes,
        place => format!("{place}: {changes}"),
    };
    Some(Remark::new(FIRST, changes))
}

/// As many of the changes as fit, none of them cut off: half a command does harm.
fn numbered(changes: &[String]) -> String {
    let mut text = String::new();
    for (place, change) in changes.iter().enumerate() {
        let separator = if place == 0 { "" } else { ";  " };
        let more = format!("{separator}{}. {change}", place + 1);
        if place > 0 && text.chars().count() + more.chars().count() > GLANCE {
            break;
        }
        text += &more;
    }
    text
}

/// What to change in at most so many letters; where that is not enough, where to read it.
pub(crate) fn in_at_most(finding: &Finding, letters: usize) -> String {
    let change = finding.in_short();
    match change.chars().count() {
        all if all <= letters => change,
        _ => format!("{}: see steadfast doctor --verbose", finding.in_words()),
    }
}

/// What the doctor warns of on a machine.
#[derive(Default)]
pub(super) struct Advised<'d> {
    warnings: Vec<&'d Finding>,
    /// ` on NAME`, where there are several machines.
    place: String,
}

/// What the doctor warns of on the first machine where it does.
pub(super) fn advised<'d>(machines: &[Named], advice: &[&'d Diagnosis]) -> Advised<'d> {
    let of_machine = |(machine, advice): (&Named, &&'d Diagnosis)| {
        let findings = advice.findings.iter();
        Advised {
            warnings: findings.filter(|one| one.state == State::Warning).collect(),
            place: machine.place(),
        }
    };
    let mut all = machines.iter().zip(advice).map(of_machine);
    all.find(|advised| !advised.warnings.is_empty())
        .unwrap_or_default()
}

/// How often every CPU was measured, so that none was left to the program.
pub(super) fn shared_cpu(outcomes: &[&Outcome]) -> Option<Remark> {
    let shares = |outcome: &&&Outcome| {
        survey::warnings(outcome).any(|warning| *warning == Warning::NoHousekeepingCpu)
    };
    let shared = outcomes.iter().filter(shares).count();
    let all = outcomes.len();
    (shared > 0).then(|| {
        let words = format!(
            "every CPU was measured in {shared} of {all} runs; the program had one of them"
        );
        Remark::new("Note", words)
    })
}

/// What the least known case can claim, by its name, and what it would take to know more.
pub(super) fn sure(cases: &[Case], limits: &Limits) -> Option<Remark> {
    let weakest = cases.iter().max_by(|one, other| {
        let upper = |case: &Case| case.held.bound.upper;
        upper(one).total_cmp(&upper(other))
    })?;
    let seen = weakest.held.tries.due.saturating_mul(weakest.period.0) / weakest.at_once;
    let words = match weakest.standing {
        Standing::Good => format!(
            "fewer than {} missed, at 95 % confidence",
            one_in(weakest.held.bound.upper)
        ),
        Standing::Open => {
            let time = limits.shown_in_words();
            format!(
                "fewer than {} miss, at 95 % confidence; to be shown it takes {time}",
                one_in(weakest.held.bound.upper)
            )
        }
        _ => format!(
            "measured {}; what comes less often than once in {} may be unseen",
            words::time(seen as f64),
            words::time(seen as f64 / 3.0)
        ),
    };
    let words = match cases {
        [_] => words,
        _ => format!("{}: {words}", weakest.line.what),
    };
    Some(Remark::new(SURE, words))
}
