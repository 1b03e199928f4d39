//! Arguments that several commands share.

mod answer;
mod conditions;
mod formats;
mod functions;
mod generated;
pub(crate) mod parameters;
pub(crate) mod place;
pub(crate) mod plans;
pub(crate) mod request;
mod table;

use std::iter;
use std::net::SocketAddr;

use analysis::Analysis;
use anyhow::Result;
use clap::error::ErrorKind;
use clap::{Args, Command as Known};
use record::{Heading, Note, Title};
use report::Answer;
use serde::Serialize;

use crate::startup::output::{print, print_answer, print_json};

pub(crate) use self::answer::{AnswerArgs, InGeneral, said};
pub(crate) use self::conditions::{
    BlameArgs, ConditionArgs, Cpus, FollowArgs, IdleArg, MOST_RUNS, MemoryArg, RepeatArgs, loads,
    runs,
};
pub(crate) use self::formats::FormatArgs;
pub(crate) use self::functions::FunctionArgs;
pub(crate) use self::generated::{Generated, generated_args};
pub(crate) use self::table::{Condition, Set, keys};

/// Options for an answer in words that is not about runs.
#[derive(Debug, Clone, Args)]
pub(crate) struct WordsArgs {
    #[command(flatten)]
    pub(crate) answer: JsonArgs,
    /// Print all tables and details instead of the short answer
    #[arg(long, conflicts_with = "json")]
    pub(crate) verbose: bool,
}

impl WordsArgs {
    pub(crate) fn print<T: Serialize>(
        &self,
        json: impl FnOnce() -> T,
        details: impl FnOnce() -> String,
        answer: impl FnOnce() -> Answer,
        more: &str,
    ) -> Result<()> {
        if self.verbose || self.answer.json {
            self.answer.print(json, details)
        } else {
            print_answer(&answer(), more)
        }
    }
}

/// The option for an answer that other programs read.
#[derive(Debug, Clone, Args)]
pub(crate) struct JsonArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

impl JsonArgs {
    pub(crate) fn print<T: Serialize>(
        &self,
        json: impl FnOnce() -> T,
        text: impl FnOnce() -> String,
    ) -> Result<()> {
        if self.json { print_json(&json()) } else { print(&text()) }
    }
}

/// Options of every command that runs something or writes a report.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct SessionArgs {
    /// Title, shown in the answer and the report; at most 80 characters
    #[arg(long, value_name = "TEXT", value_parser = Title::read)]
    title: Option<Title>,
    /// Description, shown in the report; at most 1000 characters
    #[arg(long, value_name = "TEXT", value_parser = Note::read)]
    note: Option<Note>,
    #[command(flatten)]
    quiet: QuietArgs,
}

impl SessionArgs {
    pub(crate) fn heading(&self) -> Heading {
        Heading { title: self.title.clone(), note: self.note.clone() }
    }
}

/// Whether progress is shown. The parser's caller reads it for all commands in one place.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct QuietArgs {
    /// Hide progress: print only the answer, and messages about waiting and errors
    #[arg(long)]
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
    pub(crate) fn applied<'a>(&self, analysis: Analysis<'a>) -> Analysis<'a> {
        if self.identify { analysis.identified() } else { analysis }
    }
}

pub(crate) fn address(text: &str) -> Result<SocketAddr, &'static str> {
    text.parse().map_err(|_| "expected an IP address and a port, such as 127.0.0.1:9870")
}

/// Parses `line`, what a user would type after a command that takes these arguments, with quotes
/// as a shell reads them.
pub(crate) fn after<A: Args>(line: &str) -> Result<A, clap::Error> {
    let mut known = A::augment_args(Known::new("steadfast"));
    let words = shlex::split(line).ok_or_else(|| {
        known.error(ErrorKind::ValueValidation, "a quote or a backslash is never closed")
    })?;
    let matches =
        known.try_get_matches_from_mut(iter::once("steadfast".to_owned()).chain(words))?;
    A::from_arg_matches(&matches).map_err(|error| error.format(&mut known))
}

/// Returns the first paragraph of an error, and its tip, as one line.
pub(crate) fn one_line(error: &str) -> String {
    let lines = error.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_usage = |line: &&str| line.starts_with("Usage:") || line.starts_with("For more");
    let lines: Vec<&str> = lines.take_while(|line| !is_usage(line)).collect();
    lines.join(" ").replace(" tip: ", "; ")
}
