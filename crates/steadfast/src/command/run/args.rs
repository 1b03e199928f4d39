//! What can be typed after `steadfast run`.

use std::path::PathBuf;

use clap::Args;

use crate::args::{AnswerArgs, BlameArgs, ConditionArgs, PlaceArgs, RepeatArgs, after};
use crate::kept::StoreArgs;
use crate::parameters::ParameterArgs;

/// Also what each line of a ready plan is made of.
#[derive(Debug, Args, Clone)]
pub(crate) struct RunArgs {
    /// Names of measurements; `steadfast list` shows them
    #[arg(value_name = "MEASUREMENT", required = true)]
    pub(crate) measurements: Vec<String>,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Store raw samples too
    #[arg(long, requires = "store")]
    pub(crate) keep_samples: bool,
    #[command(flatten)]
    pub(crate) blame: BlameArgs,
    /// Write the outputs of your own model after every step, or positions, velocities, forces
    /// and energy of every mass of a tire, as CSV, so that they can be checked. Recording takes
    /// time: the times of this run are not those of others
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) record: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) repeat: RepeatArgs,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
    #[command(flatten)]
    pub(crate) conditions: ConditionArgs,
    #[command(flatten)]
    pub(crate) parameters: ParameterArgs,
}

/// Reads what is typed after `steadfast run`.
pub(crate) fn parse_run_line(line: &str) -> Result<RunArgs, clap::Error> {
    after(line)
}
