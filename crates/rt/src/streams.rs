//! Whether standard output was open when this process was started. The standard library puts
//! /dev/null in the place of what was not, before `main`.

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
