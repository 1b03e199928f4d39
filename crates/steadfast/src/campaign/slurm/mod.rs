//! A campaign's runs as tasks of Slurm, each on a node of its own.
//!
//! Every task makes one run into a store of its own below the campaign's directory. What
//! is there is gathered into the campaign's session, place by place, so that Slurm's runs
//! and those made here are the same session.

mod queue;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Error, Result, anyhow};
use plan::Outcome;
use store::{Session, Store, StoreError};

use self::queue::{LARGEST_ARRAY, Queue, Tasks};
use super::{Campaign, mark};
use crate::files::{make_directory, replace};
use crate::interrupt::Interrupt;
use crate::output::tell;
use crate::progress;
use crate::ready::results;
use crate::session::take_up;
use crate::session::{Ended, Trouble};

/// How often Slurm is asked: seldom enough for a controller that many ask.
const ASK_EVERY: Duration = Duration::from_secs(2);

/// The largest log of a task that is quoted, in bytes.
const LARGEST_LOG: u64 = 16 << 20;

/// Has all runs made that are not in the directory yet, and brings them there.
pub(super) fn carry_through(campaign: &Campaign, text: &str, out: &Path) -> Result<Ended> {
    let interrupt = Interrupt::listen().context("signals cannot be listened to")?;
    let mut work = Work::begin(campaign, out)?;
    let plan = work.keep_plan(text)?;
    // Tasks of a command that was killed are still at work.
    work.wait(&interrupt)?;
    work.gather()?;
    for first in (0..campaign.runs.len()).step_by(LARGEST_ARRAY) {
        if !interrupt.is_wanted() {
            work.submit(&plan, first)?;
            work.wait(&interrupt)?;
            work.gather()?;
        }
    }
    work.finish(&interrupt)
}

/// The campaign in its directory, and how far it is.
struct Work<'a> {
    campaign: &'a Campaign,
    queue: Queue,
    store: Store,
    session: Session,
    done: BTreeSet<usize>,
    /// Where tasks keep what they make; the same path on every node.
    directory: PathBuf,
}

impl<'a> Work<'a> {
    fn begin(campaign: &'a Campaign, out: &Path) -> Result<Self> {
        let directory = out.join("slurm");
        make_directory(&directory)?;
        let directory = fs::canonicalize(directory)?;
        let place = directory.display().to_string();
        let name = mark([campaign.title.as_str(), &place]);
        let queue = Queue::named(format!("steadfast-{name:08x}"))?;
        let mut store = Store::open(&results(out))?;
        let session = take_up(
            &mut store,
            &campaign.title,
            &campaign.specs(),
            &runner::fingerprint(),
        )?;
        Ok(Self {
            campaign,
            queue,
            store,
            done: session.done.clone(),
            session,
            directory,
        })
    }

    /// A copy of the plan that does not change under the tasks.
    fn keep_plan(&self, text: &str) -> Result<PathBuf> {
        let plan = self.directory.join(&self.campaign.file_name);
        replace(&plan, text).with_context(|| format!("{} cannot be written", plan.display()))?;
        Ok(plan)
    }

    /// The ordinals that are not in the store.
    fn left(&self) -> impl Iterator<Item = usize> {
        (0..self.campaign.runs.len()).filter(|ordinal| !self.done.contains(ordinal))
    }

    /// Submits what is left from the first ordinal on, as many as an array takes.
    fn submit(&self, plan: &Path, first: usize) -> Result<()> {
        let array = first..first + LARGEST_ARRAY;
        let left = self.left().filter(|ordinal| array.contains(ordinal));
        let places: Vec<usize> = left.map(|ordinal| ordinal - first).collect();
        if places.is_empty() {
            return Ok(());
        }
        tell(&format!("Slurm has {} runs to make.", places.len()));
        let program = std::env::current_exe().context("this program's file is not known")?;
        let tasks = Tasks {
            program: &program,
            plan,
            directory: &self.directory,
        };
        self.queue.submit(&tasks, first + 1, &places)
    }

    /// Waits until no task is left; ends them all where the person wants to stop.
    fn wait(&self, interrupt: &Interrupt) -> Result<()> {
        let started = Instant::now();
        let mut states = self.queue.states()?;
        let all = states.len();
        while !states.is_empty() {
            if interrupt.is_wanted() {
                self.queue.cancel()?;
            }
            thread::sleep(ASK_EVERY);
            let before = states.len();
            states = self.queue.states()?;
            if states.len() != before {
                tell(&progress_of(all, &states, started.elapsed()));
            }
        }
        Ok(())
    }

    /// Brings what tasks have made into the campaign's store.
    fn gather(&mut self) -> Result<()> {
        for ordinal in self.left().collect::<Vec<_>>() {
            let task = self.task(ordinal);
            let made = made(&results(&task), &self.campaign.title_of(ordinal));
            let Some(outcome) = made.unwrap_or_else(|error| {
                tell(&format!("Run {}: {error}", ordinal + 1));
                None
            }) else {
                continue;
            };
            self.store.save(&self.session, ordinal, &outcome, &[])?;
            self.done.insert(ordinal);
            // It is in the campaign's store now; what stays is in nobody's way.
            let _ = fs::remove_dir_all(&task);
            let _ = fs::remove_file(task.with_extension("log"));
        }
        Ok(())
    }

    fn task(&self, ordinal: usize) -> PathBuf {
        self.directory.join((ordinal + 1).to_string())
    }

    /// What all of it came to; names the runs that are missing.
    fn finish(mut self, interrupt: &Interrupt) -> Result<Ended> {
        let missing: Vec<usize> = self.left().collect();
        let trouble = match missing.as_slice() {
            [] => {
                self.store.finish_session(&self.session)?;
                None
            }
            _ if interrupt.is_wanted() => Some(Trouble::Interrupted),
            missing => Some(Trouble::NotMade(self.not_made(missing))),
        };
        Ok(Ended {
            outcomes: self.store.outcomes(self.session.id)?,
            trouble,
        })
    }

    fn not_made(&self, missing: &[usize]) -> Error {
        for ordinal in missing {
            let log = self.task(*ordinal).with_extension("log");
            let log = rt::read::bounded(log, LARGEST_LOG).unwrap_or_default();
            let log = String::from_utf8_lossy(&log);
            let why = log.lines().last().unwrap_or("its task has left no word");
            let line = &self.campaign.runs[*ordinal].line;
            tell(&format!("Run {} ({line}) failed: {why}", ordinal + 1));
        }
        anyhow!(
            "{} of {} runs were not made; the same command makes them",
            missing.len(),
            self.campaign.runs.len()
        )
    }
}

/// The run of that title in a task's store; none where the task has not come so far.
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

/// How many tasks are done, what the others do, and for how long.
fn progress_of(all: usize, states: &[String], elapsed: Duration) -> String {
    let done = all - states.len().min(all);
    let known: BTreeSet<&String> = states.iter().collect();
    let count = |state| states.iter().filter(|other| *other == state).count();
    let counts: Vec<String> = known
        .into_iter()
        .map(|state| format!("{} {}", count(state), state.to_lowercase()))
        .collect();
    let left = elapsed / done.max(1) as u32 * states.len() as u32;
    match states {
        [] => format!("[{done}/{all}] all tasks have ended"),
        _ => format!(
            "[{done}/{all}] {} ({} left)",
            counts.join(", "),
            progress::in_words(left)
        ),
    }
}
