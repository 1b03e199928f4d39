//! A process that is watched: each of its threads stops at each system call: ptrace(2).

use std::io;

use rustix::process::Pid;

use crate::driver::checked;

// From linux/ptrace.h; the C libraries give these different types, and not all have them.
const SEIZE: libc::c_long = 0x4206;
const INTERRUPT: libc::c_long = 0x4207;
const CONTINUE_TO_A_CALL: libc::c_long = 24;
const CALL_INFO: libc::c_long = 0x420e;
const ENTRY: u8 = 1;
/// Mark calls; watch forks and new threads too; end all of them with the watcher.
const OPTIONS: libc::c_long = 1 | 1 << 1 | 1 << 2 | 1 << 3 | 1 << 20;
const STOPPED_IN_A_CALL: libc::c_int = libc::SIGTRAP | 0x80;

/// `struct ptrace_syscall_info`, up to the last field read here.
#[repr(C)]
#[derive(Default)]
struct CallInfo {
    op: u8,
    pad: [u8; 3],
    arch: u32,
    instruction: u64,
    stack: u64,
    number: u64,
    first: u64,
}

/// A process whose threads stop at each event to be seen. Only the thread that began to watch can
/// continue to do so; the process ends with it.
#[derive(Debug)]
pub struct Watched {
    process: libc::pid_t,
    /// The stopped thread, with the signal that it will receive.
    stopped: Option<(libc::pid_t, libc::c_int)>,
}

/// An event of a watched process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// A thread makes a system call.
    Call {
        /// The thread.
        thread: Pid,
        /// The call's number.
        number: u64,
        /// The call's first argument.
        first: u64,
        /// The address after the instruction that makes the call.
        instruction: u64,
        /// The top of the thread's stack.
        stack: u64,
    },
    /// A signal raised by a fault of the thread itself, which has not been delivered yet.
    Fault {
        /// The thread.
        thread: Pid,
        /// The address of the instruction that raised it; 0 if it is unknown.
        instruction: u64,
        /// The top of the thread's stack; 0 if it is unknown.
        stack: u64,
    },
    /// The process has ended, with this status of waitpid(2).
    Ended(i32),
}

impl Watched {
    /// Begins to watch a child of this process: `PTRACE_SEIZE`. The child ends with the calling
    /// thread.
    ///
    /// # Errors
    /// `EPERM` if the kernel or a container forbids it.
    pub fn seize(child: Pid) -> io::Result<Self> {
        let process = child.as_raw_pid();
        ask(SEIZE, process, 0, OPTIONS)?;
        // Otherwise it would continue unwatched until it stops.
        ask(INTERRUPT, process, 0, 0)?;
        Ok(Self { process, stopped: None })
    }

    /// Lets the process continue to the next event.
    ///
    /// # Errors
    /// Returns the kernel's error, if the calling thread is not the one that watches.
    pub fn go_on(&mut self) -> io::Result<Seen> {
        loop {
            if let Some((thread, signal)) = self.stopped.take() {
                // Fails if the thread was killed in the meantime; the wait below then sees its end.
                let _ = ask(CONTINUE_TO_A_CALL, thread, 0, signal.into());
            }
            let mut status = 0;
            // Other threads wait for their own children.
            let which = libc::__WALL | libc::__WNOTHREAD;
            // SAFETY: `status` is valid for writing.
            let thread = unsafe { libc::waitpid(-1, &raw mut status, which) };
            if thread == -1 {
                return Err(io::Error::last_os_error());
            }
            if libc::WIFSTOPPED(status) {
                if let Some(seen) = self.stop(thread, status) {
                    return Ok(seen);
                }
            } else if thread == self.process {
                return Ok(Seen::Ended(status));
            }
        }
    }

    /// Returns the event of a stopped thread, if it is one to be seen.
    fn stop(&mut self, thread: libc::pid_t, status: libc::c_int) -> Option<Seen> {
        let signal = libc::WSTOPSIG(status);
        let is_event = status >> 16 != 0;
        let is_call = signal == STOPPED_IN_A_CALL;
        let given = if is_event || is_call { 0 } else { signal };
        self.stopped = Some((thread, given));
        let pid = Pid::from_raw(thread)?;
        if is_call {
            let entered = info(thread).filter(|info| info.op == ENTRY)?;
            return Some(Seen::Call {
                thread: pid,
                number: entered.number,
                first: entered.first,
                instruction: entered.instruction,
                stack: entered.stack,
            });
        }
        let is_fault = [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGABRT];
        (!is_event && is_fault.contains(&signal)).then(|| {
            let CallInfo { instruction, stack, .. } = info(thread).unwrap_or_default();
            Seen::Fault { thread: pid, instruction, stack }
        })
    }
}

fn ask(
    request: libc::c_long,
    thread: libc::pid_t,
    address: usize,
    data: libc::c_long,
) -> io::Result<()> {
    // SAFETY: only one of the requests made here writes to memory: at most as many bytes as
    // `address` says, to the place that `data` says, which `info` provides.
    let result = unsafe { libc::syscall(libc::SYS_ptrace, request, thread, address, data) };
    checked(result as libc::c_int)
}

/// Returns why a thread stopped, and where: Linux 5.3 and later, the same on every architecture.
fn info(thread: libc::pid_t) -> Option<CallInfo> {
    let mut info = CallInfo::default();
    let place = (&raw mut info).expose_provenance() as libc::c_long;
    ask(CALL_INFO, thread, size_of::<CallInfo>(), place).ok()?;
    Some(info)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    #[expect(clippy::zombie_processes, reason = "its watcher waits for its end")]
    fn the_calls_of_a_process_are_seen_and_its_end() {
        let mut sleeper = Command::new("sh");
        let mut child =
            sleeper.args(["-c", "read line; cd /; exit 7"]).stdin(Stdio::piped()).spawn().unwrap();
        let pid = Pid::from_child(&child);
        let mut watched = Watched::seize(pid).unwrap();
        drop(child.stdin.take());
        let mut moves = 0;
        let status = loop {
            match watched.go_on().unwrap() {
                Seen::Call { thread, number, instruction, stack, .. } => {
                    assert!(thread == pid && instruction > 0 && stack > 0);
                    moves += usize::from(number == libc::SYS_chdir as u64);
                }
                Seen::Fault { .. } => panic!("the process raises no fault"),
                Seen::Ended(status) => break status,
            }
        };
        assert_eq!((moves, libc::WEXITSTATUS(status)), (1, 7));
    }

    #[test]
    fn a_stranger_is_not_watched() {
        assert!(Watched::seize(Pid::from_raw(1 << 22).unwrap()).is_err());
    }
}
