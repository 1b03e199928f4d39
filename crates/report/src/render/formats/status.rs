//! The result of a case. Every format shows it, and the exit code follows from it.

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Status {
    #[default]
    Passed,
    /// It broke what it had to hold; the kind, and why.
    Failed(&'static str, Vec<String>),
    /// It had to be judged and could not be, so it does not pass; and why.
    NotJudged(NotJudged, Vec<String>),
    /// It needs what this machine lacks, or is left out of the answer; and why. Nothing fails.
    Skipped(String),
}

base::named! {
    /// Why a case that had to be judged was not.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum NotJudged {
        Invalid = "INVALID",
        /// Too little was measured to decide.
        NotShownYet = "NOT SHOWN YET",
        Undecided = "undecided",
        NotMeasured = "not measured",
        Interrupted = "interrupted",
        CouldNotRun = "could not run",
    }
}

impl Status {
    /// Whether nothing is wrong with the case: it passed, or was skipped.
    pub fn is_fine(&self) -> bool {
        matches!(self, Self::Passed | Self::Skipped(_))
    }

    /// Why nothing passed, in one sentence after another; empty if nothing is wrong.
    pub fn why(&self) -> String {
        match self {
            Self::Failed(_, why) | Self::NotJudged(_, why) => why.join(" "),
            Self::Passed | Self::Skipped(_) => String::new(),
        }
    }
}
