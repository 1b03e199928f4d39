//! Waiting, and starting a thread, which a limit on processes or memory may refuse: `thread::spawn` of the
//! standard library would end the program then.

use std::io;
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle, sleep};
use std::time::{Duration, Instant};

/// Starts a thread of that name, of 15 bytes at most.
///
/// # Errors
/// Where the kernel has no room for one: what mends it.
pub fn start<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    let started = Builder::new().name(name.to_owned()).spawn(work);
    started.map_err(refused)
}

/// The same for a thread that ends with its scope.
///
/// # Errors
/// As above.
pub fn start_in<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: &str,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    let started = Builder::new().name(name.to_owned()).spawn_scoped(scope, work);
    started.map_err(refused)
}

/// Looks again and again until there is something, for about so long; `None` where nothing
/// came.
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
