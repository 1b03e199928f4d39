//! Which findings of the published studies hold in these runs.

mod finding;
mod quantity;
mod side;
#[cfg(test)]
mod tests;

use plan::Outcome;
use stats::{Order, level_of_discovery};

use self::finding::are_comparable;
pub use self::finding::{Finding, Relation, STUDIES, findings};
pub use self::quantity::Estimate;
use self::quantity::{Chances, Quantity};
use self::side::Side;
use crate::clock::counts_instructions;
use crate::effect::FALSE_DISCOVERIES;
use crate::finding::{AboutStudies, Finding as Answer};
use crate::survey::{System, systems, without_self_tests};

/// Whether a finding holds in these runs.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    Holds,
    Reversed,
    Undecided(Undecided),
    NotTestable(Missing),
}

/// Why runs do not decide a finding.
#[derive(Debug, Clone, PartialEq)]
pub enum Undecided {
    /// One run per side says nothing about run-to-run variation.
    OneRun,
    AtBound,
    /// This many times as many runs would decide, if the estimate is right.
    MoreRuns(f64),
}

/// What is missing to test a finding.
#[derive(Debug, Clone, PartialEq)]
pub enum Missing {
    /// What the table of findings says.
    Known(String),
    NoRuns,
    /// No run has this side.
    Side(String),
    /// Its runs are part of a session that is not finished.
    NotYet,
    /// The machines of this system and of another side have different clocks or CPUs.
    Incomparable(&'static str),
    Figure,
}

/// A finding with its verdict.
#[derive(Debug, Clone)]
pub struct Judged {
    pub finding: Finding,
    pub verdict: Verdict,
    /// The measured quantities: ratios, or figures in the unit of their fact.
    pub measured: Vec<Estimate>,
    /// The figure of each side: the geometric mean over its runs.
    pub figures: Vec<f64>,
    /// Whether the runs repeat exactly, so the quantities have no interval.
    pub is_exact: bool,
}

/// Judges findings by runs, with one false-discovery rate for all of them.
#[must_use]
pub fn judged(findings: Vec<Finding>, outcomes: &[Outcome]) -> Vec<Judged> {
    let systems = systems(without_self_tests(outcomes));
    let found: Vec<Result<Tested, Missing>> =
        findings.iter().map(|finding| tested(finding, &systems)).collect();
    let chances = |found: &Result<Tested, Missing>| together(&found.as_ref().ok()?.quantities);
    let chances: Vec<Option<Chances>> = found.iter().map(chances).collect();
    let estimated = found.iter().zip(&chances).filter(|(found, _)| !is_exact(found));
    let estimated = estimated.filter_map(|(_, chances)| *chances);
    let estimated: Vec<f64> = estimated.map(|c| c.holds.min(c.reversed)).collect();
    let level = level_of_discovery(&estimated, FALSE_DISCOVERIES);
    let all = findings.into_iter().zip(found).zip(chances);
    all.map(|((finding, found), chances)| Judged {
        finding,
        is_exact: is_exact(&found),
        measured: found.iter().flat_map(|all| &all.quantities).map(Quantity::in_short).collect(),
        figures: found.as_ref().map(|all| all.figures.clone()).unwrap_or_default(),
        verdict: verdict(found, chances, level),
    })
    .collect()
}

fn verdict(found: Result<Tested, Missing>, chances: Option<Chances>, level: f64) -> Verdict {
    match (found, chances) {
        (Err(missing), _) => Verdict::NotTestable(missing),
        (Ok(_), Some(chances)) if chances.holds <= level => Verdict::Holds,
        (Ok(_), Some(chances)) if chances.reversed <= level => Verdict::Reversed,
        (Ok(found), Some(_)) => Verdict::Undecided(more(&found.quantities, level)),
        (Ok(_), None) => Verdict::Undecided(Undecided::OneRun),
    }
}

/// Returns how many findings have each verdict, the rate of false discoveries, and what is reversed.
#[must_use]
pub fn answer(judged: &[Judged]) -> Vec<Answer> {
    let count = |is: fn(&Verdict) -> bool| judged.iter().filter(|one| is(&one.verdict)).count();
    let counts = AboutStudies::StudiesJudged {
        findings: judged.len(),
        holds: count(|verdict| *verdict == Verdict::Holds),
        reversed: count(|verdict| *verdict == Verdict::Reversed),
        undecided: count(|verdict| matches!(verdict, Verdict::Undecided(_))),
        not_testable: count(|verdict| matches!(verdict, Verdict::NotTestable(_))),
    };
    let reversed = judged.iter().filter(|one| one.verdict == Verdict::Reversed);
    let reversed = reversed.map(|Judged { finding, .. }| AboutStudies::StudyReversed {
        id: finding.id.clone(),
        statement: finding.statement.clone(),
        reason: finding.differs.clone(),
    });
    let all = [counts, AboutStudies::StudiesEvidence].into_iter().chain(reversed);
    all.map(Answer::Studies).collect()
}

/// Returns how much more measuring would decide.
fn more(found: &[Quantity], level: f64) -> Undecided {
    let factors = found.iter().filter_map(|quantity| quantity.more_runs(level));
    match factors.max_by(f64::total_cmp) {
        Some(factor) if factor > 1.0 && factor <= 1000.0 => Undecided::MoreRuns(factor.ceil()),
        Some(_) | None => Undecided::AtBound,
    }
}

fn is_exact(found: &Result<Tested, Missing>) -> bool {
    found.as_ref().is_ok_and(|all| all.quantities.iter().any(|quantity| quantity.is_exact))
}

/// Combines the quantities of a finding: it holds if all are in their regions (the largest chance),
/// and is reversed if one is outside (the smallest, multiplied by their number).
fn together(found: &[Quantity]) -> Option<Chances> {
    let all: Vec<Chances> = found.iter().map(Quantity::chances).collect::<Option<_>>()?;
    let holds = all.iter().map(|chances| chances.holds).max_by(f64::total_cmp)?;
    let reversed = all.iter().map(|chances| chances.reversed).min_by(f64::total_cmp)?;
    Some(Chances { holds, reversed: (reversed * all.len() as f64).min(1.0) })
}

/// What decides a finding, and the figures of its sides.
struct Tested {
    quantities: Vec<Quantity>,
    figures: Vec<f64>,
}

/// Returns what decides a finding, or what is missing.
fn tested(finding: &Finding, systems: &[System]) -> Result<Tested, Missing> {
    let relation = match finding.relation {
        Some(relation) if finding.missing.is_empty() => relation,
        _ => return Err(Missing::Known(finding.missing.clone())),
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
        Relation::Spread => (1..sides.len())
            .map(|other| Quantity::spread(&[&sides[0].1, &sides[other].1], region.clone()))
            .collect(),
        Relation::Order => (1..sides.len()).map(|other| pair(other - 1, other)).collect(),
        Relation::Value => {
            sides.iter().map(|(_, figures)| Quantity::value(figures, region.clone())).collect()
        }
    };
    let is_exact = sides.iter().all(|(system, _)| counts_instructions(system.machine));
    let mut found = found.ok_or(Missing::Figure)?;
    found.iter_mut().for_each(|quantity| quantity.is_exact = is_exact);
    let figures = sides.iter().filter_map(|(_, figures)| Some(quantity::log_mean(figures)?.exp()));
    Ok(Tested { figures: figures.collect(), quantities: found })
}

/// A side's system and the figure of each of its runs.
type Measured<'s, 'a> = (&'s System<'a>, Vec<f64>);

/// Returns the system and the figures of every side. Sides without a named system are all measured
/// on the first system that has them all, and named systems are comparable with it.
fn measured<'s, 'a>(
    sides: &[Side],
    systems: &'s [System<'a>],
) -> Result<Vec<Measured<'s, 'a>>, Missing> {
    let mut tries = systems.iter().map(|any| measured_on(any, sides, systems));
    let first = tries.next().unwrap_or(Err(Missing::NoRuns));
    match first {
        Ok(found) => Ok(found),
        Err(why) => tries.find_map(Result::ok).ok_or(why),
    }
}

fn measured_on<'s, 'a>(
    any: &'s System<'a>,
    sides: &[Side],
    systems: &'s [System<'a>],
) -> Result<Vec<Measured<'s, 'a>>, Missing> {
    let all: Vec<&System> = systems.iter().collect();
    let mut comparable = all.clone();
    comparable.retain(|system| are_comparable(system.machine, any.machine));
    let of_side = |side: &Side| {
        let system = match side.system {
            Some(_) => side.among(&comparable),
            None => Some(any),
        };
        let figures = system.map(|system| (system, side.figures(system)));
        let missing = || match (side.system, system, side.among(&all)) {
            (Some(name), None, Some(_)) => Missing::Incomparable(name),
            _ => Missing::Side(side.text.clone()),
        };
        figures.filter(|(_, figures)| !figures.is_empty()).ok_or_else(missing)
    };
    sides.iter().map(of_side).collect()
}
