//! Linux answers.

use std::io;
use std::os::fd::OwnedFd;

pub(crate) use libc::{
    clock_gettime, clock_nanosleep, mq_close, mq_open, mq_receive, mq_send, mq_unlink,
    pthread_mutex_destroy, pthread_mutex_init, pthread_mutex_lock, pthread_mutex_trylock,
    pthread_mutex_unlock, sem_destroy, sem_init, sem_post, sem_trywait, sem_wait,
};
use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create,
    timerfd_settime,
};
use units::Policy;

/// Whether a real-time thread lives in a kernel of its own beside Linux.
pub const TWO_KERNELS: bool = false;

/// Makes the calling process one of the real-time core, on its main thread and
/// before anything is measured; nothing on Linux alone.
///
/// # Errors
/// One line where the machine runs no such core.
pub fn start() -> Result<(), String> {
    Ok(())
}

/// Takes the calling real-time thread into the real-time core, where there is one.
#[inline]
pub fn enter() {}

/// Makes one system call of Linux and returns to the real-time core, where there is
/// one.
#[inline]
pub fn excursion() {}

/// How often the calling thread has left the real-time core unasked, that is not by
/// [`excursion`]; `None` where there is none, or it does not count.
#[must_use]
pub fn switches() -> Option<u64> {
    None
}

/// Name and version of the real-time core.
pub(crate) fn core() -> Option<String> {
    None
}

/// Whether the kernel that answers offers such an object.
pub(crate) fn offers(_object: &str) -> io::Result<()> {
    Ok(())
}

/// Tells the real-time core of a policy that the calling thread has under Linux.
pub(crate) fn adopt(_policy: Policy) -> io::Result<()> {
    Ok(())
}

/// The real-time policy that the calling thread has in the real-time core.
pub(crate) fn policy() -> Option<Policy> {
    None
}

/// CPU time of the calling thread.
#[inline]
pub(crate) unsafe fn thread_cpu_time(time: *mut libc::timespec) -> libc::c_int {
    // SAFETY: the caller vouches for the pointer.
    unsafe { clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, time) }
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

    /// First expiry at the stamp `first`, then every `period` nanoseconds unless 0.
    pub(crate) fn set(&self, first: u64, period: u64) -> io::Result<()> {
        let setting = Itimerspec {
            it_interval: timespec(period),
            it_value: timespec(first),
        };
        timerfd_settime(&self.0, TimerfdTimerFlags::ABSTIME, &setting)?;
        Ok(())
    }

    /// Waits for an expiry; how many there were since the last wait.
    #[inline]
    pub(crate) fn read(&self) -> io::Result<u64> {
        let mut count = [0; 8];
        rustix::io::read(&self.0, &mut count)?;
        Ok(u64::from_ne_bytes(count))
    }
}

fn timespec(stamp: u64) -> Timespec {
    Timespec {
        tv_sec: (stamp / 1_000_000_000) as _,
        tv_nsec: (stamp % 1_000_000_000) as _,
    }
}
