//! What can be typed.

mod machines;
#[cfg(test)]
mod odd;
mod store;

use std::ffi::OsString;
use std::net::SocketAddr;
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;

use analysis::map::ManyMisses;
use analysis::standards::{FirmMisses, HeldFor, Limits, SoftShare, Standards};
use analysis::tolerance::Tolerance;
use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand, ValueEnum};
use plan::LoadSpec;
use rt::process::{self, Pid};
use units::{CpuSet, Nanos, ParseError, Policy};

pub(crate) use self::machines::{CheckArgs, TableArgs};
pub(crate) use self::store::{
    ExportArgs, MergeArgs, RecomputeArgs, SampleFormat, StoreArgs, StoreCommand,
};
use crate::command::Starter;
pub(crate) use crate::command::campaign::args::CampaignArgs;
pub(crate) use crate::command::compare::args::CompareStoresArgs;
pub(crate) use crate::command::frontier::args::FrontierArgs;
pub(crate) use crate::command::lab::args::{
    AddArgs, CompareArgs, FetchArgs, FreertosArgs, LabArgs, LabCommand, RemoveArgs, VerifyArgs,
};
pub(crate) use crate::command::map::args::MapArgs;
use crate::output::{expect_open, tell};
use crate::parameters::ParameterArgs;
use crate::place::Place;
use crate::request::MOST_RUNS;
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

/// A command, or an answer that clap has already printed.
pub(crate) enum Typed {
    Command(Box<Command>),
    Answered(ExitCode),
}

impl Cli {
    /// What was typed. Nonsense is answered in one line, with exit code 2.
    pub(crate) fn typed() -> Typed {
        let error = match Self::try_parse_from(words()) {
            Ok(cli) => return Typed::Command(Box::new(cli.command)),
            Err(error) => error,
        };
        match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
                if expect_open().is_err() {
                    return Typed::Answered(ExitCode::from(EXIT_NOBODY_READS));
                }
                // A closed pipe is no reason to complain.
                let _ = error.print();
                Typed::Answered(ExitCode::SUCCESS)
            }
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                let _ = error.print();
                Typed::Answered(ExitCode::from(EXIT_COULD_NOT_RUN))
            }
            _ => {
                tell(&one_line(&error.to_string()));
                Typed::Answered(ExitCode::from(EXIT_COULD_NOT_RUN))
            }
        }
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
    Doctor(DoctorArgs),
    /// Disturb this machine in known ways while measuring, and certify its measurements: that each
    /// disturbance is seen, measured and named; takes about half a minute, and ends with
    /// code 1 when not certified, 3 where the host is too busy to tell
    SelfTest(SelfTestArgs),
    /// List measurements, their parameters, views of their results, and loads
    List(CatalogArgs),
    /// Kernels in a virtual machine whose time is counted in instructions
    Lab(LabArgs),
    /// Write the report of stored runs
    Report(ReportArgs),
    /// Lay systems side by side: which is faster, which is steadier, by how much, and how
    /// sure that is
    Compare(CompareStoresArgs),
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
    #[command(hide = true)]
    RoleRunner,
    #[command(hide = true)]
    RoleAbout,
    #[command(hide = true)]
    RoleRemote(RoleRemoteArgs),
    #[command(hide = true)]
    RoleGuest,
    #[command(hide = true)]
    RoleFrame(RoleFrameArgs),
    #[command(hide = true)]
    RoleLoad(RoleLoadArgs),
    #[command(hide = true)]
    RoleHog(RoleHogArgs),
}

impl Command {
    /// Whether something is under way while it is carried out that an interrupt must not cut off
    /// in the middle.
    pub(crate) fn is_interrupted_with_care(&self) -> bool {
        match self {
            Self::Quick(_)
            | Self::Full(_)
            | Self::Frames(_)
            | Self::Bench(_)
            | Self::Run(_)
            | Self::SelfTest(_)
            | Self::Watch(_)
            | Self::Campaign(_)
            | Self::Frontier(_)
            | Self::Map(_)
            | Self::Echo(_) => true,
            Self::Lab(args) => args.command.makes_runs(),
            _ => false,
        }
    }

    /// What starts the program in this role; nothing does for a command that a person types.
    pub(crate) fn starter(&self) -> Option<Starter> {
        match self {
            Self::RoleRunner
            | Self::RoleAbout
            | Self::RoleRemote(_)
            | Self::RoleFrame(_)
            | Self::RoleLoad(_)
            | Self::RoleHog(_) => Some(Starter::Program),
            Self::RoleGuest => Some(Starter::LabMachine),
            _ => None,
        }
    }
}

