//! Which findings of the published studies hold in these runs.

mod finding;
mod quantity;
mod side;
#[cfg(test)]
mod tests;

use plan::Outcome;
use serde::Serialize;
use stats::{Order, level_of_discovery};

pub use self::finding::{Finding, Relation, STUDIES, findings};
use self::quantity::{Chances, Quantity};
use self::side::Side;
use crate::clock::counts_instructions;
use crate::effect::FALSE_DISCOVERIES;
use crate::survey::{System, systems, without_self_tests};
use crate::words;

/// Whether a finding holds in these runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "verdict", content = "why", rename_all = "snake_case")]
pub enum Verdict {
    Holds,
    Reversed,
    /// What would decide.
    Undecided(String),
    /// What is missing.
    NotTestable(String),
}

impl Verdict {
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Reversed => "reversed",
            Self::Undecided(_) => "undecided",
            Self::NotTestable(_) => "not testable here",
        }
    }
}

/// A finding with its verdict.
#[derive(Debug)]
pub struct Judged {
    pub finding: Finding,
    pub verdict: Verdict,
    /// The measured quantities: ratios, or figures in the unit of their fact.
    pub measured: Vec<f64>,
    /// Whether the runs repeat exactly, so the quantities have no interval.
    pub is_exact: bool,
}

/// Judges findings by runs, with one false-discovery rate for all of them.
#[must_use]
pub fn judged(findings: Vec<Finding>, outcomes: &[Outcome]) -> Vec<Judged> {
    let systems = systems(without_self_tests(outcomes));
    let found: Vec<Result<Vec<Quantity>, String>> =
        findings.iter().map(|finding| quantities(finding, &systems)).collect();
    let chances: Vec<Option<Chances>> =
        found.iter().map(|found| found.as_ref().ok().and_then(|all| together(all))).collect();
    let estimated = found.iter().zip(&chances).filter(|(found, _)| !is_exact(found));
    let estimated = estimated.filter_map(|(_, chances)| *chances);
    let estimated: Vec<f64> = estimated.map(|c| c.holds.min(c.reversed)).collect();
    let level = level_of_discovery(&estimated, FALSE_DISCOVERIES);
    let all = findings.into_iter().zip(found).zip(chances);
    all.map(|((finding, found), chances)| Judged {
        finding,
        is_exact: is_exact(&found),
        measured: found.iter().flatten().map(|quantity| quantity.estimate).collect(),
        verdict: verdict(found, chances, level),
    })
    .collect()
}

fn verdict(found: Result<Vec<Quantity>, String>, chances: Option<Chances>, level: f64) -> Verdict {
    match (found, chances) {
        (Err(missing), _) => Verdict::NotTestable(missing),
        (Ok(_), Some(chances)) if chances.holds <= level => Verdict::Holds,
        (Ok(_), Some(chances)) if chances.reversed <= level => Verdict::Reversed,
        (Ok(found), Some(_)) => Verdict::Undecided(more(&found, level)),
        (Ok(_), None) => Verdict::Undecided(
            "one run per side says nothing about run-to-run variation; repeat the plan".to_owned(),
        ),
    }
}

/// Returns how much more measuring would decide.
fn more(found: &[Quantity], level: f64) -> String {
    let factors = found.iter().filter_map(|quantity| quantity.more_runs(level));
    match factors.max_by(f64::total_cmp) {
        Some(factor) if factor > 1.0 && factor <= 1000.0 => {
            format!("about {} times as many runs would decide", words::quantity(factor.ceil()))
        }
        Some(_) | None => "the quantity is at the bound".to_owned(),
    }
}

fn is_exact(found: &Result<Vec<Quantity>, String>) -> bool {
    found.as_ref().is_ok_and(|all| all.iter().any(|quantity| quantity.is_exact))
}

/// Combines the quantities of a finding: it holds if all are in their regions (the largest chance),
/// and is reversed if one is outside (the smallest, multiplied by their number).
fn together(found: &[Quantity]) -> Option<Chances> {
    let all: Vec<Chances> = found.iter().map(Quantity::chances).collect::<Option<_>>()?;
    let holds = all.iter().map(|chances| chances.holds).max_by(f64::total_cmp)?;
    let reversed = all.iter().map(|chances| chances.reversed).min_by(f64::total_cmp)?;
    Some(Chances { holds, reversed: (reversed * all.len() as f64).min(1.0) })
}

/// Returns what decides a finding, or what is missing.
fn quantities(finding: &Finding, systems: &[System]) -> Result<Vec<Quantity>, String> {
    let relation = match finding.relation {
        Some(relation) if finding.missing.is_empty() => relation,
        _ => return Err(finding.missing.clone()),
    };
    let sides = measured(&finding.sides(), systems)?;
    let region = finding.region();
    let pair = |one: usize, other: usize| {
        let [(here, of_one), (there, of_other)] = [&sides[one], &sides[other]];
        let order = if std::ptr::eq(*here, *there) { Order::InTurns } else { Order::Apart };
        Quantity::ratio(&[of_one.clone(), of_other.clone()], order, region.clone())
    };
    let found: Option<Vec<Quantity>> = match relation {
        Relation::Ratio => (1..sides.len()).map(|other| pair(0, other)).collect(),
        Relation::Order => (1..sides.len()).map(|other| pair(other - 1, other)).collect(),
        Relation::Value => {
            sides.iter().map(|(_, figures)| Quantity::value(figures, region.clone())).collect()
        }
    };
    let is_exact = sides.iter().all(|(system, _)| counts_instructions(system.machine));
    let mut found = found.ok_or("a figure is missing")?;
    found.iter_mut().for_each(|quantity| quantity.is_exact = is_exact);
    Ok(found)
}

/// Returns the system and the figures of every side. Sides without a named system are all measured
/// on the first system that has them all.
fn measured<'s, 'a>(
    sides: &[Side],
    systems: &'s [System<'a>],
) -> Result<Vec<(&'s System<'a>, Vec<f64>)>, String> {
    let on = |any: &'s System<'a>| {
        let of_side = |side: &Side| {
            let system = match &side.system {
                Some(_) => side.among(systems).first().copied(),
                None => Some(any),
            };
            let figures = system.map(|system| (system, side.figures(system)));
            let figures = figures.filter(|(_, figures)| !figures.is_empty());
            figures.ok_or_else(|| format!("no run has: {}", side.text))
        };
        sides.iter().map(of_side).collect::<Result<Vec<_>, String>>()
    };
    let mut tries = systems.iter().map(on);
    let first = tries.next().unwrap_or_else(|| Err("there are no runs".to_owned()));
    match first {
        Ok(found) => Ok(found),
        Err(why) => tries.find_map(Result::ok).ok_or(why),
    }
}
