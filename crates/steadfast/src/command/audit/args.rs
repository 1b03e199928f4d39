//! The arguments of `steadfast audit`.

use base::Nanos;
use clap::Args;

use crate::options::{FunctionArgs, QuietArgs, WordsArgs};

#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    /// The FMU (FILE.fmu) or the shared library that contains the model, or a system of FMUs
    /// (FILE.ssp), each of which is audited alone
    #[arg(value_name = "FILE", required_unless_present = "program")]
    pub(super) file: Option<String>,
    /// Command of a program that attaches through steadfast_model.h; its system calls and outputs
    /// are watched
    #[arg(long, value_name = "COMMAND", conflicts_with = "file")]
    pub(super) program: Option<String>,
    /// Number of steps, each made in two separate processes
    #[arg(long, value_name = "N", default_value = "5000", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(super) steps: u64,
    /// Steps per second of model time; they are made as fast as possible [default: as the FMU
    /// proposes, otherwise 1kHz]
    #[arg(long, value_name = "RATE")]
    pub(super) rate: Option<String>,
    /// Start value of a variable of the FMU or the library; can be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    pub(super) set: Vec<String>,
    #[command(flatten)]
    pub(super) functions: FunctionArgs,
    /// Period of a clock of a scheduled execution that defines none; can be given several times
    #[arg(long, value_name = "NAME=PERIOD")]
    pub(super) tick: Vec<String>,
    /// How to step an FMU that allows several ways: co-simulation, model-exchange or
    /// scheduled-execution
    #[arg(long, value_name = "INTERFACE")]
    pub(super) interface: Option<String>,
    /// Whether an FMU that needs the tool that exported it is refused, or audited without
    #[arg(long, value_name = "required|ignored")]
    pub(super) execution_tool: Option<String>,
    /// Outputs that may be infinite, such as a time to collision; NaN is always a finding
    #[arg(long, value_name = "NAME,...")]
    pub(super) allow_inf: Vec<String>,
    /// Input of a system that takes the value of the previous step, as a path such as Sub.B.u; can be
    /// given several times
    #[arg(long, value_name = "PART.INPUT")]
    pub(super) delay: Vec<String>,
    /// Turn on the FMU's logging
    #[arg(long)]
    pub(super) log: bool,
    /// How long a step may take before it counts as never returning
    #[arg(long, value_name = "TIME", default_value = "10s")]
    pub(super) longest: Nanos,
    /// Time after which the first pass ends; the second one makes as many steps
    #[arg(long = "for", value_name = "TIME", default_value = "60s")]
    pub(super) longest_pass: Nanos,
    #[command(flatten)]
    pub(super) words: WordsArgs,
    #[command(flatten)]
    pub(super) quiet: QuietArgs,
}
