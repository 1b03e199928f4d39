//! Findings as values: each variant is one statement, declared with its English text. Texts are plain `format!`: the
//! compiler checks that every statement has words, and every value a place in them.

mod capacity;
mod certificate;
mod checked;
mod deadlines;
mod edge;
mod effects;
mod gate;
mod machine;
mod own_model;
mod periodic;
mod said;
mod studies;

use serde::Serialize;
use units::Vicinity;

pub use capacity::*;
pub use certificate::*;
pub use checked::*;
pub use deadlines::*;
pub use edge::{bracket, edge_figures};
pub use effects::*;
pub use gate::*;
pub use machine::*;
pub use own_model::*;
pub use periodic::*;
pub use said::{ANSWER, CHECK, MISSED, Said, Standing};
pub use studies::*;

/// A statement that the results support. Lists of findings begin with the one that decides.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Finding {
    OnMachine(OnMachine),
    Deadlines(AboutDeadlines),
    Capacity(AboutCapacity),
    Effects(AboutEffects),
    Gate(AboutGate),
    Machine(AboutMachine),
    Studies(AboutStudies),
    Certificates(AboutCertificates),
}

/// A finding about one of several machines.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "on_machine")]
pub struct OnMachine {
    pub machine: String,
    pub finding: Box<Finding>,
}

impl Finding {
    pub(crate) fn not_measured(what: &str, places: Vec<Vicinity>, why: Option<String>) -> Self {
        Self::Deadlines(AboutDeadlines::NotMeasured { what: what.to_owned(), places, why })
    }

    /// Returns that nothing can be concluded, and what decides.
    pub fn undecided(why: Why) -> Vec<Self> {
        let next = AboutEffects::ToDecide { why: why.clone() };
        [AboutEffects::Inconclusive { why }, next].map(Self::Effects).into()
    }
}
