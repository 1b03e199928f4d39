//! The arguments of `steadfast run`.

use std::path::PathBuf;

use clap::Args;

use crate::args::{AnswerArgs, BlameArgs, ConditionArgs, PlaceArgs, RepeatArgs, after};
use crate::kept::StoreArgs;
use crate::parameters::ParameterArgs;

/// Also the parts of each run line of a plan.
#[derive(Debug, Args, Clone)]
pub(crate) struct RunArgs {
    /// Names of measurements (see `steadfast list`)
    #[arg(value_name = "MEASUREMENT", required = true)]
    pub(crate) measurements: Vec<String>,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Also store raw samples
    #[arg(long, requires = "store")]
    pub(crate) keep_samples: bool,
    #[command(flatten)]
    pub(crate) blame: BlameArgs,
    /// Write a CSV file to check the model: the outputs of your own model after every step, or
    /// positions, velocities, forces and energy of every mass of a tire. Recording takes time, so
    /// this run's times cannot be compared with others
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

/// Parses what is typed after `steadfast run`.
pub(crate) fn parse_run_line(line: &str) -> Result<RunArgs, clap::Error> {
    after(line)
}
