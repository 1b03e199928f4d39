//! What can be typed after `steadfast compare`.

use std::path::PathBuf;

use analysis::comparison::{Margin, Published};
use clap::{Args, ValueEnum};

use crate::args::{HeadingArgs, IdentifyArgs};

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// Results of `quick --out DIR` (DIR/results.db), `campaign` or `run --store FILE`, or
    /// NAME=FILE. Each machine, kernel or set of settings in a file is a system; all are
    /// compared with the first one. Of one system, as in the store of a campaign, what
    /// varies in its runs is compared
    #[arg(value_name = "[NAME=]STORE", required = true)]
    pub(crate) stores: Vec<PathBuf>,
    /// Match rows that differ in these conditions or parameters, such as load, policy or
    /// solver: what is compared. Where there is one system in all, its runs are compared
    /// by their values of these. Without it, loads where each system has one and they are
    /// not the same; of one system the first that varies: policy, load, solver, threads, ...
    #[arg(long, value_name = "FIELD,...", value_delimiter = ',')]
    pub(crate) across: Vec<String>,
    /// Differences up to this share count as none
    #[arg(long, value_name = "PERCENT", default_value = "5%", allow_hyphen_values = true)]
    pub(crate) margin: Margin,
    /// Lay published systems beside these: rtai, xenomai, preempt_rt, linux, or all
    #[arg(long, value_name = "SYSTEM,...", value_delimiter = ',')]
    pub(crate) published: Vec<Published>,
    /// Directory for report.html and report.json
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Also write interactive.html, whose charts zoom and save as images (some 5 MB)
    #[arg(long, requires = "out")]
    pub(crate) interactive: bool,
    #[command(flatten)]
    pub(crate) words: HeadingArgs,
    #[command(flatten)]
    pub(crate) identify: IdentifyArgs,
    /// Fail with exit code 1 where any row is shown to be worse than in the first system, beyond
    /// --margin; which ones is told on standard error
    #[arg(long, value_enum, value_name = "FINDING")]
    pub(crate) fail_if: Option<Failing>,
    /// Print every table and sentence in place of the answer in a few lines
    #[arg(long, conflicts_with_all = ["json", "csv"])]
    pub(crate) verbose: bool,
    /// Print JSON instead of words and tables
    #[arg(long)]
    pub(crate) json: bool,
    /// Print comma-separated values instead, one line a figure that was compared
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
}

/// What fails a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Failing {
    /// A row is shown to be worse
    Worse,
}
