//! Systems side by side, as the papers lay them: one column a system.

mod answer;
mod cases;
mod cost;
mod json;
mod setups;
mod terminal;
mod wakeups;

use plan::Outcome;
use serde_json::Value;

use crate::standards::Standards;
use crate::survey::{System, systems};
use crate::times::Times;
use crate::{clock, html};

pub(crate) use answer::answer;
pub(crate) use cases::{Case, cases};
pub(crate) use cost::throughput;
pub(crate) use setups::{Made, sittings};
pub(crate) use wakeups::{
    LIMIT_NS, decides, head, is_deciding, loads_of, worst_ns, worst_of_all, worst_under,
};

/// A system with the runs that were made on it: a kernel of the lab, a machine, a store.
#[derive(Debug, Clone)]
pub struct Side<'a> {
    /// What its column is called.
    pub name: String,
    /// Its runs.
    pub outcomes: Vec<&'a Outcome>,
}

/// Loads that no machine of the lab can carry, and why.
pub const NOT_CARRIED: &[(&str, &str)] = &[
    ("disk", "the machine has no disk"),
    ("stress-ng", "there is no other program in it than this one"),
];

/// Systems side by side: pure functions of their runs.
pub struct Comparison<'a> {
    /// The systems, in the order of their columns.
    pub(crate) systems: Vec<System<'a>>,
    /// What they are judged by.
    pub(crate) standards: &'a Standards,
    /// What is shown apart from them and never in one ranking.
    pub(crate) apart: Option<&'a Times>,
}

impl<'a> Comparison<'a> {
    /// Lays these systems beside one another; one without a run is left out.
    #[must_use]
    pub fn of(sides: Vec<Side<'a>>, standards: &'a Standards) -> Self {
        let systems = sides
            .into_iter()
            .filter_map(|side| System::named(side.name, side.outcomes))
            .collect();
        Self {
            systems,
            standards,
            apart: None,
        }
    }

    /// One system for each kernel of the lab.
    #[must_use]
    pub fn of_kernels(outcomes: &'a [Outcome], standards: &'a Standards) -> Self {
        Self {
            systems: systems(outcomes),
            standards,
            apart: None,
        }
    }

    /// The same where these are the runs of several kernels in the lab and of nothing
    /// else: then this is their report.
    pub(crate) fn if_of_kernels(outcomes: &'a [Outcome], standards: &'a Standards) -> Option<Self> {
        let comparison = Self::of_kernels(outcomes, standards);
        let systems = &comparison.systems;
        let all_count = systems
            .iter()
            .all(|system| clock::counts_instructions(system.machine));
        (systems.len() > 1 && all_count).then_some(comparison)
    }

    /// With times that stand apart, such as those of another instruction set.
    #[must_use]
    pub fn with_apart(mut self, times: Option<&'a Times>) -> Self {
        self.apart = times;
        self
    }

    /// The page: one file that works offline.
    #[must_use]
    pub fn html(&self) -> String {
        html::comparison(self)
    }

    /// Everything as one document: the JSON of all runs with the comparison.
    #[must_use]
    pub fn json(&self) -> Value {
        json::json(self)
    }

    /// The answer in words and a table, at most 100 columns wide.
    #[must_use]
    pub fn terminal(&self) -> String {
        terminal::terminal(self)
    }

    /// Whether any of them is a kernel of the lab.
    pub(crate) fn is_of_lab(&self) -> bool {
        let mut machines = self.systems.iter().map(|system| system.machine);
        machines.any(clock::counts_instructions)
    }

    /// Every run, system by system.
    pub(crate) fn outcomes(&self) -> impl Iterator<Item = &'a Outcome> {
        self.systems
            .iter()
            .flat_map(|system| system.outcomes.iter().copied())
    }
}
