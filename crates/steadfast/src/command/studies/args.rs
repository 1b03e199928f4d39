//! The arguments of `steadfast studies`.

use std::path::PathBuf;

use clap::Args;
use units::Nanos;

use super::systems::Elsewhere;
use crate::args::{SessionArgs, WordsArgs};

#[derive(Debug, Args)]
pub(crate) struct StudiesArgs {
    /// Only these studies: sae, mpe, mur, fra, tel
    #[arg(value_name = "NAME")]
    pub(super) names: Vec<String>,
    /// Measure what decides findings for this time, what decides most first; the same command
    /// continues. --out without --budget measures until all rounds are done. Without --out,
    /// results are kept in steadfast-studies
    #[arg(long, value_name = "TIME", value_parser = Nanos::parse_seconds)]
    pub(super) budget: Option<Nanos>,
    /// Length of each run instead of that of its plan, for a first impression: the papers measured
    /// for up to an hour
    #[arg(long, value_name = "TIME", value_parser = Nanos::parse_seconds, conflicts_with_all = ["from", "list"])]
    pub(super) seconds: Option<Nanos>,
    /// Another system of the papers (linux, preempt_rt, xenomai or rtai): the results file with its
    /// runs, or the machine that is measured too, `vm:KERNEL` of the lab or `ssh:HOST`. Its CPUs must
    /// be of the same kind; machines of the lab are compared with each other
    #[arg(long, value_name = "NAME=PLACE")]
    pub(super) system: Vec<Elsewhere>,
    /// Directory for results.db, report.html and report.json; an unfinished session in it is
    /// resumed
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Measure nothing, and judge the findings by the runs of these results files
    #[arg(long, value_name = "STORE", num_args = 1.., conflicts_with = "budget")]
    pub(super) from: Vec<PathBuf>,
    /// List the findings and what each needs; this is the default without --budget, --out and
    /// --from
    #[arg(long, conflicts_with_all = ["from", "budget", "out", "system"])]
    pub(super) list: bool,
    #[command(flatten)]
    pub(super) session: SessionArgs,
    #[command(flatten)]
    pub(super) answer: WordsArgs,
}
