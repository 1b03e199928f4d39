//! What each finding says: its label, the kind of news that it is, and its words.

use analysis::finding::Standing;

use crate::answer::Remark;

/// A finding in English.
pub(crate) struct Said {
    /// A word for the kind of finding, which is the name of its remark.
    pub(crate) label: &'static str,
    /// What kind of news it is as the first finding of an answer.
    pub(crate) standing: Standing,
    pub(crate) words: String,
}

impl Said {
    /// Returns it as the first sentence of an answer.
    pub(crate) fn verdict(self) -> String {
        match self.label {
            ANSWER => self.words,
            MISSED => format!("Deadlines missed: {}", self.words),
            _ => self.named(),
        }
    }

    pub(crate) fn named(self) -> String {
        format!("{}: {}", self.label, self.words)
    }

    pub(crate) fn remark(self) -> Remark {
        Remark::new(self.label, self.words)
    }
}

/// The label of the findings that make up a verdict.
pub(crate) const ANSWER: &str = "Answer";

/// The label of a comparison with a reference, which as an answer is a sentence.
pub(crate) const CHECK: &str = "Check";

/// The label of a number of misses, which as an answer needs a word for what it counts.
pub(crate) const MISSED: &str = "Missed";

/// The label of a finding, which the words of the finding follow: `"Cost".says(..)`.
pub(super) trait Label: Sized {
    fn judged(self, standing: Standing, words: impl Into<String>) -> Said;

    /// Neither contradicts a requirement nor shows that it holds.
    fn says(self, words: impl Into<String>) -> Said {
        self.judged(Standing::Open, words)
    }

    fn plain(self, words: impl Into<String>) -> Said {
        self.judged(Standing::Plain, words)
    }

    fn good(self, words: impl Into<String>) -> Said {
        self.judged(Standing::Good, words)
    }

    fn bad(self, words: impl Into<String>) -> Said {
        self.judged(Standing::Bad, words)
    }
}

impl Label for &'static str {
    fn judged(self, standing: Standing, words: impl Into<String>) -> Said {
        Said { label: self, standing, words: words.into() }
    }
}
