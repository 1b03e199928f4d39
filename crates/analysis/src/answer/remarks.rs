//! What spoils an answer, what is to be known with it, and how sure it is.

use plan::{Outcome, Warning};

use super::deadlines::Case;
use super::parts::{Remark, Standing};
use super::subject::Named;
use crate::held::one_in;
use crate::own_model;
use crate::standards::Limits;
use crate::survey::{self, Series};
use crate::verdict::Verdict;
use crate::words;

/// The name of the remark that tells how far the answer reaches.
pub const SURE: &str = "Sure?";

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

/// How often every CPU was measured, so that none was left to the program.
pub(super) fn shared_cpu(outcomes: &[&Outcome]) -> Option<Remark> {
    let shares = |outcome: &&&Outcome| {
        survey::warnings(outcome).any(|warning| *warning == Warning::NoHousekeepingCpu)
    };
    let shared = outcomes.iter().filter(shares).count();
    let all = outcomes.len();
    (shared > 0).then(|| {
        let runs = match shared == all {
            true => words::counted(all, "run"),
            false => format!("{shared} of {}", words::counted(all, "run")),
        };
        let words = format!(
            "{runs} took every CPU, so this program was in their way; with more CPUs, or fewer in \
             `--cpus`, it is not"
        );
        Remark::new("Note", words)
    })
}

/// What the case of the verdict can claim, by its name where there are several, and what it would
/// take to know more.
pub(super) fn sure(case: &Case, is_of_several: bool, limits: &Limits) -> Remark {
    let seen = case.held.tries.due.saturating_mul(case.period.0) / case.at_once;
    let words = match case.standing {
        Standing::Good => {
            format!("fewer than {} missed, at 95 % confidence", one_in(case.held.bound.upper))
        }
        Standing::Open => {
            let time = limits.shown_in_words();
            format!(
                "fewer than {} miss, at 95 % confidence; to be shown it takes {time}",
                one_in(case.held.bound.upper)
            )
        }
        _ => format!("rarer than once in {} may be unseen", words::time(seen as f64 / 3.0)),
    };
    let words = match is_of_several {
        false => words,
        true => format!("{}: {words}", case.line.what),
    };
    Remark::new(SURE, words)
}
