//! Interrupts another thread's blocking call.

use std::io;
use std::mem::MaybeUninit;

use rustix::thread::{Pid, gettid};

use crate::driver::checked;

/// A thread whose blocking calls other threads may end with `EINTR`.
#[derive(Debug, Clone, Copy)]
pub struct Nudge {
    thread: Pid,
}

extern "C" fn nothing(_: libc::c_int) {}

impl Nudge {
    /// Lets other threads end the blocking calls of the calling thread, from now on.
    ///
    /// Uses sigaction(2): the handler does nothing, and the interrupted call is not restarted.
    ///
    /// # Errors
    /// Returns the kernel's error; it has no reason for one.
    pub fn of_this_thread() -> io::Result<Self> {
        // SAFETY: all bits zero are a valid `sigaction`: no flags, an empty mask.
        let mut action: libc::sigaction = unsafe { MaybeUninit::zeroed().assume_init() };
        action.sa_sigaction = nothing as *const () as usize;
        // SAFETY: `action` is initialised, its handler touches nothing, and no other code in this
        // program uses this signal.
        checked(unsafe {
            libc::sigaction(libc::SIGUSR1, &raw const action, std::ptr::null_mut())
        })?;
        Ok(Self { thread: gettid() })
    }

    /// Ends the call in which the thread blocks. A call that the thread is about to make may
    /// escape, so a caller that must be sure nudges again.
    pub fn nudge(self) {
        let process = rustix::process::getpid().as_raw_nonzero().get();
        let thread = self.thread.as_raw_nonzero().get();
        // SAFETY: tgkill(2) takes only numbers; it refuses a thread that has ended, which is
        // equally good.
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
    fn a_nudge_ends_a_read_without_an_answer() {
        let (mut silent, _open) = UnixStream::pair().unwrap();
        let (sender, receiver) = mpsc::channel();
        let reader = std::thread::spawn(move || {
            sender.send(Nudge::of_this_thread().unwrap()).unwrap();
            silent.read(&mut [0]).unwrap_err().kind()
        });
        let nudge = receiver.recv().unwrap();
        while !reader.is_finished() {
            nudge.nudge();
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(reader.join().unwrap(), io::ErrorKind::Interrupted);
    }
}
