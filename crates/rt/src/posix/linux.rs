//! Serves measured code by Linux.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;

use base::Policy;
pub(super) use libc::{
    mq_close, mq_open, mq_receive, mq_send, mq_unlink, pthread_mutex_destroy, pthread_mutex_init,
    pthread_mutex_lock, pthread_mutex_trylock, pthread_mutex_unlock, sem_destroy, sem_init,
    sem_post, sem_trywait, sem_wait,
};
use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create,
    timerfd_settime,
};

use super::kinds::Object;
use crate::timespec;

/// Whether real-time threads run in a separate kernel next to Linux.
pub const TWO_KERNELS: bool = false;

/// Registers the calling process with the real-time core; must be called on the main thread before
/// anything is measured. Does nothing without such a core.
///
/// # Errors
/// Fails if the machine does not run this core; the error is one line.
pub fn start() -> Result<(), String> {
    Ok(())
}

/// The stay of a real-time thread in the real-time core, if there is one.
#[derive(Debug)]
pub struct Stay(());

impl Stay {
    /// Moves the calling thread into the core.
    #[inline]
    #[must_use]
    pub fn begin() -> Self {
        Self(())
    }

    /// Returns how often the thread has left the core since then without a request, that is not by
    /// [`excursion`]; `None` if there is no core, or it does not count.
    #[must_use]
    pub fn end(self) -> Option<u64> {
        None
    }
}

/// Makes one Linux system call and returns to the real-time core, if there is one.
#[inline]
pub fn excursion() {}

/// Returns the name and version of the real-time core.
#[must_use]
pub fn core() -> Option<String> {
    None
}

/// Whether the kernel that serves measured code offers such an object.
pub(super) fn offers(_object: Object) -> bool {
    true
}

/// Reports the calling thread's Linux policy to the real-time core.
pub(crate) fn adopt(_policy: Policy) -> io::Result<()> {
    Ok(())
}

/// Returns the real-time policy that the calling thread has in the real-time core.
pub(crate) fn policy() -> Option<Policy> {
    None
}

/// Returns the time of one of Linux's clocks, in nanoseconds.
#[inline]
pub(crate) fn clock(clock: libc::clockid_t) -> u64 {
    timespec::read(|time| {
        // SAFETY: `read` passes a place that is valid for writing.
        unsafe { libc::clock_gettime(clock, time) }
    })
}

/// Returns a stamp of the clock: `CLOCK_MONOTONIC`.
#[inline]
pub(crate) fn now() -> u64 {
    clock(libc::CLOCK_MONOTONIC)
}

/// Returns the CPU time of the calling thread, in nanoseconds.
#[inline]
pub(crate) fn thread_cpu_time() -> u64 {
    clock(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// Returns what Linux has counted for the calling thread since it started: getrusage(2).
pub(crate) fn thread_usage() -> libc::rusage {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: `usage` is valid for writing, and all zeros are valid too.
    unsafe {
        libc::getrusage(libc::RUSAGE_THREAD, usage.as_mut_ptr());
        usage.assume_init()
    }
}

/// Sleeps until the stamp; a signal does not end the sleep.
#[inline]
pub(crate) fn sleep_until(until: u64) {
    let time = timespec::of(until);
    // SAFETY: `time` is a valid timespec, and an absolute sleep writes nothing back.
    while unsafe {
        libc::clock_nanosleep(
            libc::CLOCK_MONOTONIC,
            libc::TIMER_ABSTIME,
            &raw const time,
            std::ptr::null_mut(),
        )
    } == libc::EINTR
    {}
}

#[inline]
pub(crate) fn sched_yield() {
    rustix::thread::sched_yield();
}

/// A timer that is read: timerfd_create(2).
#[derive(Debug)]
pub(crate) struct TimerDescriptor(OwnedFd);

impl TimerDescriptor {
    pub(crate) fn new() -> io::Result<Self> {
        let descriptor = timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::CLOEXEC)?;
        Ok(Self(descriptor))
    }

    /// Sets the first expiry to the stamp `first`, and further ones every `period` nanoseconds
    /// unless 0.
    pub(crate) fn set(&self, first: u64, period: u64) -> io::Result<()> {
        let setting = Itimerspec { it_interval: timespec(period), it_value: timespec(first) };
        timerfd_settime(&self.0, TimerfdTimerFlags::ABSTIME, &setting)?;
        Ok(())
    }

    /// Waits for an expiry; returns how many occurred since the last wait.
    #[inline]
    pub(crate) fn read(&self) -> io::Result<u64> {
        let mut count = [0; 8];
        rustix::io::read(&self.0, &mut count)?;
        Ok(u64::from_ne_bytes(count))
    }
}

fn timespec(stamp: u64) -> Timespec {
    Timespec { tv_sec: (stamp / 1_000_000_000) as _, tv_nsec: (stamp % 1_000_000_000) as _ }
}
