//! Answers in words.

use analysis::finding::{Said, Standing};
pub use analysis::subject::{effort, of_machine, subject};
use record::Heading;
use serde::Serialize;

/// A verdict with the few figures behind it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Answer {
    /// The machine and its kernel, or the systems that were compared.
    pub subject: String,
    /// Extent of the evidence in words, such as the number of runs and the time they measured.
    pub effort: String,
    /// Kind of verdict: `good` (the requirement holds), `bad` (it does not, or a run is INVALID),
    /// `open` (inconclusive) or `plain` (nothing to judge).
    pub standing: Standing,
    /// The verdict in words.
    pub verdict: String,
    /// The figures behind the verdict, the most important first.
    pub lines: Vec<Line>,
    /// Further remarks, such as the cause, what to fix first, and the confidence.
    pub remarks: Vec<Remark>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Line {
    /// What the figures of this line describe.
    pub what: String,
    /// Its figures, each with its name and unit.
    pub figures: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Remark {
    /// Label of the remark, such as `Why`, `Fix first` or `Confidence`.
    pub name: &'static str,
    /// Text of the remark.
    pub words: String,
}

impl Remark {
    pub(crate) const FIX_FIRST: &str = "Fix first";
    pub const NEXT: &str = "Next";

    /// Whether it begins with what a user should type.
    pub(crate) fn is_to_type(&self) -> bool {
        [Self::FIX_FIRST, Self::NEXT].contains(&self.name)
    }

    pub fn new(name: &'static str, words: impl Into<String>) -> Self {
        Self { name, words: words.into() }
    }

    /// Returns name and words in a line: `Idle: it gets nothing done.`
    pub fn sentence(&self) -> String {
        format!("{} {}", self.head(), self.words)
    }

    pub(crate) fn head(&self) -> String {
        let stop = if self.name.ends_with('?') { "" } else { ":" };
        format!("{}{stop}", self.name)
    }
}

impl From<Said> for Remark {
    fn from(said: Said) -> Self {
        Self::new(said.label, said.words)
    }
}

impl Answer {
    pub fn headed(mut self, heading: &Heading) -> Self {
        if let Some(title) = &heading.title {
            self.subject = format!("{}: {}", title.text(), self.subject);
        }
        self
    }

    pub fn with(mut self, remark: Remark) -> Self {
        self.remarks.push(remark);
        self
    }
}
