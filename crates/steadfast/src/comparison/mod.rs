//! `steadfast lab compare`: the papers' comparison of systems, in virtual machines.

mod cells;
mod crew;
mod systems;
mod verify;

use std::fs::File;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Error, Result, bail};
use lab::freertos::EMULATOR;
use lab::{Kernel, Qemu};
use plan::RunSpec;
use report::{Comparison, Standards};
use rt::topology;
use sha2::{Digest, Sha256};
use store::{Session, Store};
use target::{Made, TargetError, Vm};
use units::Nanos;

use crate::args::CompareArgs;
use crate::command::freertos_times;
use crate::files::{make_directory, write_report};
use crate::interrupt::Interrupt;
use crate::output::{print, tell};
use crate::session::{take_up, validity};
use crate::{EXIT_INTERRUPTED, progress};
use cells::{Cell, cells};
use crew::Sitting;

pub(crate) use verify::verify;

/// Virtual time of the runs in each machine.
const WHOLE: Nanos = Nanos(60_000_000_000);
const QUICK: Nanos = Nanos(10_000_000_000);

/// Compares systems, stores every run, and writes the report.
pub(crate) fn compare(args: &CompareArgs) -> Result<ExitCode> {
    let qemu = Qemu::find()?;
    let systems = systems::systems(&args.systems)?;
    let cells = cells(&systems, if args.quick { QUICK } else { WHOLE })?;
    let freertos = args.freertos.as_deref();
    let freertos = freertos
        .map(|firmware| freertos_times(EMULATOR.as_ref(), firmware))
        .transpose()?;
    make_directory(&args.out)?;
    let mut store = Store::open(&args.out.join("results.db"))?;
    let _alone = alone_in(&args.out)?;
    let plan: Vec<RunSpec> = cells.iter().flat_map(|cell| cell.specs.clone()).collect();
    let session = take_up(
        &mut store,
        &title(&systems, &qemu)?,
        &plan,
        &runner::fingerprint(),
    )?;
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
    let standards = Standards::default();
    let comparison = Comparison::of_kernels(&outcomes, &standards).with_apart(freertos.as_ref());
    write_report(
        &args.out,
        &report::comparison_json_with_runs(&comparison),
        &report::comparison_html(&comparison),
    )?;
    print(&report::comparison_terminal(&comparison))?;
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

/// The title of the session: the systems, and one hash over all that decides their samples
/// besides the runs.
fn title(systems: &[Kernel], qemu: &Qemu) -> Result<String> {
    let mut setups = Sha256::new();
    for system in systems {
        setups.update(Vm::new(qemu.clone(), system.clone()).setup()?);
    }
    let names: Vec<&str> = systems.iter().map(|system| &*system.name).collect();
    let setups = setups.finalize();
    let setups: String = setups[..8].iter().map(|b| format!("{b:02x}")).collect();
    Ok(format!("lab compare {} ({setups})", names.join(" ")))
}

/// Keeps another process from working on the same comparison, for as long as it lives.
fn alone_in(out: &Path) -> Result<File> {
    let path = out.join("results.db");
    let file = File::open(&path).with_context(|| path.display().to_string())?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(_) => bail!(
            "{} belongs to a comparison that is under way; wait for it, or name another --out",
            path.display()
        ),
    }
}

/// The work that is left, and what came of it.
struct Work<'a> {
    store: &'a mut Store,
    session: Session,
    cells: &'a [Cell],
    started: Instant,
    /// Machines that were left when this began, and how many are made since.
    left: usize,
    made: usize,
    trouble: Option<Error>,
}

impl<'a> Work<'a> {
    fn new(store: &'a mut Store, session: Session, cells: &'a [Cell]) -> Self {
        let mut work = Self {
            store,
            session,
            cells,
            started: Instant::now(),
            left: 0,
            made: 0,
            trouble: None,
        };
        work.left = work.left().len();
        work
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
        match sitting {
            Ok(all) => {
                self.made += 1;
                for (place, made) in all.iter().enumerate() {
                    self.keep_run(cell, place, made)?;
                }
                self.tell_progress(cell);
            }
            Err(TargetError::Interrupted) => {}
            Err(why) => {
                let error = Error::new(why).context(format!("load {}", cell.load));
                tell(&format!("error: {error:#}"));
                self.trouble.get_or_insert(error);
            }
        }
        Ok(())
    }

    /// A run that a system cannot make, for want of a device, is told and left out.
    fn keep_run(&mut self, cell: &Cell, place: usize, made: &Made) -> Result<()> {
        let ordinal = cell.first + place;
        match made {
            Ok(_) if self.session.done.contains(&ordinal) => {}
            Ok(recording) => {
                let outcome = probe::outcome(recording);
                self.store.save(&self.session, ordinal, &outcome, &[])?;
            }
            Err(why) => {
                let (system, run) = (&cell.system.name, cell.specs[place].title());
                tell(&format!("Left out on {system}: {run}: {why}"));
            }
        }
        Ok(())
    }

    fn tell_progress(&self, cell: &Cell) {
        let (made, all) = (self.made, self.left);
        let each = self.started.elapsed() / made as u32;
        let left = progress::in_words(each * (all - made) as u32);
        let (name, load) = (&cell.system.name, cell.load);
        tell(&format!("[{made}/{all}] {name}, load {load} ({left} left)"));
    }

    /// Ends the session where every machine was made; else says why not.
    fn finish(self) -> Result<Option<Error>> {
        if self.made == self.left {
            self.store.finish_session(&self.session)?;
        }
        Ok(self.trouble)
    }
}
