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
use units::Vicinity;

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
    pub(crate) fn not_measured(what: &str, places: Vec<Vicinity>, why: Option<String>) -> Self {
        Self::Deadlines(AboutDeadlines::NotMeasured { what: what.to_owned(), places, why })
    }

    /// Returns what kind of news this is, as the first finding of an answer.
    pub fn standing(&self) -> Standing {
        use Standing::{Bad, Good, Open, Plain};
        match self {
            Self::OnMachine(on) => on.finding.standing(),
            Self::Deadlines(finding) => match finding {
                AboutDeadlines::Deadlines { standing, .. } => *standing,
                AboutDeadlines::Checked { result: CheckResult::Pass, .. } => Good,
                AboutDeadlines::Checked { result: CheckResult::NotShownYet, .. } => Open,
                AboutDeadlines::Checked { .. }
                | AboutDeadlines::NoValidRun
                | AboutDeadlines::Missed { .. } => Bad,
                AboutDeadlines::OnlyResult { .. }
                | AboutDeadlines::Measured { .. }
                | AboutDeadlines::NoRun => Plain,
                _ => Open,
            },
            Self::Capacity(finding) => match finding {
                AboutCapacity::FastestSolver { .. } => Plain,
                AboutCapacity::NoMiss { .. } => Good,
                AboutCapacity::Edge { held: Some(held), .. } if held.shown => Good,
                AboutCapacity::Edge { held: None, .. } => Bad,
                _ => Open,
            },
            Self::Effects(finding) => match finding {
                AboutEffects::WorstNeighbour { .. }
                | AboutEffects::MissesWithoutWork { .. }
                | AboutEffects::NoWorkFits => Bad,
                AboutEffects::MostWork { .. } | AboutEffects::SettingsHelp { .. } => Good,
                AboutEffects::PairCompared { .. }
                | AboutEffects::Best { .. }
                | AboutEffects::Steadiest { .. }
                | AboutEffects::PublishedFigures { .. }
                | AboutEffects::NoSettingHelps { .. }
                | AboutEffects::NotTogether { .. } => Plain,
                _ => Open,
            },
            Self::Gate(AboutGate::Passes(_) | AboutGate::Equal { .. }) => Good,
            Self::Gate(AboutGate::Fails(_) | AboutGate::RunDiffers { .. }) => Bad,
            Self::Machine(AboutMachine::SelfTest { result }) => match result {
                SelfTestResult::Certified | SelfTestResult::AllSeen => Good,
                SelfTestResult::NotCertified { .. } => Bad,
                SelfTestResult::HostTooBusy => Open,
            },
            Self::Studies(AboutStudies::StudiesJudged { .. }) => Plain,
            Self::Certificates(finding) => match finding {
                AboutCertificates::Agrees { .. } => Good,
                AboutCertificates::Disagrees { .. } => Bad,
                AboutCertificates::Ahead { tests, shown, .. } if tests == shown => Good,
                _ => Open,
            },
            Self::Gate(_) | Self::Machine(_) | Self::Studies(_) => Open,
        }
    }
}
