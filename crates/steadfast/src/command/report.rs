//! `steadfast report`.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};
use plan::Outcome;
use store::Store;

use crate::args::ReportArgs;
use crate::files::{make_directory, write_reports};
use crate::output::print;
use crate::session::validity;

/// Writes or prints the report of stored runs.
pub(crate) fn report(args: &ReportArgs) -> Result<ExitCode> {
    let mut outcomes = Vec::new();
    for path in &args.stores {
        outcomes.extend(stored(path)?);
    }
    let outcomes = newest_of_each(outcomes);
    if outcomes.is_empty() {
        bail!("there is no finished run in what was named; `steadfast quick` makes some");
    }
    if let Some(directory) = &args.out {
        make_directory(directory)?;
        write_reports(directory, &outcomes)?;
    }
    if args.json {
        print(&format!("{:#}\n", report::json(&outcomes)))?;
    } else {
        print(&report::terminal(&outcomes))?;
    }
    Ok(validity(&outcomes))
}

/// Every finished run of a store, oldest session first.
fn stored(path: &Path) -> Result<Vec<Outcome>> {
    let store = Store::open_existing(path)?;
    let mut outcomes = Vec::new();
    for session in store.sessions()? {
        outcomes.extend(store.outcomes(session.id)?);
    }
    Ok(outcomes)
}

/// Of runs that repeat each other on one machine, the newest; each in the place
/// of its first.
fn newest_of_each(outcomes: Vec<Outcome>) -> Vec<Outcome> {
    let mut kept: Vec<Outcome> = Vec::new();
    for outcome in outcomes {
        let repeats = |other: &&mut Outcome| {
            other.header.spec == outcome.header.spec
                && other.header.machine == outcome.header.machine
        };
        match kept.iter_mut().find(repeats) {
            Some(older) if older.header.started_unix_ns <= outcome.header.started_unix_ns => {
                *older = outcome;
            }
            Some(_) => {}
            None => kept.push(outcome),
        }
    }
    kept
}
