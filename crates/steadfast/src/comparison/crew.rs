//! Machines at work side by side: as many as the host has CPUs for.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Error, Result};
use lab::Qemu;
use target::{Made, TargetError, Vm};

use super::cells::Cell;

/// How often the person is asked whether to go on.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// What came of a machine's runs, in the order of its list.
pub(super) type Sitting = Result<Vec<Made>, TargetError>;

/// Has all cells made, so many at a time; `each` is given what came of each, on the
/// calling thread. An error of `each` ends the work. `keep_going` is asked several times
/// a second.
pub(super) fn make(
    cells: &[&Cell],
    at_once: usize,
    qemu: &Qemu,
    keep_going: &mut dyn FnMut() -> bool,
    each: &mut dyn FnMut(&Cell, Sitting) -> Result<()>,
) -> Result<()> {
    let queue = Mutex::new(cells.iter());
    let stop = AtomicBool::new(false);
    let (tell, told) = channel();
    thread::scope(|scope| {
        for _ in 0..at_once.min(cells.len()) {
            let (tell, queue, stop) = (tell.clone(), &queue, &stop);
            let work = move || {
                while let Some(cell) = next(queue, stop) {
                    // Nobody listens once the work is ended.
                    let _ = tell.send((cell, sitting(cell, qemu, stop)));
                }
            };
            let started = thread::Builder::new().spawn_scoped(scope, work);
            if let Err(error) = started {
                stop.store(true, Ordering::Relaxed);
                return Err(Error::new(error).context("--jobs: no more machines can be started"));
            }
        }
        drop(tell);
        let done = hear(&told, &stop, keep_going, each);
        stop.store(true, Ordering::Relaxed);
        done
    })
}

fn next<'a>(queue: &Mutex<std::slice::Iter<'_, &'a Cell>>, stop: &AtomicBool) -> Option<&'a Cell> {
    let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
    match stop.load(Ordering::Relaxed) {
        true => None,
        false => queue.next().copied(),
    }
}

fn hear(
    told: &Receiver<(&Cell, Sitting)>,
    stop: &AtomicBool,
    keep_going: &mut dyn FnMut() -> bool,
    each: &mut dyn FnMut(&Cell, Sitting) -> Result<()>,
) -> Result<()> {
    loop {
        match told.recv_timeout(LOOK_EVERY) {
            Ok((cell, sitting)) => each(cell, sitting)?,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        if !keep_going() {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

fn sitting(cell: &Cell, qemu: &Qemu, stop: &AtomicBool) -> Sitting {
    let mut all = Vec::new();
    let mut keep_going = || !stop.load(Ordering::Relaxed);
    let vm = Vm::new(qemu.clone(), cell.system.clone());
    vm.sitting(&cell.specs, &mut keep_going, &mut |_, made| all.push(made))?;
    Ok(all)
}
