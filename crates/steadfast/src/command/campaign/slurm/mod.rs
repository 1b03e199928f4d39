//! A campaign's runs as tasks of Slurm, each on a separate node.
//!
//! Every task executes one run and keeps it in a separate store below the campaign's directory. The
//! results are collected into the campaign's session by their places in its order, so runs through
//! Slurm and runs made here belong to the same session.

mod queue;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Error, Result, anyhow};
use base::counted;
use record::Outcome;
use store::{Store, StoreError};

use self::queue::{LARGEST_ARRAY, Queue};
use super::ordered::Campaign;
use crate::session::driver::{Carrier, Due, Trouble, Work};
use crate::session::order::mark;
use crate::session::progress::{in_words, say};
use crate::session::results_dir::results;
use crate::startup::files::{make_directory, replace};
use crate::startup::output::tell;

/// How often Slurm is asked: seldom enough for a controller with many users.
const ASK_EVERY: Duration = Duration::from_secs(2);

/// A busy controller may leave as many questions in a row unanswered; the tasks go on meanwhile.
const MOST_UNANSWERED: usize = 30;

/// The largest log of a task that is read for an error message, in bytes.
const LARGEST_LOG: u64 = 16 << 20;

pub(super) struct Slurm<'a> {
    campaign: &'a Campaign,
    queue: Queue,
    /// A copy of the plan, so that edits do not reach the tasks.
    plan: PathBuf,
    /// The directory of the plan itself, from which its paths count.
    paths: PathBuf,
    /// The directory in which tasks keep their results; the same path on every node.
    directory: PathBuf,
}

impl<'a> Slurm<'a> {
    pub(super) fn open(campaign: &'a Campaign, of: &str, text: &str, out: &Path) -> Result<Self> {
        let directory = out.join("slurm");
        make_directory(&directory)?;
        let directory = fs::canonicalize(directory)?;
        let name = mark([&campaign.title, &directory.display().to_string()]);
        let plan = directory.join(&campaign.file_name);
        let queue = Queue::named(format!("steadfast-{name:08x}"))?;
        replace(&plan, text).with_context(|| format!("cannot write {}", plan.display()))?;
        let paths = Path::new(of).parent().unwrap_or(Path::new("")).to_owned();
        Ok(Self { campaign, queue, plan, paths, directory })
    }

    /// Submits the runs of one array, whose first run has the ordinal `first`.
    fn submit(&self, first: usize, due: &[Due]) -> Result<()> {
        say(&format!("Slurm has {} to execute.", counted(due.len(), "run")));
        let program = std::env::current_exe().context("cannot find this program's own file")?;
        let places: Vec<usize> = due.iter().map(|due| due.ordinal - first).collect();
        let tasks = [&*program, &self.plan, &self.directory, &self.paths];
        self.queue.submit(tasks, first + 1, &places)
    }

    /// Waits until no task is left; cancels all of them if the user wants to stop.
    fn wait(&self, work: &Work<'_>) -> Result<()> {
        let started = Instant::now();
        let mut states = self.queue.states()?;
        let (all, mut unanswered) = (states.len(), 0);
        while !states.is_empty() {
            if !work.goes_on() {
                self.queue.cancel()?;
            }
            thread::sleep(ASK_EVERY);
            let before = states.len();
            states = match self.queue.states() {
                Err(_) if unanswered < MOST_UNANSWERED => {
                    unanswered += 1;
                    continue;
                }
                answer => answer?,
            };
            unanswered = 0;
            if states.len() != before {
                say(&progress_of(all, &states, started.elapsed()));
            }
        }
        Ok(())
    }

    fn gather(&self, due: Vec<Due>, work: &mut Work<'_>) -> Result<Vec<Due>, Trouble> {
        let mut missing = Vec::new();
        for due in due {
            let task = self.task(due.ordinal);
            match made(&results(&task), &self.campaign.title_of(due.ordinal)) {
                Ok(Some(outcome)) => {
                    work.gathered(&due, outcome)?;
                    // It is in the campaign's store now: a file that cannot be removed does no harm.
                    let _ = fs::remove_dir_all(&task);
                    let _ = fs::remove_file(task.with_extension("log"));
                    continue;
                }
                Ok(None) => {}
                Err(error) => tell(&format!("Run {}: {error}", due.ordinal + 1)),
            }
            missing.push(due);
        }
        Ok(missing)
    }

    fn task(&self, ordinal: usize) -> PathBuf {
        self.directory.join((ordinal + 1).to_string())
    }

    fn not_made(&self, missing: &[Due]) -> Error {
        for due in missing {
            let log = self.task(due.ordinal).with_extension("log");
            let log = rt::read::bounded(log, LARGEST_LOG).unwrap_or_default();
            let log = String::from_utf8_lossy(&log);
            let why = log.lines().last().unwrap_or("its task left no message");
            let line = &self.campaign.runs[due.ordinal].line;
            tell(&format!("Run {} ({line}) failed: {why}", due.ordinal + 1));
        }
        let (missing, all) = (missing.len(), self.campaign.runs.len());
        anyhow!("{missing} of {all} runs failed; run the same command again to retry them")
    }
}

impl Carrier for Slurm<'_> {
    fn at_once(&self) -> usize {
        usize::MAX
    }

    fn carry(&mut self, due: &[Due], work: &mut Work<'_>) -> Result<(), Trouble> {
        // Tasks of a command that was killed may still be running.
        self.wait(work).map_err(Trouble::NotMade)?;
        let mut missing = self.gather(due.to_vec(), work)?;
        for first in (0..self.campaign.runs.len()).step_by(LARGEST_ARRAY) {
            let array = first..first + LARGEST_ARRAY;
            let is_in = |due: &mut Due| array.contains(&due.ordinal);
            let own: Vec<Due> = missing.extract_if(.., is_in).collect();
            if own.is_empty() || !work.goes_on() {
                missing.extend(own);
                continue;
            }
            self.submit(first, &own).map_err(Trouble::NotMade)?;
            self.wait(work).map_err(Trouble::NotMade)?;
            missing.extend(self.gather(own, work)?);
        }
        match missing.as_slice() {
            [] => Ok(()),
            _ if !work.goes_on() => Err(Trouble::Interrupted),
            missing => Err(Trouble::NotMade(self.not_made(missing))),
        }
    }
}

/// Returns the run with that title in a task's store; `None` if the task has not got that far.
fn made(store: &Path, title: &str) -> Result<Option<Outcome>, StoreError> {
    if !store.exists() {
        return Ok(None);
    }
    let store = Store::open_existing(store)?;
    for session in store.sessions()?.iter().filter(|s| s.title == title) {
        if let Some(outcome) = store.outcomes(session.id)?.pop() {
            return Ok(Some(outcome));
        }
    }
    Ok(None)
}

/// Returns how many tasks are done, the states of the others, and an estimate of the time left.
fn progress_of(all: usize, states: &[String], elapsed: Duration) -> String {
    let done = all - states.len().min(all);
    if states.is_empty() {
        return format!("[{done}/{all}] all tasks have ended");
    }
    let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
    states.iter().for_each(|state| *counts.entry(state).or_default() += 1);
    let counts = counts.iter().map(|(state, count)| format!("{count} {}", state.to_lowercase()));
    let counts = counts.collect::<Vec<_>>().join(", ");
    let left = elapsed / done.max(1) as u32 * states.len() as u32;
    format!("[{done}/{all}] {counts} ({} left)", in_words(left))
}
