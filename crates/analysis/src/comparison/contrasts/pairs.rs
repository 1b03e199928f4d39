//! What tells systems apart, and how sure that is: every system against the first one,
//! row by row, with runs as the unit.

use std::cmp::Ordering;

use stats::{Contrast, Order, Prior, Spread, level_of_discovery};

use crate::clock;
use crate::survey::{self, System};

use super::figures::{Figure, Quality};
use super::matching::{self, Across};
use super::question::{Margin, Question};
use super::row::{Compared, Finding, Row};
use super::variants::Varied;

/// Of the differences shown, at most this share is expected to be chance.
pub const FALSE_DISCOVERIES: f64 = 0.05;

/// So many variants are compared each with each; more would make too many pairs to read.
const MOST_EACH_WITH_EACH: usize = 5;

/// Systems against each other, two at a time.
pub struct Contrasts {
    /// Differences up to this are none.
    pub margin: Margin,
    /// From what it is known how far runs differ.
    pub basis: Basis,
    /// A comparison whose chance is at most this shows a difference; intervals are at 1
    /// less this.
    pub level: f64,
    /// How many comparisons were made: figures of rows.
    pub comparisons: usize,
    /// Each system with each before it where they are few variants of one, else each but the
    /// first with the first.
    pub pairs: Vec<Pair>,
}

/// A system against one before it.
pub struct Pair {
    /// The names of both.
    pub names: [String; 2],
    /// Place of the system that is compared with.
    pub reference: usize,
    /// Place of the other.
    pub other: usize,
    /// Whether their runs were made in turns.
    pub order: Order,
    /// In what matched rows may differ.
    pub across: Vec<Across>,
    /// What both measured alike.
    pub rows: Vec<Row>,
    /// What stands on one side alone, in words.
    pub unmatched: [Vec<String>; 2],
    /// The fields in which rows would have to be allowed to differ for some to match, where none
    /// does; empty where that is not enough.
    pub could_match: Vec<String>,
    /// Why nothing is compared, where that is so.
    pub refused: Option<&'static str>,
}

impl Pair {
    /// How many rows show no difference, and how many are not decided.
    pub(super) fn without_difference(&self) -> [usize; 2] {
        let same = self.rows.iter().filter(|row| !row.differs());
        let (decided, not): (Vec<&Row>, Vec<&Row>) = same.partition(|row| row.is_decided());
        [decided.len(), not.len()]
    }

    /// Whether nothing of it needs a test.
    pub fn is_exact(&self) -> bool {
        self.rows.iter().all(Row::is_exact)
    }

    /// The place of the system that is shown to be better in more rows than worse.
    pub(super) fn better(&self, quality: Quality) -> Option<usize> {
        let findings = || self.rows.iter().map(|row| row.finding(quality));
        let count = |finding| findings().filter(|found| *found == finding).count();
        match count(Finding::Better).cmp(&count(Finding::Worse)) {
            Ordering::Greater => Some(self.other),
            Ordering::Equal => None,
            Ordering::Less => Some(self.reference),
        }
    }
}

impl Contrasts {
    /// Compares every system with the first one, or few variants of one system with each
    /// other.
    pub fn of(systems: &[System], question: &Question, varied: Option<&Varied>) -> Self {
        let across = varied.map_or(&question.across, |varied| &varied.across);
        let each_with_each = varied.is_some() && systems.len() <= MOST_EACH_WITH_EACH;
        let references = |other| if each_with_each { 0..other } else { 0..1 };
        let mut pairs: Vec<Pair> = (1..systems.len())
            .flat_map(|other| references(other).map(move |reference| (reference, other)))
            .map(|places| pair(systems, places, across, question.figures))
            .collect();
        let basis = Basis::of(&pairs);
        weigh(&mut pairs, basis, question.figures);
        let margin = question.margin;
        let rows = pairs.iter_mut().flat_map(|pair| &mut pair.rows);
        let mut chances: Vec<f64> = Vec::new();
        for one in rows.flat_map(|row| &mut row.compared) {
            one.chance = one.contrast.map(|contrast| contrast.chance(margin.share()));
            chances.extend(one.chance);
        }
        let level = level_of_discovery(&chances, FALSE_DISCOVERIES);
        for row in pairs.iter_mut().flat_map(|pair| &mut pair.rows) {
            row.judge(margin, level);
        }
        Self { margin, basis, level, comparisons: chances.len(), pairs }
    }

    /// How many figures were compared without a test, since equal runs are equal.
    pub fn exact(&self) -> usize {
        let rows = self.pairs.iter().flat_map(|pair| &pair.rows);
        let compared = rows.flat_map(|row| &row.compared);
        compared.filter(|one| one.exact.is_some()).count()
    }

    /// Whether several systems are compared exactly. Tables with a column a system then tell
    /// all of them at once, and the rows of a pair are details.
    pub fn is_overview(&self) -> bool {
        self.basis == Basis::Exact && self.pairs.len() > 1
    }

