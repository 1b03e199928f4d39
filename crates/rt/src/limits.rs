//! What a process may not exceed, as it was started: getrlimit(2), umask(2).

use std::io;

use rustix::fs::Mode;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Stack that this program needs, in bytes: it uses a quarter of that.
const STACK: u64 = 1 << 20;

/// Allows the stack of the first thread what this program needs.
///
/// # Errors
/// Where it may not have that: one line.
pub fn have_stack() -> Result<(), String> {
    let Rlimit { current, maximum } = getrlimit(Resource::Stack);
    if current.is_none_or(|bytes| bytes >= STACK) {
        return Ok(());
    }
    let enough = Rlimit { current: Some(STACK), maximum: maximum.map(|bytes| bytes.max(STACK)) };
    setrlimit(Resource::Stack, enough).map_err(|_| {
        format!(
            "the stack may have {} KiB, and this program needs {}; allow it more (ulimit -s {})",
            current.unwrap_or_default() >> 10,
            STACK >> 10,
            STACK >> 10
        )
    })
}

/// Has a write beyond the limit of a file's size fail with `EFBIG`, in place of a signal that
/// ends the process: signal(7), `SIGXFSZ`.
///
/// # Errors
/// The kernel's, which has no reason for one.
pub fn outlive_file_size() -> io::Result<()> {
    // SAFETY: to ignore a signal installs no code.
    match unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) } {
        libc::SIG_ERR => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Bytes that a file which this process writes may have; `None` without a limit.
#[must_use]
pub fn file_size() -> Option<u64> {
    getrlimit(Resource::Fsize).current
}

/// Keeps what this process creates from being written by everybody, whatever it was started with.
pub fn create_for_own_use() {
    let asked = rustix::process::umask(Mode::WOTH);
    rustix::process::umask(asked | Mode::WOTH);
}
