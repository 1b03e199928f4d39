//! The command-line parser: all commands, and how their help is shown.

mod help;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::{ContextKind, ErrorKind};
use clap::{ArgMatches, Command as Known, CommandFactory, FromArgMatches, Parser, Subcommand};
use rt::process::{self, Pid};

use crate::args::{WordsArgs, one_line};
use crate::command::audit::AuditArgs;
use crate::command::bench::BenchArgs;
use crate::command::campaign::args::CampaignArgs;
use crate::command::certificate::CertificateArgs;
use crate::command::certificate::board::BoardArgs;
use crate::command::certificate::verify::VerifyArgs;
use crate::command::check::args::CheckArgs;
use crate::command::compare::args::CompareArgs;
use crate::command::echo::EchoArgs;
use crate::command::frontier::args::FrontierArgs;
use crate::command::full::FullArgs;
use crate::command::gate::args::GateArgs;
use crate::command::help::HelpArgs;
use crate::command::interfere::args::InterfereArgs;
use crate::command::knobs::args::KnobsArgs;
use crate::command::lab::args::LabArgs;
use crate::command::list::ListArgs;
use crate::command::map::args::MapArgs;
use crate::command::model::ModelArgs;
use crate::command::ready::ReadyArgs;
use crate::command::report::ReportArgs;
use crate::command::roles::Role;
use crate::command::run::args::RunArgs;
use crate::command::self_test::SelfTestArgs;
use crate::command::shell::{CompletionsArgs, ManArgs};
use crate::command::soak::args::SoakArgs;
use crate::command::store::args::StoreArgs;
use crate::command::studies::args::StudiesArgs;
use crate::command::trace::TraceArgs;
use crate::command::watch::WatchArgs;
use crate::exit::{EXIT_COULD_NOT_RUN, EXIT_NOBODY_READS};
use crate::output::{expect_open, tell};

/// How steady is this machine, and how large a model can it run in real time?
///
/// Start with `steadfast quick`: it measures for two minutes, prints an answer in words, and writes
/// a report with the details.
#[derive(Debug, Parser)]
#[command(
    version,
    max_term_width = 80,
    disable_help_subcommand = true,
    override_usage = "steadfast COMMAND; steadfast help NAME explains a command, load or plan"
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Whether --quiet was given, which many commands take.
    #[arg(skip)]
    pub(crate) is_quiet: bool,
}

impl Cli {
    /// Returns the parser of all commands, with short help that fits on one screen.
    pub(crate) fn known() -> Known {
        Self::explained(&[])
    }

    /// Returns the same parser, whose help lists the parameters of the measurement that `words`
    /// name.
    pub(crate) fn explained(words: &[String]) -> Known {
        help::with_help(Self::command(), words)
    }

    /// Parses `words`, the program's name first.
    ///
    /// # Errors
    /// If the words are not a valid command line, or request help or the version.
    pub(crate) fn parsed<W: Into<OsString> + Clone>(
        words: impl IntoIterator<Item = W>,
    ) -> Result<Self, clap::Error> {
        let words: Vec<OsString> = words.into_iter().map(Into::into).collect();
        let shown = words.iter().map(|word| word.to_string_lossy().into_owned());
        let mut known = Self::explained(&shown.collect::<Vec<_>>());
        let matches = known.try_get_matches_from_mut(words)?;
        let cli = Self::from_arg_matches(&matches).map_err(|error| error.format(&mut known))?;
        Ok(Self { is_quiet: has_flag(&matches, "quiet"), ..cli })
    }

    /// Parses what the user typed. A mistake is reported in one line, with exit code 2.
    ///
    /// # Errors
    /// The exit code, if everything there is to print was printed already (help or an error).
    pub(crate) fn typed() -> Result<Self, ExitCode> {
        let error = match Self::parsed(words()) {
            Ok(cli) => return Ok(cli),
            Err(error) => error,
        };
        let code = match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => match expect_open() {
                Ok(()) => 0,
                Err(_) => return Err(EXIT_NOBODY_READS.into()),
            },
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => EXIT_COULD_NOT_RUN,
            _ => {
                tell(&instead(&error).unwrap_or_else(|| one_line(&error.to_string())));
                return Err(EXIT_COULD_NOT_RUN.into());
            }
        };
        // A closed pipe is not worth an error.
        let _ = error.print();
        Err(code.into())
    }
}

/// Returns whether the command that was typed takes this flag and was given it.
fn has_flag(matches: &ArgMatches, flag: &str) -> bool {
    match matches.subcommand() {
        Some((_, deeper)) => has_flag(deeper, flag),
        None => matches.try_get_one(flag).ok().flatten().is_some_and(|given| *given),
    }
}

/// Flags that a command lacks, and what to use instead.
const INSTEAD: [(&str, &str); 2] = [
    (
        "--interactive",
        "the charts of report.html show exact values under the pointer, and `steadfast report STORE --csv` \
         prints the data",
    ),
    (
        "--out",
        "a command without it, such as `run`, keeps results with --store FILE; `steadfast report FILE --out DIR` \
         writes the report",
    ),
];

/// Returns what to use instead of the argument that this error does not know.
fn instead(error: &clap::Error) -> Option<String> {
    let typed = error.get(ContextKind::InvalidArg)?.to_string();
    let known = INSTEAD.iter().find(|(flag, _)| *flag == typed);
    let is_word = error.kind() == ErrorKind::UnknownArgument && !typed.starts_with('-');
    let instead = match known {
        Some((_, instead)) => (*instead).to_owned(),
        None if is_word => "options begin with --".to_owned(),
        None => return None,
    };
    Some(format!("error: unexpected argument '{typed}': {instead}"))
}

