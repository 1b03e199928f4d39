//! Ending another thread's blocking call.

use std::io;
use std::mem::MaybeUninit;

use rustix::thread::{Pid, gettid};

use crate::driver::told;

/// A thread whose blocking calls other threads may end with `EINTR`.
#[derive(Debug, Clone, Copy)]
pub struct Nudge {
    thread: Pid,
}

extern "C" fn nothing(_: libc::c_int) {}

impl Nudge {
    /// Lets others end the blocking calls of the calling thread, from now on.
    ///
    /// sigaction(2): the handler does nothing and restarts nothing.
    ///
    /// # Errors
    /// The kernel's, which has no reason for one.
    pub fn of_this_thread() -> io::Result<Self> {
        // SAFETY: all bits zero are a valid `sigaction`: no flags, an empty mask.
        let mut action: libc::sigaction = unsafe { MaybeUninit::zeroed().assume_init() };
        action.sa_sigaction = nothing as *const () as usize;
        // SAFETY: `action` is initialised, its handler touches nothing, and
        // nobody else in this program uses this signal.
        told(unsafe { libc::sigaction(libc::SIGUSR1, &raw const action, std::ptr::null_mut()) })?;
        Ok(Self { thread: gettid() })
    }

    /// Ends the call in which the thread blocks; one that it is about to make may
    /// escape, so whoever must be sure nudges again.
    pub fn nudge(self) {
        let process = rustix::process::getpid().as_raw_nonzero().get();
        let thread = self.thread.as_raw_nonzero().get();
        // SAFETY: tgkill(2) takes numbers alone; a thread that has ended is
        // refused, which is as good.
        unsafe { libc::syscall(libc::SYS_tgkill, process, thread, libc::SIGUSR1) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use std::os::unix::net::UnixStream;
    use std::sync::mpsc;
    use std::time::Duration;

    #[test]
    fn a_nudge_ends_a_read_that_nobody_answers() {
        let (mut silent, _open) = UnixStream::pair().unwrap();
        let (tell, told) = mpsc::channel();
        let reader = std::thread::spawn(move || {
            tell.send(Nudge::of_this_thread().unwrap()).unwrap();
            silent.read(&mut [0]).unwrap_err().kind()
        });
        let nudge = told.recv().unwrap();
        while !reader.is_finished() {
            nudge.nudge();
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(reader.join().unwrap(), io::ErrorKind::Interrupted);
    }
}
