//! Findings as values: each variant is one statement, declared with its English text. Texts are plain `format!`: the
//! compiler checks that every statement has words, and every value a place in them.

mod capacity;
mod certificate;
mod checked;
mod compared;
mod comparison;
mod deadlines;
mod edge;
mod effects;
mod fix;
mod gate;
mod imported;
mod machine;
mod mix;
mod own_model;
mod periodic;
mod runs;
mod said;
mod studies;
mod why;
mod worst;

use base::Vicinity;
use serde::Serialize;

pub use capacity::*;
pub use certificate::*;
pub use checked::*;
pub use compared::*;
pub use comparison::*;
pub use deadlines::*;
pub use edge::{bracket, edge_figures};
pub use effects::*;
pub use fix::{Fix, short_change};
pub(crate) use gate::LONGEST;
pub use gate::*;
pub use imported::*;
pub use machine::*;
pub use mix::*;
pub use own_model::*;
pub use periodic::*;
pub use runs::*;
pub use said::{ANSWER, CHECK, MISSED, Said, Standing};
pub use studies::*;
pub use why::*;
pub use worst::*;

/// Declares the subjects of findings, each with its statements.
macro_rules! subjects {
    ($($subject:ident($about:ident)),*) => {
        /// A statement that the results support. Lists of findings begin with the one that decides.
        #[derive(Debug, Clone, PartialEq, Serialize)]
        #[serde(untagged)]
        pub enum Finding {
            $($subject($about)),*
        }

        /// Returns every statement that a finding can be.
        #[cfg(feature = "schema")]
        pub(crate) fn statements() -> impl Iterator<Item = said::Statement> {
            [$($about::STATEMENTS),*].into_iter().flatten().copied()
        }

        impl Finding {
            /// Returns its label, how good the news is, and its words.
            pub fn said(&self) -> Said {
                match self {
                    $(Self::$subject(about) => about.said()),*
                }
            }
        }
    };
}

subjects! {
    OnMachine(OnMachine), Deadlines(AboutDeadlines), Capacity(AboutCapacity), Model(AboutModel), Mix(AboutMix),
    Comparison(AboutComparison), Effects(AboutEffects), Gate(AboutGate), Machine(AboutMachine), Studies(AboutStudies),
    Certificates(AboutCertificates), Imported(AboutImported), Runs(AboutRuns)
}

/// A finding about one of several machines.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "on_machine")]
pub struct OnMachine {
    pub machine: String,
    pub finding: Box<Finding>,
}

#[cfg(feature = "schema")]
impl OnMachine {
    const STATEMENTS: &[said::Statement] =
        &[("OnMachine", &["A finding about one of several machines."])];
}

impl OnMachine {
    fn said(&self) -> Said {
        let said = self.finding.said();
        Said { words: format!("{}: {}", self.machine, said.words), ..said }
    }
}

impl Finding {
    /// Returns its words without the label.
    pub fn sentence(&self) -> String {
        self.said().words
    }

    /// Returns the sentence after its label.
    pub fn named(&self) -> String {
        self.said().named()
    }

    /// Returns it as the first sentence of an answer.
    pub fn verdict(&self) -> String {
        self.said().verdict()
    }

    pub(crate) fn not_measured(what: &str, places: Vec<Vicinity>, why: Option<String>) -> Self {
        Self::Deadlines(AboutDeadlines::NotMeasured { what: what.to_owned(), places, why })
    }

    /// Returns that nothing can be concluded, and what decides.
    pub fn undecided(why: Why) -> Vec<Self> {
        let next = AboutEffects::ToDecide { why: why.clone() };
        [AboutEffects::Inconclusive { why }, next].map(Self::Effects).into()
    }
}

/// Returns the sentences of an answer: all but the first with their labels.
pub fn labelled(findings: &[Finding]) -> Vec<String> {
    let (first, others) = findings.split_at(findings.len().min(1));
    first.iter().map(Finding::verdict).chain(others.iter().map(Finding::named)).collect()
}

pub fn unlabelled(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(Finding::sentence).collect()
}
