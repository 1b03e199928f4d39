//! Selects which knobs an experiment tries, with which values.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use knob::{Knob, OnMachine, Present, Way};
use record::{KNOWN, RunSpec, SHAM};

use super::args::TryArgs;
use super::plan::Candidate;
use super::schedule::schedule;
use crate::options::place::Place;
use base::{Policy, counted};

const ROOT: &str = "/";
/// Prefix of a knob's name that is a word of a kernel's command line.
pub(super) const BOOT: &str = "boot:";
/// The knob that depends on the cores of the machine that plans.
const BY_CORES: &str = "empty_sibling";
const CONTROLS: [&str; 2] = [SHAM, KNOWN];

pub(super) struct Chosen {
    pub(super) candidates: Vec<Candidate>,
    pub(super) lines: Vec<String>,
    pub(super) passed: Vec<String>,
}

/// Returns the knobs that were named, or by default all with the allowed risk, with the sham and
/// the known disturbance.
///
/// # Errors
/// One line that names a knob which does not exist or cannot be set, with the remedy; or that no
/// knob is left.
pub(super) fn chosen(args: &TryArgs, subject: &RunSpec) -> Result<Chosen> {
    let mut chosen = Chosen { candidates: Vec::new(), lines: Vec::new(), passed: Vec::new() };
    let place = &args.place;
    let there = place.knobs()?;
    let mut slow = 0;
    match args.knobs.as_slice() {
        [] => {
            chosen.all(args, &there, subject);
            slow = chosen.pass_over_the_slow(args, subject);
        }
        named => named.iter().try_for_each(|typed| chosen.name(typed, place, &there, subject))?,
    }
    if chosen.candidates.is_empty() {
        if slow > 0 {
            bail!("--budget: too short to try any of {}; increase it", counted(slow, "knob"));
        }
        bail!("no knobs left to try: {}", chosen.passed.join("; "));
    }
    if matches!(subject.asked.policy, Policy::Deadline { .. } | Policy::Fifo(99) | Policy::Rr(99)) {
        bail!(
            "--of: no known disturbance can preempt a thread with policy {}, and without one \
             the experiment could claim nothing; use fifo:98 or lower",
            subject.asked.policy
        );
    }
    for name in CONTROLS {
        let control =
            there.find(name).with_context(|| format!("`{name}` does not exist on {place}"))?;
        if let Some(why) = &control.out_of_reach {
            bail!("cannot set `{name}`, which every experiment needs: {why}");
        }
        let value = control.to_try.clone().unwrap_or_default();
        chosen.add(control.knob, name, value);
    }
    Ok(chosen)
}

impl Chosen {
    fn all(&mut self, args: &TryArgs, there: &OnMachine, subject: &RunSpec) {
        for present in &there.knobs {
            let knob = present.knob;
            if CONTROLS.contains(&knob.name) {
                continue;
            }
            let usable = usable(present, subject).and_then(|value| not_as_advised(knob, value));
            match usable.and_then(|value| possible(knob, &args.place).map(|()| value)) {
                Ok(value) if args.risk.allows(knob.risk) => self.take(present, value),
                Ok(_) => self.passed.push(format!("{}: risk {}", present.name, knob.risk.name())),
                Err(why) => self.passed.push(format!("{}: {why}", present.name)),
            }
        }
    }

    /// If the knobs do not all fit the budget, leaves out those that act slowest; returns how many.
    fn pass_over_the_slow(&mut self, args: &TryArgs, subject: &RunSpec) -> usize {
        let before = self.candidates.len();
        let fits =
            |all: &Self| schedule(args, subject, all.candidates.len() + 1, all.settling()).is_ok();
        while !fits(self) && self.settling() > Duration::ZERO {
            let slowest = self.settling();
            let why = format!("takes {} s to act, too long for --budget", slowest.as_secs());
            for slow in self.candidates.extract_if(.., |one| one.settle == slowest) {
                self.passed.push(format!("{}: {why}", slow.name));
            }
        }
        let is_left = |line: &String| {
            self.candidates.iter().any(|one| line.starts_with(&format!("{}:", one.name)))
        };
        self.lines.retain(is_left);
        before - self.candidates.len()
    }

    pub(super) fn settling(&self) -> Duration {
        self.candidates.iter().map(|one| one.settle).max().unwrap_or_default()
    }

