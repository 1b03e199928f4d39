//! Pairs of systems, compared row by row; the unit of analysis is the run.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use stats::{
    Contrast, Order, Prior, Spread, can_decide, chance_of_misses, log_odds_ratio, spread_within,
};

use crate::clock::{Incomparable, incomparable};
use crate::effect::{
    self, Effect, Evidence, FALSE_DISCOVERIES, Figure, OF_NEIGHBOURS, OF_PARTS, Quality, Values,
};
use crate::finding::Across;
use crate::machine::counts_instructions;
use crate::survey::{self, Series, System};

use super::matching;
use super::question::{Margin, Question};
use super::row::{Decision, Row};
use super::variants::Varied;

/// Each of up to this number of variants is compared with each; more pairs are hard to read.
const MOST_EACH_WITH_EACH: usize = 5;

pub struct Contrasts {
    pub margin: Margin,
    pub basis: Basis,
    /// Whether all systems count instructions.
    pub(crate) is_of_lab: bool,
    /// Shown is what has at most this p-value; intervals have confidence 1 minus this.
    pub level: f64,
    pub comparisons: usize,
    /// Each variant of one system with each earlier one if they are few, else each with the first.
    pub pairs: Vec<Pair>,
}

pub struct Pair {
    pub names: [String; 2],
    pub reference: usize,
    pub other: usize,
    /// Whether their runs were interleaved.
    pub order: Order,
    pub across: Vec<Across>,
    pub rows: Vec<Row>,
    pub unmatched: [Vec<String>; 2],
    /// Fields that would have to be allowed to differ for rows to match, if none do and that helps.
    pub could_match: Vec<String>,
    /// Why nothing is compared.
    pub refused: Option<Incomparable>,
}

impl Pair {
    /// Whether it compares each part of the same runs with the other parts.
    fn is_of_parts(&self) -> bool {
        self.reference == self.other
    }

    /// Counts rows without a difference, and undecided rows.
    pub(in crate::comparison) fn without_difference(&self) -> [usize; 2] {
        let same = self.rows.iter().filter(|row| !row.differs());
        let (decided, not): (Vec<&Row>, Vec<&Row>) = same.partition(|row| row.is_decided());
        [decided.len(), not.len()]
    }

    /// Counts the rows with this decision.
    pub(in crate::comparison) fn count(&self, quality: Quality, decision: Decision) -> usize {
        self.rows.iter().filter(|row| row.decision(quality) == decision).count()
    }

    /// Whether nothing in it needs a test.
    pub fn is_exact(&self) -> bool {
        self.rows.iter().all(Row::is_exact)
    }

    /// Returns the index of the system that is shown to be better in more rows than worse.
    pub(in crate::comparison) fn better(&self, quality: Quality) -> Option<usize> {
        match self.count(quality, Decision::Better).cmp(&self.count(quality, Decision::Worse)) {
            Ordering::Greater => Some(self.other),
            Ordering::Equal => None,
            Ordering::Less => Some(self.reference),
        }
    }
}

impl Contrasts {
    /// Compares every system with the first one whose times can be compared with its own, or few
    /// variants of one system with each other.
    pub fn of(systems: &[System], question: &Question, varied: Option<&Varied>) -> Self {
        let across = varied.map_or(&question.across, |varied| &varied.across);
        let each_with_each = varied.is_some() && systems.len() <= MOST_EACH_WITH_EACH;
        let is_comparable = |one: &usize, other: usize| {
            incomparable([systems[*one].machine, systems[other].machine]).is_none()
        };
        let references = |other| {
            let first = (0..other).find(|one| is_comparable(one, other)).unwrap_or(0);
            if each_with_each { 0..other } else { first..first + 1 }
        };
        let pairs: Vec<Pair> = (1..systems.len())
            .flat_map(|other| references(other).map(move |reference| (reference, other)))
            .map(|places| pair(systems, places, across, question.figures))
            .collect();
        let is_of_lab = systems.iter().all(|system| counts_instructions(system.machine));
        let basis = Basis::of(&pairs, is_of_lab);
        Self::judged(pairs, basis, question, is_of_lab)
    }

