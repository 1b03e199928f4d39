//! What a model may call while it is called: its logger, FMI 2.0's memory, FMI 3.0's locks.

use std::cell::UnsafeCell;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::words::Status;
use crate::lock::{Lock, LockKind};

/// Log lines of which the text is kept.
const LINES: usize = 16;
/// Bytes of a log line that are kept.
const BYTES: usize = 240;

/// What an instance says and asks for, counted without allocating. It stays until the process
/// ends, since a model's threads may go on after the instance is gone.
#[derive(Debug, Default)]
pub(super) struct Environment {
    lines: AtomicU64,
    clock_updates: AtomicU64,
    kept: [Slot; LINES],
}

/// A log line that was kept; whoever takes its number writes it, once.
#[derive(Debug)]
struct Slot {
    is_written: AtomicBool,
    line: UnsafeCell<Raw>,
}

#[derive(Debug, Clone, Copy)]
struct Raw {
    status: c_int,
    length: usize,
    text: [u8; BYTES],
}

// SAFETY: the line is written by the one thread that took its number, before `is_written`; it is
// read after that alone.
unsafe impl Sync for Slot {}

impl Default for Slot {
    fn default() -> Self {
        let line = Raw { status: 0, length: 0, text: [0; BYTES] };
        Self { is_written: AtomicBool::new(false), line: UnsafeCell::new(line) }
    }
}

/// A line of a model's log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The status that the model gave it.
    pub status: Status,
    /// Its text, as it was given to the logger: FMI 2.0's with the places of its arguments. Long
    /// ones are cut, and what is not UTF-8 is replaced.
    pub text: String,
}

impl Environment {
    /// One that stays.
    pub(super) fn leaked() -> &'static Self {
        Box::leak(Box::default())
    }

    /// How often the model called its logger.
    pub(super) fn lines(&self) -> u64 {
        self.lines.load(Ordering::Relaxed)
    }

    /// How often the model said that its clocks have changed.
    pub(super) fn clock_updates(&self) -> u64 {
        self.clock_updates.load(Ordering::Relaxed)
    }

    /// The first lines.
    pub(super) fn kept(&self) -> Vec<Line> {
        let written = |slot: &&Slot| slot.is_written.load(Ordering::Acquire);
        let line = |slot: &Slot| {
            // SAFETY: it was written before `is_written`, and is not written again.
            let raw = unsafe { *slot.line.get() };
            Line {
                status: Status::of(raw.status),
                text: String::from_utf8_lossy(&raw.text[..raw.length]).into_owned(),
            }
        };
        self.kept.iter().filter(written).map(line).collect()
    }

    /// Notes a line.
    ///
    /// # Safety
    /// `text` must be null or a string.
    unsafe fn log(&self, status: c_int, text: *const c_char) {
        let number = self.lines.fetch_add(1, Ordering::Relaxed);
        let slot = usize::try_from(number).ok().and_then(|at| self.kept.get(at));
        let Some(slot) = slot else { return };
        let bytes = match text.is_null() {
            true => &[],
            // SAFETY: the caller's.
            false => unsafe { CStr::from_ptr(text) }.to_bytes(),
        };
        let length = bytes.len().min(BYTES);
        // SAFETY: the number was given to this call alone.
        let line = unsafe { &mut *slot.line.get() };
        line.status = status;
        line.length = length;
        line.text[..length].copy_from_slice(&bytes[..length]);
        slot.is_written.store(true, Ordering::Release);
    }
}

/// The environment that a model hands back.
///
/// # Safety
/// The pointer must be null or come from [`Environment::leaked`].
unsafe fn environment<'a>(pointer: *mut c_void) -> Option<&'a Environment> {
    // SAFETY: the caller's; environments stay.
    unsafe { pointer.cast::<Environment>().as_ref() }
}

/// FMI 2.0's logger, which is variadic in C. The arguments behind the message are not read, and
/// stable Rust has no way to: on the ABIs of Linux a caller passes the fixed ones in the same
/// registers either way, and removes what it has put on the stack itself.
pub(super) unsafe extern "C" fn log_two(
    to: *mut c_void,
    _name: *const c_char,
    status: c_int,
    _category: *const c_char,
    message: *const c_char,
) {
    // SAFETY: the model hands back what it was given, and a string.
    unsafe {
        if let Some(environment) = environment(to) {
            environment.log(status, message);
        }
    }
}

/// FMI 3.0's logger.
pub(super) unsafe extern "C" fn log_three(
    to: *mut c_void,
    status: c_int,
    _category: *const c_char,
    message: *const c_char,
) {
    // SAFETY: the model hands back what it was given, and a string.
    unsafe {
        if let Some(environment) = environment(to) {
            environment.log(status, message);
        }
    }
}

static ALLOCATED: AtomicU64 = AtomicU64::new(0);
static FREED: AtomicU64 = AtomicU64::new(0);

/// How often models of this process asked for memory in FMI 2.0's own way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Allocations {
    /// Calls that asked for some.
    pub allocated: u64,
    /// Calls that gave some back.
    pub freed: u64,
}

/// What all instances of this process asked for up to now: the callbacks of FMI 2.0 (section
/// 2.1.5) are not told for which instance they are called.
#[must_use]
pub fn allocations() -> Allocations {
    Allocations {
        allocated: ALLOCATED.load(Ordering::Relaxed),
        freed: FREED.load(Ordering::Relaxed),
    }
}

pub(super) unsafe extern "C" fn allocate(count: usize, size: usize) -> *mut c_void {
    ALLOCATED.fetch_add(1, Ordering::Relaxed);
    // SAFETY: calloc(3) takes any numbers.
    unsafe { libc::calloc(count, size) }
}

pub(super) unsafe extern "C" fn give_back(memory: *mut c_void) {
    FREED.fetch_add(1, Ordering::Relaxed);
    // SAFETY: null, or what the model got from `allocate` and gives back once.
    unsafe { libc::free(memory) };
}

/// FMI 3.0's clock update (section 5.2.2), which is counted.
pub(super) unsafe extern "C" fn clock_update(to: *mut c_void) {
    // SAFETY: the model hands back what it was given.
    if let Some(environment) = unsafe { environment(to) } {
        environment.clock_updates.fetch_add(1, Ordering::Relaxed);
    }
}

/// The lock between the partitions of Scheduled Execution: FMI 3.0 (section 5.2.1) tells its
/// callbacks nothing, so that there is one for the process.
static PREEMPTION: OnceLock<Box<dyn Lock>> = OnceLock::new();

/// Makes the lock, so that no partition has to.
///
/// # Errors
/// Where this C library has no mutex with priority inheritance.
pub(super) fn prepare_preemption() -> std::io::Result<()> {
    if PREEMPTION.get().is_none() {
        let _ = PREEMPTION.set(LockKind::MutexInherit.create(0)?);
    }
    Ok(())
}

pub(super) extern "C" fn lock_preemption() {
    if let Some(lock) = PREEMPTION.get() {
        lock.lock(u64::MAX);
    }
}

pub(super) extern "C" fn unlock_preemption() {
    if let Some(lock) = PREEMPTION.get() {
        lock.unlock();
    }
}

/// Waits while a partition keeps others from preempting it. Its priority is inherited meanwhile,
/// so that it is over as soon as can be.
pub(super) fn pass_preemption() {
    lock_preemption();
    unlock_preemption();
}