/// Of a ready plan.
#[derive(Debug, Default, Args)]
pub(crate) struct ReadyArgs {
    /// Where to measure, as for `steadfast run`
    #[arg(long, value_name = "PLACE", default_value = "local")]
    pub(crate) target: Place,
    /// Directory for results.db, report.html and report.json; an interrupted
    /// session in it is taken up where it ended
    #[arg(long, value_name = "DIR", default_value = "steadfast-results")]
    pub(crate) out: PathBuf,
    /// Whether idle states are held off where deadlines matter; `leave` does
    /// without the right to write /dev/cpu_dma_latency
    #[arg(long, value_name = "STATE", default_value = "hold")]
    pub(crate) idle_states: IdleArg,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) checks: CheckArgs,
}

impl ReadyArgs {
    /// By what its results are judged.
    pub(crate) fn standards(&self) -> Standards {
        self.limits.standards(&self.checks)
    }
}

/// By what periodic work is judged.
#[derive(Debug, Default, Args, Clone)]
#[command(next_help_heading = "Limits of real time")]
pub(crate) struct LimitArgs {
    /// Misses up to which real time is firm: an hour, or in so many periods, as 1/1000000
    #[arg(
        long,
        value_name = "MISSES",
        default_value = "10/h",
        allow_hyphen_values = true
    )]
    pub(crate) firm_misses: FirmMisses,
    /// Share of periods that may miss up to which real time is soft
    #[arg(
        long,
        value_name = "PERCENT",
        default_value = "1%",
        allow_hyphen_values = true
    )]
    pub(crate) soft_share: SoftShare,
    /// How long a size of the tire must have kept to its limit, in all its runs and in so many
    /// (29) that 1 bad one in 10 would have shown, before it counts as held
    #[arg(long, value_name = "TIME", value_parser = held_for, default_value = "10s")]
    pub(crate) held_for: HeldFor,
    /// Share of deadlines above which a size of the tire misses many: red on a map
    #[arg(
        long,
        value_name = "PERCENT",
        default_value = "10%",
        allow_hyphen_values = true
    )]
    pub(crate) many_misses: ManyMisses,
}

fn held_for(text: &str) -> Result<HeldFor, ParseError> {
    Nanos::parse_seconds(text).map(HeldFor)
}

impl LimitArgs {
    /// These limits and those of checks, and of the rest what is usual.
    pub(crate) fn standards(&self, checks: &CheckArgs) -> Standards {
        Standards {
            limits: Limits {
                firm: self.firm_misses,
                soft: self.soft_share,
                held_for: self.held_for,
            },
            many: self.many_misses,
            fail_if: checks.fail_if.clone(),
            ..Standards::default()
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct FullArgs {
    #[command(flatten)]
    pub(crate) ready: ReadyArgs,
    /// About how long the whole takes, in seconds or with a unit. Every run that has no
    /// length of its own is made longer or shorter by one factor, but none shorter than
    /// makes sense; tires and contests for locks keep theirs and are counted. The same
    /// time again takes an interrupted session up
    #[arg(
        long,
        value_name = "TIME",
        value_parser = Nanos::parse_seconds,
        default_value = "30min"
    )]
    pub(crate) seconds: Nanos,
}

#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// What is compared
    #[arg(value_name = "SUBJECT")]
    pub(crate) subject: BenchSubject,
    /// Where to measure, as for `steadfast run`
    #[arg(long, value_name = "PLACE", default_value = "local")]
    pub(crate) target: Place,
    /// Directory for results.db, report.html and report.json; an interrupted
    /// session in it is taken up where it ended
    #[arg(long, value_name = "DIR", default_value = "steadfast-bench")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum BenchSubject {
    /// The tire's solvers, for about four minutes
    Tire,
}

