//! Giving settings back: what stood there stands there again, unless somebody else has changed it
//! meanwhile.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use plan::{KnobsBack, SettingsLeft, Settled};
use probe::reason;
use rustix::io::Errno;

use super::entry::Entry;
use crate::journal::{Journal, directories};

/// Gives back what a killed run has changed.
pub fn give_back_left_over() -> KnobsBack {
    give_back_left_over_in(&directories())
}

pub(super) fn give_back_left_over_in(directories: &[PathBuf]) -> KnobsBack {
    let left_over = Journal::left_over(directories);
    left_over.map_or_else(KnobsBack::default, |mut journal| give_back(&mut journal))
}

/// Whether there is a journal of changed settings, whoever has it.
pub(super) fn is_left_over() -> bool {
    Journal::<Entry>::is_there(&directories())
}

/// Where root's runs keep their journals, until the machine is booted.
const OF_ALL: &str = "/run";

/// What is left once all was given back that could be.
#[must_use]
pub fn settings_left() -> SettingsLeft {
    match Journal::<Entry>::left_over(&directories()) {
        Some(_) => SettingsLeft::Refused,
        None if is_left_over() => SettingsLeft::UnderWay,
        None if Journal::<Entry>::is_there_of_others(Path::new(OF_ALL)) => SettingsLeft::OfOthers,
        None => SettingsLeft::Nothing,
    }
}

/// Gives back what a journal holds, the last change first; the journal goes unless something was
/// refused, and then knows what is settled.
pub(super) fn give_back(journal: &mut Journal<Entry>) -> KnobsBack {
    let mut told = KnobsBack::default();
    let entries = newest(std::mem::take(&mut journal.entries));
    let refused = given_back_of(entries, &mut told, journal);
    // Some places are refused as long as another one stands as it was tried.
    told.refused.clear();
    let refused = given_back_of(refused, &mut told, journal);
    if refused.is_empty() {
        journal.remove();
    }
    told
}

/// Gives each of these back; those that were refused are left.
fn given_back_of(
    entries: Vec<Entry>,
    told: &mut KnobsBack,
    journal: &mut Journal<Entry>,
) -> Vec<Entry> {
    let (mut refused, mut done) = (Vec::new(), Vec::new());
    for entry in entries {
        let settled = |now: String| Settled {
            knob: entry.knob.clone(),
            place: entry.place.to_string(),
            before: entry.before.clone(),
            now,
        };
        match given_back(&entry) {
            Ok(Outcome::Untouched) => {}
            Ok(Outcome::Back) => told.back.push(settled(entry.before.clone())),
            Ok(Outcome::Changed(now)) => told.changed.push(settled(now)),
            Err(error) => {
                told.refused.push(settled(reason(&error)));
                refused.push(entry);
                continue;
            }
        }
        done.push(Entry { is_settled: true, ..entry });
    }
    if !refused.is_empty() && !done.is_empty() {
        // Where that fails, what is settled is looked at again, and what stands is kept.
        let _ = journal.add(done);
    }
    refused
}

/// The newest entry of each place that is not settled, the last change first.
fn newest(entries: Vec<Entry>) -> Vec<Entry> {
    let mut newest: Vec<Entry> = Vec::new();
    for entry in entries {
        let is_same = |other: &&mut Entry| other.place == entry.place && other.knob == entry.knob;
        match newest.iter_mut().find(is_same) {
            Some(older) => *older = entry,
            None => newest.push(entry),
        }
    }
    newest.retain(|entry| !entry.is_settled);
    newest.reverse();
    newest
}

enum Outcome {
    /// It stands as before, or is gone.
    Untouched,
    Back,
    /// Somebody else has put this there.
    Changed(String),
}

/// One that was about to be changed when its run was killed may have been.
fn given_back(entry: &Entry) -> io::Result<Outcome> {
    let now = match entry.place.read() {
        Err(error) if is_gone(&error) => return Ok(Outcome::Untouched),
        now => now?,
    };
    if now == entry.before {
        return Ok(Outcome::Untouched);
    }
    if !entry.is_own(&now) {
        return Ok(Outcome::Changed(now));
    }
    match entry.place.write(&entry.before) {
        Err(error) if is_gone(&error) => return Ok(Outcome::Untouched),
        written => written?,
    }
    match entry.place.read()? {
        now if now == entry.before => Ok(Outcome::Back),
        now => Err(io::Error::other(format!("it reads {now} all the same"))),
    }
}

/// An interrupt, a task or a CPU that is gone has taken its settings along.
fn is_gone(error: &io::Error) -> bool {
    let number = error.raw_os_error();
    let gone = [Errno::SRCH, Errno::NODEV, Errno::NXIO];
    error.kind() == ErrorKind::NotFound || gone.iter().any(|one| number == Some(one.raw_os_error()))
}
