//! The limits under which a process was started: getrlimit(2), umask(2).

use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::ptr;

use rustix::fs::Mode;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::thread::{CapabilitySet, remove_capability_from_bounding_set};

use crate::timespec;

/// The stack that this program needs, in bytes: four times what it uses.
const STACK: u64 = 1 << 20;

/// Raises the stack limit of the first thread to what this program needs.
///
/// # Errors
/// Fails if the limit cannot be raised; the error is one line.
pub fn have_stack() -> Result<(), String> {
    let Rlimit { current, maximum } = getrlimit(Resource::Stack);
    if current.is_none_or(|bytes| bytes >= STACK) {
        return Ok(());
    }
    let enough = Rlimit { current: Some(STACK), maximum: maximum.map(|bytes| bytes.max(STACK)) };
    setrlimit(Resource::Stack, enough).map_err(|_| {
        format!(
            "the stack limit is {} KiB, but this program needs {} KiB; raise it (ulimit -s {})",
            current.unwrap_or_default() >> 10,
            STACK >> 10,
            STACK >> 10
        )
    })
}

/// Checks that threads may sleep, which a sandbox can forbid; the standard library panics then.
///
/// # Errors
/// One line if the kernel refuses clock_nanosleep(2).
pub fn have_sleep() -> Result<(), String> {
    let time = timespec::of(0);
    // SAFETY: `time` is a valid timespec; a sleep of no time writes nothing back.
    let code = unsafe {
        libc::clock_nanosleep(libc::CLOCK_MONOTONIC, 0, &raw const time, ptr::null_mut())
    };
    match code {
        0 | libc::EINTR => Ok(()),
        code => Err(format!(
            "this program may not sleep ({}); allow clock_nanosleep(2) in the sandbox or container that \
             started it",
            io::Error::from_raw_os_error(code)
        )),
    }
}

/// Makes a write beyond the file size limit fail with `EFBIG`, instead of a signal that ends the
/// process: signal(7), `SIGXFSZ`.
///
/// # Errors
/// Returns the kernel's error; it has no reason for one.
pub fn outlive_file_size() -> io::Result<()> {
    // SAFETY: ignoring a signal installs no code.
    match unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) } {
        libc::SIG_ERR => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Raises the limits on CPU time, on real-time run time and on real-time priority as far as this user
/// may: to their hard values.
pub fn raise_for_measuring() {
    for resource in [Resource::Cpu, Resource::Rttime, Resource::Rtprio] {
        let maximum = getrlimit(resource).maximum;
        // If it fails, the present limit holds, and whatever it prevents says so.
        let _ = setrlimit(resource, Rlimit { current: maximum, maximum });
    }
}

/// Describes the limits in force at which the kernel ends a process, each with how to lift it; those
/// on real-time threads only for a process that has them.
#[must_use]
pub fn that_end_a_process(has_real_time: bool) -> Vec<String> {
    let cpu = getrlimit(Resource::Cpu).maximum.map(|seconds| {
        format!(
            "it used {seconds} s of CPU time (RLIMIT_CPU; `sudo prlimit --pid $$ --cpu=unlimited`)"
        )
    });
    let turn = getrlimit(Resource::Rttime).maximum.filter(|_| has_real_time).map(|us| {
        format!(
            "a real-time thread used its CPU for {us} us without waiting (RLIMIT_RTTIME; \
             `sudo prlimit --pid $$ --rttime=unlimited`)"
        )
    });
    cpu.into_iter().chain(turn).collect()
}

/// Returns the highest real-time priority that the limit grants to this user; 0 for none.
#[must_use]
pub fn real_time_priority() -> u8 {
    let most = getrlimit(Resource::Rtprio).current.unwrap_or(99);
    most.min(99) as u8
}

/// Keeps the program that `command` starts, and what it starts, from real-time policies, whatever
/// rights this user has.
pub fn keep_from_real_time(command: &mut Command) {
    let take_rights = || {
        let none = Rlimit { current: Some(0), maximum: Some(0) };
        setrlimit(Resource::Rtprio, none)?;
        // Without the right to remove a capability, the program gets none of this one.
        let _ = remove_capability_from_bounding_set(CapabilitySet::SYS_NICE);
        Ok(())
    };
    // SAFETY: between fork and exec, only two system calls are made: prlimit(2) and prctl(2); no
    // memory is allocated and no lock is taken.
    unsafe { command.pre_exec(take_rights) };
}

/// Returns the highest size in bytes of a file that this process writes; `None` without a limit.
#[must_use]
pub fn file_size() -> Option<u64> {
    getrlimit(Resource::Fsize).current
}

/// Makes sure that other users cannot write the files that this process creates, whatever umask it
/// was started with.
pub fn create_for_own_use() {
    let asked = rustix::process::umask(Mode::WOTH);
    rustix::process::umask(asked | Mode::WOTH);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_without_the_right_to_real_time_can_take_no_such_policy() {
        let mut command = Command::new("chrt");
        command.args(["--fifo", "1", "true"]);
        keep_from_real_time(&mut command);
        let Ok(done) = command.output() else {
            return testing::skip("needs the program chrt");
        };
        assert!(!done.status.success());
    }
}
