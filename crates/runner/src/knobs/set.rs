//! Sets the knobs of a run, and reads them back.

use std::io;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use knob::{Around, Knob, Place, Rivals, Way, Write, barrier, in_words};
use measure::reason;
use record::{Asked, KnobBarrier, KnobFound, KnobsBack, Settled, Warning};
use rt::thread::wait_for;
use rustix::io::Errno;

use super::back::{Entry, give_back, give_back_left_over_in};
use super::guard::Guard;
use super::held::Held;
use crate::journal::{Journal, directories};

/// The knobs that a run has set. Dropping this restores them.
pub(crate) struct Knobs {
    root: PathBuf,
    journal: Option<Journal<Entry>>,
    /// Dropped after the journal is removed.
    _guard: Option<Guard>,
    set: Vec<Set>,
    warnings: Vec<Warning>,
}

/// What knobs are set on: this machine, or a tree that a test has created.
pub(super) struct Ground<'a> {
    pub(super) root: &'a Path,
    pub(super) directories: &'a [PathBuf],
    pub(super) guard: &'a dyn Fn() -> io::Result<Option<Guard>>,
    pub(super) settling: Duration,
}

struct Set {
    found: KnobFound,
    knob: &'static Knob,
    written: Vec<Written>,
    held: Option<Held>,
}

struct Written {
    asked: String,
    /// As in the journal, with the value that was read back immediately.
    entry: Entry,
}

/// Why a knob could not be set: its place, the reason, and the kind of barrier.
struct Refused(String, String, KnobBarrier);

impl Refused {
    fn because(reason: String) -> Self {
        Self(String::new(), reason, KnobBarrier::Other)
    }
}

impl Knobs {
    /// Sets every knob of a run that has a value to try, then waits until all knobs of its
    /// experiment have taken or lost effect. That includes knobs that this run leaves alone, which
    /// the run before may have set. After a refusal nothing more is set.
    pub(crate) fn set(asked: &Asked, around: &Around) -> Self {
        let ground = Ground {
            root: Path::new("/"),
            directories: &directories(),
            guard: &|| Guard::start().map(Some),
            settling: longest_settling(asked),
        };
        Self::set_on(&ground, asked, around)
    }

    pub(super) fn set_on(ground: &Ground, asked: &Asked, around: &Around) -> Self {
        let mut knobs = Self {
            root: ground.root.to_owned(),
            journal: None,
            _guard: None,
            set: Vec::new(),
            warnings: Vec::new(),
        };
        for tried in &asked.tried {
            let (Some(knob), Some(value)) = (knob::find(&tried.knob), &tried.value) else {
                continue;
            };
            let done = knobs
                .prepare(knob, ground)
                .and_then(|()| knobs.set_one(knob, &tried.knob, value, asked, around));
            if let Err(Refused(place, reason, barrier)) = done {
                let (knob, asked) = (tried.knob.clone(), value.clone());
                let refused = Warning::KnobRefused { knob, asked, place, reason, barrier };
                knobs.warnings.push(refused);
                return knobs;
            }
        }
        // Without a journal these values are still restored, unless this process is killed.
        let _ = knobs.read_with_all();
        sleep(ground.settling);
        knobs.read_back();
        knobs
    }

    /// Reads every place again after all knobs are written: one knob may have changed another.
    fn read_with_all(&mut self) -> Result<(), Refused> {
        let mut overridden = Vec::new();
        for set in &mut self.set {
            for written in &mut set.written {
                let now = Some(written.now());
                if now != written.entry.given {
                    written.entry.overridden = now;
                    overridden.push(written.entry.clone());
                }
            }
        }
        self.note(overridden)
    }

    /// Starts the guard and creates the journal; nothing is written without them.
    fn prepare(&mut self, knob: &Knob, ground: &Ground) -> Result<(), Refused> {
        let writes = !matches!(knob.way, Way::Flag(_) | Way::Held | Way::Hog);
        if !writes || self.journal.is_some() {
            return Ok(());
        }
        let refused = |error: io::Error| {
            Refused::because(format!("its guard cannot be started: {}", reason(&error)))
        };
        // The guard comes first: a run that is killed in between leaves no journal.
        self._guard = (ground.guard)().map_err(refused)?;
        self.journal = Some(journal(ground.directories)?);
        Ok(())
    }

