//! The arguments of `steadfast compare`.

use std::path::PathBuf;

use analysis::comparison::{Margin, Published};
use clap::{Args, ValueEnum};

use crate::args::{IdentifyArgs, SessionArgs};

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// Results files to compare, optionally as NAME=FILE: results.db of `quick --out DIR` or
    /// `campaign`, or the file of `run --store FILE`. Each machine, kernel or set of settings in a
    /// file is a system; every system is compared with the first. If there is only one system, as
    /// in the store of a campaign, its runs are compared by what varies in them
    #[arg(value_name = "[NAME=]STORE", required = true)]
    pub(crate) stores: Vec<PathBuf>,
    /// Conditions or parameters to compare, such as load, policy or solver: rows may differ in
    /// these and still be matched. If there is only one system, its runs are compared by their
    /// values of these. Default: load, if each system has one load and these differ; for one
    /// system, the first that varies: policy, load, solver, threads, ...
    #[arg(long, value_name = "FIELD,...", value_delimiter = ',')]
    pub(crate) across: Vec<String>,
    /// Ignore differences up to this share
    #[arg(long, value_name = "PERCENT", default_value = "5%", allow_hyphen_values = true)]
    pub(crate) margin: Margin,
    /// Also compare with published systems: rtai, xenomai, preempt_rt, linux, or all
    #[arg(long, value_name = "SYSTEM,...", value_delimiter = ',')]
    pub(crate) published: Vec<Published>,
    /// Directory for report.html, its tables as CSV, and report.json
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
    #[command(flatten)]
    pub(crate) identify: IdentifyArgs,
    /// Fail with exit code 1 if any row is shown to be worse than in the first system by more than
    /// --margin; standard error names the rows
    #[arg(long, value_enum, value_name = "FINDING")]
    pub(crate) fail_if: Option<Failing>,
    /// Print all tables and details instead of the short answer
    #[arg(long, conflicts_with_all = ["json", "csv"])]
    pub(crate) verbose: bool,
    /// Print JSON instead of words and tables
    #[arg(long)]
    pub(crate) json: bool,
    /// Print comma-separated values (CSV) instead, one line per compared figure
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
}

/// The finding that makes a comparison fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Failing {
    /// A row is shown to be worse
    Worse,
}
