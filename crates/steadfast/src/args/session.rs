//! What a person says of what is measured, and how much or little of it is to be told.

use analysis::Analysis;
use clap::Args;
use plan::{Heading, Note, Title};

/// Of whatever has a report: what a person says of it.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct HeadingArgs {
    /// What this is called in the answer and as the report's title, in at most 80 characters
    #[arg(long, value_name = "TEXT", value_parser = Title::read)]
    title: Option<Title>,
    /// What there is to know of it, for the report, in at most 1000 characters
    #[arg(long, value_name = "TEXT", value_parser = Note::read)]
    note: Option<Note>,
}

impl HeadingArgs {
    /// What was said.
    pub(crate) fn heading(&self) -> Heading {
        Heading { title: self.title.clone(), note: self.note.clone() }
    }
}

/// Of whatever runs something.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct SessionArgs {
    #[command(flatten)]
    pub(crate) words: HeadingArgs,
    /// Tell no progress: the answer alone, and what is waited for or goes wrong
    #[arg(long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
}

/// Of whatever shows machines to whom it is given.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct IdentifyArgs {
    /// Show what may tell whose machine it is: all of the kernel's command line, not only what
    /// decides about real time
    #[arg(long)]
    identify: bool,
}

impl IdentifyArgs {
    /// The analysis, as it is to be shown.
    pub(crate) fn applied<'a>(&self, analysis: Analysis<'a>) -> Analysis<'a> {
        match self.identify {
            true => analysis.identified(),
            false => analysis,
        }
    }
}
