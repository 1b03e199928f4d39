//! Statements whose words are still here.

use analysis::finding::{Said, Standing};

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
