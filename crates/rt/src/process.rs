//! Ties between a process and what started it.

use std::collections::BTreeSet;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
pub use rustix::process::{Pid, Signal};
use rustix::process::{Resource, Rlimit, WaitOptions};

/// Ends this process when the thread that started it ends, however that comes:
/// prctl(2) `PR_SET_PDEATHSIG`. Ends it at once if that has already happened.
///
/// # Errors
/// When the starter `parent` is already gone.
pub fn die_with(parent: Pid) -> io::Result<()> {
    if is_tied_to(parent)? {
        Ok(())
    } else {
        Err(io::Error::other("the process that started this one is gone"))
    }
}

/// Whether this process will end with its parent, and that is still there.
fn is_tied_to(parent: Pid) -> io::Result<bool> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    Ok(rustix::process::getppid() == Some(parent))
}

/// Ends the program that `command` starts when the thread that starts it ends,
/// however that comes: prctl(2) `PR_SET_PDEATHSIG`, which stays in force except
/// for a program whose file carries privileges.
pub fn die_together(command: &mut Command) {
    let parent = this();
    let tie = move || match is_tied_to(parent)? {
        true => Ok(()),
        false => Err(io::Error::from_raw_os_error(libc::ESRCH)),
    };
    // SAFETY: between fork and exec, two system calls are made: prctl(2) and
    // getppid(2); no memory is allocated and no lock is taken.
    unsafe { command.pre_exec(tie) };
}

/// Ends this process without what libraries want done at its end, which may be anything where
/// they are others': _exit(2), with status 0.
pub fn end_at_once() -> ! {
    // SAFETY: ends the process without running anything else of it.
    unsafe { libc::_exit(0) }
}

/// Forks a child that ends at once, and waits for it: fork(2), _exit(2),
/// waitpid(2).
///
/// # Errors
/// `EAGAIN` at the limit of processes, `ENOMEM` without memory.
pub fn fork_and_wait() -> io::Result<()> {
    // SAFETY: the child makes one call, which POSIX allows there whatever other
    // threads of the parent hold.
    let child = match unsafe { libc::fork() } {
        -1 => return Err(io::Error::last_os_error()),
        // SAFETY: ends the process without running anything else of it.
        0 => unsafe { libc::_exit(0) },
        child => child,
    };
    rustix::process::waitpid(Pid::from_raw(child), WaitOptions::empty())?;
    Ok(())
}

/// Waits until standard input has ended or has something to read, at most so
/// long; whether it has.
#[must_use]
pub fn input_ends_within(longest: Duration) -> bool {
    let input = io::stdin();
    let mut polled = [PollFd::new(&input, PollFlags::IN)];
    let longest = Timespec::try_from(longest).ok();
    poll(&mut polled, longest.as_ref()).is_ok_and(|ready| ready > 0)
}

/// This program, also when its file has been replaced or removed meanwhile.
pub const THIS_PROGRAM: &str = "/proc/self/exe";

/// The files of the shared libraries that this program is linked with, and of the
/// loader that found them; none of a static program.
#[must_use]
pub fn libraries() -> Vec<PathBuf> {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let files = maps.lines().filter_map(|line| line.split_once('/'));
    let files = files.map(|(_, path)| PathBuf::from(format!("/{path}")));
    let is_library = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.contains(".so")
    };
    let libraries: BTreeSet<PathBuf> = files.filter(is_library).collect();
    libraries.into_iter().collect()
}

/// This process.
#[must_use]
pub fn this() -> Pid {
    rustix::process::getpid()
}

/// The calling thread.
#[must_use]
pub fn this_thread() -> Pid {
    rustix::thread::gettid()
}

/// Names the calling thread, as the kernel shows it: prctl(2) `PR_SET_NAME`.
///
/// # Errors
/// For a name with a zero byte.
pub fn name_this_thread(name: &str) -> io::Result<()> {
    let name = std::ffi::CString::new(name)?;
    Ok(rustix::thread::set_name(&name)?)
}

/// The process that started this one; this one itself where that is outside of its
/// numbering.
#[must_use]
pub fn parent() -> Pid {
    rustix::process::getppid().unwrap_or_else(this)
}

/// The user that this process acts as, by number.
#[must_use]
pub fn user() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// Begins a session of its own, which no signal to the group or the terminal of its starter reaches:
/// setsid(2).
///
/// # Errors
/// `EPERM` for the first process of a group.
pub fn begin_session() -> io::Result<()> {
    rustix::process::setsid()?;
    Ok(())
}

/// Sends a signal to a process: kill(2).
///
/// # Errors
/// `ESRCH` where there is none, `EPERM` without the right to.
pub fn send(process: Pid, signal: Signal) -> io::Result<()> {
    Ok(rustix::process::kill_process(process, signal)?)
}

/// Kills the process when one of its threads uses a CPU at real-time priority
/// for longer than `limit_us` without waiting: `RLIMIT_RTTIME`.
///
/// # Errors
/// When a lower hard limit is in force, which then bounds the spin instead.
pub fn bound_real_time_spin(limit_us: u64) -> io::Result<()> {
    let limit = Rlimit { current: Some(limit_us), maximum: Some(limit_us) };
    Ok(rustix::process::setrlimit(Resource::Rttime, limit)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forked_child_is_waited_for() {
        fork_and_wait().unwrap();
    }

    #[test]
    fn a_stranger_is_not_the_parent() {
        assert!(die_with(Pid::from_raw(1 << 22).unwrap()).is_err());
        rustix::process::set_parent_process_death_signal(None).unwrap();
    }
}
