//! How results are judged and given.

use std::path::PathBuf;

use analysis::Analysis;
use analysis::answer::Answer;
use analysis::fail_if::FailIf;
use analysis::json;
use analysis::standards::Standards;
use anyhow::Result;
use clap::Args;
use plan::{Heading, Note, Outcome, RunSpec, Title};
use serde_json::Value;

use super::LimitArgs;
use crate::files::{check_place, write};
use crate::output::{print, print_answer, print_with};

/// Of whatever measures or reports: by what results are judged, and how they are given.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "For other programs")]
pub(crate) struct AnswerArgs {
    /// Print one JSON object a run, a line each, instead of tables
    #[arg(long)]
    pub(crate) json: bool,
    /// Print comma-separated values instead of tables, one line a row
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
    /// Write the histograms into this file as comma-separated values, one line a bin
    #[arg(long, value_name = "FILE")]
    csv_histograms: Option<PathBuf>,
    /// Write JUnit XML into this file: a test case a run; INVALID runs are errors, broken
    /// limits failures
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Fail with exit code 1 where this is true of a run, as 'wakeup.max > 150us',
    /// 'wakeup[load=cpu].*.p99 > 100us' or 'tire[masses=57000].skipped > 0'; may be given
    /// several times. MEASUREMENT[CONDITION=VALUE,...].ROW.FIGURE OPERATOR VALUE, where the
    /// brackets and the row may be left out; names are those of the JSON
    #[arg(long, value_name = "LIMIT")]
    pub(crate) fail_if: Vec<FailIf>,
    #[command(flatten)]
    limits: LimitArgs,
    /// Print every table and sentence in place of the answer in a few lines
    #[arg(long, help_heading = None, conflicts_with_all = ["json", "csv"])]
    pub(crate) verbose: bool,
}

impl AnswerArgs {
    /// By what results are judged.
    pub(crate) fn standards(&self) -> Standards {
        Standards { fail_if: self.fail_if.clone(), ..self.limits.standards() }
    }

    /// Refuses before anything is measured what could not be answered afterwards.
    pub(crate) fn check(&self, plan: &[RunSpec]) -> Result<()> {
        for (path, flag) in [(&self.junit, "--junit"), (&self.csv_histograms, "--csv-histograms")] {
            path.iter().try_for_each(|path| check_place(path, flag))?;
        }
        Ok(analysis::fail_if::check_plan(&self.fail_if, plan)?)
    }

    /// Prints the results as they were asked for; `more` says where the details are, or how to
    /// get them.
    pub(crate) fn print(&self, analysis: &Analysis, told: &dyn Telling, more: &str) -> Result<()> {
        if self.json {
            print_with(&|out| {
                analysis
                    .outcomes
                    .iter()
                    .try_for_each(|outcome| writeln!(out, "{}", run_line(outcome, analysis)))
            })
        } else if self.csv {
            print(&report::csv(&analysis.outcomes))
        } else if self.verbose {
            let details = told.details(analysis);
            print(&(said(&analysis.heading) + details.trim_start_matches('\n')))
        } else {
            print_answer(&told.answer(analysis).headed(&analysis.heading), more)
        }
    }

    /// Writes the files that were asked for.
    pub(crate) fn write(&self, outcomes: &[&Outcome], standards: &Standards) -> Result<()> {
        if let Some(path) = &self.csv_histograms {
            write(path, &report::csv_histograms(outcomes), "--csv-histograms")?;
        }
        match &self.junit {
            Some(path) => write(path, &report::junit(outcomes, standards), "--junit"),
            None => Ok(()),
        }
    }
}

/// A run in JSON, under its heading.
fn run_line(outcome: &Outcome, analysis: &Analysis) -> Value {
    json::headed(json::run_json(outcome, analysis.standards), &analysis.heading)
}

/// What a person calls it and says of it, in lines of their own.
fn said(heading: &Heading) -> String {
    let title = heading.title.as_ref().map(Title::text);
    let note = heading.note.as_ref().map(Note::text);
    let lines = title.into_iter().chain(note);
    lines.map(|line| format!("{line}\n")).collect()
}

/// How a question is answered to a person.
pub(crate) trait Telling {
    /// The answer at first glance.
    fn answer(&self, analysis: &Analysis) -> Answer;
    /// Everything that a terminal can show.
    fn details(&self, analysis: &Analysis) -> String;
}

/// The answer on whatever was measured.
pub(crate) struct InGeneral;

impl Telling for InGeneral {
    fn answer(&self, analysis: &Analysis) -> Answer {
        analysis.answer.clone()
    }

    fn details(&self, analysis: &Analysis) -> String {
        report::terminal(analysis)
    }
}
