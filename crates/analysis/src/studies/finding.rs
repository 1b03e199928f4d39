//! The findings of the published studies, as one table of data.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use record::{Machine, RunSpec};
use serde::{Deserialize, Serialize};

use super::side::Side;
use crate::clock::counts_instructions;
use crate::lists::each_once;

pub(super) const TABLE: &str = include_str!("../../published/findings.csv");

/// Names of the studies, in the order of their findings.
pub const STUDIES: [(&str, &str); 5] = [
    ("sae", "SAE Technical Paper 2014-01-0200"),
    ("mpe", "Mathematical Problems in Engineering 2014, 945850"),
    ("mur", "Murray, Real Time with a Red Hat, 2003"),
    ("fra", "Franke, A Quantitative Comparison of Realtime Linux Solutions, 2007"),
    ("tel", "VRTXsa, RTAI and RTLinux on a PowerPC board"),
];

/// How the sides of a condition decide it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Relation {
    /// The ratio of every other side to the first is in the region.
    Ratio,
    /// The ratio of every side to the one before it is in the region.
    Order,
    /// The geometric mean of the ratios of second to first, fourth to third side is in the region.
    Overall,
    /// Every side's own figure is in the region.
    Value,
    /// The ratio of standard deviations between runs, of every other side and the first, is in it.
    Spread,
    /// Every side's share of counted events is in the region, from 0 to 1.
    Share,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Nanoseconds,
    /// From 0 to 1.
    Share,
    /// A quotient of two figures.
    Ratio,
    Number,
}

/// A relation between figures that holds if what decides it is in a region.
#[derive(Debug, Clone)]
pub struct Condition {
    pub relation: Relation,
    pub sides: Vec<Side>,
    /// The least value of the region in which it holds.
    pub low: Option<f64>,
    /// The largest value of that region.
    pub high: Option<f64>,
}

impl Condition {
    pub fn region(&self) -> RangeInclusive<f64> {
        self.low.unwrap_or(0.0)..=self.high.unwrap_or(f64::INFINITY)
    }

    /// Returns what its sides measure; `None` if they differ in it.
    pub(super) fn source(&self) -> Option<String> {
        let mut sources = each_once(self.sides.iter().map(Side::source));
        sources.pop().filter(|_| sources.is_empty())
    }

    pub fn unit(&self) -> Unit {
        match self.relation {
            Relation::Share => Unit::Share,
            _ if self.sides.iter().all(Side::is_in_ns) => Unit::Nanoseconds,
            _ => Unit::Number,
        }
    }

    pub fn unit_of_quantity(&self) -> Unit {
        match self.relation {
            Relation::Value | Relation::Share => self.unit(),
            _ => Unit::Ratio,
        }
    }
}

/// One conclusion of a study.
#[derive(Debug, Clone, Deserialize)]
pub struct Finding {
    /// The study and a number, such as `SAE-1`.
    pub id: String,
    pub place: String,
    pub statement: String,
    /// What decides it: it holds if all hold. Empty if no command measures it.
    #[serde(skip)]
    pub conditions: Vec<Condition>,
    /// Published figures, in the paper's words.
    pub published: String,
    pub plan: String,
    /// Why it cannot be decided; empty if it can.
    pub missing: String,
    /// A known reason for another result today, with its source.
    pub differs: String,
    /// The finding that contradicts it.
    pub contradicts: String,
}

#[derive(Debug, Deserialize)]
struct Columns {
    relation: Option<Relation>,
    /// Sides, separated by `;`.
    sides: String,
    low: Option<f64>,
    high: Option<f64>,
}

impl Columns {
    fn condition(&self) -> Option<Condition> {
        let sides = self.sides.split(';').map(str::trim).filter(|side| !side.is_empty());
        let (sides, low, high) = (sides.map(Side::read).collect(), self.low, self.high);
        self.relation.map(|relation| Condition { relation, sides, low, high })
    }
}

impl Finding {
    pub fn study(&self) -> String {
        self.id.split('-').next().unwrap_or_default().to_lowercase()
    }

    pub fn sides(&self) -> impl Iterator<Item = &Side> {
        self.conditions.iter().flat_map(|condition| &condition.sides)
    }

    /// Returns what it needs, in words: systems and a plan, or what is missing.
    pub fn needs(&self) -> String {
        if !self.missing.is_empty() {
            return self.missing.clone();
        }
        let systems = self.sides().filter_map(|side| Some(side.system?.to_string()));
        let mut needed = each_once(systems);
        needed.push(format!("plan {}", self.plan));
        needed.join(", ")
    }

    /// Returns the runs among these that measure the finding's sides on this machine; `None` if a
    /// side needs a system that is neither this machine nor a comparable one of `elsewhere`, or if
    /// no run measures it.
    pub fn runs_on<'s>(
        &self,
        here: &Machine,
        elsewhere: &[&Machine],
        specs: &'s [RunSpec],
    ) -> Option<Vec<&'s RunSpec>> {
        let near = elsewhere.iter().copied().filter(|there| are_comparable(here, there));
        let all: Vec<&Machine> = near.chain([here]).collect();
        let mut runs = Vec::new();
        for side in self.sides() {
            if side.system.is_none_or(|system| system.is(here, &all)) {
                let mut of_side = specs.iter().filter(|spec| side.is_of(spec, here));
                runs.push(of_side.next()?);
                runs.extend(of_side.filter(|_| side.needs_all()));
            } else {
                side.system
                    .filter(|system_name| all.iter().any(|there| system_name.is(there, &all)))?;
            }
        }
        let mut known = BTreeSet::new();
        runs.retain(|run: &&RunSpec| known.insert(std::ptr::from_ref(*run)));
        self.missing.is_empty().then_some(runs)
    }

    pub fn unmeasured(&self, specs: &[RunSpec], machine: &Machine) -> Vec<String> {
        let sides = self.sides().filter(|side| !specs.iter().any(|spec| side.is_of(spec, machine)));
        sides.map(|side| side.text.clone()).collect()
    }
}

/// Whether times compare: both count instructions, or both have the same kind of CPU.
pub(super) fn are_comparable(a: &Machine, b: &Machine) -> bool {
    match (counts_instructions(a), counts_instructions(b)) {
        (false, false) => a.cpu_model == b.cpu_model,
        (a, b) => a == b,
    }
}

/// Returns all findings, study by study in the paper's order. A line without a statement has one
/// more condition of the finding before it.
///
/// # Panics
/// Never: a test reads the table.
pub fn findings() -> Vec<Finding> {
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(TABLE.as_bytes());
    let head = reader.headers().cloned().expect("read by a test");
    let mut all: Vec<Finding> = Vec::new();
    for line in reader.records() {
        let line = line.expect("read by a test");
        let finding: Finding = line.deserialize(Some(&head)).expect("read by a test");
        let columns: Columns = line.deserialize(Some(&head)).expect("read by a test");
        if !finding.statement.is_empty() {
            all.push(finding);
        }
        let finding = all.last_mut().expect("the first line has a statement");
        finding.conditions.extend(columns.condition());
    }
    all
}
