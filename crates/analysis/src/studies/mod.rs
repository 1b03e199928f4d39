//! Which findings of the published studies hold in these runs.

mod finding;
mod quantity;
mod rounds;
mod side;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod truth_tests;
mod wanted;
mod words;

use record::{Machine, Outcome};
use stats::{Order, Tries, level_of_discovery};

use self::finding::are_comparable;
pub use self::finding::{Condition, Finding, Relation, STUDIES, Unit, findings};
pub use self::quantity::Estimate;
use self::quantity::{Chances, Quantity};
pub use self::rounds::MOST_ROUNDS;
use self::side::Figures;
pub use self::side::Side;
pub use self::wanted::Wanted;
use crate::clock::counts_instructions;
use crate::effect::FALSE_DISCOVERIES;
use crate::finding::{AboutStudies, Finding as Answer};
use crate::survey::{System, systems, without_self_tests};
use crate::words::quantity;

#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    Holds,
    Reversed,
    Undecided(Undecided),
    /// This machine and the named systems can decide it, but a side has no valid run.
    NotMeasured(Unmeasured),
    NotTestable(Missing),
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Undecided {
    #[error("one run per side says nothing about run-to-run variation; repeat the plan")]
    OneRun,
    #[error("the quantity is at the bound")]
    AtBound,
    #[error("the sides were not measured in turns, and sittings may differ by this much")]
    Sittings,
    /// So many runs would decide if the estimate is right.
    #[error("about {} times as many runs would decide", quantity(*.0))]
    MoreRuns(f64),
    /// No run of this side has the event of which its figure is the first value.
    #[error("its runs do not have: {0}")]
    NoFigure(String),
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Unmeasured {
    #[error("there are no runs")]
    NoRuns,
    #[error("no valid run has: {0}")]
    Side(String),
    #[error("a side has no valid run yet; the same command continues")]
    NotYet,
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Missing {
    /// What the table of findings says.
    #[error("{0}")]
    Known(String),
    #[error("no run is of the system of: {0}")]
    System(String),
    #[error("no plan measures on these machines: {0}")]
    Plan(String),
    /// The machines of this system and of another side have different clocks or CPUs.
    #[error("{0} was measured on another kind of machine, so its times are not comparable")]
    Incomparable(Wanted),
}

#[derive(Debug, Clone)]
pub struct Judged {
    pub finding: Finding,
    pub verdict: Verdict,
    /// What was measured for each of its conditions; empty if one has no runs.
    pub measured: Vec<Measured>,
    /// Whether the runs repeat exactly, so the quantities have no interval.
    pub is_exact: bool,
}

#[derive(Debug, Clone)]
pub struct Measured {
    /// The name of the figure, such as `worst`.
    pub figure: String,
    /// The measurement, and the row if one is named; `None` if the sides differ in it.
    pub source: Option<String>,
    pub unit: Unit,
    /// Of each side, the geometric mean over its runs; empty where only what decides matters.
    pub figures: Vec<f64>,
    pub unit_of_quantity: Unit,
    pub quantities: Vec<Estimate>,
}

/// Judges findings by runs, with one false-discovery rate for all of them.
pub fn judged(findings: Vec<Finding>, outcomes: &[Outcome]) -> Vec<Judged> {
    let systems = systems(without_self_tests(outcomes));
    let found: Vec<Result<Tested, Verdict>> =
        findings.iter().map(|finding| tested(finding, &systems)).collect();
    let level = level(found.iter().flatten());
    let judged = |(finding, found): (Finding, Result<Tested, Verdict>)| match found {
        Ok(tested) => Judged {
            finding,
            verdict: tested.verdict(level),
            measured: tested.measured,
            is_exact: tested.is_exact,
        },
        Err(verdict) => Judged { finding, verdict, measured: Vec::new(), is_exact: false },
    };
    findings.into_iter().zip(found).map(judged).collect()
}

/// Returns how many findings have each verdict, the rate of false discoveries, and what is reversed.
pub fn answer(judged: &[Judged]) -> Vec<Answer> {
    let count =
        |is: fn(&Verdict) -> bool| judged.iter().filter(|judgement| is(&judgement.verdict)).count();
    let counts = AboutStudies::StudiesJudged {
        findings: judged.len(),
        holds: count(|verdict| *verdict == Verdict::Holds),
        reversed: count(|verdict| *verdict == Verdict::Reversed),
        undecided: count(|verdict| matches!(verdict, Verdict::Undecided(_))),
        not_measured: count(|verdict| matches!(verdict, Verdict::NotMeasured(_))),
        not_testable: count(|verdict| matches!(verdict, Verdict::NotTestable(_))),
    };
    let reversed = judged.iter().filter(|judgement| judgement.verdict == Verdict::Reversed);
    let reversed = reversed.map(|Judged { finding, .. }| AboutStudies::StudyReversed {
        id: finding.id.clone(),
        statement: finding.statement.clone(),
        reason: finding.differs.clone(),
    });
    let all = [counts, AboutStudies::StudiesEvidence].into_iter().chain(reversed);
    all.map(Answer::Studies).collect()
}

fn more(found: &[Quantity], level: f64) -> Undecided {
    let factors = found.iter().filter_map(|quantity| quantity.more_runs(level));
    match factors.max_by(f64::total_cmp) {
        Some(factor) if factor > 1.0 && factor <= 1000.0 => Undecided::MoreRuns(factor.ceil()),
        _ if found.iter().any(|quantity| quantity.sitting_error > 0.0) => Undecided::Sittings,
        Some(_) | None => Undecided::AtBound,
    }
}

/// Combines the quantities of a finding: it holds if all are in their regions (the largest chance),
/// and is reversed if one is outside (the smallest, multiplied by their number). `None` if nothing
/// is known of any.
fn together(found: &[Quantity]) -> Option<Chances> {
    let known: Vec<Chances> = found.iter().filter_map(Quantity::chances).collect();
    let holds = known.iter().map(|chances| chances.holds).max_by(f64::total_cmp)?;
    let reversed = known.iter().map(|chances| chances.reversed).min_by(f64::total_cmp)?;
    let holds = if known.len() < found.len() { 1.0 } else { holds };
    Some(Chances { holds, reversed: (reversed * found.len() as f64).min(1.0) })
}

/// Returns the chance at or below which a verdict of one answer is given.
fn level<'t>(tested: impl Iterator<Item = &'t Tested>) -> f64 {
    let estimated = tested.filter(|tested| !tested.is_exact).filter_map(|tested| tested.chances);
    let chances: Vec<f64> = estimated.map(|c| c.holds.min(c.reversed)).collect();
    level_of_discovery(&chances, FALSE_DISCOVERIES)
}

struct Tested {
    quantities: Vec<Quantity>,
    measured: Vec<Measured>,
    chances: Option<Chances>,
    is_exact: bool,
}

impl Tested {
    /// Tests a finding by what was measured of its sides, condition by condition.
    fn of(finding: &Finding, all: &[MeasuredSide]) -> Result<Self, Verdict> {
        let is_exact = all.iter().all(|side| counts_instructions(side.system.machine));
        let mut left = all;
        let mut tested =
            Self { quantities: Vec::new(), measured: Vec::new(), chances: None, is_exact };
        for condition in &finding.conditions {
            let (of_sides, others) = left.split_at(condition.sides.len());
            left = others;
            let mut quantities = quantities(condition, of_sides).ok_or_else(|| {
                Verdict::Undecided(Undecided::NoFigure(condition.sides[0].text.clone()))
            })?;
            quantities.iter_mut().for_each(|quantity| quantity.is_exact = is_exact);
            let figure = |side: &MeasuredSide| Some(quantity::log_mean(&side.figures.each)?.exp());
            // Other relations decide by the figure itself, or by the mean of many.
            let is_compared =
                matches!(condition.relation, Relation::Ratio | Relation::Order | Relation::Spread);
            tested.measured.push(Measured {
                figure: condition.sides[0].figure.clone(),
                source: condition.source(),
                unit: condition.unit(),
                figures: of_sides.iter().filter(|_| is_compared).filter_map(figure).collect(),
                unit_of_quantity: condition.unit_of_quantity(),
                quantities: quantities.iter().map(Quantity::in_short).collect(),
            });
            tested.quantities.extend(quantities);
        }
        tested.chances = together(&tested.quantities);
        Ok(tested)
    }

    fn verdict(&self, level: f64) -> Verdict {
        match self.chances {
            Some(chances) if chances.holds <= level => Verdict::Holds,
            Some(chances) if chances.reversed <= level => Verdict::Reversed,
            Some(_) if self.quantities.iter().all(|quantity| quantity.chances().is_some()) => {
                Verdict::Undecided(more(&self.quantities, level))
            }
            _ => Verdict::Undecided(Undecided::OneRun),
        }
    }
}

fn tested(finding: &Finding, systems: &[System]) -> Result<Tested, Verdict> {
    if !finding.missing.is_empty() {
        return Err(Verdict::NotTestable(Missing::Known(finding.missing.clone())));
    }
    let sides: Vec<&Side> = finding.sides().collect();
    let all = measured(&sides, systems)?;
    Tested::of(finding, &all)
}

/// Returns what decides a condition; `None` if a figure is missing.
fn quantities(condition: &Condition, sides: &[MeasuredSide]) -> Option<Vec<Quantity>> {
    let region = || condition.region();
    let pair = |a: usize, b: usize| {
        let (a, b) = (&sides[a], &sides[b]);
        // Two machines differ at least as much as two sittings of one.
        let order = if std::ptr::eq(a.system, b.system) {
            Order::of([a, b].map(|side| side.starts.clone()))
        } else {
            Order::Apart
        };
        let runs = [&a.figures, &b.figures].map(|figures| figures.each.clone());
        let ratio = Quantity::ratio(&runs, order, region())?;
        Some(ratio.within(a.figures.grain.max(b.figures.grain)))
    };
    let others = 1..sides.len();
    match condition.relation {
        Relation::Ratio => others.map(|other| pair(0, other)).collect(),
        Relation::Order => others.map(|other| pair(other - 1, other)).collect(),
        Relation::Overall => {
            let ratios: Option<Vec<Quantity>> =
                others.step_by(2).map(|other| pair(other - 1, other)).collect();
            Some(vec![Quantity::overall(&ratios?, region())?])
        }
        Relation::Spread => {
            let runs = |side: usize| sides[side].figures.each.as_slice();
            others.map(|other| Quantity::spread(&[runs(0), runs(other)], region())).collect()
        }
        Relation::Value => {
            let value = |MeasuredSide { figures, .. }: &MeasuredSide| {
                Some(Quantity::value(&figures.each, region())?.within(figures.grain))
            };
            sides.iter().map(value).collect()
        }
        Relation::Share => {
            sides.iter().map(|side| Quantity::share(&side.counts, region())).collect()
        }
    }
}

/// A side's system, the figure of each of its runs, and the events counted in each.
struct MeasuredSide<'s, 'a> {
    system: &'s System<'a>,
    figures: Figures,
    counts: Vec<Tries>,
    /// When its runs started.
    starts: Vec<u64>,
}

/// Returns what was measured of every side. Sides without a named system are all measured on the
/// first system that has them all, and named systems are comparable with it.
fn measured<'s, 'a>(
    sides: &[&Side],
    systems: &'s [System<'a>],
) -> Result<Vec<MeasuredSide<'s, 'a>>, Verdict> {
    let mut tries = systems.iter().map(|any| measured_on(any, sides, systems));
    let first = tries.next().unwrap_or(Err(Verdict::NotMeasured(Unmeasured::NoRuns)));
    first.or_else(|why| tries.find_map(Result::ok).ok_or(why))
}

