//! Changed settings in the journal. Each place gets its old value back, unless something else has
//! changed it since.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use knob::Place;
use measure::reason;
use record::{KnobsBack, SettingsLeft, Settled};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use crate::journal::{self, Journal, directories};

/// A setting that is changed, or is about to be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// Name of its knob, as typed.
    pub(super) knob: String,
    pub(super) place: Place,
    pub(super) before: String,
    /// The value that was read back after the change; `None` while the change is still to come.
    pub(super) given: Option<String>,
    /// The value after other knobs of the run were written, if it differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) overridden: Option<String>,
    /// True if it was restored, or left because something else has changed it since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_settled: bool,
}

impl Entry {
    pub(super) fn before(knob: &str, place: &Place, before: String) -> Self {
        Self {
            knob: knob.to_owned(),
            place: place.clone(),
            before,
            given: None,
            overridden: None,
            is_settled: false,
        }
    }

    /// Returns true if the run has set this value, as far as is known.
    pub(super) fn is_own(&self, now: &str) -> bool {
        let mut own = self.given.iter().chain(&self.overridden);
        self.given.is_none() || own.any(|own| own == now)
    }
}

impl journal::Entry for Entry {
    const KIND: &'static str = "knobs";
    const BUSY: &'static str = "changed settings of this machine";

    fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    fn read(line: &str) -> Option<Self> {
        serde_json::from_str(line).ok()
    }
}

pub fn give_back_left_over() -> KnobsBack {
    give_back_left_over_in(&directories())
}

pub(super) fn give_back_left_over_in(directories: &[PathBuf]) -> KnobsBack {
    let left_over = Journal::left_over(directories);
    left_over.map_or_else(KnobsBack::default, |mut journal| give_back(&mut journal))
}

/// Returns true if there is a journal of changed settings, whatever process has it.
pub(super) fn is_left_over() -> bool {
    Journal::<Entry>::is_there(&directories())
}

/// Where root's runs keep their journals until the machine reboots.
const OF_ALL: &str = "/run";

pub fn settings_left() -> SettingsLeft {
    match Journal::<Entry>::left_over(&directories()) {
        Some(_) => SettingsLeft::Refused,
        None if is_left_over() => SettingsLeft::UnderWay,
        None if let Some(journal) = Journal::<Entry>::distrusted(&directories()) => {
            SettingsLeft::Distrusted { journal: journal.display().to_string() }
        }
        None if Journal::<Entry>::is_there_of_others(Path::new(OF_ALL)) => SettingsLeft::OfOthers,
        None => SettingsLeft::Nothing,
    }
}

/// Restores a journal, the last change first. If something was refused, the journal stays.
pub(super) fn give_back(journal: &mut Journal<Entry>) -> KnobsBack {
    let mut report = KnobsBack::default();
    let entries = newest(std::mem::take(&mut journal.entries));
    let refused = given_back_of(entries, &mut report, journal);
    // Some places are refused while another place still has the tried value.
    report.refused.clear();
    let refused = given_back_of(refused, &mut report, journal);
    if refused.is_empty() {
        journal.remove();
    }
    report
}

/// Restores each of these entries; returns those that were refused.
fn given_back_of(
    entries: Vec<Entry>,
    report: &mut KnobsBack,
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
            Ok(Outcome::Back) => report.back.push(settled(entry.before.clone())),
            Ok(Outcome::Changed(now)) => report.changed.push(settled(now)),
            Err(error) => {
                report.refused.push(settled(reason(&error)));
                refused.push(entry);
                continue;
            }
        }
        done.push(Entry { is_settled: true, ..entry });
    }
    if !refused.is_empty() && !done.is_empty() {
        // If this fails, settled places are checked again later, and their values are kept.
        let _ = journal.add(done);
    }
    refused
}

/// Returns the newest entry of each place that is not settled, the last change first.
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
    /// It has the old value, or is gone.
    Untouched,
    Back,
    Changed(String),
}

/// Restores one entry. If its run was killed just before, the change may not have happened.
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
        now => Err(io::Error::other(format!("it still reads {now}"))),
    }
}

/// True if the setting went away with its interrupt, task or CPU.
fn is_gone(error: &io::Error) -> bool {
    let number = error.raw_os_error();
    let gone = [Errno::SRCH, Errno::NODEV, Errno::NXIO];
    error.kind() == ErrorKind::NotFound || gone.iter().any(|one| number == Some(one.raw_os_error()))
}