/// Also what each line of a ready plan is made of.
#[derive(Debug, Args, Clone)]
pub(crate) struct RunArgs {
    /// Names of measurements; `steadfast list` shows them
    #[arg(value_name = "MEASUREMENT", required = true)]
    pub(crate) measurements: Vec<String>,
    /// Where to measure: local; ssh:[USER@]HOST for a machine that `ssh` reaches, or
    /// ssh://[USER@]HOST[:PORT]; vm:KERNEL for a virtual machine with a kernel of
    /// `steadfast lab kernels`
    #[arg(long, value_name = "PLACE", default_value = "local")]
    pub(crate) target: Place,
    /// Store results in this file, which is created or added to
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// Store raw samples too
    #[arg(long, requires = "store")]
    pub(crate) keep_samples: bool,
    /// Print one JSON object a run, a line each, instead of a table
    #[arg(long)]
    pub(crate) json: bool,
    /// Look for the cause of everything late: which task or interrupt had the CPU, or
    /// what else it was. Traces the kernel's scheduler where this user may (root), and
    /// prints what that costs
    #[arg(long)]
    pub(crate) blame: bool,
    /// How long after its due time something counts as late, such as 200us; default: for
    /// wake-ups 100us, for frames and steps their period, which is a missed deadline
    #[arg(long, value_name = "TIME", requires = "blame")]
    pub(crate) threshold: Option<Nanos>,
    /// Write positions, velocities, forces and energy of every mass after every step of a
    /// tire, as CSV, so that its physics can be checked. Recording takes time: the times of
    /// this run are not those of others
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) record: Option<PathBuf>,
    /// Make every run so many times, in rounds: the report tells what differs from run to run
    #[arg(long, value_name = "COUNT", value_parser = whole(MOST_RUNS), default_value = "1")]
    pub(crate) repeat: NonZero<usize>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) checks: CheckArgs,
    #[command(flatten)]
    pub(crate) tables: TableArgs,
    #[command(flatten)]
    pub(crate) conditions: ConditionArgs,
    #[command(flatten)]
    pub(crate) parameters: ParameterArgs,
}

#[derive(Debug, Args, Clone)]
#[command(next_help_heading = "Conditions")]
pub(crate) struct ConditionArgs {
    /// CPUs to measure on, such as 1 or 0-3,5, or `all`; default: as many as the
    /// measurement needs, from the last one down
    #[arg(long, value_name = "LIST")]
    pub(crate) cpus: Option<Cpus>,
    /// Policy of the measuring threads (of the highest, where priorities
    /// differ): other, other:NICE, other:NICE/SLICE, fifo:N, rr:N,
    /// deadline:RUNTIME/PERIOD;
    /// default fifo:80, for throughput other
    #[arg(long)]
    pub(crate) policy: Option<Policy>,
    /// How long to measure, in seconds or with a unit
    #[arg(long, value_name = "TIME", value_parser = Nanos::parse_seconds)]
    pub(crate) seconds: Option<Nanos>,
    /// Background loads, such as cpu or memory,disk; may be given several times.
    /// Each is NAME%INTENSITY@CPUS:ARGUMENT, where all but the name may be left
    /// out: cpu%50@0-1, disk:/var/tmp, `stress-ng:--cpu 2 --vm 1`
    #[arg(long, value_name = "LOAD,...", value_parser = load::read)]
    pub(crate) load: Vec<Vec<LoadSpec>>,
    /// Whether all memory is locked; default: locked, for throughput not
    #[arg(long, value_name = "STATE")]
    pub(crate) memory: Option<MemoryArg>,
    /// Whether idle states are held off through /dev/cpu_dma_latency; default:
    /// hold, for throughput leave
    #[arg(long, value_name = "STATE")]
    pub(crate) idle_states: Option<IdleArg>,
    /// Measure also while another process measures on one of the CPUs; default: wait for
    /// it, for at most ten minutes
    #[arg(long)]
    pub(crate) beside: bool,
}

/// CPUs by number, or every one that this process may use.
#[derive(Debug, Clone)]
pub(crate) enum Cpus {
    All,
    These(CpuSet),
}

impl std::str::FromStr for Cpus {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text {
            "all" => Ok(Self::All),
            _ => text.parse().map(Self::These),
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum MemoryArg {
    Locked,
    Unlocked,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum IdleArg {
    #[default]
    Hold,
    Leave,
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SelfTestArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Results database to store the runs in as well
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct CatalogArgs {
    /// Tell all of this measurement: what the figures are that its rows tell, with units
    #[arg(value_name = "MEASUREMENT", conflicts_with = "json")]
    pub(crate) measurement: Option<String>,
    #[command(flatten)]
    pub(crate) list: ListArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Results of `quick --out DIR` (DIR/results.db) or `run --store FILE`
    #[arg(value_name = "STORE", required = true)]
    pub(crate) stores: Vec<PathBuf>,
    /// Directory for report.html and report.json
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Also write interactive.html, whose charts zoom and save as images (some 5 MB)
    #[arg(long, requires = "out")]
    pub(crate) interactive: bool,
    /// Print the report as JSON instead of tables
    #[arg(long)]
    pub(crate) json: bool,
    /// How far above the average a time still counts as predictable, as a share
    /// of the average; printed with every predictability
    #[arg(
        long,
        value_name = "PERCENT",
        default_value = "5%",
        allow_hyphen_values = true
    )]
    pub(crate) tolerance: Tolerance,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) checks: CheckArgs,
    #[command(flatten)]
    pub(crate) tables: TableArgs,
}

/// Reads a whole number from 1 to `most`; its error names both.
pub(crate) fn whole(most: usize) -> impl Fn(&str) -> Result<NonZero<usize>, String> + Clone {
    move |text| {
        let number = text.parse().ok();
        let number = number.filter(|number: &NonZero<usize>| number.get() <= most);
        number.ok_or_else(|| format!("expected a whole number from 1 to {most}"))
    }
}

fn address(text: &str) -> Result<SocketAddr, &'static str> {
    let expected = "expected an IP address and a port, such as 127.0.0.1:9870";
    text.parse().map_err(|_| expected)
}

