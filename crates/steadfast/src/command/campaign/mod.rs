//! `steadfast campaign`: executes the runs of a plan file, in an order that keeps drift out of the
//! comparison.

mod ordered;
mod slurm;

use std::ffi::OsString;
use std::io;
use std::num::NonZero;
use std::path::Path;
use std::process::ExitCode;

use analysis::Analysis;
use anyhow::{Context, Result};
use base::{counted, quoted_file};
use clap::Args;
use record::Outcome;

use self::ordered::Campaign;
use self::slurm::Slurm;
use crate::command::ready::ReadyArgs;
use crate::options::plans;
use crate::options::{InGeneral, runs};
use crate::session::conclusion::conclude;
use crate::session::progress::say;
use crate::session::results_dir::{results, what_is_left};
use crate::startup::output::print;

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
    #[arg(long, value_name = "N", value_parser = runs, conflicts_with_all = ["json", "csv", "csv_histograms", "junit"])]
    pub(crate) only: Option<NonZero<usize>>,
    /// Directory from which paths in the plan count; default: that of the plan
    #[arg(long, value_name = "DIR", hide = true, requires = "only")]
    paths: Option<OsString>,
    #[command(flatten)]
    pub(crate) ready: ReadyArgs,
}

/// The largest plan file that is read: a list of as many runs as a plan may have is smaller.
const LARGEST: u64 = 4 << 20;

pub(crate) fn campaign(args: &CampaignArgs) -> Result<ExitCode> {
    if let Some(name) = &args.show {
        print(plans::find(name)?.text)?;
        return Ok(ExitCode::SUCCESS);
    }
    let Some(plan) = args.plan.as_deref() else {
        print(&plans::list())?;
        return Ok(ExitCode::SUCCESS);
    };
    let text = text_of(plan)?;
    let ready = &args.ready;
    let campaign = Campaign::read(plan, &text, args.paths.as_deref().map(Path::new), ready)?;
    if let Some(number) = args.only {
        let ended = campaign.only(number.get())?.measure(ready)?;
        let answer = &ready.kept.answer;
        let standards = answer.standards();
        let analysis = Analysis::of(&ended.outcomes, &standards);
        return conclude(answer, &analysis, ended.trouble, Vec::new());
    }
    let planned = campaign.runs.len();
    say(&format!("{}: {}.", campaign.title, counted(planned, "run")));
    let kept = &ready.kept;
    let ended = if args.slurm {
        campaign.carry_on(ready, &mut Slurm::open(&campaign, plan, &text, &kept.out)?)?
    } else {
        campaign.measure(ready)?
    };
    let notes = what_is_left(&ended, planned) + &what_won(&ended.outcomes, &results(&kept.out));
    kept.give(ended, &kept.answer.standards(), &InGeneral, &notes)
}

fn what_won(outcomes: &[Outcome], results: &Path) -> String {
    let varying = analysis::comparison::varying(outcomes);
    let [first, others @ ..] = varying.as_slice() else { return String::new() };
    let also = match others {
        [] => String::new(),
        others => format!("; other fields to compare: {}", others.join(", ")),
    };
    let typed = format!("steadfast compare {} --across {first}", quoted_file(results));
    format!("To find which is better: `{typed}`{also}\n")
}

pub(crate) fn text_of(plan: &str) -> Result<String> {
    match plans::find(plan) {
        Ok(ready) => Ok(ready.text.to_owned()),
        Err(unknown) if !plan.contains(['/', '.']) => Err(unknown),
        Err(_) => rt::read::bounded(plan, LARGEST)
            .and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other))
            .with_context(|| format!("cannot read {plan}; expected a plan file in TOML")),
    }
}
