//! Arguments that several commands share.

mod answer;
mod conditions;
mod formats;
mod functions;
mod session;

use std::iter;
use std::net::SocketAddr;
use std::num::NonZero;

use anyhow::Result;
use clap::{Args, Command as Known};
use report::Answer;
use serde_json::Value;

use crate::output::{print, print_answer, print_json};

pub(crate) use self::answer::{AnswerArgs, InGeneral, said};
pub(crate) use self::conditions::{
    BlameArgs, ConditionArgs, Cpus, IdleArg, MOST_RUNS, MemoryArg, PlaceArgs, RepeatArgs, loads,
};
pub(crate) use self::formats::FormatArgs;
pub(crate) use self::functions::FunctionArgs;
pub(crate) use self::session::{IdentifyArgs, QuietArgs, SessionArgs};

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
    /// Prints an answer in the requested form; `more` says how to get the details.
    pub(crate) fn print(
        &self,
        json: impl FnOnce() -> Value,
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
    pub(crate) fn print(
        &self,
        json: impl FnOnce() -> Value,
        text: impl FnOnce() -> String,
    ) -> Result<()> {
        if self.json { print_json(&json()) } else { print(&text()) }
    }
}

/// Returns a parser of whole numbers from 1 to `most`; its error names both limits.
pub(crate) fn whole(most: usize) -> impl Fn(&str) -> Result<NonZero<usize>, String> + Clone {
    move |text| {
        let number = text.parse().ok();
        let number = number.filter(|number: &NonZero<usize>| number.get() <= most);
        number.ok_or_else(|| format!("expected a whole number from 1 to {most}"))
    }
}

/// Parses an IP address and port to listen on.
pub(crate) fn address(text: &str) -> Result<SocketAddr, &'static str> {
    let expected = "expected an IP address and a port, such as 127.0.0.1:9870";
    text.parse().map_err(|_| expected)
}

/// Parses `line`, what a user would type after a command that takes these arguments.
pub(crate) fn after<A: Args>(line: &str) -> Result<A, clap::Error> {
    let mut known = A::augment_args(Known::new("steadfast"));
    let words = iter::once("steadfast").chain(line.split_whitespace());
    let matches = known.try_get_matches_from_mut(words)?;
    A::from_arg_matches(&matches).map_err(|error| error.format(&mut known))
}

/// Returns the first paragraph of an error, and its tip, as one line.
pub(crate) fn one_line(error: &str) -> String {
    let lines: Vec<&str> = error
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"))
        .collect();
    lines.join(" ").replace(" tip: ", "; ")
}
