//! Verdicts of all findings without a named system, on runs whose truth is known.

use base::Policy;
use record::Machine;
use testing::Odd;

use super::tests::spread_runs;
use super::*;
use crate::fixture;

/// The standard deviation of the logarithms of figures between runs, and between sittings.
const DEVIATION: f64 = 0.05;
/// Distance of two sizes of a plan.
const GRAIN: f64 = 1.4;
const DRAWS: u64 = 20;

/// Where the true quantity is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Truth {
    ClearlyIn,
    ClearlyOut,
    JustIn,
    JustOut,
}

impl Truth {
    fn holds(self) -> bool {
        matches!(self, Self::ClearlyIn | Self::JustIn)
    }

    /// Returns the true quantity of a condition: at the upper bound if it has one.
    fn quantity(self, condition: &Condition) -> f64 {
        let is_share = condition.relation == Relation::Share;
        // Inside of a bound means below an upper one, and above a lower one.
        let from = |bound: f64, inwards: f64| match self {
            Self::ClearlyIn => bound * inwards,
            Self::ClearlyOut => bound / inwards,
            Self::JustIn => bound * 1.03_f64.powf(inwards.ln().signum()),
            Self::JustOut => bound / 1.03_f64.powf(inwards.ln().signum()),
        };
        match (condition.low, condition.high) {
            (Some(low), Some(high)) if self == Self::ClearlyIn => (low * high).sqrt(),
            (_, Some(high)) => from(high, 1.0 / 1.8),
            (Some(low), None) if is_share => from(low, 1.8_f64.min((1.0 + low) / 2.0 / low)),
            (low, None) => from(low.unwrap(), 1.8),
        }
    }
}

/// Draws sides of which the condition's quantity is this.
struct Bench<'b, 's, 'a> {
    odd: &'b mut Odd,
    system: &'s System<'a>,
    rounds: usize,
    are_in_turns: bool,
    /// The logarithms of what each of two sittings changes.
    sittings: [f64; 2],
}

impl<'s, 'a> Bench<'_, 's, 'a> {
    fn sides(&mut self, condition: &Condition, quantity: f64) -> Vec<MeasuredSide<'s, 'a>> {
        let places = 0..condition.sides.len();
        let side = |place: usize| self.side(condition, place, quantity);
        places.map(side).collect()
    }

    fn side(&mut self, condition: &Condition, place: usize, quantity: f64) -> MeasuredSide<'s, 'a> {
        let (mut figures, mut counts) = (Figures { each: Vec::new(), grain: 1.0 }, Vec::new());
        let sitting = self.sittings[place % 2].exp();
        let grows = i32::try_from(place).unwrap();
        let (of, deviation) = match condition.relation {
            Relation::Share => {
                let bound = condition.low.or(condition.high).unwrap();
                let due = (300.0 / bound.min(1.0 - bound)).ceil();
                counts = (0..self.rounds).map(|_| self.counted(due, quantity)).collect();
                (0.0, 0.0)
            }
            Relation::Value => (quantity, DEVIATION),
            Relation::Spread if place > 0 => (1e6, DEVIATION * quantity),
            Relation::Spread => (1e6, DEVIATION),
            Relation::Order => (1e6 * quantity.powi(grows) * sitting, DEVIATION),
            Relation::Ratio if place == 0 => (1e6 * sitting, DEVIATION),
            Relation::Overall if place.is_multiple_of(2) => (1e6 * sitting, DEVIATION),
            Relation::Ratio | Relation::Overall => (1e6 * quantity * sitting, DEVIATION),
        };
        if counts.is_empty() {
            figures.each = spread_runs(self.odd, of, deviation, self.rounds);
        }
        if condition.sides[place].needs_all() {
            figures.grain = GRAIN;
            let on_grid = |figure: &f64| GRAIN.powf((figure.ln() / GRAIN.ln()).ceil());
            figures.each = figures.each.iter().map(on_grid).collect();
        }
        let starts = (0..self.rounds as u64).map(|round| match self.are_in_turns {
            true => 2 * round + place as u64 % 2,
            false => round + (place as u64 % 2) * self.rounds as u64,
        });
        MeasuredSide { system: self.system, figures, counts, starts: starts.collect() }
    }

    /// Draws the events of a run: by the normal distribution, whose tails are long enough here.
    fn counted(&mut self, due: f64, share: f64) -> Tries {
        let normal = spread_runs(self.odd, 1.0, 1.0, 1)[0].ln();
        let events = due * share + normal * (due * share * (1.0 - share)).sqrt();
        Tries::one(due as u64, events.round().max(0.0) as u64)
    }

    fn tested(&mut self, finding: &Finding, truth: Truth) -> Tested {
        let mut sides = Vec::new();
        for (place, condition) in finding.conditions.iter().enumerate() {
            // One condition decides, the others clearly hold.
            let truth = if place == 0 { truth } else { Truth::ClearlyIn };
            sides.extend(self.sides(condition, truth.quantity(condition)));
        }
        Tested::of(finding, &sides).unwrap_or_else(|_| panic!("{} has all figures", finding.id))
    }
}

/// Returns how many verdicts are decided, and how many of these are wrong.
fn decided(findings: &[Finding], truth: Truth, are_in_turns: bool) -> [usize; 2] {
    let runs = [fixture::outcome("wakeup", Policy::Fifo(80), &[])];
    let system = &systems(&runs)[0];
    let [mut decided, mut wrong] = [0; 2];
    for draw in 0..DRAWS {
        let mut odd = Odd::of(draw, 0);
        let tested: Vec<Tested> = findings
            .iter()
            .map(|finding| {
                let normal = |odd: &mut Odd| spread_runs(odd, 1.0, DEVIATION, 1)[0].ln();
                let sittings = match are_in_turns {
                    true => [0.0; 2],
                    false => [normal(&mut odd), normal(&mut odd)],
                };
                let rounds = finding.rounds(&Machine::default(), &[]).unwrap();
                let mut bench = Bench { odd: &mut odd, system, rounds, are_in_turns, sittings };
                bench.tested(finding, truth)
            })
            .collect();
        let level = level(tested.iter());
        for tested in &tested {
            match tested.verdict(level) {
                Verdict::Holds => [decided += 1, wrong += usize::from(!truth.holds())],
                Verdict::Reversed => [decided += 1, wrong += usize::from(truth.holds())],
                _ => [(); 2],
            };
        }
    }
    [decided, wrong]
}

#[test]
fn at_most_one_verdict_in_twenty_is_wrong_whatever_is_true() {
    let mut findings = findings();
    findings.retain(|finding| {
        !finding.conditions.is_empty() && finding.sides().all(|side| side.system.is_none())
    });
    assert!(findings.len() >= 30, "{}", findings.len());
    for are_in_turns in [true, false] {
        for truth in [Truth::ClearlyIn, Truth::ClearlyOut, Truth::JustIn, Truth::JustOut] {
            let [decided, wrong] = decided(&findings, truth, are_in_turns);
            let all = findings.len() * DRAWS as usize;
            println!(
                "{truth:?}, in turns {are_in_turns}: {decided} of {all} decided, {wrong} wrong"
            );
            assert!(
                wrong * 20 <= decided,
                "{truth:?}, in turns {are_in_turns}: {wrong} of {decided}"
            );
            let is_clear = matches!(truth, Truth::ClearlyIn | Truth::ClearlyOut);
            assert!(!is_clear || !are_in_turns || decided * 10 >= all * 8, "{truth:?}: {decided}");
        }
    }
}
