//! Memory from the heap. A refused allocation ends the program with one line.

use std::alloc::{GlobalAlloc, Layout};

// Reports of large stores take much longer with musl's heap: it maps and unmaps memory for many blocks, and its lock is a
// system call whenever two threads want it.
#[cfg(target_env = "musl")]
use dlmalloc::GlobalDlmalloc as System;
#[cfg(not(target_env = "musl"))]
use std::alloc::System;

use rustix::stdio::stderr;

/// The exit status of a process that got no memory.
const EXIT_STATUS: libc::c_int = 2;

/// The system's heap, which ends the process if an allocation fails.
#[derive(Debug)]
pub struct Heap;

// SAFETY: every call is passed unchanged to the system's heap; its result is returned, unless it is
// null.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller fulfils the requirements of the system's heap, which are the same.
        had(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        had(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        had(unsafe { System.realloc(memory, layout, size) }, size)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[inline]
fn had(memory: *mut u8, bytes: usize) -> *mut u8 {
    if memory.is_null() {
        end(bytes);
    }
    memory
}

/// Reports the refused allocation without allocating, and ends the process; a line longer than the
/// buffer would be cut.
#[cold]
fn end(bytes: usize) -> ! {
    use std::io::Write;
    let mut room = [0; 160];
    let mut free = &mut room[..];
    let _ = writeln!(
        free,
        "error: an allocation of {} KiB was refused; free memory, or raise the limit (ulimit -v)",
        bytes.div_ceil(1024)
    );
    let left = free.len();
    let _ = rustix::io::write(stderr(), &room[..room.len() - left]);
    // SAFETY: ends the process; none of its code runs any more.
    unsafe { libc::_exit(EXIT_STATUS) }
}
