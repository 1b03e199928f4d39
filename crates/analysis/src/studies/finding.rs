//! The findings of the published studies, as one table of data.

use std::ops::RangeInclusive;

use plan::{Machine, RunSpec};
use serde::{Deserialize, Serialize};

use super::side::Side;
use crate::clock::counts_instructions;
use crate::comparison::kind_of;

const TABLE: &str = include_str!("../../published/findings.csv");

/// Names of the studies, in the order of their findings.
pub const STUDIES: [(&str, &str); 5] = [
    ("sae", "SAE Technical Paper 2014-01-0200"),
    ("mpe", "Mathematical Problems in Engineering 2014, 945850"),
    ("mur", "Murray, Real Time with a Red Hat, 2003"),
    ("fra", "Franke, A Quantitative Comparison of Realtime Linux Solutions, 2007"),
    ("tel", "VRTXsa, RTAI and RTLinux on a PowerPC board"),
];

/// How the sides of a finding decide it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Relation {
    /// The ratio of every other side to the first is in the region.
    Ratio,
    /// The ratio of every side to the one before it is in the region.
    Order,
    /// Every side's own figure is in the region.
    Value,
    /// The ratio of the standard deviations between runs is in the region, for every other side and
    /// the first.
    Spread,
}

/// One conclusion of a study.
#[derive(Debug, Clone, Deserialize)]
pub struct Finding {
    /// The study and a number, such as `SAE-1`.
    pub id: String,
    /// Where in the paper.
    pub place: String,
    pub statement: String,
    /// What decides it; `None` if no command measures it.
    pub relation: Option<Relation>,
    /// Sides in the order of the relation, separated by `;`.
    pub(super) sides: String,
    /// The least value of the region in which it holds.
    pub(super) low: Option<f64>,
    /// The largest value of that region.
    pub(super) high: Option<f64>,
    /// Published figures, in the paper's words.
    pub published: String,
    /// The ready plan that measures every side.
    pub plan: String,
    /// Why it cannot be decided; empty if it can.
    pub missing: String,
    /// A known reason for another result today, with its source.
    pub differs: String,
    /// The finding that contradicts it.
    pub contradicts: String,
}

impl Finding {
    /// Returns the name of its study, such as `sae`.
    #[must_use]
    pub fn study(&self) -> String {
        self.id.split('-').next().unwrap_or_default().to_lowercase()
    }

    #[must_use]
    pub fn sides(&self) -> Vec<Side> {
        self.sides.split(';').map(str::trim).filter(|s| !s.is_empty()).map(Side::read).collect()
    }

    /// Whether the figures of all its sides are in nanoseconds.
    #[must_use]
    pub fn is_in_ns(&self) -> bool {
        self.sides().iter().all(Side::is_in_ns)
    }

    /// Returns the ends of its region, as far as it has any.
    #[must_use]
    pub fn bounds(&self) -> [Option<f64>; 2] {
        [self.low, self.high]
    }

    /// Returns the quantities with which it holds.
    #[must_use]
    pub fn region(&self) -> RangeInclusive<f64> {
        self.low.unwrap_or(0.0)..=self.high.unwrap_or(f64::INFINITY)
    }

    /// Returns what it needs, in words: systems and a plan, or what is missing.
    #[must_use]
    pub fn needs(&self) -> String {
        if !self.missing.is_empty() {
            return self.missing.clone();
        }
        let mut systems: Vec<&str> = self.sides().into_iter().filter_map(|s| s.system).collect();
        systems.dedup();
        let plan = format!("plan {}", self.plan);
        systems.into_iter().chain([&*plan]).collect::<Vec<&str>>().join(", ")
    }

    /// Returns the runs among these that measure the finding's sides on this machine; `None` if a
    /// side needs a system that is neither this machine nor a comparable one of `elsewhere`, or if
    /// no run measures it.
    #[must_use]
    pub fn runs_on<'s>(
        &self,
        here: &Machine,
        elsewhere: &[&Machine],
        specs: &'s [RunSpec],
    ) -> Option<Vec<&'s RunSpec>> {
        let mut runs = Vec::new();
        for side in self.sides() {
            if side.system.is_none_or(|system| system == kind_of(here)) {
                let mut own = specs.iter().filter(|spec| side.is_of(spec, here));
                runs.push(own.next()?);
                runs.extend(own.filter(|_| side.needs_all()));
            } else {
                let has = |there: &&Machine| {
                    side.system == Some(kind_of(there)) && are_comparable(here, there)
                };
                elsewhere.iter().copied().find(has)?;
            }
        }
        let is_decidable = self.missing.is_empty();
        is_decidable.then_some(runs)
    }

    /// Returns the sides that none of these runs measures on this machine.
    #[must_use]
    pub fn unmeasured(&self, specs: &[RunSpec], machine: &Machine) -> Vec<String> {
        let sides = self.sides().into_iter();
        let sides = sides.filter(|side| !specs.iter().any(|spec| side.is_of(spec, machine)));
        sides.map(|side| side.text).collect()
    }
}

/// Whether times of these machines can be compared: both count instructions, or both have the same
/// kind of CPU.
pub(super) fn are_comparable(one: &Machine, other: &Machine) -> bool {
    match (counts_instructions(one), counts_instructions(other)) {
        (false, false) => one.cpu_model == other.cpu_model,
        (one, other) => one == other,
    }
}

/// Returns all findings, study by study in the paper's order.
///
/// # Panics
/// Never: a test reads the table.
#[must_use]
pub fn findings() -> Vec<Finding> {
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(TABLE.as_bytes());
    reader.deserialize().map(|finding| finding.expect("a test reads the table")).collect()
}
