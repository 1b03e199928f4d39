//! What can be typed after `steadfast campaign`.

use std::num::NonZero;

use clap::Args;

use crate::args::{MOST_RUNS, whole};
use crate::command::ready::ReadyArgs;

#[derive(Debug, Args)]
#[command(mut_arg("out", |arg| arg.default_value("steadfast-campaign")))]
pub(crate) struct CampaignArgs {
    /// A plan file (TOML), or the name of a ready one that --list shows
    #[arg(value_name = "PLAN.toml|NAME", required_unless_present_any = ["list", "show"])]
    pub(crate) plan: Option<String>,
    /// List the ready plans
    #[arg(long, conflicts_with_all = ["plan", "show"])]
    pub(crate) list: bool,
    /// Print a ready plan, as a file to start from
    #[arg(long, value_name = "NAME", conflicts_with = "plan")]
    pub(crate) show: Option<String>,
    /// Hand the runs to Slurm: a job array, one node exclusively a run. Waits for it and
    /// gathers the results; DIR must be where the nodes see it too
    #[arg(long, conflicts_with_all = ["only", "target", "repeat", "blame", "idle_states"])]
    pub(crate) slurm: bool,
    /// Make only the run with this number in the campaign's order, and write no report
    #[arg(long, value_name = "N", value_parser = whole(MOST_RUNS))]
    pub(crate) only: Option<NonZero<usize>>,
    #[command(flatten)]
    pub(crate) ready: ReadyArgs,
}
