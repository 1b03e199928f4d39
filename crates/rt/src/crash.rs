//! What a process that runs foreign code leaves when that code ends it: whether the stack
//! overflowed, and the last lines that a model logged.

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::mem::{MaybeUninit, zeroed};
use std::ptr;
use std::sync::Once;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::fmi;
use crate::progress::Stage;

/// Bytes of stack if the user's limit is `unlimited`.
const WITHOUT_LIMIT: u64 = 64 << 20;
/// Signals by which a processor or the C library ends a process.
const FATAL: [c_int; 5] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGABRT];

thread_local! {
    /// The lowest address of this thread's stack; 0 if it is not watched.
    static LOWEST: Cell<usize> = const { Cell::new(0) };
}

/// Returns how many bytes of stack foreign code gets: as many as the user's limit (`ulimit -s`), or
/// 64 MiB if that is unlimited.
#[must_use]
pub fn stack_bytes() -> u64 {
    getrlimit(Resource::Stack).current.unwrap_or(WITHOUT_LIMIT)
}

/// Gives the first thread of this process as much stack as other threads that run foreign code.
pub fn bound_stack() {
    let Rlimit { maximum, .. } = getrlimit(Resource::Stack);
    // A limit is only lowered, which is always allowed.
    let _ = setrlimit(Resource::Stack, Rlimit { current: Some(stack_bytes()), maximum });
}

/// Has the stack of the calling thread watched, and what models have logged written to standard
/// error if they end this process. A handler that a model installs replaces this.
pub fn watch_this_thread() {
    static INSTALLED: Once = Once::new();
    LOWEST.set(lowest_of_stack().unwrap_or_default());
    INSTALLED.call_once(|| {
        // SAFETY: the handler calls nothing that a signal may have interrupted, and the other function
        // runs while the process ends normally.
        unsafe {
            let mut action: libc::sigaction = zeroed();
            action.sa_sigaction = on_fatal as extern "C" fn(_, _, _) as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            for signal in FATAL {
                libc::sigaction(signal, &raw const action, ptr::null_mut());
            }
            libc::atexit(at_exit);
        }
    });
}

/// Returns the lowest address of the calling thread's stack: pthread_getattr_np(3).
pub(crate) fn lowest_of_stack() -> Option<usize> {
    let (mut start, mut size) = (ptr::null_mut(), 0);
    let mut attributes = MaybeUninit::uninit();
    // SAFETY: the first call initialises the attributes if it succeeds; the others only read and
    // release them.
    unsafe {
        if libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) != 0 {
            return None;
        }
        libc::pthread_attr_getstack(attributes.as_ptr(), &raw mut start, &raw mut size);
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
    }
    Some(start as usize)
}

extern "C" fn on_fatal(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel passes valid pointers to a handler with SA_SIGINFO.
    let (address, pointer) = unsafe { ((*info).si_addr() as usize, stack_pointer(context)) };
    if signal == libc::SIGSEGV && is_overflow(LOWEST.get(), pointer, address) {
        Stage::mark_overflow();
    }
    fmi::print_logs_after_crash();
    // SAFETY: the signal occurs again when this returns, and then ends the process.
    unsafe { libc::signal(signal, libc::SIG_DFL) };
}

extern "C" fn at_exit() {
    fmi::print_logs_after_crash();
}

/// Whether a thread whose stack ends at `lowest` used memory below it, at or above its stack pointer:
/// a large frame may lie far below the guard page.
fn is_overflow(lowest: usize, pointer: usize, address: usize) -> bool {
    const PAGE: usize = 4096;
    const FARTHEST: usize = 1 << 30;
    let is_below = address < lowest && pointer < lowest.saturating_add(PAGE);
    is_below && pointer <= address.saturating_add(PAGE) && lowest - address < FARTHEST
}

/// # Safety
/// It must be the context of a signal handler.
unsafe fn stack_pointer(context: *mut c_void) -> usize {
    // SAFETY: the caller guarantees it.
    let machine = unsafe { &(*context.cast::<libc::ucontext_t>()).uc_mcontext };
    #[cfg(target_arch = "x86_64")]
    let pointer = machine.gregs[libc::REG_RSP as usize];
    #[cfg(target_arch = "aarch64")]
    let pointer = machine.sp;
    pointer as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_overflow_is_a_use_of_memory_between_the_stack_pointer_and_the_end_of_the_stack() {
        let lowest = 1 << 40;
        for (pointer, address, overflows) in [
            (lowest - 64, lowest - 8, true),
            (lowest + 64, lowest - 8, true),
            (lowest - (40 << 20), lowest - (20 << 20), true),
            (lowest + (1 << 20), lowest - 8, false),
            (lowest - 64, 8, false),
            (lowest + 64, lowest + 32, false),
            (lowest - (8 << 30), lowest - (8 << 30), false),
        ] {
            assert_eq!(is_overflow(lowest, pointer, address), overflows, "{pointer:x} {address:x}");
        }
        assert!(!is_overflow(0, 0, 0), "a thread that is not watched");
        let here = 0_u8;
        assert!(lowest_of_stack().unwrap() < (&raw const here) as usize);
    }
}
