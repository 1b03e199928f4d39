//! What an answer is made of.

use plan::Heading;
use serde::Serialize;

/// An answer is a verdict with the few figures that it rests on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// The machine and its kernel, or what was laid side by side.
    pub subject: String,
    /// How many runs there are, how many of them count, and how long they measured.
    pub effort: String,
    /// Whether the verdict is good news.
    pub standing: Standing,
    /// The verdict in a sentence.
    pub verdict: String,
    /// The figures behind it, the most important first.
    pub lines: Vec<Line>,
    /// What else there is to know, each in a sentence under its name.
    pub remarks: Vec<Remark>,
}

/// A standing tells what kind of news a verdict is, the worst last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// There is nothing to judge.
    #[default]
    Plain,
    /// What was asked for is shown.
    Good,
    /// Nothing speaks against it, and too little for it.
    Open,
    /// It is not met.
    Bad,
}

/// A line is what was measured, with a few figures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Line {
    /// What was measured.
    pub what: String,
    /// Its figures, each with its name and unit; the same figure stands in the same place.
    pub figures: Vec<String>,
}

/// A remark is a sentence under a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Remark {
    /// Its name: `Why`, `Do first`, `Sure?`.
    pub name: &'static str,
    /// What it says.
    pub words: String,
}

impl Remark {
    /// A remark of that name.
    pub fn new(name: &'static str, words: impl Into<String>) -> Self {
        Self { name, words: words.into() }
    }

    /// Name and words in a line: `Idle: it gets nothing done.`
    #[must_use]
    pub fn sentence(&self) -> String {
        let stop = if self.name.ends_with('?') { "" } else { ":" };
        format!("{}{stop} {}", self.name, self.words)
    }
}

impl Answer {
    /// The same, about what a person calls it.
    #[must_use]
    pub fn headed(mut self, heading: &Heading) -> Self {
        if let Some(title) = &heading.title {
            self.subject = format!("{}: {}", title.text(), self.subject);
        }
        self
    }

    /// The same with a remark more.
    #[must_use]
    pub fn with(mut self, remark: Remark) -> Self {
        self.remarks.push(remark);
        self
    }
}
