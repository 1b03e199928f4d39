//! Machines at work side by side: as many as the host has CPUs for.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use lab::Qemu;
use plan::Recording;
use target::{TargetError, Vm};

use super::cells::Cell;

/// How often the person is asked whether to go on.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// What came of a machine's runs, in the order of its list.
pub(super) type Sitting = Result<Vec<Recording>, TargetError>;

/// Has all cells made, so many at a time; `each` is given what came of each, on the
/// calling thread. An error of `each` ends the work. `keep_going` is asked several times
/// a second.
pub(super) fn make<E>(
    cells: &[&Cell],
    at_once: usize,
    qemu: &Qemu,
    keep_going: &mut dyn FnMut() -> bool,
    each: &mut dyn FnMut(&Cell, Sitting) -> Result<(), E>,
) -> Result<(), E> {
    let queue = Mutex::new(cells.iter());
    let stop = AtomicBool::new(false);
    let (tell, told) = channel();
    thread::scope(|scope| {
        for _ in 0..at_once {
            let (tell, queue, stop) = (tell.clone(), &queue, &stop);
            scope.spawn(move || {
                while let Some(cell) = next(queue, stop) {
                    // Nobody listens once the work is ended.
                    let _ = tell.send((cell, sitting(cell, qemu, stop)));
                }
            });
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

fn hear<E>(
    told: &Receiver<(&Cell, Sitting)>,
    stop: &AtomicBool,
    keep_going: &mut dyn FnMut() -> bool,
    each: &mut dyn FnMut(&Cell, Sitting) -> Result<(), E>,
) -> Result<(), E> {
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
    let mut recordings = Vec::new();
    let mut first_failure = None;
    let mut keep_going = || !stop.load(Ordering::Relaxed);
    let vm = Vm::new(qemu.clone(), cell.system.clone());
    vm.sitting(
        &cell.specs,
        &mut keep_going,
        &mut |number, made| match made {
            Ok(recording) => recordings.push(recording),
            Err(why) => {
                let title = cell.specs[number].title();
                first_failure.get_or_insert(format!("{title}: {why}"));
            }
        },
    )?;
    match first_failure {
        None => Ok(recordings),
        Some(why) => Err(TargetError::Failed(why)),
    }
}
