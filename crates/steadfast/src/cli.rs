//! What can be typed.

mod help;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Command as Known, CommandFactory, FromArgMatches, Parser, Subcommand};
use rt::process::{self, Pid};

use crate::args::{SessionArgs, WordsArgs, one_line};
use crate::command::audit::AuditArgs;
use crate::command::bench::BenchArgs;
use crate::command::campaign::args::CampaignArgs;
use crate::command::check::args::CheckArgs;
use crate::command::compare::args::CompareArgs;
use crate::command::echo::EchoArgs;
use crate::command::frontier::args::FrontierArgs;
use crate::command::full::FullArgs;
use crate::command::help::HelpArgs;
use crate::command::interfere::args::InterfereArgs;
use crate::command::knobs::args::KnobsArgs;
use crate::command::lab::args::{LabArgs, LabCommand};
use crate::command::list::ListArgs;
use crate::command::map::args::MapArgs;
use crate::command::model::ModelArgs;
use crate::command::ready::ReadyArgs;
use crate::command::report::ReportArgs;
use crate::command::roles::Role;
use crate::command::run::args::RunArgs;
use crate::command::self_test::SelfTestArgs;
use crate::command::shell::{CompletionsArgs, ManArgs};
use crate::command::store::args::StoreArgs;
use crate::command::watch::WatchArgs;
use crate::exit::{EXIT_COULD_NOT_RUN, EXIT_NOBODY_READS};
use crate::output::{expect_open, tell};

/// How steady is this machine, and how large a model does it hold without a miss?
///
/// Start with `steadfast quick`: two minutes of measuring, an answer in words,
/// and a report behind it.
#[derive(Debug, Parser)]
#[command(
    version,
    max_term_width = 80,
    disable_help_subcommand = true,
    help_template = "{about}\n{usage-heading} {usage}\n{subcommands}",
    override_usage = "steadfast COMMAND; steadfast help NAME explains a command, load or plan"
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

impl Cli {
    /// All that can be typed, with help on one screen.
    pub(crate) fn known() -> Known {
        help::with_help(Self::command())
    }

    /// What these words mean.
    ///
    /// # Errors
    /// Why they mean nothing, or the help that they ask for.
    pub(crate) fn parsed<W: Into<OsString> + Clone>(
        words: impl IntoIterator<Item = W>,
    ) -> Result<Command, clap::Error> {
        let mut known = Self::known();
        let matches = known.try_get_matches_from_mut(words)?;
        let cli = Self::from_arg_matches(&matches).map_err(|error| error.format(&mut known))?;
        Ok(cli.command)
    }

