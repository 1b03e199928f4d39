//! Where results are kept: a store, or a directory that contains a store and its reports.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use analysis::Analysis;
use analysis::standards::Standards;
use anyhow::{Result, bail};
use base::{counted, quoted_file};
use clap::Args;
use record::{Heading, Machine, Outcome, RunSpec};
use report::Telling;
use report::answer::{Answer, Remark};
use store::Store;

use crate::options::{AnswerArgs, SessionArgs};
use crate::session::conclusion::conclude;
use crate::session::driver::{Carrier, Ended, Keeping, List, Trouble, Work};
use crate::startup::files::{
    Named, make_directory, of_database, of_report, report_line, write_reports,
};

/// Returns every finished run of stores that the user named; fails if they have none.
pub(crate) fn runs_of(stores: &[PathBuf]) -> Result<Vec<Outcome>> {
    let mut outcomes = Vec::new();
    for store in stores {
        outcomes.extend(Store::open_existing(store)?.all_outcomes()?);
    }
    if outcomes.is_empty() && !stores.is_empty() {
        bail!(
            "the stores have no finished runs; measure some, for example with `steadfast campaign sae-micro`"
        );
    }
    Ok(outcomes)
}

/// Options of commands that keep results only if `--store` is given.
#[derive(Debug, Clone, Args)]
pub(crate) struct StoreArgs {
    /// Store results in this file; it is created, or added to if it exists
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
}

impl StoreArgs {
    pub(crate) fn more(&self) -> String {
        match &self.store {
            Some(store) => format!("steadfast report {} --verbose", quoted_file(store)),
            None => "add --verbose for details; --store FILE keeps the results".to_owned(),
        }
    }

    pub(crate) fn heading(&self) -> Heading {
        self.session.heading()
    }

    /// Returns the files of the store.
    pub(crate) fn files(&self) -> impl Iterator<Item = Named> {
        self.store.iter().flat_map(|store| of_database(store, "--store"))
    }

    /// Returns a session with that title for a plan on a machine, if `--store` is given.
    pub(crate) fn session(
        &self,
        title: &str,
        plan: &[RunSpec],
        machine: impl FnOnce() -> Result<Machine>,
    ) -> Result<Option<Keeping>> {
        let Some(path) = &self.store else { return Ok(None) };
        let keeping = Keeping::of(Store::open(path)?, title, plan, machine()?);
        Ok(Some(keeping.headed(self.heading())))
    }
}

/// Options of commands that keep their results in a directory.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct KeptArgs {
    /// Directory for results.db, report.html and report.json; an unfinished session in it is
    /// resumed
    #[arg(long, value_name = "DIR", default_value = "steadfast-results")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
}

impl KeptArgs {
    pub(crate) fn heading(&self) -> Heading {
        self.session.heading()
    }

    /// Opens a session in the directory. Refuses output options that could not be satisfied later.
    pub(crate) fn session(
        &self,
        title: &str,
        plan: &[RunSpec],
        machine: Machine,
    ) -> Result<Keeping> {
        // A file that the user named may be in this directory.
        make_directory(&self.out)?;
        let results = results(&self.out);
        self.answer.check(plan, [of_database(&results, "--out"), of_report(&self.out)].concat())?;
        let store = Store::open(&results)?;
        Ok(Keeping::of(store, title, plan, machine).headed(self.heading()))
    }

    pub(crate) fn carry_on(
        &self,
        title: &str,
        plan: &[RunSpec],
        machine: Machine,
        carrier: &mut dyn Carrier,
    ) -> Result<Ended> {
        let keeping = self.session(title, plan, machine)?.repeating_invalid();
        Work::resumed(keeping)?.carry_out(&mut List::of(plan), carrier)
    }

    /// Writes the reports into the directory and prints the answer; `notes` say what to do next.
    pub(crate) fn give(
        &self,
        ended: Ended,
        standards: &Standards,
        telling: &dyn Telling,
        notes: &str,
    ) -> Result<ExitCode> {
        let analysis = Analysis::of(&ended.outcomes, standards).headed(self.heading());
        self.give_of(&analysis, ended.trouble, telling, notes)
    }

    /// Does the same for a given analysis.
    pub(crate) fn give_of(
        &self,
        analysis: &Analysis,
        trouble: Option<Trouble>,
        telling: &dyn Telling,
        notes: &str,
    ) -> Result<ExitCode> {
        // Nothing replaces the reports of an earlier session.
        let is_any = !analysis.outcomes.is_empty();
        let written = if is_any { write_reports(&self.out, analysis) } else { Ok(()) };
        let (report, results) = (self.out.join("report.html"), results(&self.out));
        let (report, shown) = (report.display(), results.display());
        let places = format!("{}Results: {shown}\n{notes}", report_line(&self.out));
        let more = format!("{report}, or steadfast report {} --verbose", quoted_file(&results));
        let (places, more) = if is_any && written.is_ok() { (&*places, &*more) } else { ("", "") };
        let telling = Noted { telling, notes, places };
        self.answer.print(analysis, &telling, more)?;
        written?;
        conclude(&self.answer, analysis, trouble, Vec::new())
    }
}

/// An answer together with notes on what to do next and the places of the files.
pub(crate) struct Noted<'a> {
    pub(crate) telling: &'a dyn Telling,
    pub(crate) notes: &'a str,
    pub(crate) places: &'a str,
}

impl Telling for Noted<'_> {
    fn answer(&self, analysis: &Analysis) -> Answer {
        let notes = self.notes.lines().map(|line| Remark::new(Remark::NEXT, line));
        notes.fold(self.telling.answer(analysis), Answer::with)
    }

    fn details(&self, analysis: &Analysis) -> String {
        self.telling.details(analysis) + self.places
    }
}

pub(crate) fn results(out: &Path) -> PathBuf {
    out.join("results.db")
}

/// Returns a note about a list of runs that is not done, or not all valid.
pub(crate) fn what_is_left(ended: &Ended, planned: usize) -> String {
    let made = ended.outcomes.len();
    if ended.trouble.is_some() {
        return format!(
            "{made} of {planned} runs are kept; run the same command again to continue.\n"
        );
    }
    let invalid: Vec<&Outcome> = ended.outcomes.iter().filter(|run| !run.is_valid()).collect();
    if invalid.is_empty() {
        return String::new();
    }
    let may_pass = invalid.iter().all(|run| run.is_worth_repeating());
    let first = if may_pass { "" } else { "once the cause is removed, " };
    let runs = counted(invalid.len(), "run");
    let were = if invalid.len() == 1 { "was" } else { "were" };
    format!(
        "{first}the same command repeats the {runs} that {were} INVALID, and keeps the others.\n"
    )
}
