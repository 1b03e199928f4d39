//! Runs virtual machines at the same time, as many as the host has CPUs for.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Error, Result};
use place::{Made, TargetError};

use super::cells::Cell;
use crate::session::driver::{Carrier, Due, Trouble, Work};
use crate::session::progress::{in_words, say};
use crate::startup::output::tell;

/// How often to check whether the user wants to stop.
const LOOK_EVERY: Duration = Duration::from_millis(100);

type Sitting = Result<Vec<Made>, TargetError>;

pub(crate) struct Machines<'a> {
    pub(crate) cells: &'a [Cell],
    pub(crate) at_once: usize,
}

impl Carrier for Machines<'_> {
    fn at_once(&self) -> usize {
        usize::MAX
    }

    /// Runs the machines that contain these runs. Each machine makes all of its runs, because what
    /// it did before is part of what its next run finds.
    fn carry(&mut self, due: &[Due], work: &mut Work<'_>) -> Result<(), Trouble> {
        let is_due = |cell: &&Cell| due.iter().any(|due| cell.ordinals().contains(&due.ordinal));
        let cells: Vec<&Cell> = self.cells.iter().filter(is_due).collect();
        let (queue, stop) = (Mutex::new(cells.iter()), AtomicBool::new(false));
        let (results, finished) = channel();
        thread::scope(|scope| {
            for _ in 0..self.at_once.min(cells.len()) {
                let (results, queue, stop) = (results.clone(), &queue, &stop);
                let run = move || {
                    while let Some(cell) = next(queue, stop) {
                        // The receiver is gone once the work has ended.
                        let _ = results.send((cell, sitting(cell, stop)));
                    }
                };
                if let Err(error) = thread::Builder::new().spawn_scoped(scope, run) {
                    stop.store(true, Ordering::Relaxed);
                    let why = "--jobs: cannot start so many machines; choose fewer";
                    return Err(Trouble::NotMade(Error::new(error).context(why)));
                }
            }
            drop(results);
            let done = gather(&finished, cells.len(), due, &stop, work);
            stop.store(true, Ordering::Relaxed);
            done
        })?;
        if work.goes_on() { Ok(()) } else { Err(Trouble::Interrupted) }
    }
}

fn next<'a>(queue: &Mutex<std::slice::Iter<'_, &'a Cell>>, stop: &AtomicBool) -> Option<&'a Cell> {
    let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
    if stop.load(Ordering::Relaxed) { None } else { queue.next().copied() }
}

/// Takes what the machines have made, until all `all` have ended.
fn gather(
    finished: &Receiver<(&Cell, Sitting)>,
    all: usize,
    due: &[Due],
    stop: &AtomicBool,
    work: &mut Work<'_>,
) -> Result<(), Trouble> {
    let (started, mut made) = (Instant::now(), 0);
    loop {
        match finished.recv_timeout(LOOK_EVERY) {
            Ok((cell, Ok(runs))) => {
                hand_over(cell, &runs, due, work)?;
                made += 1;
                let left = started.elapsed() / made as u32 * (all - made) as u32;
                let left =
                    if made < all { format!(" ({} left)", in_words(left)) } else { String::new() };
                let (name, what) = (cell.name(), &cell.what);
                say(&format!("[{made}/{all}] {name}, {what}{left}"));
            }
            Ok((_, Err(TargetError::Interrupted))) | Err(RecvTimeoutError::Timeout) => {}
            Ok((cell, Err(why))) => work.not_made(Error::new(why).context(cell.what.clone())),
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        if !work.goes_on() {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

/// Hands over the results that were due, and reports runs that a system without a device lacks.
fn hand_over(cell: &Cell, all: &[Made], due: &[Due], work: &mut Work<'_>) -> Result<(), Trouble> {
    for (ordinal, made) in cell.ordinals().zip(all) {
        let due = due.iter().find(|due| due.ordinal == ordinal);
        match (made, due) {
            (Ok(arrived), Some(due)) => work.came(due, arrived)?,
            (Ok(_), None) => {}
            (Err(why), _) => {
                let (system, spec) = (cell.name(), &cell.specs[ordinal - cell.first]);
                let run = spec.title();
                tell(&format!("Left out on {system}: {run}: {why}"));
            }
        }
    }
    Ok(())
}

fn sitting(cell: &Cell, stop: &AtomicBool) -> Sitting {
    let mut all = Vec::new();
    let mut keep_going = || !stop.load(Ordering::Relaxed);
    let vm = cell.system.clone().drawn(cell.draw);
    vm.sitting(&cell.specs, &mut keep_going, &mut |_, made| all.push(made))?;
    Ok(all)
}