    /// The confidence of the intervals.
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
    let refused = clock::differ_between(both);
    let row = |at: &[usize; 2]| Row::of(both, *at, &matched.across, figures);
    let rows = match refused {
        Some(_) => Vec::new(),
        None => matched.places.iter().map(row).collect(),
    };
    let could_match = match rows.is_empty() {
        true => matching::could_match(both, across),
        false => Vec::new(),
    };
    Pair {
        could_match,
        names: both.map(|system| system.name.clone()),
        reference,
        other,
        order: order(both),
        across: matched.across,
        rows,
        unmatched: matched.unmatched,
        refused,
    }
}

/// From what it is known how far runs differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// From runs of equal rows.
    Runs,
    /// From parts of runs, where no row has several runs.
    Parts,
    /// From nowhere: equal runs are equal.
    Exact,
}

impl Basis {
    fn of(pairs: &[Pair]) -> Self {
        let rows = pairs.iter().flat_map(|pair| &pair.rows);
        let compared: Vec<&Compared> = rows.flat_map(|row| &row.compared).collect();
        let has_spread = |one: &&Compared| one.exact.is_none() && one.runs.spread().is_some();
        match compared.as_slice() {
            [_, ..] if compared.iter().all(|one| one.exact.is_some()) => Self::Exact,
            _ if compared.iter().any(has_spread) => Self::Runs,
            _ => Self::Parts,
        }
    }

    fn spread(self, compared: &Compared) -> Option<Spread> {
        match (self, compared.exact) {
            (Self::Exact, _) | (_, Some(_)) => None,
            (Self::Runs, None) => compared.runs.spread(),
            (Self::Parts, None) => compared.of_parts,
        }
    }
}

/// Sets how many times each figure is the other: how far runs differ comes from the row
/// itself, and from all rows that tell it.
fn weigh(pairs: &mut [Pair], basis: Basis, figures: &'static [Figure]) {
    for figure in figures {
        let of_figure = |row: &Row| basis.spread(row.compared_by(figure)?);
        let spreads = pairs.iter().flat_map(|pair| &pair.rows).filter_map(of_figure);
        let spreads: Vec<Spread> = spreads.collect();
        let prior = Prior::of(&spreads);
        for pair in &mut *pairs {
            let compared = pair.rows.iter_mut().flat_map(|row| &mut row.compared);
            let tested = compared.filter(|one| one.exact.is_none());
            for one in tested.filter(|one| std::ptr::eq(one.figure, figure)) {
                let own = basis.spread(one);
                one.contrast = one.runs.contrast(own, prior.as_ref(), pair.order);
                one.is_decided = basis == Basis::Runs && one.contrast.is_some();
            }
            if basis == Basis::Parts {
                widen(&mut pair.rows, figure);
            }
        }
    }
}

/// Adds how far rows usually differ between the two systems. Parts of one run know nothing
/// of what another run would have met, such as another clock frequency: a row stands out
/// only where it differs far more than rows do, and a difference of all alike cannot be told.
fn widen(rows: &mut [Row], figure: &'static Figure) {
    /// The median of the distances from 0 of normal values, in standard deviations.
    const OF_NORMAL: f64 = 0.6745;
    let contrasts = || rows.iter().filter_map(|row| row.compared_by(figure)?.contrast);
    let freedom = contrasts().count() as f64 - 1.0;
    let Some(usual) = survey::median(contrasts().map(|contrast| contrast.log_ratio.abs())) else {
        return;
    };
    let between = usual / OF_NORMAL;
    let compared = rows.iter_mut().flat_map(|row| &mut row.compared);
    for one in compared.filter(|one| std::ptr::eq(one.figure, figure)) {
        one.contrast = one.contrast.map(|contrast| Contrast {
            error: contrast.error.hypot(between),
            freedom: contrast.freedom.min(freedom),
            ..contrast
        });
        // Nothing stands out of fewer than two.
        one.contrast = one.contrast.filter(|contrast| contrast.freedom > 0.0);
    }
}

/// In turns: the run in the middle of each side was made while the other side was under
/// way.
fn order(systems: [&System; 2]) -> Order {
    let [one, other] = systems.map(|system| {
        let starts = system.valid().map(|run| run.header.started_unix_ns);
        let mut starts: Vec<u64> = starts.collect();
        starts.sort_unstable();
        starts
    });
    let is_within = |inner: &[u64], outer: &[u64]| {
        let middle = inner.get(inner.len() / 2);
        let ends = outer.first().zip(outer.last());
        middle.zip(ends).is_some_and(|(at, (first, last))| (first..=last).contains(&at))
    };
    match is_within(&one, &other) && is_within(&other, &one) {
        true => Order::InTurns,
        false => Order::Apart,
    }
}