    fn set_one(
        &mut self,
        knob: &'static Knob,
        name: &str,
        value: &str,
        asked: &Asked,
        around: &Around,
    ) -> Result<(), Refused> {
        let found = KnobFound {
            knob: name.to_owned(),
            asked: value.to_owned(),
            before: String::new(),
            during: String::new(),
            at_end: String::new(),
            given_back: false,
        };
        let mut set = Set { found, knob, written: Vec::new(), held: None };
        match &knob.way {
            Way::Flag(_) => return Ok(()),
            Way::Held => set.held = Some(Held::socket().map_err(Refused::because)?),
            Way::Hog => set.held = Some(Held::hogs(value, asked).map_err(Refused::because)?),
            _ => {
                let writes = knob.writes(name, &self.root, value, around);
                self.write(&mut set, writes.map_err(Refused::because)?)?;
            }
        }
        set.found.before = set.before_in_words();
        self.set.push(set);
        Ok(())
    }

    /// Writes a knob. The journal has the old value of each place before the place is written.
    fn write(&mut self, set: &mut Set, writes: Vec<Write>) -> Result<(), Refused> {
        let root = self.root.clone();
        let refused = |place: &Place, error: &io::Error| {
            Refused(place.to_string(), reason(error), barrier(error, place, &root))
        };
        for place in set.knob.moved(&root) {
            let before = place.read().map_err(|error| refused(&place, &error))?;
            self.note(vec![Entry::before(&set.found.knob, &place, before)])?;
        }
        // Of places that need not accept it, one must.
        let (mut refusal, mut is_accepted) = (None, false);
        for Write { place, given: asked, may_be_kept } in writes {
            let before = place.read().map_err(|error| refused(&place, &error))?;
            let mut entry = Entry::before(&set.found.knob, &place, before);
            self.note(vec![entry.clone()])?;
            let unknown = Some(Errno::OPNOTSUPP.raw_os_error());
            let need_not =
                |error: &io::Error| set.knob.some_lack_it && error.raw_os_error() == unknown;
            match place.write(&asked) {
                Err(error) if may_be_kept || need_not(&error) => {
                    refusal = Some(refused(&place, &error));
                    continue;
                }
                written => written.map_err(|error| refused(&place, &error))?,
            }
            is_accepted |= may_be_kept || set.knob.some_lack_it;
            entry.given = Some(place.read().map_err(|error| refused(&place, &error))?);
            self.note(vec![entry.clone()])?;
            set.written.push(Written { asked, entry });
        }
        refusal.filter(|_| !is_accepted).map_or(Ok(()), Err)
    }

    fn note(&mut self, entries: Vec<Entry>) -> Result<(), Refused> {
        let Some(journal) = &mut self.journal else {
            return Ok(());
        };
        journal.add(entries).map_err(|error| no_journal(&reason(&error)))
    }

    /// Reads every knob back when it should be in effect, and adds a warning for each difference.
    fn read_back(&mut self) {
        let names: Vec<String> = self.set.iter().map(|set| set.found.knob.clone()).collect();
        for set in &mut self.set {
            set.found.during = set.now();
            let warning = set.rounded().or_else(|| set.overridden(&names));
            self.warnings.extend(warning.or_else(|| changed(set, &set.found.during, &self.root)));
        }
    }

    pub(crate) fn warnings(&mut self) -> Vec<Warning> {
        std::mem::take(&mut self.warnings)
    }

    /// Reads every knob back, and adds a warning if something else has changed it.
    pub(crate) fn read_at_end(&mut self) {
        for set in &mut self.set {
            set.found.at_end = set.now();
            if set.found.at_end != set.found.during {
                self.warnings.extend(changed(set, &set.found.at_end, &self.root));
            }
        }
    }

    /// Restores everything. Returns what was found for each knob, and warnings.
    pub(crate) fn give_back(mut self) -> (Vec<KnobFound>, Vec<Warning>) {
        // What the knobs held is dropped here.
        let set = std::mem::take(&mut self.set).into_iter();
        let mut found: Vec<KnobFound> = set.map(|set| set.found).collect();
        let back = self.give_all_back();
        for found in &mut found {
            let mut stays = back.refused.iter().chain(&back.changed);
            found.given_back = !stays.any(|settled| settled.knob == found.knob);
        }
        for Settled { knob, place, before, now: reason } in back.refused {
            self.warnings.push(Warning::KnobNotGivenBack { knob, place, before, reason });
        }
        self.warn_of_changed(back.changed, &found);
        (found, self.warnings())
    }

