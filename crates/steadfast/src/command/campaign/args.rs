//! The arguments of `steadfast campaign`.

use std::num::NonZero;

use clap::Args;

use crate::args::{MOST_RUNS, whole};
use crate::command::ready::ReadyArgs;

#[derive(Debug, Args)]
#[command(mut_arg("out", |arg| arg.default_value("steadfast-campaign")))]
pub(crate) struct CampaignArgs {
    /// Plan file (TOML), or the name of a ready plan (see --list)
    #[arg(value_name = "PLAN.toml|NAME", required_unless_present_any = ["list", "show"])]
    pub(crate) plan: Option<String>,
    /// List the ready plans
    #[arg(long, conflicts_with_all = ["plan", "show"])]
    pub(crate) list: bool,
    /// Print a ready plan, as a starting point for your own
    #[arg(long, value_name = "NAME", conflicts_with = "plan")]
    pub(crate) show: Option<String>,
    /// Run through Slurm: a job array in which each run has a node to itself. Waits for the jobs
    /// and collects the results; DIR must be visible to the nodes under the same path
    #[arg(long, conflicts_with_all = ["only", "target", "repeat", "blame", "idle_states"])]
    pub(crate) slurm: bool,
    /// Execute only run number N in the campaign's order, and write no report
    #[arg(long, value_name = "N", value_parser = whole(MOST_RUNS))]
    pub(crate) only: Option<NonZero<usize>>,
    #[command(flatten)]
    pub(crate) ready: ReadyArgs,
}
