//! Serves measured code by Xenomai's Cobalt core, through the POSIX interface of its library.
//!
//! The library offers each call under a separate symbol, `__cobalt_NAME`, in addition to the
//! linker's wraps (libcobalt, lib/cobalt/init.c, "With or without symbol wrapping"). Only the calls
//! below go to the core; all others go to Linux, and a thread that makes one in a measured loop
//! leaves primary mode, which is counted.

use std::cell::Cell;
use std::ffi::{CString, c_char, c_int, c_uint};
use std::io;
use std::mem::MaybeUninit;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use base::Policy;
use libc::{itimerspec, pthread_t, sched_param, size_t, ssize_t};

use super::kinds::{Object, unsupported};
use super::linux;
use crate::driver::checked;
use crate::{attributes, read, timespec};

unsafe extern "C" {
    fn xenomai_init(count: *mut c_int, words: *mut *const *mut c_char);
    static mut __cobalt_main_prio: c_int;
    fn cobalt_thread_harden();
    fn cobalt_thread_mode() -> c_int;
    fn cobalt_thread_stat(thread: libc::pid_t, counts: *mut ThreadStat) -> c_int;

    fn __cobalt_clock_gettime(clock: libc::clockid_t, time: *mut libc::timespec) -> c_int;
    fn __cobalt_clock_nanosleep(
        clock: libc::clockid_t,
        flags: c_int,
        until: *const libc::timespec,
        left: *mut libc::timespec,
    ) -> c_int;
    fn __cobalt_sched_yield() -> c_int;
    fn __cobalt_pthread_setschedparam(
        thread: pthread_t,
        policy: c_int,
        priority: *const sched_param,
    ) -> c_int;
    fn __cobalt_pthread_getschedparam(
        thread: pthread_t,
        policy: *mut c_int,
        priority: *mut sched_param,
    ) -> c_int;
    fn __cobalt_sem_wait(semaphore: *mut libc::sem_t) -> c_int;
    fn __cobalt_pthread_mutex_lock(mutex: *mut libc::pthread_mutex_t) -> c_int;
    fn __cobalt_timerfd_create(clock: c_int, flags: c_int) -> c_int;
    fn __cobalt_timerfd_settime(
        timer: c_int,
        flags: c_int,
        new: *const itimerspec,
        old: *mut itimerspec,
    ) -> c_int;
    fn __cobalt_read(descriptor: c_int, to: *mut libc::c_void, bytes: size_t) -> ssize_t;

    #[link_name = "__cobalt_sem_init"]
    pub(super) fn sem_init(semaphore: *mut libc::sem_t, shared: c_int, count: c_uint) -> c_int;
    #[link_name = "__cobalt_sem_destroy"]
    pub(super) fn sem_destroy(semaphore: *mut libc::sem_t) -> c_int;
    #[link_name = "__cobalt_sem_post"]
    pub(super) fn sem_post(semaphore: *mut libc::sem_t) -> c_int;
    #[link_name = "__cobalt_sem_trywait"]
    pub(super) fn sem_trywait(semaphore: *mut libc::sem_t) -> c_int;
    #[link_name = "__cobalt_pthread_mutex_init"]
    pub(super) fn pthread_mutex_init(
        mutex: *mut libc::pthread_mutex_t,
        attributes: *const libc::pthread_mutexattr_t,
    ) -> c_int;
    #[link_name = "__cobalt_pthread_mutex_destroy"]
    pub(super) fn pthread_mutex_destroy(mutex: *mut libc::pthread_mutex_t) -> c_int;
    #[link_name = "__cobalt_pthread_mutex_trylock"]
    pub(super) fn pthread_mutex_trylock(mutex: *mut libc::pthread_mutex_t) -> c_int;
    #[link_name = "__cobalt_pthread_mutex_unlock"]
    pub(super) fn pthread_mutex_unlock(mutex: *mut libc::pthread_mutex_t) -> c_int;
    #[link_name = "__cobalt_mq_open"]
    pub(super) fn mq_open(name: *const c_char, flags: c_int, ...) -> libc::mqd_t;
    #[link_name = "__cobalt_mq_close"]
    pub(super) fn mq_close(queue: libc::mqd_t) -> c_int;
    #[link_name = "__cobalt_mq_unlink"]
    pub(super) fn mq_unlink(name: *const c_char) -> c_int;
    #[link_name = "__cobalt_mq_send"]
    pub(super) fn mq_send(
        queue: libc::mqd_t,
        message: *const c_char,
        bytes: size_t,
        priority: c_uint,
    ) -> c_int;
    #[link_name = "__cobalt_mq_receive"]
    pub(super) fn mq_receive(
        queue: libc::mqd_t,
        message: *mut c_char,
        bytes: size_t,
        priority: *mut c_uint,
    ) -> ssize_t;
}

/// `struct cobalt_threadstat` of the core's interface, with room behind it in case it grows.
#[repr(C)]
struct ThreadStat {
    cpu_time_ns: u64,
    timeout: u64,
    mode_switches: u64,
    other: [u64; 16],
}