    /// What was typed. Nonsense is answered in one line, with exit code 2.
    ///
    /// # Errors
    /// The exit code of an answer that is printed already.
    pub(crate) fn typed() -> Result<Command, ExitCode> {
        let error = match Self::parsed(words()) {
            Ok(command) => return Ok(command),
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

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Measure this machine for two minutes, and say what it holds
    Quick(ReadyArgs),
    /// Say whether this machine holds a rate: PASS, FAIL or not shown yet
    ///
    /// Ends with exit code 0, 1 or 3.
    Check(CheckArgs),
    /// Measure everything, alone and under every load, for half an hour
    Full(FullArgs),
    /// Vary what one machine can vary of frame determinism
    ///
    /// Takes about 15 minutes.
    Frames(ReadyArgs),
    /// Compare all solvers of the tire with what this machine allows
    Bench(BenchArgs),
    /// Run measurements under given conditions
    Run(RunArgs),
    /// Say what a model's step does that a real-time step must not
    ///
    /// Steps an FMU or a library under watch, and names allocations, system calls, page faults,
    /// locks, denormals and more by step and place. Ends with code 1 when something is found.
    Audit(AuditArgs),
    /// Say whether this machine is set up for real-time work
    ///
    /// Also says how to change what is not. Changes nothing, and ends with code 0 whatever it
    /// finds.
    Doctor(WordsArgs),
    /// Say which settings may be tried here, and which of them matter
    ///
    /// The list changes nothing; `try` does, once it has listed what, and gives each back after
    /// every run. Ends with code 2 where nothing can be tried.
    Knobs(KnobsArgs),
    /// Say what stands in a model's file: an FMU or a shared library
    ///
    /// Nothing of it is run.
    Model(ModelArgs),
    /// Certify that this machine's measurements can be believed
    ///
    /// Disturbs this machine in known ways while measuring, and certifies its measurements: that
    /// each disturbance is seen, measured and named. Takes about half a minute, and ends with
    /// code 1 when not certified, 3 where the host is too busy to tell.
    SelfTest(SelfTestArgs),
    /// List measurements, their parameters, views of results, and loads
    List(ListArgs),
    /// Compare kernels in virtual machines whose time is counted
    ///
    /// Their time is counted in instructions, so that every run is the same when repeated.
    Lab(LabArgs),
    /// Write the report of stored runs
    Report(ReportArgs),
    /// Lay systems side by side: which is faster, which steadier, how sure
    Compare(CompareArgs),
    /// Show a running tire live, on a page in the browser
    Watch(WatchArgs),
    /// Make every run of a plan file
    ///
    /// Their order keeps drift out of the comparison.
    Campaign(CampaignArgs),
    /// Find the largest model of the tire that holds a rate
    ///
    /// It does so for each number of threads.
    Frontier(FrontierArgs),
    /// Draw which sizes of the tire meet every deadline
    ///
    /// It does so for each number of threads.
    Map(MapArgs),
    /// Say which neighbour costs a run how much
    ///
    /// Others work beside it, one kind and one place at a time, in turns with quiet runs.
    Interfere(InterfereArgs),
    /// Work on files of results
    Store(StoreArgs),
    /// Send the datagrams of another machine's frames back, until Ctrl-C
    ///
    /// The other machine makes them with --peer.
    #[command(hide = true)]
    Echo(EchoArgs),
    /// Explain a command, a measurement, a load or a plan
    #[command(hide = true)]
    Help(HelpArgs),
    /// Print what a shell reads to complete commands and options
    #[command(hide = true)]
    Completions(CompletionsArgs),
    /// Write a page for man of each command
    #[command(hide = true)]
    Man(ManArgs),
    #[command(flatten)]
    Role(Role),
}

impl Command {
    /// Whether something is under way while it is carried out that an interrupt must not cut off
    /// in the middle.
    pub(crate) fn is_interrupted_with_care(&self) -> bool {
        match self {
            Self::Lab(args) => args.command.makes_runs(),
            Self::Completions(_) | Self::Man(_) | Self::Model(_) => false,
            Self::Knobs(_)
            | Self::Audit(_)
            | Self::Doctor(_)
            | Self::List(_)
            | Self::Help(_)
            | Self::Report(_) => false,
            Self::Compare(_) | Self::Store(_) | Self::Role(_) => false,
            _ => true,
        }
    }
}

impl Command {
    /// What whoever runs something was told of its session.
    pub(crate) fn session(&self) -> Option<&SessionArgs> {
        Some(match self {
            Self::Quick(args) | Self::Frames(args) => &args.kept.session,
            Self::Full(args) => &args.ready.kept.session,
            Self::Bench(args) => &args.ready.kept.session,
            Self::Campaign(args) => &args.ready.kept.session,
            Self::Frontier(args) => &args.varied.kept.session,
            Self::Map(args) => &args.varied.kept.session,
            Self::Interfere(args) => &args.kept.session,
            Self::Check(args) => &args.store.session,
            Self::Run(args) => &args.store.session,
            Self::SelfTest(args) => &args.store.session,
            Self::Knobs(args) => return args.session(),
            Self::Lab(args) => match &args.command {
                LabCommand::Compare(args) => &args.kept.session,
                _ => return None,
            },
            _ => return None,
        })
    }
}

/// The paths of all commands that a person types.
#[cfg(test)]
pub(crate) fn paths(known: &Known) -> Vec<String> {
    let name = known.get_name().to_owned();
    let shown: Vec<&Known> = known.get_subcommands().filter(|c| !c.is_hide_set()).collect();
    match shown.as_slice() {
        [] => vec![name],
        deeper => deeper
            .iter()
            .flat_map(|known| paths(known))
            .map(|path| match known.get_name() {
                "steadfast" => path,
                own => format!("{own} {path}"),
            })
            .collect(),
    }
}
