//! Where results are kept: a store, or a directory with a store and its reports.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use analysis::Analysis;
use analysis::answer::{Answer, Remark};
use analysis::standards::Standards;
use analysis::words;
use anyhow::Result;
use clap::Args;
use plan::{Heading, Machine, RunSpec};
use store::Store;

use crate::args::{AnswerArgs, SessionArgs, Telling};
use crate::driver::{Carrier, Ended, Keeping, List, Work};
use crate::files::{make_directory, write_reports};

/// Of whatever keeps what it measures where somebody asks for it.
#[derive(Debug, Clone, Args)]
pub(crate) struct StoreArgs {
    /// Store results in this file, which is created or added to
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
}

impl StoreArgs {
    /// Where more of an answer is than it says.
    pub(crate) fn more(&self) -> String {
        match &self.store {
            Some(store) => format!("steadfast report {} --verbose", store.display()),
            None => "the same with --verbose; --store FILE keeps it".to_owned(),
        }
    }

    /// What a person says of it.
    pub(crate) fn heading(&self) -> Heading {
        self.session.words.heading()
    }

    /// A session of that title for a plan on a machine, where one is asked for.
    pub(crate) fn session(
        &self,
        title: &str,
        plan: &[RunSpec],
        machine: impl FnOnce() -> Result<Machine>,
    ) -> Result<Option<Keeping>> {
        let store = self.store.as_deref().map(Store::open).transpose()?;
        let heading = self.heading();
        let keep = |store| Ok(Keeping::of(store, title, plan, machine()?).headed(heading));
        store.map(keep).transpose()
    }
}

/// Of whatever keeps what it measures in a directory of its own.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct KeptArgs {
    /// Directory for results.db, report.html and report.json; what is unfinished in it is
    /// taken up where it ended
    #[arg(long, value_name = "DIR", default_value = "steadfast-results")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
}

impl KeptArgs {
    /// What a person says of it.
    pub(crate) fn heading(&self) -> Heading {
        self.session.words.heading()
    }

    /// The store of the directory.
    pub(crate) fn results(&self) -> PathBuf {
        results(&self.out)
    }

    /// A session of that title for a plan on that machine, in the directory. What could not be
    /// answered afterwards is refused.
    pub(crate) fn session(
        &self,
        title: &str,
        plan: &[RunSpec],
        machine: Machine,
    ) -> Result<Keeping> {
        // A file that was asked for may be in it.
        make_directory(&self.out)?;
        self.answer.check(plan)?;
        let store = Store::open(&self.results())?;
        Ok(Keeping::of(store, title, plan, machine).headed(self.heading()))
    }

    /// Carries out what is left of a list of runs.
    pub(crate) fn carry_on(
        &self,
        title: &str,
        plan: &[RunSpec],
        machine: Machine,
        carrier: &mut dyn Carrier,
    ) -> Result<Ended> {
        let mut keeping = self.session(title, plan, machine)?.repeating_invalid();
        let all = plan.len();
        let known = keeping.take_up(|done| {
            format!(
                "Taking up the last session: {done} of {all} runs are done; the others, and those \
                 that were INVALID, are made now. Another --out begins anew."
            )
        })?;
        let work = Work::kept(Some(keeping)).knowing(known);
        work.carry_out(&mut List::of(plan), carrier)
    }

    /// Writes the reports of what was measured into the directory and answers people and
    /// programs; `notes` follow where the reports are.
    pub(crate) fn give(
        &self,
        ended: Ended,
        standards: &Standards,
        told: &dyn Telling,
        notes: &str,
    ) -> Result<ExitCode> {
        let analysis = Analysis::of(&ended.outcomes, standards).headed(self.heading());
        self.give_of(&analysis, told, notes)?;
        drop(analysis);
        ended.exit_code(&self.answer.fail_if)
    }

    /// The same of an analysis that was made otherwise, without what it means to a script.
    pub(crate) fn give_of(
        &self,
        analysis: &Analysis,
        told: &dyn Telling,
        notes: &str,
    ) -> Result<()> {
        let written = write_reports(&self.out, analysis);
        let (report, results) = (self.out.join("report.html"), self.results());
        let [report, results] = [report.display(), results.display()];
        let places = format!("\nReport:  {report}\nResults: {results}\n{notes}");
        let more = format!("{report}, or steadfast report {results} --verbose");
        let (places, more) = match written {
            Ok(()) => (&*places, &*more),
            Err(_) => ("", ""),
        };
        let told = Noted { told, notes, places };
        self.answer.print(analysis, &told, more)?;
        written?;
        self.answer.write(&analysis.outcomes, analysis.standards)
    }
}

/// What a person is told, with what there is to do next and where the files are.
struct Noted<'a> {
    told: &'a dyn Telling,
    notes: &'a str,
    places: &'a str,
}

impl Telling for Noted<'_> {
    fn answer(&self, analysis: &Analysis) -> Answer {
        let notes = self.notes.lines().map(|line| Remark::new("Next", line));
        notes.fold(self.told.answer(analysis), Answer::with)
    }

    fn details(&self, analysis: &Analysis) -> String {
        self.told.details(analysis) + self.places
    }
}

/// The store of a directory with results.
pub(crate) fn results(out: &Path) -> PathBuf {
    out.join("results.db")
}

/// What the notes say of a list of runs that is not done, or not all valid.
pub(crate) fn what_is_left(ended: &Ended, planned: usize) -> String {
    let made = ended.outcomes.len();
    let invalid = ended.outcomes.iter().filter(|run| !run.is_valid()).count();
    match (&ended.trouble, invalid) {
        (Some(_), _) => {
            format!("{made} of {planned} runs are kept; the same command goes on from here.\n")
        }
        (None, 0) => String::new(),
        (None, invalid) => format!(
            "the same command makes the {} again that {} INVALID, and keeps the others.\n",
            words::counted(invalid, "run"),
            if invalid == 1 { "was" } else { "were" }
        ),
    }
}
