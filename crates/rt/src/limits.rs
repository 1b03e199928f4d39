//! The limits under which a process was started: getrlimit(2), umask(2).

use std::io;

use rustix::fs::Mode;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// The stack that this program needs, in bytes: four times what it uses.
const STACK: u64 = 1 << 20;

/// Raises the stack limit of the first thread to what this program needs.
///
/// # Errors
/// Fails if the limit cannot be raised; the error is one line.
pub fn have_stack() -> Result<(), String> {
    let Rlimit { current, maximum } = getrlimit(Resource::Stack);
    if current.is_none_or(|bytes| bytes >= STACK) {
        return Ok(());
    }
    let enough = Rlimit { current: Some(STACK), maximum: maximum.map(|bytes| bytes.max(STACK)) };
    setrlimit(Resource::Stack, enough).map_err(|_| {
        format!(
            "the stack limit is {} KiB, but this program needs {} KiB; raise it (ulimit -s {})",
            current.unwrap_or_default() >> 10,
            STACK >> 10,
            STACK >> 10
        )
    })
}

/// Makes a write beyond the file size limit fail with `EFBIG`, instead of a signal that ends the
/// process: signal(7), `SIGXFSZ`.
///
/// # Errors
/// Returns the kernel's error; it has no reason for one.
pub fn outlive_file_size() -> io::Result<()> {
    // SAFETY: ignoring a signal installs no code.
    match unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) } {
        libc::SIG_ERR => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Returns the highest size in bytes of a file that this process writes; `None` without a limit.
#[must_use]
pub fn file_size() -> Option<u64> {
    getrlimit(Resource::Fsize).current
}

/// Makes sure that other users cannot write the files that this process creates, whatever umask it
/// was started with.
pub fn create_for_own_use() {
    let asked = rustix::process::umask(Mode::WOTH);
    rustix::process::umask(asked | Mode::WOTH);
}
