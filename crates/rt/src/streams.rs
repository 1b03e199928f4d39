//! Standard output: whether it was open when this process was started, and who has it. The
//! standard library puts /dev/null in the place of what was not open, before `main`.

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether nothing that this process prints can arrive: it was started with `>&-`.
#[must_use]
pub fn output_was_closed() -> bool {
    WAS_CLOSED.load(Ordering::Relaxed)
}

extern "C" fn look() {
    // SAFETY: fcntl(2) takes two numbers here, and refuses what is not open.
    let flags = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) };
    WAS_CLOSED.store(flags == -1, Ordering::Relaxed);
}

// SAFETY: what stands in this section are functions that the loader calls before `main`; this one
// needs nothing of the standard library.
#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = look;

/// Takes standard output for this process's own words: what else it runs and prints goes to
/// standard error from now on.
///
/// # Errors
/// Without descriptors.
pub fn own_output() -> io::Result<File> {
    let own = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3)?;
    rustix::stdio::dup2_stdout(rustix::stdio::stderr())?;
    Ok(own.into())
}
