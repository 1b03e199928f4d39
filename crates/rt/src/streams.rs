//! Standard output: whether it was open when this process was started, and which code uses it. The
//! standard library opens /dev/null in place of a closed descriptor, before `main`.

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether output of this process cannot arrive anywhere, because it was started with `>&-`.
#[must_use]
pub fn output_was_closed() -> bool {
    WAS_CLOSED.load(Ordering::Relaxed)
}

extern "C" fn look() {
    // SAFETY: fcntl(2) takes two numbers here, and refuses a closed descriptor.
    let flags = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) };
    WAS_CLOSED.store(flags == -1, Ordering::Relaxed);
}

// SAFETY: this section contains functions that the loader calls before `main`; this one does not
// use the standard library.
#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = look;

/// Reserves standard output for this process's own messages: all other output of its code goes to
/// standard error from now on. It stays open until the process ends: its reader takes the end of the
/// output for the end of a process that has said why.
///
/// # Errors
/// Fails without descriptors.
pub fn own_output() -> io::Result<&'static mut File> {
    let own = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3)?;
    rustix::stdio::dup2_stdout(rustix::stdio::stderr())?;
    Ok(Box::leak(Box::new(own.into())))
}
