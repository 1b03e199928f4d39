//! What can be typed.

mod answer;
mod conditions;
mod limits;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::net::SocketAddr;
use std::num::NonZero;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand};
use rt::process::{self, Pid};

pub(crate) use self::answer::{AnswerArgs, InGeneral, Telling, Told};
pub(crate) use self::conditions::{
    BlameArgs, ConditionArgs, Cpus, IdleArg, MemoryArg, PlaceArgs, RepeatArgs, loads,
};
pub(crate) use self::limits::LimitArgs;
use crate::command::bench::BenchArgs;
use crate::command::campaign::args::CampaignArgs;
use crate::command::check::args::CheckArgs;
use crate::command::compare::args::CompareArgs;
use crate::command::echo::EchoArgs;
use crate::command::frontier::args::FrontierArgs;
use crate::command::full::FullArgs;
use crate::command::lab::args::LabArgs;
use crate::command::list::ListArgs;
use crate::command::map::args::MapArgs;
use crate::command::ready::ReadyArgs;
use crate::command::report::ReportArgs;
use crate::command::roles::Role;
use crate::command::run::RunArgs;
use crate::command::self_test::SelfTestArgs;
use crate::command::store::args::StoreArgs;
use crate::command::watch::WatchArgs;
use crate::output::{expect_open, tell};
use crate::{EXIT_COULD_NOT_RUN, EXIT_NOBODY_READS};

/// How steady and how fast is this machine, and what size of model can it hold
/// without missing a deadline?
///
/// Start with `steadfast quick`: two minutes of measuring, an answer in words,
/// and a report behind it.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

impl Cli {
    /// What was typed. Nonsense is answered in one line, with exit code 2.
    ///
    /// # Errors
    /// The exit code of an answer that is printed already.
    pub(crate) fn typed() -> Result<Command, ExitCode> {
        let error = match Self::try_parse_from(words()) {
            Ok(cli) => return Ok(cli.command),
            Err(error) => error,
        };
        let code = match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => match expect_open() {
                Ok(()) => 0,
                Err(_) => return Err(EXIT_NOBODY_READS.into()),
            },
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => EXIT_COULD_NOT_RUN,
            _ => {
                tell(&one_line(&error.to_string()));
                return Err(EXIT_COULD_NOT_RUN.into());
            }
        };
        // A closed pipe is no reason to complain.
        let _ = error.print();
        Err(code.into())
    }
}

/// What was typed. A kernel hands its first process every parameter that it does not know,
/// before those that are meant for it.
fn words() -> Vec<OsString> {
    let words: Vec<OsString> = std::env::args_os().collect();
    let is_guest = process::this() == Pid::INIT && words.last().is_some_and(|w| w == target::GUEST);
    match words.as_slice() {
        [program, .., role] if is_guest => vec![program.clone(), role.clone()],
        _ => words,
    }
}

/// The first paragraph of an error, and its tip, in one line.
fn one_line(error: &str) -> String {
    let told: Vec<&str> = error
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"))
        .collect();
    told.join(" ")
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Measure this machine for about two minutes, and say what it holds
    Quick(ReadyArgs),
    /// Say whether this machine holds a rate: PASS, FAIL or not shown yet; ends with code 0, 1
    /// or 3
    Check(CheckArgs),
    /// Measure everything, alone and under every load, for about half an hour
    Full(FullArgs),
    /// Vary what one machine can vary of frame determinism, for about 15 minutes
    Frames(ReadyArgs),
    /// Compare all solvers of the tire with each other and with what this machine allows
    Bench(BenchArgs),
    /// Run measurements under given conditions
    Run(RunArgs),
    /// Say whether this machine is set up for real-time work, and how to change what is
    /// not; changes nothing, and ends with code 0 whatever it finds
    Doctor(WordsArgs),
    /// Disturb this machine in known ways while measuring, and certify its measurements: that each
    /// disturbance is seen, measured and named; takes about half a minute, and ends with
    /// code 1 when not certified, 3 where the host is too busy to tell
    SelfTest(SelfTestArgs),
    /// List measurements, their parameters, views of their results, and loads
    List(ListArgs),
    /// Kernels in a virtual machine whose time is counted in instructions
    Lab(LabArgs),
    /// Write the report of stored runs
    Report(ReportArgs),
    /// Lay systems side by side: which is faster, which is steadier, by how much, and how
    /// sure that is
    Compare(CompareArgs),
    /// Show a running tire live, on a page in the browser
    Watch(WatchArgs),
    /// Make every run of a plan file, in an order that keeps drift out of the comparison
    Campaign(CampaignArgs),
    /// Find the largest model of the tire that holds a rate, for each number of threads
    Frontier(FrontierArgs),
    /// Draw which sizes of the tire meet every deadline, for each number of threads
    Map(MapArgs),
    /// Work on files of results
    Store(StoreArgs),
    /// Send the datagrams of another machine's frames back (its --peer), until Ctrl-C
    Echo(EchoArgs),
    #[command(flatten)]
    Role(Role),
}

impl Command {
    /// Whether something is under way while it is carried out that an interrupt must not cut off
    /// in the middle.
    pub(crate) fn is_interrupted_with_care(&self) -> bool {
        match self {
            Self::Lab(args) => args.command.makes_runs(),
            Self::Doctor(_) | Self::List(_) | Self::Report(_) => false,
            Self::Compare(_) | Self::Store(_) | Self::Role(_) => false,
            _ => true,
        }
    }
}

/// Of an answer in words that is about no run.
#[derive(Debug, Clone, Args)]
pub(crate) struct WordsArgs {
    #[command(flatten)]
    pub(crate) answer: JsonArgs,
    /// Print every table and sentence in place of the answer in a few lines
    #[arg(long, conflicts_with = "json")]
    pub(crate) verbose: bool,
}

/// Whether an answer for programs is asked for.
#[derive(Debug, Clone, Args)]
pub(crate) struct JsonArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Reads a whole number from 1 to `most`; its error names both.
pub(crate) fn whole(most: usize) -> impl Fn(&str) -> Result<NonZero<usize>, String> + Clone {
    move |text| {
        let number = text.parse().ok();
        let number = number.filter(|number: &NonZero<usize>| number.get() <= most);
        number.ok_or_else(|| format!("expected a whole number from 1 to {most}"))
    }
}

/// Reads where something listens.
pub(crate) fn address(text: &str) -> Result<SocketAddr, &'static str> {
    let expected = "expected an IP address and a port, such as 127.0.0.1:9870";
    text.parse().map_err(|_| expected)
}

/// Reads what is typed after `steadfast run`.
pub(crate) fn parse_run_line(line: &str) -> Result<RunArgs, clap::Error> {
    match parse_after("run", line)? {
        Command::Run(args) => Ok(args),
        _ => unreachable!("the words begin with `run`"),
    }
}

/// Reads what is typed after such a command.
pub(crate) fn parse_after(command: &str, line: &str) -> Result<Command, clap::Error> {
    let words = ["steadfast", command].into_iter();
    Ok(Cli::try_parse_from(words.chain(line.split_whitespace()))?.command)
}
