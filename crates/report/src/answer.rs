//! Answers in words.

use analysis::finding::{Said, Standing};
pub use analysis::subject::{effort, of_machine, subject};
use plan::Heading;
use serde::Serialize;

/// A verdict with the few figures behind it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// The machine and its kernel, or the systems that were compared.
    pub subject: String,
    /// The number of runs and of valid runs, and the measured time.
    pub effort: String,
    pub standing: Standing,
    pub verdict: String,
    pub lines: Vec<Line>,
    pub remarks: Vec<Remark>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Line {
    pub what: String,
    /// Figures with name and unit; the same figure has the same position in every line.
    pub figures: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Remark {
    /// For example `Why`, `Fix first` or `Confidence`.
    pub name: &'static str,
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