#[derive(Debug, Args)]
pub(crate) struct WatchArgs {
    /// Where to listen for a tire (UDP); 0.0.0.0:9870 for one on another machine
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:9870", value_parser = address)]
    pub(crate) listen: SocketAddr,
    /// Where the page is (HTTP); 0.0.0.0:9871 for a browser on another machine
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:9871", value_parser = address)]
    pub(crate) page: SocketAddr,
    /// Let a small tire fall again and again, for a first look
    #[arg(long)]
    pub(crate) demo: bool,
}

#[derive(Debug, Args)]
pub(crate) struct EchoArgs {
    /// Address and UDP port to listen on
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "0.0.0.0:7007", value_parser = address)]
    pub(crate) listen: SocketAddr,
}

#[derive(Debug, Args)]
pub(crate) struct RoleFrameArgs {
    pub(crate) number: usize,
    pub(crate) peer: String,
}

#[derive(Debug, Args)]
pub(crate) struct RoleRemoteArgs {
    /// Tells the runs of one program from those of another, in the list of processes.
    pub(crate) _mark: String,
}

#[derive(Debug, Args)]
pub(crate) struct RoleLoadArgs {
    pub(crate) load: LoadSpec,
    pub(crate) cpus: CpuSet,
    pub(crate) counter: i32,
    pub(crate) memory: u64,
}

#[derive(Debug, Args)]
pub(crate) struct RoleHogArgs {
    pub(crate) name: String,
    pub(crate) policy: Policy,
    pub(crate) cpus: CpuSet,
    pub(crate) burst: Nanos,
    pub(crate) every: Nanos,
    pub(crate) bursts: u64,
    /// The process that it stops in bursts, instead of taking a CPU
    pub(crate) stops: Option<i32>,
}

/// Reads a line of a ready plan as `steadfast run` would read it.
pub(crate) fn parse_run_line(line: &str) -> Result<RunArgs, clap::Error> {
    match parse_after("run", line)? {
        Command::Run(args) => Ok(args),
        _ => unreachable!("the words begin with `run`"),
    }
}

/// Reads what is typed after `steadfast frontier`.
#[cfg(test)]
pub(crate) fn parse_frontier(line: &str) -> Result<FrontierArgs, clap::Error> {
    match parse_after("frontier", line)? {
        Command::Frontier(args) => Ok(args),
        _ => unreachable!("the words begin with `frontier`"),
    }
}

/// Reads what is typed after `steadfast map`.
#[cfg(test)]
pub(crate) fn parse_map(line: &str) -> Result<MapArgs, clap::Error> {
    match parse_after("map", line)? {
        Command::Map(args) => Ok(args),
        _ => unreachable!("the words begin with `map`"),
    }
}

fn parse_after(command: &str, line: &str) -> Result<Command, clap::Error> {
    let words = ["steadfast", command].into_iter();
    Ok(Cli::try_parse_from(words.chain(line.split_whitespace()))?.command)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn nonsense_is_answered_in_one_line_that_names_the_flag() {
        for (typed, flag) in [
            ("wakeup --policy ffio:10", "--policy"),
            ("wakeup --policy fifo:100", "--policy"),
            ("wakeup --seconds nan", "--seconds"),
            ("wakeup --cpus 1-0", "--cpus"),
            ("wakeup --memory loose", "--memory"),
            ("wakeup --load cpu%200", "--load"),
            ("wakeup --nonsense", "--nonsense"),
            ("", "MEASUREMENT"),
        ] {
            let error = parse_run_line(typed).unwrap_err().to_string();
            let line = one_line(&error);
            assert!(
                line.contains(flag) && !line.contains('\n'),
                "{typed}: {line}"
            );
        }
    }
}