    /// Compares each part of the same runs, such as a CPU, with all other parts together. The parts ran at the
    /// same time.
    pub(crate) fn of_parts(system: &System, parts: &[&Series]) -> Self {
        let is_of_lab = counts_instructions(system.machine);
        let question = Question { figures: OF_PARTS, ..Question::default() };
        let row = |place: usize| {
            let others = parts.iter().enumerate().filter(|(other, _)| *other != place);
            let rows = others.flat_map(|(_, series)| series.rows.iter().copied()).collect();
            let part = parts[place];
            let others = Series { rows, ..Series::bare(part.spec, part.label) };
            Row::of_part((place, part), &others, is_of_lab, question.figures)
        };
        let pair = Pair {
            names: ["others", "part"].map(str::to_owned),
            reference: 0,
            other: 0,
            order: Order::InTurns,
            across: Vec::new(),
            rows: (0..parts.len()).map(row).collect(),
            unmatched: Default::default(),
            could_match: Vec::new(),
            refused: None,
        };
        let pairs = vec![pair];
        let basis = Basis::of(&pairs, is_of_lab);
        Self::judged(pairs, basis, &question, is_of_lab)
    }

    fn judged(mut pairs: Vec<Pair>, basis: Basis, question: &Question, is_of_lab: bool) -> Self {
        weigh(&mut pairs, basis, question.figures);
        pairs.iter_mut().flat_map(|pair| &mut pair.rows).for_each(Row::compare_draws);
        let margin = question.margin;
        let rows = pairs.iter_mut().flat_map(|pair| &mut pair.rows);
        let effects = rows.flat_map(|row| &mut row.effects);
        let level = effect::judge(effects, margin.share(), FALSE_DISCOVERIES);
        let mut contrasts = Self { margin, basis, is_of_lab, level, comparisons: 0, pairs };
        contrasts.comparisons =
            contrasts.effects().filter(|effect| effect.chance.is_some()).count();
        contrasts
    }

    /// Compares systems that differ in this field with the first, by what neighbours may affect.
    pub(crate) fn of_neighbours(systems: &[System], field: &str) -> Self {
        let question = Question {
            across: vec![field.to_owned()],
            figures: OF_NEIGHBOURS,
            ..Question::default()
        };
        Self::of(systems, &question, None)
    }

    pub fn rows(&self) -> impl Iterator<Item = (&Pair, &Row)> {
        let pairs = self.pairs.iter();
        pairs.flat_map(|pair| pair.rows.iter().map(move |row| (pair, row)))
    }

    fn effects(&self) -> impl Iterator<Item = &Effect> {
        self.rows().flat_map(|(_, row)| &row.effects)
    }

    /// Counts figures that were compared without a test because equal runs are equal.
    pub fn exact(&self) -> usize {
        self.effects().filter(|effect| effect.is_exact()).count()
    }

    /// Whether several systems of the lab are compared: tables of all show that, pairs are details.
    pub fn is_overview(&self) -> bool {
        self.is_of_lab && self.pairs.len() > 1
    }

    pub fn confidence(&self) -> f64 {
        1.0 - self.level
    }
}

fn pair(
    systems: &[System],
    (reference, other): (usize, usize),
    across: &[String],
    figures: &'static [Figure],
) -> Pair {
    let both = [&systems[reference], &systems[other]];
    let matched = matching::matched(both, across);
    let refused = incomparable(both.map(|system| system.machine));
    let is_of_lab = both.iter().all(|system| counts_instructions(system.machine));
    let row = |at: &[usize; 2]| Row::of(both, *at, &matched.across, figures);
    let rows: Vec<Row> = matched.places.iter().filter(|_| refused.is_none()).map(row).collect();
    let could_match =
        if rows.is_empty() { matching::could_match(both, across) } else { Vec::new() };
    Pair {
        could_match,
        names: both.map(|system| system.name.clone()),
        reference,
        other,
        // Nothing that differs from hour to hour reaches a machine that counts instructions.
        order: if is_of_lab { Order::InTurns } else { order(both) },
        across: matched.across,
        rows,
        unmatched: matched.unmatched,
        refused,
    }
}

base::named! {
    /// Where variation comes from.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Basis {
        /// Runs of equal rows.
        Runs = "runs",
        // No row has several runs.
        Parts = "parts of runs",
        Exact = "nothing: equal runs are equal",
    }
}

base::serialize_by_name!(Basis);