/// Returns what was measured of every side on one system, else the verdict of the side that is
/// farthest from one: a missing system before a missing run.
fn measured_on<'s, 'a>(
    any: &'s System<'a>,
    sides: &[&Side],
    systems: &'s [System<'a>],
) -> Result<Vec<MeasuredSide<'s, 'a>>, Verdict> {
    let all: Vec<&System> = systems.iter().collect();
    let mut comparable = all.clone();
    comparable.retain(|system| are_comparable(system.machine, any.machine));
    // The first system that is a boot decides what the others have in common with it.
    let mut boot: Option<&Machine> = None;
    let of_side = |side: &&Side| {
        let mut candidates = side.system.map_or(vec![any], |wanted| wanted.among(&comparable));
        if let (Some(wanted), Some(first)) = (side.system, boot) {
            candidates
                .retain(|candidate| wanted.is_the_same_but_for_boot(first, candidate.machine));
        }
        let found = candidates.iter().find_map(|system| side.measured(system));
        let found = found.ok_or_else(|| why_not_measured(side, &candidates, &all))?;
        if side.system.is_some_and(|wanted| wanted.boot.is_some()) {
            boot.get_or_insert(found.system.machine);
        }
        Ok(found)
    };
    let (found, missing): (Vec<_>, Vec<_>) = sides.iter().map(of_side).partition(Result::is_ok);
    let is_testable = |verdict: &Verdict| !matches!(verdict, Verdict::NotTestable(_));
    let farthest = missing.into_iter().filter_map(Result::err).min_by_key(is_testable);
    farthest.map_or_else(|| found.into_iter().collect(), Err)
}

