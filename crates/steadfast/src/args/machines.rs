//! What other programs read, and by what they are failed.

use std::path::PathBuf;

use analysis::fail_if::FailIf;
use analysis::standards::Standards;
use anyhow::Result;
use clap::Args;
use plan::{Outcome, RunSpec};

use crate::files::{check_place, write};

/// Of whatever measures or reports.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "For other programs")]
pub(crate) struct CheckArgs {
    /// Fail with exit code 1 where this is true of a run, as 'wakeup.max > 150us',
    /// 'wakeup[load=cpu].*.p99 > 100us' or 'tire[masses=57000].skipped > 0'; may be given
    /// several times. MEASUREMENT[CONDITION=VALUE,...].ROW.FIGURE OPERATOR VALUE, where the
    /// brackets and the row may be left out; names are those of the JSON
    #[arg(long, value_name = "LIMIT")]
    pub(crate) fail_if: Vec<FailIf>,
    /// Write JUnit XML into this file: a test case a run; INVALID runs are errors, broken
    /// limits failures
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
}

impl CheckArgs {
    /// Refuses before anything is measured what could not be answered afterwards.
    pub(crate) fn check(&self, plan: &[RunSpec]) -> Result<()> {
        if let Some(path) = &self.junit {
            check_place(path, "--junit")?;
        }
        Ok(analysis::fail_if::check_plan(&self.fail_if, plan)?)
    }

    /// Writes the files that were asked for.
    pub(crate) fn write(&self, outcomes: &[Outcome], standards: &Standards) -> Result<()> {
        match &self.junit {
            Some(path) => write(path, &report::junit(outcomes, standards), "--junit"),
            None => Ok(()),
        }
    }
}

/// Tables for other programs.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "For other programs")]
pub(crate) struct TableArgs {
    /// Print comma-separated values instead of a table, one line a row
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
    /// Write the histograms into this file as comma-separated values, one line a bin
    #[arg(long, value_name = "FILE")]
    pub(crate) csv_histograms: Option<PathBuf>,
}

impl TableArgs {
    /// Refuses before anything is measured what could not be written afterwards.
    pub(crate) fn check(&self) -> Result<()> {
        match &self.csv_histograms {
            Some(path) => check_place(path, "--csv-histograms"),
            None => Ok(()),
        }
    }

    /// Writes the files that were asked for.
    pub(crate) fn write(&self, outcomes: &[Outcome]) -> Result<()> {
        match &self.csv_histograms {
            Some(path) => write(path, &report::csv_histograms(outcomes), "--csv-histograms"),
            None => Ok(()),
        }
    }
}