impl Basis {
    fn of(pairs: &[Pair], is_of_lab: bool) -> Self {
        let rows = pairs.iter().flat_map(|pair| &pair.rows);
        let effects: Vec<(&Effect, &Values)> =
            rows.flat_map(|row| row.effects.iter().zip(&row.values)).collect();
        let has_spread = |(effect, values): &(&Effect, &Values)| {
            !effect.is_exact() && values.runs.spread().is_some()
        };
        match effects.as_slice() {
            [_, ..] if effects.iter().all(|(effect, _)| effect.is_exact()) => Self::Exact,
            _ if effects.iter().any(has_spread) => Self::Runs,
            // Parts of one run say nothing about another draw.
            _ if is_of_lab => Self::Exact,
            _ => Self::Parts,
        }
    }

    /// Returns the groups of figures of both sides; each group differs by chance within itself.
    fn groups(self, values: &Values) -> [Vec<&[f64]>; 2] {
        match self {
            Self::Exact => [vec![], vec![]],
            Self::Runs => [&values.runs.reference, &values.runs.other].map(|runs| vec![&runs[..]]),
            Self::Parts => {
                values.of_parts.each_ref().map(|runs| runs.iter().map(Vec::as_slice).collect())
            }
        }
    }

    fn spread(self, values: &Values) -> Option<Spread> {
        spread_within(self.groups(values).concat())
    }
}

/// Returns the spread of a figure in each row of each system, once however many pairs it is in.
fn spreads(pairs: &[Pair], basis: Basis, figure: &Figure) -> Vec<Spread> {
    let mut all: BTreeMap<[usize; 2], Option<Spread>> = BTreeMap::new();
    for pair in pairs.iter().filter(|pair| !pair.is_of_parts()) {
        for row in &pair.rows {
            let Some(place) = tested(row, figure) else { continue };
            let sides = [pair.reference, pair.other].into_iter().zip(row.places);
            for ((system, series), groups) in sides.zip(basis.groups(&row.values[place])) {
                all.entry([system, series]).or_insert_with(|| spread_within(groups));
            }
        }
    }
    all.into_values().flatten().collect()
}

/// Returns the spread that all parts of the same runs share, each counted once: the reference of each is made up of the
/// others.
fn spread_of_parts(rows: &[Row], basis: Basis, figure: &Figure) -> Option<Spread> {
    let tested = rows.iter().filter_map(|row| Some(&row.values[tested(row, figure)?]));
    spread_within(tested.flat_map(|values| {
        let [_, part] = basis.groups(values);
        part
    }))
}

/// Returns the place of a figure of a row, unless it is exact, which needs no test.
fn tested(row: &Row, figure: &Figure) -> Option<usize> {
    row.effects.iter().position(|effect| effect.figure == figure && !effect.is_exact())
}

/// Sets the ratio of each figure; the run-to-run variation comes from the row itself and from all
/// rows that have several runs.
fn weigh(pairs: &mut [Pair], basis: Basis, figures: &[Figure]) {
    for figure in figures {
        let prior = Prior::of(&spreads(pairs, basis, figure));
        for pair in &mut *pairs {
            let of_parts = pair.is_of_parts().then(|| spread_of_parts(&pair.rows, basis, figure));
            for row in &mut pair.rows {
                let Some(place) = tested(row, figure) else { continue };
                let (values, effect) = (&row.values[place], &mut row.effects[place]);
                let spread = of_parts.unwrap_or_else(|| basis.spread(values));
                if let Some(contrast) = values.runs.contrast(spread, prior.as_ref(), pair.order) {
                    effect.evidence = Evidence::Tested(of_counts(contrast, values, pair.order));
                    let are_few = (values.misses.as_ref())
                        .is_some_and(|[a, b]| !can_decide(a.len(), b.len()));
                    effect.is_decided = basis == Basis::Runs && !are_few;
                }
            }
            if basis == Basis::Parts {
                widen(&mut pair.rows, figure);
            }
        }
    }
}

/// Tests counts of misses. Misses are rare and clustered, so a normal distribution does not
/// describe them: an exact test over runs decides, and the ratio is that of the counts it tests. It
/// does not apply if the runs were not interleaved, because each side then met its own conditions.
fn of_counts(contrast: Contrast, values: &Values, order: Order) -> Contrast {
    let Some([reference, other]) = &values.misses else { return contrast };
    let contrast = Contrast { log_ratio: log_odds_ratio(reference, other), ..contrast };
    let chance = chance_of_misses(reference, other);
    match order {
        Order::InTurns => contrast.as_sure_as(chance),
        Order::Apart => contrast.no_surer_than(chance),
    }
}

