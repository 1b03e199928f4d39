//! The functions that a model may call while it is being called: its logger, FMI 2.0's memory
//! functions, FMI 3.0's locks.

use std::cell::UnsafeCell;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::words::Status;
use crate::lock::{Lock, LockKind};

/// The number of log lines whose text is kept.
const LINES: usize = 16;
/// The number of bytes kept per log line.
const BYTES: usize = 240;

/// The log lines and clock updates of an instance, counted without allocating. It exists until the
/// process ends, since a model's threads may continue after the instance is gone.
#[derive(Debug, Default)]
pub(super) struct Environment {
    /// How often the model called its logger.
    pub(super) lines: AtomicU64,
    /// How often the model reported that its clocks have changed.
    pub(super) clock_updates: AtomicU64,
    kept: [Slot; LINES],
}

/// A log line that was kept; only the call that took its number writes it, once.
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

// SAFETY: only the thread that took the line's number writes it, before `is_written`; it is read
// only after that.
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
    /// Its text, as passed to the logger: with FMI 2.0, with placeholders instead of the arguments.
    /// Long lines are cut, and invalid UTF-8 is replaced.
    pub text: String,
}

impl Environment {
    /// Creates an environment that is never freed.
    pub(super) fn leaked() -> &'static Self {
        Box::leak(Box::default())
    }

    /// Returns the first lines.
    pub(super) fn kept(&self) -> Vec<Line> {
        let written = |slot: &&Slot| slot.is_written.load(Ordering::Acquire);
        let line = |slot: &Slot| {
            // SAFETY: the line was written before `is_written`, and is not written again.
            let raw = unsafe { *slot.line.get() };
            Line {
                status: Status::of(raw.status),
                text: String::from_utf8_lossy(&raw.text[..raw.length]).into_owned(),
            }
        };
        self.kept.iter().filter(written).map(line).collect()
    }

    /// # Safety
    /// `text` must be null or a C string.
    unsafe fn log(&self, status: c_int, text: *const c_char) {
        let number = self.lines.fetch_add(1, Ordering::Relaxed);
        let slot = usize::try_from(number).ok().and_then(|at| self.kept.get(at));
        let Some(slot) = slot else { return };
        // SAFETY: the caller guarantees it.
        let bytes = if text.is_null() { &[] } else { unsafe { CStr::from_ptr(text) }.to_bytes() };
        let length = bytes.len().min(BYTES);
        // SAFETY: the number was given to this call only.
        let line = unsafe { &mut *slot.line.get() };
        line.status = status;
        line.length = length;
        line.text[..length].copy_from_slice(&bytes[..length]);
        slot.is_written.store(true, Ordering::Release);
    }
}

/// FMI 2.0's logger, which is variadic in C. The arguments after the message are not read, and
/// stable Rust has no way to read them: with the ABIs of Linux, a caller passes the fixed arguments
/// in the same registers either way, and removes from the stack what it has put there.
pub(super) unsafe extern "C" fn log_two(
    to: *mut c_void,
    _name: *const c_char,
    status: c_int,
    category: *const c_char,
    message: *const c_char,
) {
    // SAFETY: the model passes what FMI 3.0's logger takes as well.
    unsafe { log_three(to, status, category, message) }
}

/// FMI 3.0's logger.
pub(super) unsafe extern "C" fn log_three(
    to: *mut c_void,
    status: c_int,
    _category: *const c_char,
    message: *const c_char,
) {
    // SAFETY: the model passes back the environment, which is never freed, and a string.
    unsafe {
        if let Some(environment) = to.cast::<Environment>().as_ref() {
            environment.log(status, message);
        }
    }
}

static ALLOCATED: AtomicU64 = AtomicU64::new(0);
static FREED: AtomicU64 = AtomicU64::new(0);

/// How often models of this process requested memory through FMI 2.0's functions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Allocations {
    /// Calls that allocated memory.
    pub allocated: u64,
    /// Calls that freed memory.
    pub freed: u64,
}

/// Returns the counts of all instances of this process up to now: the callbacks of FMI 2.0 (section
/// 2.1.5) do not learn for which instance they are called.
#[must_use]
pub fn allocations() -> Allocations {
    Allocations {
        allocated: ALLOCATED.load(Ordering::Relaxed),
        freed: FREED.load(Ordering::Relaxed),
    }
}

pub(super) unsafe extern "C" fn allocate(count: usize, size: usize) -> *mut c_void {
    ALLOCATED.fetch_add(1, Ordering::Relaxed);
    // SAFETY: calloc(3) accepts any numbers.
    unsafe { libc::calloc(count, size) }
}

pub(super) unsafe extern "C" fn give_back(memory: *mut c_void) {
    FREED.fetch_add(1, Ordering::Relaxed);
    // SAFETY: the pointer is null, or came from `allocate` and is freed once.
    unsafe { libc::free(memory) };
}

/// FMI 3.0's clock update callback (section 5.2.2); it only counts.
pub(super) unsafe extern "C" fn clock_update(to: *mut c_void) {
    // SAFETY: the model passes back the environment, which is never freed.
    if let Some(environment) = unsafe { to.cast::<Environment>().as_ref() } {
        environment.clock_updates.fetch_add(1, Ordering::Relaxed);
    }
}

/// The lock between the partitions of Scheduled Execution: FMI 3.0 (section 5.2.1) passes no
/// argument to its callbacks, so there is one lock for the process.
static PREEMPTION: OnceLock<Box<dyn Lock>> = OnceLock::new();

/// Creates the lock in advance, so that no partition has to.
///
/// # Errors
/// Fails if this C library has no mutex with priority inheritance.
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

/// Waits while a partition keeps others from preempting it. That partition inherits the waiting
/// thread's priority, so that the wait is as short as possible.
pub(super) fn pass_preemption() {
    lock_preemption();
    unlock_preemption();
}
