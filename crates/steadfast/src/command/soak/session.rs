//! Where the intervals of a soak are stored.

use std::io;
use std::path::Path;

use analysis::soak::{BOUNDS_NS, Soak};
use anyhow::{Result, bail};
use record::{Outcome, RunSpec};
use rt::clock::unix_time;
use serde_json::{Value, json};
use store::Store;

use crate::session::rescue;
use crate::session::results_dir::results;
use crate::startup::files::make_directory;
use crate::startup::output::print_with;

const TITLE: &str = "soak";

/// The stored intervals of a soak. In contrast to other sessions, it is continued on a machine that
/// has changed, since the change is a result; and it is never finished, so that the same command
/// after its end only prints the answer, and one with a longer time continues.
pub(crate) struct Session {
    store: Store,
    session: store::Session,
}

impl Session {
    /// Opens the soak of that run in the directory, or begins one.
    pub(crate) fn open(out: &Path, spec: &RunSpec) -> Result<Self> {
        make_directory(out)?;
        let mut store = Store::open(&results(out))?;
        let plan = std::slice::from_ref(spec);
        let sessions = store.sessions()?;
        let mut soaks = sessions.iter().rev().filter(|known| known.title == TITLE).peekable();
        // The page and the answer are about one soak.
        let is_used = soaks.peek().is_some();
        for known in soaks {
            if let Some(session) = store.resumable(TITLE, plan, &known.machine)? {
                return Ok(Self { store, session });
            }
        }
        if is_used {
            bail!("--out: {} has a soak of another run; name another directory", out.display());
        }
        let session = store.begin_session(TITLE, plan, &runner::fingerprint(), unix_time())?;
        Ok(Self { store, session })
    }

    pub(crate) fn each(&self, with: &mut dyn FnMut(&Outcome)) -> Result<()> {
        Ok(self.store.each_outcome(self.session.id, |outcome| with(&outcome))?)
    }

    /// Saves an interval. If the store can no longer take it, it is saved in another file, which the
    /// error names.
    pub(crate) fn save(&mut self, outcome: &Outcome) -> Result<()> {
        let ordinal = self.session.done.last().map_or(0, |last| last + 1);
        if let Err(error) = self.store.save(&self.session, ordinal, outcome, &[]) {
            return Err(rescue::elsewhere(&self.store, error, &|mut store| {
                let plan = std::slice::from_ref(&outcome.header.spec);
                let machine = &outcome.header.machine;
                let started = outcome.header.started_unix_ns;
                let session = store.begin_session(TITLE, plan, machine, started)?;
                store.save(&session, ordinal, outcome, &[])
            }));
        }
        self.session.done.insert(ordinal);
        Ok(())
    }
}

pub(super) fn print_all(of: &str, spec: &RunSpec, session: &Session, soak: &Soak) -> Result<()> {
    print_with(&|out| {
        let interval_ns = spec.asked.duration;
        let head = json!({"of": of, "interval_ns": interval_ns, "bounds_ns": BOUNDS_NS});
        write!(out, "{},\"intervals\":[", head.to_string().trim_end_matches('}'))?;
        let (mut again, mut first, mut written) = (Soak::default(), true, Ok(()));
        let read = session.each(&mut |outcome| {
            let interval = json!(again.add(outcome).interval);
            let comma = if std::mem::take(&mut first) { "" } else { "," };
            if written.is_ok() {
                written = write!(out, "{comma}\n{interval}");
            }
        });
        written?;
        read.map_err(|error| io::Error::other(format!("{error:#}")))?;
        let tail = tail(soak).to_string();
        writeln!(out, "],{}", tail.trim_start_matches('{'))
    })
}

fn tail(soak: &Soak) -> Value {
    let claimed = soak.claimed();
    let rate = claimed.rate(1);
    json!({
        "gaps": soak.gaps,
        "changes": soak.changes,
        "total": {
            "intervals": soak.intervals,
            "invalid": soak.invalid,
            "boots": soak.boots,
            "due": soak.due,
            "executed": soak.executed,
            "skipped": soak.skipped,
            "missed": soak.missed,
            "causes": soak.listed_causes(),
        },
        "claim": {
            "periods": claimed.due,
            "missed": claimed.missed,
            "miss_rate_lower": rate.map(|rate| rate.lower),
            "miss_rate_upper": rate.map(|rate| rate.upper),
            "confidence": 0.95,
        },
    })
}
