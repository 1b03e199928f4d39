//! `steadfast lab compare`: the papers' comparison of systems, in virtual machines.

mod cells;
mod crew;
mod systems;
mod verify;

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Error, Result};
use lab::Qemu;
use plan::RunSpec;
use report::Standards;
use rt::topology;
use store::{Session, Store};
use target::TargetError;
use units::Nanos;

use crate::args::CompareArgs;
use crate::files::{make_directory, write_reports};
use crate::interrupt::Interrupt;
use crate::output::{print, tell};
use crate::session::validity;
use crate::{EXIT_INTERRUPTED, progress};
use cells::{Cell, cells};
use crew::Sitting;

pub(crate) use verify::verify;

/// Virtual time of the runs in each machine.
const WHOLE: Nanos = Nanos(60_000_000_000);
const QUICK: Nanos = Nanos(8_000_000_000);

/// Compares systems, stores every run, and writes the report.
pub(crate) fn compare(args: &CompareArgs) -> Result<ExitCode> {
    let qemu = Qemu::find()?;
    let systems = systems::systems(&args.systems)?;
    let cells = cells(&systems, if args.quick { QUICK } else { WHOLE })?;
    make_directory(&args.out)?;
    let mut store = Store::open(&args.out.join("results.db"))?;
    let session = session(&mut store, &cells, &qemu)?;
    let id = session.id;
    let interrupt = Interrupt::listen().context("signals cannot be listened to")?;
    let mut work = Work::new(&mut store, session, &cells);
    let left = work.left();
    let at_once = args
        .jobs
        .map_or_else(|| topology::usable().len(), usize::from);
    let mut keep_going = || !interrupt.is_wanted();
    crew::make(
        &left,
        at_once,
        &qemu,
        &mut keep_going,
        &mut |cell, sitting| work.keep(cell, sitting),
    )?;
    let trouble = work.finish()?;
    let outcomes = store.outcomes(id)?;
    write_reports(&args.out, &outcomes, &Standards::default())?;
    print(&report::terminal(&outcomes, &Standards::default()))?;
    print(&format!(
        "\nReport:  {}\n",
        args.out.join("report.html").display()
    ))?;
    match trouble {
        _ if interrupt.is_wanted() => Ok(ExitCode::from(EXIT_INTERRUPTED)),
        Some(error) => Err(error),
        None => Ok(validity(&outcomes)),
    }
}

/// The session that was interrupted, else a new one. Its title names what decides the
/// samples besides the runs.
fn session(store: &mut Store, cells: &[Cell], qemu: &Qemu) -> Result<Session> {
    let plan: Vec<RunSpec> = cells.iter().flat_map(|cell| cell.specs.clone()).collect();
    let mut words = vec![format!("lab compare, QEMU {}", qemu.version)];
    for cell in cells {
        let system = format!("{} {}", cell.system.name, cell.system.image_sha256);
        if !words.contains(&system) {
            words.push(system);
        }
    }
    let (title, machine) = (words.join(", "), runner::fingerprint());
    if let Some(session) = store.resumable(&title, &plan, &machine)? {
        let (done, all) = (session.done.len(), plan.len());
        tell(&format!(
            "Taking up the interrupted comparison: {done} of {all} runs are done."
        ));
        return Ok(session);
    }
    Ok(store.begin_session(&title, &plan, &machine)?)
}

/// The work that is left, and what came of it.
struct Work<'a> {
    store: &'a mut Store,
    session: Session,
    cells: &'a [Cell],
    started: Instant,
    done: usize,
    trouble: Option<Error>,
}

impl<'a> Work<'a> {
    fn new(store: &'a mut Store, session: Session, cells: &'a [Cell]) -> Self {
        Self {
            store,
            session,
            cells,
            started: Instant::now(),
            done: 0,
            trouble: None,
        }
    }

    /// Machines with a run that is not stored yet. They are made whole again: what a
    /// machine did before is part of what its next run finds.
    fn left(&self) -> Vec<&'a Cell> {
        let is_stored = |ordinal| self.session.done.contains(&ordinal);
        let cells = self.cells.iter();
        cells
            .filter(|cell| !cell.ordinals().all(is_stored))
            .collect()
    }

    fn keep(&mut self, cell: &Cell, sitting: Sitting) -> Result<()> {
        self.done += 1;
        match sitting {
            Ok(recordings) => {
                for (ordinal, recording) in cell.ordinals().zip(&recordings) {
                    if !self.session.done.contains(&ordinal) {
                        let outcome = probe::outcome(recording);
                        self.store.save(&self.session, ordinal, &outcome, &[])?;
                    }
                }
            }
            Err(TargetError::Interrupted) => return Ok(()),
            Err(TargetError::Failed(why)) => {
                let error =
                    Error::msg(why).context(format!("{}, load {}", cell.system.name, cell.load));
                tell(&format!("error: {error:#}"));
                self.trouble.get_or_insert(error);
            }
        }
        self.tell_progress(cell);
        Ok(())
    }

    fn tell_progress(&self, cell: &Cell) {
        let all = self.left().len();
        let each = self.started.elapsed() / self.done as u32;
        let left = each * (all - self.done) as u32;
        let left = progress::in_words(left);
        let (done, name, load) = (self.done, &cell.system.name, cell.load);
        tell(&format!("[{done}/{all}] {name}, load {load} ({left} left)"));
    }

    /// Ends the session where nothing is missing; else says what is.
    fn finish(self) -> Result<Option<Error>> {
        if self.trouble.is_none() && self.done == self.left().len() {
            self.store.finish_session(&self.session)?;
        }
        Ok(self.trouble)
    }
}