/// Returns the program's arguments. The kernel passes its first process every parameter that it
/// does not know, before the ones meant for that process; those are dropped.
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
    /// Measure this machine for two minutes and summarize the results
    Quick(ReadyArgs),
    /// Test whether this machine holds a rate: PASS, FAIL, NOT SHOWN YET
    ///
    /// The exit code is 0, 1 or 3.
    Check(CheckArgs),
    /// Run every measurement, alone and under every load, in half an hour
    Full(FullArgs),
    /// Measure how evenly simulation frames run, across settings
    ///
    /// Takes about 15 minutes.
    Frames(ReadyArgs),
    /// Run one or more measurements under conditions that you choose
    Run(RunArgs),
    /// Run a measurement for days, without a pause, in stored intervals
    ///
    /// Reports misses, causes, gaps and changes of the machine by interval. The same command
    /// continues after a kill or a reboot.
    Soak(SoakArgs),
    /// Describe a model file (FMU or shared library)
    ///
    /// Nothing in the file is run.
    Model(ModelArgs),
    /// Find what a model's step does that a real-time step must not do
    ///
    /// Steps an FMU, a library or a program under watch, and reports allocations, system calls,
    /// page faults, locks, denormals and more, by step and place. The exit code is 1 if something
    /// is found.
    Audit(AuditArgs),
    /// Find the largest model, or highest rate, that meets its deadlines
    ///
    /// Searches separately for each number of threads.
    Frontier(FrontierArgs),
    /// Map the model sizes or rates that meet every deadline
    ///
    /// Does so for each number of threads.
    Map(MapArgs),
    /// Compare the tire's solvers with each other and hardware limits
    Bench(BenchArgs),
    /// Show a running tire live in the browser
    Watch(WatchArgs),
    /// Check whether this machine is set up for real-time work
    ///
    /// Also prints how to fix what is not set up. Changes nothing. The exit code is 0 whatever is
    /// found.
    Doctor(WordsArgs),
    /// List the settings you can try here, and find which of them matter
    ///
    /// The list changes nothing. `knobs try` changes settings: it lists them first, and restores
    /// each after every run. The exit code is 2 if nothing can be tried.
    Knobs(KnobsArgs),
    /// Measure how much each kind of neighbouring work slows a run
    ///
    /// Runs with one kind of load in one place (such as a neighbouring CPU) alternate with quiet
    /// runs.
    Interfere(InterfereArgs),
    /// Compare systems: which is faster or steadier, and how certainly
    Compare(CompareArgs),
    /// Test whether something got worse: passes, fails or undecided
    ///
    /// For scripts: the exit code is the answer.
    Gate(GateArgs),
    /// Run a plan: a published study, or a plan file of your own
    ///
    /// The order of the runs keeps drift out of the comparison.
    Campaign(CampaignArgs),
    /// Compare kernels in virtual machines with exactly repeatable time
    ///
    /// Time in these machines is counted in instructions, so a repeated run gives exactly the same
    /// result.
    Lab(LabArgs),
    /// Write a report of stored runs
    Report(ReportArgs),
    /// Put stored results into a folder that others can check
    ///
    /// The folder has a page for one sheet of paper, a badge for a README, the results, and a hash
    /// of every file. What may identify you is removed.
    Certificate(CertificateArgs),
    /// Check a certificate: recompute every figure and compare
    Verify(VerifyArgs),
    /// Compare certificates: which of these machines is better?
    Board(BoardArgs),
    /// List, merge, recompute and export stored results
    Store(StoreArgs),
    /// Write the worst cases of a store as a trace for Perfetto
    ///
    /// The trace has the kernel's task switches and interrupts around each late sample, the sample
    /// itself and its cause.
    Trace(TraceArgs),
    /// Judge which findings of five published studies hold today
    ///
    /// --budget measures what decides most findings in that time; --from judges stored runs.
    /// Without either it lists the findings and what each needs.
    Studies(StudiesArgs),
    /// List measurements, report views, loads and ready plans
    List(ListArgs),
    /// Certify that this machine's measurements can be trusted
    ///
    /// Disturbs this machine in known ways while measuring, and certifies that each disturbance is
    /// detected, measured and attributed to the right cause. Takes about half a minute. The exit
    /// code is 1 if the machine is not certified, and 3 if the host is too busy to decide.
    SelfTest(SelfTestArgs),
    /// Send datagrams back to another machine's frame test, until Ctrl-C
    ///
    /// The other machine sends them with `run frame --peer`.
    #[command(hide = true)]
    Echo(EchoArgs),
    /// Explain a command, measurement, load or plan
    #[command(hide = true)]
    Help(HelpArgs),
    /// Print a completion script for a shell
    #[command(hide = true)]
    Completions(CompletionsArgs),
    /// Write a man page for each command
    #[command(hide = true)]
    Man(ManArgs),
    #[command(flatten)]
    Role(Role),
}

impl Command {
    /// Returns whether the command does something that an interrupt must not cut off half-way.
    pub(crate) fn is_interrupted_with_care(&self) -> bool {
        match self {
            Self::Lab(args) => args.command.makes_runs(),
            Self::Completions(_) | Self::Man(_) | Self::Model(_) => false,
            Self::Knobs(_)
            | Self::Audit(_)
            | Self::Doctor(_)
            | Self::List(_)
            | Self::Help(_)
            | Self::Report(_)
            | Self::Trace(_)
            | Self::Studies(_) => false,
            Self::Compare(_) | Self::Store(_) | Self::Role(_) => false,
            Self::Certificate(_) | Self::Verify(_) | Self::Board(_) => false,
            _ => true,
        }
    }
}

/// The full names of all commands that users type, such as `knobs try`.
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
