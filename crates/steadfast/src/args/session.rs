//! Titles and notes of sessions, whether progress is shown, and whether reports identify a machine.

use analysis::Analysis;
use clap::Args;
use plan::{Heading, Note, Title};

/// The user's title and note, for everything that has a report.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct HeadingArgs {
    /// Title, shown in the answer and the report; at most 80 characters
    #[arg(long, value_name = "TEXT", value_parser = Title::read)]
    title: Option<Title>,
    /// Description, shown in the report; at most 1000 characters
    #[arg(long, value_name = "TEXT", value_parser = Note::read)]
    note: Option<Note>,
}

impl HeadingArgs {
    pub(crate) fn heading(&self) -> Heading {
        Heading { title: self.title.clone(), note: self.note.clone() }
    }
}

/// Options of every command that runs something or writes a report.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct SessionArgs {
    #[command(flatten)]
    pub(crate) words: HeadingArgs,
    #[command(flatten)]
    quiet: QuietArgs,
}

/// Whether progress is shown. The parser's caller reads it for all commands in one place.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct QuietArgs {
    /// Hide progress: print only the answer, and messages about waiting and errors
    #[arg(long, conflicts_with = "verbose")]
    quiet: bool,
}

/// Whether output may identify the machine, for commands that show machines to others.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct IdentifyArgs {
    /// Show what may identify the machine: the whole kernel command line, not only the part that
    /// affects real time
    #[arg(long)]
    identify: bool,
}

impl IdentifyArgs {
    /// Returns the analysis with or without what identifies the machine, as requested.
    pub(crate) fn applied<'a>(&self, analysis: Analysis<'a>) -> Analysis<'a> {
        if self.identify { analysis.identified() } else { analysis }
    }
}
