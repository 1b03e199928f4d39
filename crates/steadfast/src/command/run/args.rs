//! The arguments of `steadfast run`.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::line::LineArgs;
use crate::args::{AnswerArgs, PlaceArgs, RepeatArgs};
use crate::kept::StoreArgs;
use crate::request::RunRequest;

#[derive(Debug, Args, Clone)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Also store raw samples
    #[arg(long, requires = "store")]
    pub(crate) keep_samples: bool,
    /// Write a CSV file to check the model: the outputs of your own model after every step, or
    /// positions, velocities, forces and energy of every mass of a tire. Recording takes time, so
    /// this run's times cannot be compared with others
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) record: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) repeat: RepeatArgs,
    #[command(flatten)]
    pub(crate) line: LineArgs,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
}

impl RunArgs {
    /// Returns a request for each measurement that was named.
    pub(crate) fn requests(&self) -> Result<Vec<RunRequest>> {
        self.line.requests(&self.place, self.record.is_some())
    }
}

/// Parses what is typed after `steadfast run`.
#[cfg(test)]
pub(crate) fn parse_run_line(line: &str) -> Result<RunArgs, clap::Error> {
    crate::args::after(line)
}
