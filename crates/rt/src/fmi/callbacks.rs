//! The functions that a model may call while it is being called: its logger, FMI 2.0's memory
//! functions, FMI 3.0's locks.

use std::cell::UnsafeCell;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::words::Status;
use crate::lock::{Lock, LockKind};

/// The number of last log lines whose text is kept.
const LINES: usize = 16;
/// The number of bytes kept per log line.
pub(super) const BYTES: usize = 240;

/// The log lines and clock updates of an instance, counted without allocating. It exists until the
/// process ends, since a model's threads may continue after the instance is gone.
#[derive(Debug, Default)]
pub(super) struct Environment {
    /// The name of the instance.
    name: String,
    /// How often the model called its logger.
    pub(super) lines: AtomicU64,
    /// How often the model reported that its clocks have changed.
    pub(super) clock_updates: AtomicU64,
    /// How many of the lines were printed.
    printed: AtomicU64,
    kept: [Slot; LINES],
}

/// A place for every sixteenth log line. Whoever takes it reads or writes the line.
#[derive(Debug)]
struct Slot {
    is_taken: AtomicBool,
    line: UnsafeCell<Raw>,
}

#[derive(Debug, Clone, Copy)]
struct Raw {
    /// The number of the line, the first being 1; 0 if there is none.
    number: u64,
    status: c_int,
    length: usize,
    text: [u8; BYTES],
}

// SAFETY: only the thread that has taken the slot accesses the line.
unsafe impl Sync for Slot {}

impl Slot {
    /// Accesses the line, unless another thread does so at this moment: nothing ever waits.
    fn with<T>(&self, access: impl FnOnce(&mut Raw) -> T) -> Option<T> {
        if self.is_taken.swap(true, Ordering::Acquire) {
            return None;
        }
        // SAFETY: the slot was free, and is now taken by this call.
        let accessed = access(unsafe { &mut *self.line.get() });
        self.is_taken.store(false, Ordering::Release);
        Some(accessed)
    }
}

impl Default for Slot {
    fn default() -> Self {
        let line = Raw { number: 0, status: 0, length: 0, text: [0; BYTES] };
        Self { is_taken: AtomicBool::new(false), line: UnsafeCell::new(line) }
    }
}

/// A line of a model's log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its number among the lines of its instance, the first being 1.
    pub number: u64,
    /// The status that the model gave it.
    pub status: Status,
    /// Its text. Long lines are cut, and invalid UTF-8 is replaced.
    pub text: String,
}

impl Environment {
    /// Creates an environment, of the instance of that name, that is never freed.
    pub(super) fn leaked(name: &str) -> &'static Self {
        let environment = Self { name: name.to_owned(), ..Self::default() };
        let environment: &'static Self = Box::leak(Box::new(environment));
        all().push(environment);
        environment
    }

    /// Returns the last lines.
    pub(super) fn kept(&self) -> Vec<Line> {
        let raw = self.kept.iter().filter_map(|slot| slot.with(|raw| *raw));
        let line = |raw: Raw| Line {
            number: raw.number,
            status: Status::of(raw.status),
            text: String::from_utf8_lossy(&raw.text[..raw.length]).into_owned(),
        };
        let mut lines: Vec<Line> = raw.filter(|raw| raw.number > 0).map(line).collect();
        lines.sort_by_key(|line| line.number);
        lines
    }

    /// Writes the kept lines that were not printed before, with the name of the instance if there are
    /// several; allocates nothing.
    fn print(&self, is_only: bool, to: &mut impl Write) {
        let all = self.lines.load(Ordering::Relaxed);
        let printed = self.printed.swap(all, Ordering::Relaxed);
        let left_out = (all - printed).saturating_sub(LINES as u64);
        let (of, name) = if is_only { ("", "") } else { (" of ", self.name.as_str()) };
        if left_out > 0 {
            // Without a reader, nobody misses it.
            let _ = writeln!(to, "log{of}{name}: {left_out} earlier lines are not kept");
        }
        for number in printed + left_out..all {
            self.kept[(number % LINES as u64) as usize].with(|line| {
                if line.number == number + 1 {
                    let _ = write!(to, "log{of}{name} ({}): ", Status::of(line.status).name());
                    let _ = to.write_all(line.text[..line.length].trim_ascii_end());
                    let _ = to.write_all(b"\n");
                }
            });
        }
    }

    fn log(&self, status: c_int, text: &[u8]) {
        let number = self.lines.fetch_add(1, Ordering::Relaxed);
        let slot = &self.kept[(number % LINES as u64) as usize];
        let length = text.len().min(BYTES);
        slot.with(|line| {
            (line.number, line.status, line.length) = (number + 1, status, length);
            line.text[..length].copy_from_slice(&text[..length]);
        });
    }
}

/// The environments of all instances of this process.
static ALL: Mutex<Vec<&'static Environment>> = Mutex::new(Vec::new());

fn all() -> MutexGuard<'static, Vec<&'static Environment>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Prints what the models of this process have logged since the last call to standard error: the last
/// lines of each, with the status that the model gave them.
pub fn print_logs() {
    let mut text = Vec::new();
    print_all(&all(), &mut text);
    let _ = io::stderr().write_all(&text);
}

/// Does the same where a signal has interrupted the process anywhere: neither allocates nor waits.
pub(crate) fn print_logs_after_crash() {
    struct Unbuffered;

    impl Write for Unbuffered {
        fn write(&mut self, text: &[u8]) -> io::Result<usize> {
            Ok(rustix::io::write(rustix::stdio::stderr(), text)?)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    if let Ok(all) = ALL.try_lock() {
        print_all(&all, &mut Unbuffered);
    }
}

fn print_all(all: &[&Environment], to: &mut impl Write) {
    all.iter().for_each(|environment| environment.print(all.len() == 1, to));
}

/// FMI 3.0's logger.
pub(super) unsafe extern "C" fn log_three(
    to: *mut c_void,
    status: c_int,
    _category: *const c_char,
    message: *const c_char,
) {
    // SAFETY: the model passes back the environment, and a string.
    unsafe {
        let text = if message.is_null() { &[] } else { CStr::from_ptr(message).to_bytes() };
        log_text(to, status, text);
    }
}

/// # Safety
/// `to` must be null or an environment, which is never freed.
pub(super) unsafe fn log_text(to: *mut c_void, status: c_int, text: &[u8]) {
    // SAFETY: the caller guarantees it.
    if let Some(environment) = unsafe { to.cast::<Environment>().as_ref() } {
        environment.log(status, text);
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
pub(super) fn prepare_preemption() -> io::Result<()> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_printed_once() {
        let environment = Environment { name: "plant 2".to_owned(), ..Environment::default() };
        let printed = |is_only| {
            let mut text = Vec::new();
            environment.print(is_only, &mut text);
            String::from_utf8(text).unwrap()
        };
        (0..20).for_each(|_| environment.log(3, b"a step\n"));
        let lines = "log (Error): a step\n".repeat(LINES);
        assert_eq!(printed(true), format!("log: 4 earlier lines are not kept\n{lines}"));
        environment.log(1, b"step 7");
        assert_eq!(printed(true), "log (Warning): step 7\n");
        assert_eq!(printed(true), "");
        environment.log(1, b"step 8");
        assert_eq!(printed(false), "log of plant 2 (Warning): step 8\n");
    }
}