/// The folder in which the core reports about itself.
const CORE: &str = "/proc/xenomai";

/// The flag of a thread in secondary mode, that is in Linux: `XNRELAX` of the core's interface
/// (kernel/thread.h).
const IN_LINUX: c_int = 0x0000_0080;

/// Whether the real-time core knows this process.
static STARTED: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Mode switches of the calling thread that were requested.
    static ASKED: Cell<u64> = const { Cell::new(0) };
}

/// Whether real-time threads run in a separate kernel next to Linux.
pub const TWO_KERNELS: bool = true;

/// Registers the calling process with the real-time core; must be called on the main thread before
/// anything is measured. If the core has another version, the library ends the process with its own
/// message.
///
/// # Errors
/// Fails if the machine does not run this core; the error is one line.
pub fn start() -> Result<(), String> {
    if !Path::new(CORE).exists() {
        return Err(format!(
            "this build measures Xenomai's Cobalt core, but {CORE} does not exist: boot a kernel \
             that has it, or use the build without the feature `cobalt`"
        ));
    }
    let name = CString::new("steadfast").map_err(|error| error.to_string())?;
    // The library keeps the pointers, so they must stay valid.
    let words: &'static [*mut c_char; 2] =
        Box::leak(Box::new([name.into_raw(), std::ptr::null_mut()]));
    let (mut count, mut words) = (1, words.as_ptr());
    // SAFETY: no other thread of this process uses the library yet; the one word and the null that
    // ends the list stay valid as long as the process.
    unsafe {
        // The main thread only controls; it does not measure.
        __cobalt_main_prio = 0;
        xenomai_init(&raw mut count, &raw mut words);
    }
    STARTED.store(true, Ordering::Relaxed);
    Ok(())
}

fn is_started() -> bool {
    STARTED.load(Ordering::Relaxed)
}

/// The stay of a real-time thread in primary mode.
#[derive(Debug)]
pub struct Stay(Option<u64>);

impl Stay {
    /// Moves the calling thread into primary mode.
    #[inline]
    #[must_use]
    pub fn begin() -> Self {
        enter();
        Self(switches())
    }

    /// Returns how often the thread has left primary mode since then without a request, that is not
    /// by [`excursion`]; `None` for a thread that is only in Linux, and if the core does not count
    /// (its option `CONFIG_XENO_OPT_STATS`).
    #[must_use]
    pub fn end(self) -> Option<u64> {
        let after = switches()?;
        Some(after - self.0?)
    }
}

#[inline]
fn enter() {
    // SAFETY: the call has no arguments; a thread that the core does not know is not affected.
    unsafe { cobalt_thread_harden() };
}

/// Makes one Linux system call and returns to primary mode: getppid(2), which does nothing else.
#[inline]
pub fn excursion() {
    ASKED.set(ASKED.get() + 1);
    let _ = rustix::process::getppid();
    enter();
}

/// Returns how often the calling thread has left primary mode in its life without a request.
fn switches() -> Option<u64> {
    // A thread starts in Linux, so each thread in the core has switched at least once.
    let made = stat()?.mode_switches;
    (made > 0).then(|| made.saturating_sub(ASKED.get()))
}

fn stat() -> Option<ThreadStat> {
    let mut stat = MaybeUninit::<ThreadStat>::zeroed();
    // SAFETY: 0 is the calling thread, and the core writes only its own structure, which begins
    // like this one and is not longer.
    let result = unsafe { cobalt_thread_stat(0, stat.as_mut_ptr()) };
    // SAFETY: all zeros are valid.
    (is_started() && result == 0).then(|| unsafe { stat.assume_init() })
}

/// Returns the name and version of the real-time core.
#[must_use]
pub fn core() -> Option<String> {
    let version = read::text(format!("{CORE}/version"))?;
    Some(format!("Xenomai Cobalt {version}"))
}

/// Whether the core offers such an object.
pub(super) fn offers(object: Object) -> bool {
    matches!(object, Object::IntervalTimer | Object::OneShotTimer)
}

/// Reports the calling thread's Linux policy to the core. This makes the thread a thread of the
/// core; with the default policy, it stays in Linux between its calls of the core.
pub(crate) fn adopt(policy: Policy) -> io::Result<()> {
    if !is_started() {
        return Ok(());
    }
    let (policy, priority) = match policy {
        Policy::Fifo(priority) => (libc::SCHED_FIFO, priority),
        Policy::Rr(priority) => (libc::SCHED_RR, priority),
        Policy::Other { .. } | Policy::Idle => (libc::SCHED_OTHER, 0),
        Policy::Deadline { .. } => {
            return Err(unsupported("Cobalt has no deadline policy; use fifo:N, rr:N or other"));
        }
    };
    let priority = sched_param { sched_priority: c_int::from(priority) };
    // SAFETY: this is the calling thread, and the parameter is valid and only read.
    let errno = unsafe {
        __cobalt_pthread_setschedparam(libc::pthread_self(), policy, &raw const priority)
    };
    match errno {
        0 => Ok(()),
        errno => Err(io::Error::from_raw_os_error(errno)),
    }
}

