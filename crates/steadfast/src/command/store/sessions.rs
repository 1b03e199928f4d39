//! `steadfast store ls`, `show` and `rm`: lists, shows and removes sessions.

use std::path::PathBuf;

use analysis::words::{counted, moment, time};
use anyhow::{Context, Result, bail};
use base::wrapped;
use clap::Args;
use record::{Heading, Outcome, Row};
use report::answer::of_machine;
use serde::Serialize;
use store::{SessionInfo, Store};

use crate::options::JsonArgs;
use crate::startup::output::{WIDTH, cut, print, print_json, print_with};

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Results file
    #[arg(value_name = "STORE")]
    pub(crate) store: PathBuf,
    #[command(flatten)]
    pub(crate) answer: JsonArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// Results file
    #[arg(value_name = "STORE")]
    pub(crate) store: PathBuf,
    /// Number of the session, as shown by `store ls`; default: the newest
    #[arg(value_name = "SESSION")]
    pub(crate) session: Option<i64>,
    #[command(flatten)]
    pub(crate) answer: JsonArgs,
}

#[derive(Debug, Args)]
pub(crate) struct RemoveArgs {
    /// Results file
    #[arg(value_name = "STORE")]
    pub(crate) store: PathBuf,
    /// Number of the session, as shown by `store ls`
    #[arg(value_name = "SESSION")]
    pub(crate) session: i64,
    /// Confirm the removal, which cannot be undone
    #[arg(long)]
    pub(crate) yes: bool,
}

pub(super) fn list(args: &ListArgs) -> Result<()> {
    let sessions = Store::open_existing(&args.store)?.sessions()?;
    let json = || SessionList { sessions: sessions.iter().map(listed).collect() };
    let text = || {
        let lines: String = sessions.iter().map(|session| line(session) + "\n").collect();
        match sessions.as_slice() {
            [] => "The store has no sessions.\n".to_owned(),
            _ => format!("{:>4}  {:<23}  {:>13}  title\n{lines}", "no.", "started", "runs"),
        }
    };
    args.answer.print(json, text)
}

#[derive(Serialize)]
struct SessionList<'a> {
    sessions: Vec<ListedSession<'a>>,
}

#[derive(Serialize)]
struct ListedSession<'a> {
    session: i64,
    plan: &'a str,
    machine: String,
    planned: usize,
    done: usize,
    started_unix_ns: u64,
    finished_unix_ns: Option<u64>,
    #[serde(flatten)]
    heading: &'a Heading,
    #[serde(skip_serializing_if = "Option::is_none")]
    runs: Option<Vec<ListedRun<'a>>>,
}

#[derive(Serialize)]
struct ListedRun<'a> {
    run_id: &'a str,
    run: String,
    valid: Option<bool>,
    started_unix_ns: Option<u64>,
    max_ns: Option<i64>,
}

fn listed(session: &SessionInfo) -> ListedSession<'_> {
    ListedSession {
        session: session.id.0,
        plan: &session.title,
        machine: of_machine(&session.machine),
        planned: session.planned,
        done: session.done,
        started_unix_ns: session.started_unix_ns,
        finished_unix_ns: session.finished_unix_ns,
        heading: &session.heading,
        runs: None,
    }
}

fn listed_run(outcome: &Outcome) -> ListedRun<'_> {
    let is_measured = outcome.header.spec.imported.is_none();
    ListedRun {
        run_id: &outcome.header.run_id,
        run: outcome.header.spec.title(),
        valid: is_measured.then(|| outcome.is_valid()),
        started_unix_ns: outcome.header.known_start_unix_ns(),
        max_ns: outcome.rows.first().and_then(Row::max_ns),
    }
}

/// Returns number, start, runs and title of a session, and whether it is finished.
fn line(session: &SessionInfo) -> String {
    let (id, begun) = (session.id, moment(session.started_unix_ns));
    let runs = match session.finished_unix_ns {
        Some(_) => session.done.to_string(),
        None => format!("{} of {}", session.done, session.planned),
    };
    let line = format!("{id:>4}  {begun:<23}  {runs:>13}  {}", called(session));
    cut(&line, WIDTH)
}

fn called(session: &SessionInfo) -> String {
    match &session.heading.title {
        Some(title) => format!("{} ({})", title.text(), session.title),
        None => session.title.clone(),
    }
}

pub(super) fn show(args: &ShowArgs) -> Result<()> {
    let store = Store::open_existing(&args.store)?;
    let session = find(&store, args.session)?;
    let outcomes = store.outcomes(session.id)?;
    if args.answer.json {
        let runs = outcomes.iter().map(listed_run).collect();
        return print_json(&ListedSession { runs: Some(runs), ..listed(&session) });
    }
    let runs = counted(session.done, "run");
    let head = [
        format!("Session {}: {}, {runs}", session.id, called(&session)),
        of_machine(&session.machine),
    ];
    let note = session.heading.note.as_ref();
    let note = note.map_or_else(Vec::new, |note| wrapped(note.text(), WIDTH));
    print_with(&|out| {
        head.iter().chain(&note).try_for_each(|line| writeln!(out, "{}", cut(line, WIDTH)))?;
        outcomes.iter().try_for_each(|outcome| writeln!(out, "{}", cut(&run(outcome), WIDTH)))
    })
}

/// Returns a line about a run: whether it is valid, its worst time, and its title.
fn run(outcome: &Outcome) -> String {
    let max_ns = outcome.rows.first().and_then(Row::max_ns);
    let found = match (outcome.is_valid(), max_ns) {
        (false, _) => "INVALID".to_owned(),
        (true, None) => String::new(),
        (true, Some(ns)) => format!("worst {}", time(ns as f64)),
    };
    format!("  {found:<15}  {}", outcome.header.spec.title())
}

pub(super) fn remove(args: &RemoveArgs) -> Result<()> {
    let path = &args.store;
    let session = find(&Store::open_existing(path)?, Some(args.session))?;
    let what =
        format!("session {} ({}) with {}", session.id, session.title, counted(session.done, "run"));
    if !args.yes {
        bail!("this would remove {what} permanently; add --yes to confirm");
    }
    Store::open(path)?.remove_session(session.id)?;
    print(&format!("{}: removed {what}.\n", path.display()))
}

/// Returns the session with that number, or by default the newest.
fn find(store: &Store, number: Option<i64>) -> Result<SessionInfo> {
    let mut sessions = store.sessions()?;
    let Some(number) = number else {
        return sessions.pop().context("the store has no sessions");
    };
    let found = sessions.into_iter().find(|session| session.id.0 == number);
    let why = || format!("SESSION: there is no session {number}; list them with `store ls`");
    found.with_context(why)
}
