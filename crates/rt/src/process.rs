//! The ties between a process and the process that started it.

use std::collections::BTreeSet;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::param::clock_ticks_per_second;
pub use rustix::process::{Pid, Signal};
use rustix::process::{PidfdFlags, Resource, Rlimit, WaitOptions, pidfd_open};

use crate::stat::Stat;
use crate::tasks;

/// Makes this process end when the thread that started it ends, for whatever reason: prctl(2)
/// `PR_SET_PDEATHSIG`. Ends it at once if that has already happened.
///
/// # Errors
/// Fails if the starter `parent` has already ended.
pub fn die_with(parent: Pid) -> io::Result<()> {
    if is_tied_to(parent)? {
        Ok(())
    } else {
        Err(io::Error::other("the process that started this one has ended"))
    }
}

/// Ties this process to its parent's end; returns whether the parent still exists.
fn is_tied_to(parent: Pid) -> io::Result<bool> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    Ok(rustix::process::getppid() == Some(parent))
}

/// Makes the program that `command` starts end when the thread that starts it ends, for whatever
/// reason: prctl(2) `PR_SET_PDEATHSIG`, which stays in force except for a program whose file
/// carries privileges.
pub fn die_together(command: &mut Command) {
    let parent = this();
    let tie = move || match is_tied_to(parent)? {
        true => Ok(()),
        false => Err(io::Error::from_raw_os_error(libc::ESRCH)),
    };
    // SAFETY: between fork and exec, only two system calls are made: prctl(2) and getppid(2); no
    // memory is allocated and no lock is taken.
    unsafe { command.pre_exec(tie) };
}

/// Ends this process without running exit handlers, which may do anything if they belong to foreign
/// libraries: _exit(2), with status 0.
pub fn end_at_once() -> ! {
    // SAFETY: ends the process without running any more of its code.
    unsafe { libc::_exit(0) }
}

/// Forks a child that ends immediately, and waits for it: fork(2), _exit(2), waitpid(2).
///
/// # Errors
/// `EAGAIN` at the limit of processes, `ENOMEM` without memory.
pub fn fork_and_wait() -> io::Result<()> {
    // SAFETY: the child makes only one call, which POSIX allows there whatever other threads of the
    // parent hold.
    let child = match unsafe { libc::fork() } {
        -1 => return Err(io::Error::last_os_error()),
        0 => end_at_once(),
        child => child,
    };
    rustix::process::waitpid(Pid::from_raw(child), WaitOptions::empty())?;
    Ok(())
}

/// Waits until standard input has ended or can be read, at most for `longest`; returns whether it
/// has ended or can be read.
#[must_use]
pub fn input_ends_within(longest: Duration) -> bool {
    let input = io::stdin();
    let mut polled = [PollFd::new(&input, PollFlags::IN)];
    let longest = Timespec::try_from(longest).ok();
    poll(&mut polled, longest.as_ref()).is_ok_and(|ready| ready > 0)
}

/// Waits until a child has ended or a signal arrives, at most for `longest`, without waking in
/// between. Before Linux 5.3, which cannot wait so, and in sandboxes that forbid it, it waits for
/// at most 50 ms. Returns the time that it waited, which is zero if anything but the time ended it.
pub fn sleep_until_end(child: Pid, longest: Duration) -> Duration {
    let timeout = Timespec::try_from(longest).ok();
    let ended = pidfd_open(child, PidfdFlags::empty())
        .and_then(|file| poll(&mut [PollFd::new(&file, PollFlags::IN)], timeout.as_ref()));
    match ended {
        Ok(0) => longest,
        Ok(_) | Err(Errno::INTR) => Duration::ZERO,
        Err(_) => {
            let short = longest.min(Duration::from_millis(50));
            std::thread::sleep(short);
            short
        }
    }
}

/// The path of this program, valid even if its file has been replaced or removed.
pub const THIS_PROGRAM: &str = "/proc/self/exe";

