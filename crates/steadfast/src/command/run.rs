//! `steadfast run`.

use std::path::PathBuf;
use std::process::ExitCode;

use analysis::Analysis;
use anyhow::{Result, bail};
use clap::Args;
use plan::{Outcome, Recording};

use crate::args::{AnswerArgs, BlameArgs, ConditionArgs, InGeneral, PlaceArgs, RepeatArgs};
use crate::driver::{Here, List, Work};
use crate::files;
use crate::kept::StoreArgs;
use crate::output::print;
use crate::parameters::ParameterArgs;
use crate::request;

const RECORD: &str = "--record";

/// Also what each line of a ready plan is made of.
#[derive(Debug, Args, Clone)]
pub(crate) struct RunArgs {
    /// Names of measurements; `steadfast list` shows them
    #[arg(value_name = "MEASUREMENT", required = true)]
    pub(crate) measurements: Vec<String>,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
    #[command(flatten)]
    store: StoreArgs,
    /// Store raw samples too
    #[arg(long, requires = "store")]
    keep_samples: bool,
    #[command(flatten)]
    pub(crate) blame: BlameArgs,
    /// Write the outputs of your own model after every step, or positions, velocities, forces
    /// and energy of every mass of a tire, as CSV, so that they can be checked. Recording takes
    /// time: the times of this run are not those of others
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) record: Option<PathBuf>,
    #[command(flatten)]
    repeat: RepeatArgs,
    #[command(flatten)]
    answer: AnswerArgs,
    #[command(flatten)]
    pub(crate) conditions: ConditionArgs,
    #[command(flatten)]
    pub(crate) parameters: ParameterArgs,
}

/// Runs what was asked for, one after the other.
pub(crate) fn run(args: &RunArgs) -> Result<ExitCode> {
    let specs = request::repeated(request::specs(args)?, args.repeat.or(1))?;
    let standards = args.answer.standards();
    args.answer.check(&specs)?;
    if let Some(path) = &args.record {
        if specs.len() > 1 {
            bail!(
                "--record: {} runs cannot be one file; ask for one run",
                specs.len()
            );
        }
        files::check_place(path, RECORD)?;
    }
    let place = &args.place.target;
    let target = place.open()?;
    let session = args.store.session("run", &specs, || place.machine())?;
    let keeping = session.map(|session| session.with_samples(args.keep_samples));
    let mut show = |outcome: &Outcome, recording: &Recording| {
        if let Some(path) = &args.record {
            match recorded_steps(recording) {
                Ok(steps) => files::write(path, &steps, RECORD)?,
                Err(why) if outcome.is_valid() => bail!(why),
                // Nothing was run, and the result says why.
                Err(_) => {}
            }
        }
        if args.answer.json {
            print(&format!(
                "{}\n",
                analysis::json::run_json(outcome, &standards)
            ))?;
        }
        Ok(())
    };
    let work = Work::kept(keeping).shown_by(&mut show);
    let ended = work.carry_out(&mut List::of(&specs), &mut Here::checked(&*target))?;
    let answer = &args.answer;
    let analysis = Analysis::of(&ended.outcomes, &standards);
    if !answer.json && !ended.outcomes.is_empty() {
        answer.print(&analysis, &InGeneral, &args.store.more())?;
    }
    answer.write(&analysis)?;
    ended.exit_code(&answer.fail_if)
}

/// What was recorded of every step, as comma-separated values.
fn recorded_steps(recording: &Recording) -> Result<String, String> {
    let name = &recording.header.spec.measurement;
    probe::find(name).map_or_else(
        || Err(format!("nobody knows {name}")),
        |measurement| measurement.recorded_steps(recording),
    )
}
