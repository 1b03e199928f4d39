//! `steadfast store ls`, `show` and `rm`.

use std::process::ExitCode;

use analysis::answer::of_machine;
use analysis::words::{counted, moment, time};
use anyhow::{Context, Result, bail};
use plan::Outcome;
use store::{SessionInfo, Store};
use units::wrapped;

use super::args::{FileArgs, RemoveArgs, ShowArgs};
use crate::output::{WIDTH, print, print_with};

/// Prints the sessions of a store, a line each.
pub(super) fn list(args: &FileArgs) -> Result<ExitCode> {
    let sessions = Store::open_existing(&args.store)?.sessions()?;
    let lines: String = sessions.iter().map(|session| line(session) + "\n").collect();
    match sessions.is_empty() {
        true => print("There is no session in it.\n")?,
        false => print(&format!("{:>4}  {:<23}  {:>13}  title\n{lines}", "no.", "begun", "runs"))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Number, start, runs and title of a session, and whether it was finished.
fn line(session: &SessionInfo) -> String {
    let (id, begun) = (session.id, moment(session.started_unix_ns));
    let runs = match session.finished_unix_ns {
        Some(_) => session.done.to_string(),
        None => format!("{} of {}", session.done, session.planned),
    };
    let line = format!("{id:>4}  {begun:<23}  {runs:>13}  {}", called(session));
    cut(&line)
}

/// What a person calls a session, and what it is.
fn called(session: &SessionInfo) -> String {
    match &session.heading.title {
        Some(title) => format!("{} ({})", title.text(), session.title),
        None => session.title.clone(),
    }
}

/// Prints the runs of a session, a line each.
pub(super) fn show(args: &ShowArgs) -> Result<ExitCode> {
    let store = Store::open_existing(&args.file.store)?;
    let session = find(&store, args.session)?;
    let runs = counted(session.done, "run");
    let head = [
        format!("Session {}: {}, {runs}", session.id, called(&session)),
        of_machine(&session.machine),
    ];
    let note = session.heading.note.as_ref();
    let note = note.map_or_else(Vec::new, |note| wrapped(note.text(), WIDTH));
    let outcomes = store.outcomes(session.id)?;
    print_with(&|out| {
        head.iter().chain(&note).try_for_each(|line| writeln!(out, "{}", cut(line)))?;
        outcomes.iter().try_for_each(|outcome| writeln!(out, "{}", cut(&run(outcome))))
    })?;
    Ok(ExitCode::SUCCESS)
}

/// What a run was, whether it counts, and its worst time.
fn run(outcome: &Outcome) -> String {
    let latency = outcome.rows.first().and_then(|row| row.latency.as_ref());
    let found = match (outcome.is_valid(), latency) {
        (false, _) => "INVALID".to_owned(),
        (true, None) => String::new(),
        (true, Some(latency)) => format!("worst {}", time(latency.max.value_ns as f64)),
    };
    format!("  {found:<15}  {}", outcome.header.spec.title())
}

/// Removes a session where that is confirmed.
pub(super) fn remove(args: &RemoveArgs) -> Result<ExitCode> {
    let path = &args.file.store;
    let session = find(&Store::open_existing(path)?, Some(args.session))?;
    let what =
        format!("session {} ({}) with {}", session.id, session.title, counted(session.done, "run"));
    if !args.yes {
        bail!("{what} would be gone for good; add --yes to remove it");
    }
    Store::open(path)?.remove_session(session.id)?;
    print(&format!("{}: removed {what}.\n", path.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// The session of that number, else the newest.
fn find(store: &Store, number: Option<i64>) -> Result<SessionInfo> {
    let mut sessions = store.sessions()?;
    match number {
        None => sessions.pop().context("there is no session in it"),
        Some(number) => {
            sessions.into_iter().find(|session| session.id.0 == number).with_context(|| {
                format!("SESSION: there is no session {number}; `store ls` lists them")
            })
        }
    }
}

/// The line in as many columns as there are; three dots tell where some of it is left out.
fn cut(line: &str) -> String {
    match line.chars().count() {
        ..=WIDTH => line.trim_end().to_owned(),
        _ => line.chars().take(WIDTH - 4).collect::<String>() + " ...",
    }
}