    /// Warns about changes since the end of the measurement; earlier ones have a warning already.
    fn warn_of_changed(&mut self, changed: Vec<Settled>, found: &[KnobFound]) {
        for settled in changed {
            let as_asked =
                |found: &&KnobFound| found.knob == settled.knob && found.at_end == found.asked;
            let known = knob::find(&settled.knob);
            if let (Some(found), Some(knob)) = (found.iter().find(as_asked), known) {
                self.warnings.push(Warning::KnobChanged {
                    by: rivals_of(knob, &self.root),
                    knob: settled.knob,
                    asked: found.asked.clone(),
                    found: settled.now,
                });
            }
        }
    }

    fn give_all_back(&mut self) -> KnobsBack {
        let journal = self.journal.take();
        journal.map_or_else(KnobsBack::default, |mut journal| give_back(&mut journal))
    }
}

impl Drop for Knobs {
    fn drop(&mut self) {
        self.give_all_back();
    }
}

impl Set {
    fn before_in_words(&self) -> String {
        let written = self.written.iter();
        let places: Vec<(&Place, String)> =
            written.map(|w| (&w.entry.place, w.entry.before.clone())).collect();
        match &self.held {
            Some(held) => held.before().to_owned(),
            None if places.is_empty() => self.found.asked.clone(),
            None => in_words(&places),
        }
    }

    /// Returns the requested value if every place has it, otherwise the places that do not.
    fn now(&mut self) -> String {
        if let Some(held) = &mut self.held {
            return held.read_back();
        }
        let now = self.written.iter().map(|written| (written, written.now()));
        let others = now.filter(|(written, now)| *now != written.asked);
        let others: Vec<(&Place, String)> = others.map(|(w, now)| (&w.entry.place, now)).collect();
        if others.is_empty() { self.found.asked.clone() } else { in_words(&others) }
    }

    /// Warns if a value was accepted but reads back as another one.
    fn rounded(&self) -> Option<Warning> {
        let is_other = |written: &&Written| written.entry.given.as_ref() != Some(&written.asked);
        let other = self.written.iter().find(is_other)?;
        Some(Warning::KnobDiffers {
            knob: self.found.knob.clone(),
            asked: other.asked.clone(),
            place: other.entry.place.to_string(),
            found: other.entry.given.clone()?,
        })
    }

    /// Warns if a value changed when other knobs of the run were written.
    fn overridden(&self, names: &[String]) -> Option<Warning> {
        let other = self.written.iter().find(|written| written.entry.overridden.is_some())?;
        let found = other.entry.overridden.clone()?;
        let others = names.iter().filter(|name| **name != self.found.knob);
        let by: Vec<String> = others.cloned().collect();
        let (knob, asked) = (self.found.knob.clone(), other.asked.clone());
        (!by.is_empty()).then_some(Warning::KnobOverridden { knob, asked, found, by })
    }
}

impl Written {
    /// Returns the current value, or why it cannot be read.
    fn now(&self) -> String {
        self.entry.place.read().unwrap_or_else(|error| reason(&error))
    }
}

/// Warns if a knob no longer has its requested value because something else has changed it.
fn changed(set: &Set, now: &str, root: &Path) -> Option<Warning> {
    (now != set.found.asked).then(|| Warning::KnobChanged {
        knob: set.found.knob.clone(),
        asked: set.found.asked.clone(),
        found: now.to_owned(),
        by: rivals_of(set.knob, root),
    })
}

fn rivals_of(knob: &Knob, root: &Path) -> Vec<String> {
    let running = Rivals::below(root).running.into_iter();
    let writes_it = |name: &String| knob.written_by.contains(&name.as_str());
    running.filter(writes_it).collect()
}

/// How long the guard of a killed run may take to restore.
const PATIENCE: Duration = Duration::from_secs(3);

/// Creates a journal for this run, after everything that an earlier run left is restored.
fn journal(directories: &[PathBuf]) -> Result<Journal<Entry>, Refused> {
    let create = || {
        let back = give_back_left_over_in(directories);
        if let Some(stuck) = back.refused.first() {
            return Some(Err(no_journal(&format!(
                "{} of an earlier run is not restored yet (run `steadfast knobs back`)",
                stuck.place
            ))));
        }
        Journal::create(directories, 0).ok().map(Ok)
    };
    wait_for(PATIENCE, Duration::from_millis(50), create).unwrap_or_else(|| {
        Journal::create(directories, 0).map_err(|error| no_journal(&reason(&error)))
    })
}

fn no_journal(why: &str) -> Refused {
    Refused::because(format!("its journal cannot be written: {why}"))
}

/// Returns the time until all knobs of an experiment have taken or lost effect.
fn longest_settling(asked: &Asked) -> Duration {
    let knobs = asked.tried.iter().filter_map(|tried| knob::find(&tried.knob));
    knobs.map(|knob| knob.settle).max().unwrap_or_default()
}
