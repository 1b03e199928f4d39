//! `steadfast bench tire`: the ready plan that compares the tire's solvers.

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, ValueEnum};

use super::ready::{ReadyArgs, ready};
use crate::plans::BENCH_TIRE;

#[derive(Debug, Args)]
#[command(mut_arg("out", |arg| arg.default_value("steadfast-bench")))]
pub(crate) struct BenchArgs {
    /// What to compare
    #[arg(value_name = "SUBJECT")]
    subject: Subject,
    #[command(flatten)]
    pub(crate) ready: ReadyArgs,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Subject {
    /// The tire's solvers; takes about four minutes
    Tire,
}

/// Compares, and prints the ratios.
pub(crate) fn bench(args: &BenchArgs) -> Result<ExitCode> {
    let Subject::Tire = args.subject;
    ready(&BENCH_TIRE, &args.ready)
}