    fn name(
        &mut self,
        typed: &str,
        place: &Place,
        there: &OnMachine,
        subject: &RunSpec,
    ) -> Result<()> {
        let (name, value) = match typed.split_once('=') {
            Some((name, value)) if !name.starts_with(BOOT) => (name, Some(value.to_owned())),
            _ => (typed, None),
        };
        if CONTROLS.contains(&name) {
            bail!("`{name}` is part of every experiment; name others");
        }
        if self.candidates.iter().any(|one| one.name == name) {
            bail!("`{name}` is given twice; an experiment tries one value per knob");
        }
        if name.starts_with(BOOT) {
            return self.boot(name, place);
        }
        let Some(knob) = knob::find(name) else {
            let known = knob::KNOBS.iter().map(|knob| knob.name);
            bail!("unknown knob `{name}`; {}", base::expected_of(name, known, "steadfast knobs"));
        };
        possible(knob, place).map_err(|why| anyhow!("`{name}`: {why}"))?;
        if let (Some(value), Way::Flag(flag)) = (&value, &knob.way) {
            (flag.apply)(&mut subject.clone(), value).map_err(|why| anyhow!("`{name}`: {why}"))?;
            self.lines.push(format!("{name}: as in the run -> {value}"));
            self.add(knob, name, value.clone());
            return Ok(());
        }
        let mut unit = None;
        if let Way::Unit = knob.way {
            if *place != Place::Local {
                bail!("`{name}`: a systemd unit can be tried only on the machine itself");
            }
            unit = knob::present(Path::new(ROOT), name);
        }
        let present = there.find(name).or(unit.as_ref());
        let present = present.with_context(|| format!("`{name}` does not exist on {place}"))?;
        if let Some(why) = &present.out_of_reach {
            bail!("cannot set `{name}`: {why}");
        }
        let value = match value {
            Some(value) => value,
            None => usable(present, subject).map_err(|why| anyhow!("`{name}`: {why}"))?,
        };
        self.take(present, value);
        Ok(())
    }

    fn boot(&mut self, name: &str, place: &Place) -> Result<()> {
        if !matches!(place, Place::Vm(_)) {
            bail!(
                "`{name}` is set when a kernel boots; it can be tried only in the lab, with --target vm:KERNEL"
            );
        }
        self.lines.push(format!("{name}: boot with it"));
        let (name, value) = (name.to_owned(), "booted".to_owned());
        self.candidates.push(Candidate { name, value, flag: None, settle: Duration::ZERO });
        Ok(())
    }

    fn take(&mut self, present: &Present, value: String) {
        let others = match present.written_by.as_slice() {
            [] => String::new(),
            others => format!(" (also written by {})", others.join(", ")),
        };
        self.lines.push(format!("{}: {} -> {value}{others}", present.name, present.now));
        self.add(present.knob, &present.name, value);
    }

    fn add(&mut self, knob: &Knob, name: &str, value: String) {
        let (name, flag, settle) = (name.to_owned(), knob.flag(), knob.settle);
        self.candidates.push(Candidate { name, value, flag, settle });
    }
}

/// Returns why a knob cannot be tried from here, such as over a connection that it may cut.
fn possible(knob: &Knob, place: &Place) -> Result<(), String> {
    let why = match place {
        Place::Ssh(_) if knob.cuts_network => "may cut the connection to",
        Place::Ssh(_) | Place::Vm(_) if knob.name == BY_CORES => {
            "depends on the cores of this machine, not of"
        }
        _ => return Ok(()),
    };
    Err(format!("{why} {place}; try it on the machine itself"))
}

/// Leaves out a condition of the run that has its advised value already, unless it was named: half
/// of the runs with other knobs would be made without it.
fn not_as_advised(knob: &Knob, value: String) -> Result<String, String> {
    match &knob.way {
        Way::Flag(flag) if value != flag.advised => Err("the run has the advised value".to_owned()),
        _ => Ok(value),
    }
}

/// Returns the value of a knob to try, or why there is none.
fn usable(present: &Present, subject: &RunSpec) -> Result<String, String> {
    let (value, without) = match (&present.out_of_reach, present.knob.flag()) {
        (Some(why), _) => return Err(why.clone()),
        (None, Some(_)) => (present.knob.to_try_of(subject), "this run does not have it"),
        (None, None) => (present.to_try.clone(), "has the advised value already"),
    };
    value.ok_or_else(|| without.to_owned())
}