/// Returns the real-time policy that the calling thread has in the core.
pub(crate) fn policy() -> Option<Policy> {
    let mut policy = 0;
    let mut found = sched_param { sched_priority: 0 };
    // SAFETY: this is the calling thread, and both values are valid for writing.
    let errno = unsafe {
        __cobalt_pthread_getschedparam(libc::pthread_self(), &raw mut policy, &raw mut found)
    };
    let priority = u8::try_from(found.sched_priority).ok()?;
    match policy {
        _ if errno != 0 || !is_started() || priority == 0 => None,
        libc::SCHED_FIFO => Some(Policy::Fifo(priority)),
        libc::SCHED_RR => Some(Policy::Rr(priority)),
        _ => None,
    }
}

/// Returns a stamp of the core's clock; of Linux's clock before [`start`], and in the program's
/// processes that never call it.
#[inline]
pub(crate) fn now() -> u64 {
    match is_started() {
        true => timespec::read(|time| {
            // SAFETY: `read` passes a place that is valid for writing.
            unsafe { __cobalt_clock_gettime(libc::CLOCK_MONOTONIC, time) }
        }),
        false => linux::now(),
    }
}

/// Returns the CPU time of the calling thread, in nanoseconds: in primary mode that of the core,
/// since for Linux such a thread is asleep.
#[inline]
pub(crate) fn thread_cpu_time() -> u64 {
    // SAFETY: the call has no arguments.
    match unsafe { cobalt_thread_mode() } & IN_LINUX {
        0 => stat().map_or(0, |stat| stat.cpu_time_ns),
        _ => linux::thread_cpu_time(),
    }
}

/// Sleeps until the stamp; a thread that the core does not know sleeps in Linux.
#[inline]
pub(crate) fn sleep_until(until: u64) {
    let time = timespec::of(until);
    // SAFETY: `time` is a valid timespec, and an absolute sleep writes nothing back.
    let sleep = || unsafe {
        __cobalt_clock_nanosleep(
            libc::CLOCK_MONOTONIC,
            libc::TIMER_ABSTIME,
            &raw const time,
            std::ptr::null_mut(),
        )
    };
    loop {
        match sleep() {
            libc::EINTR => {}
            libc::EPERM | libc::ENOSYS => return linux::sleep_until(until),
            _ => return,
        }
    }
}

#[inline]
pub(crate) fn sched_yield() {
    // SAFETY: the call has no arguments.
    unsafe { __cobalt_sched_yield() };
}

/// Makes a thread that the core does not know one of its threads, with its present policy; returns
/// whether it succeeded, so that the call can be repeated.
#[cold]
fn join() -> bool {
    attributes::policy_of(0).and_then(adopt).is_ok()
}

#[inline]
pub(super) unsafe fn sem_wait(semaphore: *mut libc::sem_t) -> c_int {
    // SAFETY: the caller guarantees a valid semaphore.
    let wait = || unsafe { __cobalt_sem_wait(semaphore) };
    match checked(wait()) {
        Err(error) if error.raw_os_error() == Some(libc::EPERM) && join() => wait(),
        Err(_) => -1,
        Ok(()) => 0,
    }
}

#[inline]
pub(super) unsafe fn pthread_mutex_lock(mutex: *mut libc::pthread_mutex_t) -> c_int {
    // SAFETY: the caller guarantees a valid mutex.
    let lock = || unsafe { __cobalt_pthread_mutex_lock(mutex) };
    match lock() {
        libc::EPERM if join() => lock(),
        result => result,
    }
}

/// A timer that is read: the core's timerfd_create(2). It is closed with the process: closing it
/// moves a thread into Linux, and it may be dropped in a measured loop.
#[derive(Debug)]
pub(crate) struct TimerDescriptor(c_int);

impl TimerDescriptor {
    pub(crate) fn new() -> io::Result<Self> {
        // SAFETY: takes only numbers.
        let descriptor = unsafe { __cobalt_timerfd_create(libc::CLOCK_MONOTONIC, 0) };
        checked(descriptor)?;
        Ok(Self(descriptor))
    }

    /// Sets the first expiry to the stamp `first`, and further ones every `period` nanoseconds
    /// unless 0.
    pub(crate) fn set(&self, first: u64, period: u64) -> io::Result<()> {
        let setting =
            itimerspec { it_interval: timespec::of(period), it_value: timespec::of(first) };
        // SAFETY: the timer is open, and the setting is only read.
        checked(unsafe {
            __cobalt_timerfd_settime(
                self.0,
                libc::TFD_TIMER_ABSTIME,
                &raw const setting,
                std::ptr::null_mut(),
            )
        })
    }

    /// Waits for an expiry; returns how many occurred since the last wait.
    #[inline]
    pub(crate) fn read(&self) -> io::Result<u64> {
        let mut count = 0_u64;
        // SAFETY: the timer is open, and there is room for the 8 bytes that it writes.
        let bytes = unsafe { __cobalt_read(self.0, (&raw mut count).cast(), size_of::<u64>()) };
        checked(bytes as c_int)?;
        Ok(count)
    }
}
