//! The verdict in words, by fixed rules: what the machine holds, what limits
//! it, what to change first, and how far all this reaches.

use std::rc::Rc;

use doctor::Diagnosis;
use plan::Outcome;
use serde::Serialize;

use super::change::Change;
use super::{holds, limits, platform, reach};
use crate::capacity::Grid;
use crate::frontier::{self, Frontier};
use crate::standards::{Limits, Strictness};
use crate::survey::{System, measurements};
use crate::{clock, samples, words};

/// What outcomes say, in sentences. Backticks mark what a person types.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Verdict {
    /// How many runs there are.
    pub runs: usize,
    /// How many of them are INVALID; their figures are in no sentence.
    pub invalid: usize,
    /// Runs that equal setups of the lab made with different samples: this must not be.
    pub errors: Vec<String>,
    /// Why figures of these machines do not compare, where their clocks differ.
    pub clocks_differ: Option<String>,
    /// What the clock of the lab means, and what it cannot say.
    pub clock: Vec<String>,
    /// What the machine holds.
    pub holds: Vec<String>,
    /// What the platform takes, whatever the kernel does.
    pub platform: Vec<String>,
    /// What limits it, the first to change first.
    pub limits: Vec<String>,
    /// What to change first, where anything is known.
    pub first: Option<Change>,
    /// What was measured, and what that can and cannot tell.
    pub notes: Vec<String>,
}

/// The verdict on systems, given the advice on each and the sizes that each was tried with;
/// what counts as held is shown by these limits.
pub fn of<'d>(
    systems: &[System],
    advice: impl Iterator<Item = &'d Diagnosis>,
    grids: &[Rc<Grid>],
    judged_by: &Limits,
) -> Verdict {
    let frontiers = frontier::of(grids, Strictness::Hard, *judged_by);
    let several = systems.len() > 1;
    let named = |system: &System, sentences: Vec<String>| -> Vec<String> {
        let name = |sentence| match several {
            true => format!("{}: {sentence}", system.name),
            false => sentence,
        };
        sentences.into_iter().map(name).collect()
    };
    let outcomes = systems.iter().flat_map(|system| &system.outcomes);
    let mut verdict = Verdict {
        runs: systems.iter().map(|s| s.outcomes.len()).sum(),
        errors: samples::conflicts(outcomes.copied()),
        clocks_differ: clock::differ(systems),
        clock: clock::meaning(systems),
        ..Verdict::default()
    };
    verdict.invalid = verdict.runs - systems.iter().map(|s| s.valid().count()).sum::<usize>();
    for (system, advice) in systems.iter().zip(advice) {
        let (limits, first) = limits::of(system, advice);
        let own = |frontier: &&Frontier| frontier.grid.system == system.name;
        let own: Vec<&Frontier> = frontiers.iter().filter(own).collect();
        verdict.holds.extend(named(system, holds::of(system, &own, judged_by)));
        verdict.platform.extend(named(system, platform::of(system)));
        verdict.limits.extend(named(system, limits));
        verdict.first = verdict.first.or(first);
        verdict.notes.extend(named(system, reach::of(system, &own, judged_by)));
    }
    if verdict.holds.is_empty() {
        verdict.holds.push(nothing_known(systems));
    }
    verdict.notes.extend(reach::always(verdict.runs));
    verdict
}

fn nothing_known(systems: &[System]) -> String {
    let valid: Vec<&Outcome> = systems.iter().flat_map(System::valid).collect();
    let runs: usize = systems.iter().map(|system| system.outcomes.len()).sum();
    match (runs, valid.as_slice()) {
        (0, _) if systems.iter().any(|system| !system.disturbed.is_empty()) => {
            "Only self-tests were run: what they found is known, and not what the machine holds."
                .to_owned()
        }
        (0, _) => "Nothing is known: there is no run.".to_owned(),
        (_, []) => "Nothing is known: no run was valid.".to_owned(),
        (_, valid) => {
            let names = measurements(valid).into_iter();
            let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
            format!(
                "No sentence is made of {}: what was measured stands in the table.",
                words::listed(&names)
            )
        }
    }
}