fn why_not_measured(side: &Side, candidates: &[&System], all: &[&System]) -> Verdict {
    let text = || side.text.clone();
    let is_of_side =
        |system: &&System| system.valid().any(|run| side.is_of(&run.header.spec, system.machine));
    match side.system {
        _ if candidates.iter().any(is_of_side) => Verdict::Undecided(Undecided::NoFigure(text())),
        Some(wanted) if candidates.is_empty() => {
            let is_elsewhere = !wanted.among(all).is_empty();
            let incomparable = || Missing::Incomparable(wanted);
            let system = || Missing::System(text());
            Verdict::NotTestable(if is_elsewhere { incomparable() } else { system() })
        }
        _ => Verdict::NotMeasured(Unmeasured::Side(text())),
    }
}

impl Side {
    /// Returns what a system has of this side; `None` if its runs do not have it.
    fn measured<'s, 'a>(&self, system: &'s System<'a>) -> Option<MeasuredSide<'s, 'a>> {
        let (figures, counts) = (self.figures(system), self.counts(system));
        let has_any = !(figures.each.is_empty() && counts.is_empty());
        let runs = system.valid().filter(|run| self.is_of(&run.header.spec, system.machine));
        let starts = runs.map(|run| run.header.started_unix_ns).collect();
        has_any.then_some(MeasuredSide { system, figures, counts, starts })
    }
}