/// Widens errors by the typical difference of rows between the two systems. Parts of one run do not
/// show what another run would have met, such as another clock frequency: a row is shown to differ
/// only if it differs far more than rows typically do, and a difference common to all rows cannot
/// be seen.
fn widen(rows: &mut [Row], figure: &Figure) {
    /// Median absolute deviation of the normal distribution, in standard deviations.
    const OF_NORMAL: f64 = 0.6745;
    let contrasts = || rows.iter().filter_map(|row| row.effects[tested(row, figure)?].contrast());
    let freedom = contrasts().count() as f64 - 1.0;
    let Some(usual) = survey::median(contrasts().map(|contrast| contrast.log_ratio.abs())) else {
        return;
    };
    let between = usual / OF_NORMAL;
    let effects = rows.iter_mut().flat_map(|row| &mut row.effects);
    for effect in effects.filter(|effect| effect.figure == figure) {
        let Some(contrast) = effect.contrast() else { continue };
        let freedom = contrast.freedom.min(freedom);
        let wider = Contrast { error: contrast.error.hypot(between), freedom, ..contrast };
        // With fewer than two rows, none can be an outlier.
        effect.evidence = if freedom > 0.0 { Evidence::Tested(wider) } else { Evidence::Unknown };
    }
}

/// Returns the order of all runs. Where an imported file does not state when its run started, nothing shows that
/// the sides alternated.
fn order(systems: [&System; 2]) -> Order {
    let starts = |system: &System| -> Option<Vec<u64>> {
        system.valid().map(|run| run.header.known_start_unix_ns()).collect()
    };
    match systems.map(starts) {
        [Some(one), Some(other)] => Order::of([one, other]),
        _ => Order::Apart,
    }
}

#[cfg(test)]
mod tests {
    use super::super::variants::taken_apart;
    use super::*;
    use crate::fixture::{tire, wakeup};
    use base::Policy;
    use record::Outcome;

    fn contrasts(runs: &[Outcome], by: &str) -> Contrasts {
        let systems = survey::systems(runs);
        let (varied, variants) = taken_apart(&systems[0], &[by.to_owned()]).unwrap().unwrap();
        Contrasts::of(&variants, &Question::default(), Some(&varied))
    }

    #[test]
    fn runs_of_unknown_times_are_not_in_turns() {
        let imported = |at: u64| {
            let mut run = wakeup(Policy::Fifo(80), None, 8e3, 6e4);
            run.header.started_unix_ns = at;
            run.header.spec.imported = Some(record::Imported {
                tool: "cyclictest".into(),
                tool_version: None,
                file: "a.json".into(),
                sha256: String::new(),
                not_stated: Vec::new(),
            });
            run
        };
        let of = |at: u64| {
            let runs = [imported(at), imported(at)];
            let system = System::named("one".into(), runs.iter().collect()).unwrap();
            order([&system, &system])
        };
        assert_eq!((of(0), of(7)), (Order::Apart, Order::InTurns));
    }

    #[test]
    fn a_variant_in_several_pairs_counts_its_runs_once() {
        let run = |at: u8| {
            let usual = 8e3 + 100.0 * f64::from(at / 4);
            let mut run = wakeup(Policy::Fifo(80 + at % 4), None, usual, 6e4);
            run.rows.truncate(1);
            run
        };
        let runs: Vec<Outcome> = (0..8).map(run).collect();
        let compared = contrasts(&runs, "policy");
        assert_eq!(compared.pairs.len(), 6);
        let medians = compared.rows().map(|(_, row)| row.named("median").unwrap());
        for median in medians {
            // Two runs of each of four variants.
            let freedom = median.contrast().unwrap().freedom;
            assert!((freedom - 4.0).abs() < 1e-9, "{freedom}");
        }
    }

    #[test]
    fn the_side_that_missed_more_is_not_better() {
        let mut runs: Vec<Outcome> = Vec::new();
        for place in 0..15 {
            let clustered = if place % 3 == 0 { 0 } else { 1_000 };
            for (threads, missed) in [(1, 100), (2, clustered)] {
                let mut run = tire("real-time", 100, threads, 10_000, missed);
                run.header.started_unix_ns += runs.len() as u64;
                runs.push(run);
            }
        }
        let compared = contrasts(&runs, "threads");
        let (_, row) = compared.rows().next().unwrap();
        let missed = row.named("missed").unwrap();
        assert!(missed.is_worse() && missed.times[1] > 6.0, "{missed:?}");
    }
}
