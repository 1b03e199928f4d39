//! Findings as values: each variant is one statement. `report` contains the English text of each.

mod capacity;
mod certificate;
mod deadlines;
mod effects;
mod gate;
mod machine;
mod standing;
mod studies;

use serde::Serialize;

pub use capacity::*;
pub use certificate::*;
pub use deadlines::*;
pub use effects::*;
pub use gate::*;
pub use machine::*;
pub use standing::Standing;
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
    /// Returns what kind of news this is, as the first finding of an answer.
    pub fn standing(&self) -> Standing {
        match self {
            Self::OnMachine(on) => on.finding.standing(),
            Self::Deadlines(finding) => finding.standing(),
            Self::Capacity(finding) => finding.standing(),
            Self::Effects(finding) => finding.standing(),
            Self::Gate(finding) => finding.standing(),
            Self::Machine(finding) => finding.standing(),
            Self::Studies(finding) => finding.standing(),
            Self::Certificates(finding) => finding.standing(),
        }
    }
}
