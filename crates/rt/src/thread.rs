//! Waiting, and starting a thread, which a limit on processes or memory may prevent: the standard
//! library's `thread::spawn` would then end the program.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle, sleep};
use std::time::{Duration, Instant};

use crate::process::{Pid, this, this_thread};

/// The numbers of all threads that were started here, also of those that have ended: the kernel gives
/// a number again only after all others.
static STARTED: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

fn all_started() -> MutexGuard<'static, BTreeSet<i32>> {
    STARTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns this work for a new thread, which first lists itself.
fn listed<T>(work: impl FnOnce() -> T) -> impl FnOnce() -> T {
    || {
        all_started().insert(this_thread().as_raw_pid());
        work()
    }
}

/// Whether a thread of this process is one of this program: its first one, or one started here. All
/// others belong to foreign code.
pub(crate) fn is_own(thread: Pid) -> bool {
    thread == this() || all_started().contains(&thread.as_raw_pid())
}

/// Starts a thread with that name, of at most 15 bytes.
///
/// # Errors
/// Fails if the kernel has no room for a thread; the error says how to fix it.
pub fn start<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    Builder::new().name(name.to_owned()).spawn(listed(work)).map_err(refused)
}

/// Starts a thread that ends with its scope.
///
/// # Errors
/// Fails like [`start`].
pub fn start_in<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: &str,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    start_with_stack_in(scope, name, None, work)
}

/// Starts such a thread with `stack` bytes of stack, or as many as the standard library gives.
///
/// # Errors
/// Fails like [`start`].
pub fn start_with_stack_in<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: &str,
    stack: Option<u64>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    let builder = Builder::new().name(name.to_owned());
    let builder = match stack.and_then(|bytes| usize::try_from(bytes).ok()) {
        Some(bytes) => builder.stack_size(bytes),
        None => builder,
    };
    builder.spawn_scoped(scope, listed(work)).map_err(refused)
}

/// Calls `look` repeatedly until it returns something, for about `longest`; returns `None` if it
/// never did.
pub fn wait_for<T>(
    longest: Duration,
    look_every: Duration,
    mut look: impl FnMut() -> Option<T>,
) -> Option<T> {
    let give_up = Instant::now() + longest;
    loop {
        let found = look();
        if found.is_some() || Instant::now() > give_up {
            return found;
        }
        sleep(look_every);
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the form that map_err takes")]
fn refused(error: io::Error) -> io::Error {
    io::Error::new(
        error.kind(),
        "no further thread can be started: allow this user more processes (ulimit -u), or this \
         program more memory (ulimit -v)",
    )
}