/// Returns the files of the shared libraries with which this program is linked, and of the loader
/// that found them; none for a static program.
#[must_use]
pub fn libraries() -> Vec<PathBuf> {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let files = maps.lines().filter_map(|line| Some(Path::new(&line[line.find('/')?..])));
    let is_library =
        |path: &&Path| path.file_name().is_some_and(|name| name.to_string_lossy().contains(".so"));
    let libraries: BTreeSet<&Path> = files.filter(is_library).collect();
    libraries.into_iter().map(Path::to_owned).collect()
}

/// Returns the number of this process.
#[must_use]
pub fn this() -> Pid {
    rustix::process::getpid()
}

/// Returns the number of the calling thread.
#[must_use]
pub fn this_thread() -> Pid {
    rustix::thread::gettid()
}

/// Sets the name of the calling thread, as the kernel shows it: prctl(2) `PR_SET_NAME`.
///
/// # Errors
/// Fails for a name with a zero byte.
pub fn name_this_thread(name: &str) -> io::Result<()> {
    let name = std::ffi::CString::new(name)?;
    Ok(rustix::thread::set_name(&name)?)
}

/// Returns the process that started this one; this process itself if its parent is outside of its
/// process number namespace.
#[must_use]
pub fn parent() -> Pid {
    rustix::process::getppid().unwrap_or_else(this)
}

/// Returns the effective user of this process, by number.
#[must_use]
pub fn user() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// Begins a new session, which signals to the starter's process group or terminal do not reach:
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
/// `ESRCH` if the process does not exist, `EPERM` without permission.
pub fn send(process: Pid, signal: Signal) -> io::Result<()> {
    Ok(rustix::process::kill_process(process, signal)?)
}

/// Returns whether a signal (SIGSTOP), but not a debugger, has stopped a process.
#[must_use]
pub fn is_stopped(process: Pid) -> bool {
    Stat::of(process).and_then(|stat| stat.state()) == Some('T')
}

/// Returns whether any thread of a process is stopped; then all its running ones are.
#[must_use]
pub fn has_stopped_thread(process: Pid) -> bool {
    let mut stats = tasks::of_process(process).filter_map(|task| Stat::of_task(process, task));
    stats.any(|stat| stat.is_stopped())
}

/// Returns the CPU time that a process has used so far, with all its threads; `None` if it has been
/// waited for.
#[must_use]
pub fn cpu_time(process: Pid) -> Option<Duration> {
    const USER_AND_SYSTEM: [usize; 2] = [14, 15];
    let stat = Stat::of(process)?;
    let ticks: Option<u64> =
        USER_AND_SYSTEM.map(|column| stat.number::<u64>(column)).into_iter().sum();
    Some(Duration::from_millis(ticks?.saturating_mul(1000) / clock_ticks_per_second()))
}

/// Sets a limit so that the kernel kills the process if one of its threads uses a CPU at real-time
/// priority for longer than `limit_us` without waiting: `RLIMIT_RTTIME`.
///
/// # Errors
/// Fails if a lower hard limit is in force, which then bounds the spin instead.
pub fn bound_real_time_spin(limit_us: u64) -> io::Result<()> {
    let limit = Rlimit { current: Some(limit_us), maximum: Some(limit_us) };
    Ok(rustix::process::setrlimit(Resource::Rttime, limit)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::needs;

    #[test]
    fn a_forked_child_is_waited_for() {
        fork_and_wait().unwrap();
    }

    #[test]
    fn the_end_of_a_child_ends_the_wait() {
        let sleep = |time: &str| Command::new("sleep").arg(time).spawn().unwrap();
        let mut child = sleep("100");
        let process = Pid::from_child(&child);
        let is_possible = pidfd_open(process, PidfdFlags::empty()).is_ok();
        let [short, long] = [Duration::from_millis(1), Duration::from_secs(1000)];
        let before = sleep_until_end(process, short);
        child.kill().unwrap();
        let after = is_possible.then(|| sleep_until_end(process, long));
        child.wait().unwrap();
        assert_eq!(before, short);
        if needs(is_possible, "pidfd_open(2)").is_some() {
            assert_eq!(after, Some(Duration::ZERO));
        }
    }

    #[test]
    fn a_stranger_is_not_the_parent() {
        assert!(die_with(Pid::from_raw(1 << 22).unwrap()).is_err());
        rustix::process::set_parent_process_death_signal(None).unwrap();
    }
}
