//! All commands: in which group the overview shows them, their help, their arguments, what carries
//! them out, and how Ctrl-C ends them.

use std::process::{ExitCode, Termination};

use anyhow::Result;
use clap::{Command as Known, CommandFactory, Parser, Subcommand};

use super::help::{Groups, with_help};
use crate::command::ready::ReadyArgs;
use crate::command::roles::Role;
use crate::command::{
    audit, campaign, certificate, check, compare, doctor, echo, frontier, full, gate, help, import,
    interfere, knobs, lab, list, model, ready, report, run, self_test, shell, soak, store, studies,
    trace, watch,
};
use crate::options::plans;

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

    /// Returns the same parser, with the parameters of the measurement that `words` name.
    pub(crate) fn explained(words: &[String]) -> Known {
        with_help(Self::command(), GROUPS, words)
    }
}

/// Declares the commands in the order of the overview, by group. Each has its help, its arguments,
/// the function that carries it out, and whether that ends what it does before Ctrl-C ends it.
/// Commands of the last group are not in the overview.
macro_rules! commands {
    ($($group:literal { $($(#[$help:meta])+ $name:ident($args:ty) = $carry_out:expr, $care:expr;)+ })+) => {
        #[derive(Debug, Subcommand)]
        pub(crate) enum Command {
            $($($(#[$help])+ $name($args),)+)+
            #[command(flatten)]
            Role(Role),
        }

        const GROUPS: Groups = &[$(($group, [$(stringify!($name)),+].len())),+];

        impl Command {
            /// Returns whether the command does something that an interrupt must not cut off
            /// half-way.
            pub(crate) fn is_interrupted_with_care(&self) -> bool {
                match self {
                    $($(Self::$name(args) => ($care)(args),)+)+
                    Self::Role(_) => false,
                }
            }

            pub(crate) fn carry_out(self) -> Result<ExitCode> {
                match self {
                    $($(Self::$name(args) => ($carry_out)(&args).map(Termination::report),)+)+
                    Self::Role(role) => role.play(),
                }
            }
        }
    };
}

const fn with_care<T>(_: &T) -> bool {
    true
}

const fn at_once<T>(_: &T) -> bool {
    false
}

commands! {
    "Measure this machine" {
        /// Measure this machine for two minutes and summarise the results
        Quick(ReadyArgs) = |args: &ReadyArgs| ready::ready(&plans::QUICK, args), with_care;
        /// Test whether this machine holds a rate: PASS, FAIL, NOT SHOWN YET
        ///
        /// The exit code is 0, 1 or 3.
        Check(check::CheckArgs) = check::check, with_care;
        /// Run every measurement, alone and under every load, in half an hour
        Full(full::FullArgs) = full::full, with_care;
        /// Measure how steady simulation frames are, across settings
        ///
        /// Takes about 15 minutes.
        Frames(ReadyArgs) = |args: &ReadyArgs| ready::ready(&plans::FRAMES, args), with_care;
        /// Run one or more measurements under conditions that you choose
        Run(run::RunArgs) = run::run, with_care;
        /// Run a measurement for days, without a pause, in stored intervals
        ///
        /// Reports misses, causes, gaps and changes of the machine by interval. The same command
        /// continues after a kill or a reboot.
        Soak(soak::args::SoakArgs) = soak::soak, with_care;
    }
    "Models: your own, or the built-in tire" {
        /// Describe a model file (FMU or shared library)
        ///
        /// Nothing in the file is run.
        Model(model::ModelArgs) = model::model, at_once;
        /// Find what a model's step does that a real-time step must not do
        ///
        /// Steps an FMU, a library or a program under watch, and reports allocations, system calls,
        /// page faults, locks, denormals and more, by step and place. The exit code is 1 if something
        /// is found.
        Audit(audit::AuditArgs) = audit::audit, at_once;
        /// Find the largest model, or highest rate, that meets its deadlines
        ///
        /// Searches separately for each number of threads.
        Frontier(frontier::args::FrontierArgs) = frontier::frontier, with_care;
        /// Map the model sizes or rates that meet every deadline
        ///
        /// Does so for each number of threads.
        Map(frontier::map::MapArgs) = frontier::map::map, with_care;
        /// Compare the tire's solvers with each other and hardware limits
        Bench(ready::BenchArgs) = ready::bench, with_care;
        /// Show a running tire live in the browser
        Watch(watch::WatchArgs) = watch::watch, with_care;
    }
    "Find out why it is late" {
        /// Check whether this machine is set up for real-time work
        ///
        /// Also prints how to fix what is not set up. Changes nothing. The exit code is 0 whatever is
        /// found.
        Doctor(doctor::DoctorArgs) = doctor::doctor, at_once;
        /// List the settings you can try here, and find which of them matter
        ///
        /// The list changes nothing. `knobs try` changes settings: it lists them first, and restores
        /// each after every run. The exit code is 2 if nothing can be tried.
        Knobs(knobs::KnobsArgs) = knobs::knobs, knobs::KnobsArgs::makes_runs;
        /// Measure how much each kind of neighbouring work slows a run
        ///
        /// Runs with one kind of load in one place (such as a neighbouring CPU) alternate with quiet
        /// runs.
        Interfere(interfere::InterfereArgs) = interfere::interfere, with_care;
    }
    "Compare systems and conditions" {
        /// Compare systems: faster or steadier, and how certain that is
        Compare(compare::CompareArgs) = compare::compare, at_once;
        /// Test whether something got worse: passes, fails or undecided
        ///
        /// For scripts: the exit code is the answer.
        #[command(subcommand, disable_help_subcommand = true)]
        Gate(gate::GateCommand) = gate::gate, with_care;
        /// Run a plan: a published study, or a plan file of your own
        ///
        /// The order of the runs keeps drift out of the comparison.
        Campaign(campaign::CampaignArgs) = campaign::campaign, with_care;
        /// Compare kernels in virtual machines with exactly repeatable time
        ///
        /// Time in these machines is counted in instructions, so a repeated run gives exactly the same
        /// result.
        #[command(subcommand, disable_help_subcommand = true)]
        Lab(lab::LabCommand) = lab::lab, lab::LabCommand::makes_runs;
    }
    "Results" {
        /// Write a report of stored runs
        Report(report::ReportArgs) = report::report, at_once;
        /// Store files of other tools, such as cyclictest and rtla
        ///
        /// `report` and `compare` then read them. What a file does not state, such as the load, stays
        /// unknown, and nothing is claimed from it.
        Import(import::ImportArgs) = import::import, at_once;
        /// Put stored results into a folder that others can check
        ///
        /// The folder has a page for one sheet of paper, a badge for a README, the results, and a hash
        /// of every file. What may identify you is removed.
        Certificate(certificate::CertificateArgs) = certificate::certificate, at_once;
        /// Check a certificate: recompute every figure and compare
        Verify(certificate::verify::VerifyArgs) = certificate::verify::verify, at_once;
        /// Compare certificates: which of these machines is better?
        Board(certificate::board::BoardArgs) = certificate::board::board, at_once;
        /// List, show, remove, merge, recompute and export stored results
        #[command(subcommand, disable_help_subcommand = true)]
        Store(store::StoreCommand) = store::store, at_once;
        /// Write the worst cases of a store as a trace for Perfetto
        ///
        /// The trace has the kernel's task switches and interrupts around each late sample, the sample
        /// itself and its cause.
        Trace(trace::TraceArgs) = trace::trace, at_once;
        /// Judge which findings of five published studies hold today
        ///
        /// --budget measures what decides most findings in that time; --from judges stored runs.
        /// Without either it lists the findings and what each needs.
        Studies(studies::StudiesArgs) = studies::studies, studies::StudiesArgs::makes_runs;
    }
    "Other" {
        /// List measurements, report views, loads and ready plans
        List(list::ListArgs) = list::list, at_once;
        /// Certify that this machine's measurements can be trusted
        ///
        /// Disturbs this machine in known ways while measuring, and certifies that each disturbance is
        /// detected, measured and attributed to the right cause. Takes about half a minute. The exit
        /// code is 1 if the machine is not certified, and 3 if the host is too busy to decide.
        SelfTest(self_test::SelfTestArgs) = self_test::self_test, with_care;
    }
    "" {
        /// Send datagrams back to another machine's frame test, until Ctrl-C
        ///
        /// The other machine sends them with `run frame --peer`.
        #[command(hide = true)]
        Echo(echo::EchoArgs) = echo::echo, with_care;
        /// Explain a command, measurement, load or plan
        #[command(hide = true)]
        Help(help::HelpArgs) = |args: &help::HelpArgs| help::help(args, Cli::explained(&args.words)), at_once;
        /// Print a completion script for a shell
        #[command(hide = true)]
        Completions(shell::CompletionsArgs) = |args: &shell::CompletionsArgs| shell::completions(args, &Cli::known()), at_once;
        /// Write a man page for each command
        #[command(hide = true)]
        Man(shell::ManArgs) = |args: &shell::ManArgs| shell::man(args, &Cli::known()), at_once;
    }
}
