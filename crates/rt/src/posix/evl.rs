//! Serves measured code by EVL, the core of Xenomai 4, through libevl.
//!
//! A thread attaches itself to the core, and is *out of band* while EVL schedules it. A Linux call
//! takes it *in band*, where it is a Linux thread, until its next call of the core. `evl.c`
//! contains the calls that need the library's structures.

use std::cell::Cell;
use std::ffi::{c_int, c_uint, c_ulonglong, c_void};
use std::io;
use std::path::Path;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, Ordering};

use base::Policy;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::account::Account;
use super::kinds::{Object, Protocol, not_applicable, unsupported};
use super::linux;
use crate::read;

/// An object of the library.
type Handle = *mut c_void;

unsafe extern "C" {
    fn evl_init() -> c_int;
    fn evl_detach_self() -> c_int;
    fn evl_switch_oob() -> c_int;
    fn evl_switch_inband() -> c_int;
    fn evl_yield() -> c_int;
    fn oob_read(descriptor: c_int, to: *mut c_void, bytes: usize) -> isize;
    fn evl_get_sem(semaphore: Handle) -> c_int;
    fn evl_tryget_sem(semaphore: Handle) -> c_int;
    fn evl_put_sem(semaphore: Handle) -> c_int;
    fn evl_lock_mutex(mutex: Handle) -> c_int;
    fn evl_trylock_mutex(mutex: Handle) -> c_int;
    fn evl_unlock_mutex(mutex: Handle) -> c_int;

    fn core_now() -> c_ulonglong;
    fn core_sleep_until(ns: c_ulonglong) -> c_int;
    fn core_attach() -> c_int;
    fn core_set_policy(policy: c_int, priority: c_int) -> c_int;
    fn core_policy(policy: *mut c_int, priority: *mut c_int) -> c_int;
    fn core_counts(switches: *mut c_uint, ran: *mut c_ulonglong) -> c_int;
    fn core_timer() -> c_int;
    fn core_set_timer(timer: c_int, first: c_ulonglong, period: c_ulonglong) -> c_int;
    fn core_semaphore(count: c_int) -> Handle;
    fn core_delete_semaphore(semaphore: Handle);
    fn core_mutex(ceiling: c_uint) -> Handle;
    fn core_delete_mutex(mutex: Handle);
}

/// The file that libevl opens first.
const CONTROL: &str = "/dev/evl/control";
/// The file in which the core reports its interface version.
const INTERFACE: &str = "/sys/class/evl/control/abi";

/// Whether real-time threads run in a separate kernel next to Linux.
pub const TWO_KERNELS: bool = true;

/// Whether the real-time core knows this process.
static STARTED: AtomicBool = AtomicBool::new(false);

/// Registers the calling process with the core; must be called on the main thread before anything
/// is measured.
///
/// # Errors
/// Fails if the machine does not run this core, or runs another version; the error is one line.
pub fn start() -> Result<(), String> {
    if !Path::new(CONTROL).exists() {
        return Err(format!(
            "this build measures EVL, but {CONTROL} does not exist: boot a kernel that has it, or \
             use the build without the feature `evl`"
        ));
    }
    // Each object of the core is a descriptor. If this is refused, an error appears when there are
    // too many.
    let files = getrlimit(Resource::Nofile);
    let most = Rlimit { current: files.maximum, ..files };
    let _ = setrlimit(Resource::Nofile, most);
    // SAFETY: the call has no arguments.
    checked(unsafe { evl_init() }).map_err(|error| match error.raw_os_error() {
        Some(libc::ENOEXEC) => "libevl and the EVL of this kernel have different versions: \
                                build with the matching libevl"
            .to_owned(),
        _ => format!("EVL refuses this process: {error}"),
    })?;
    STARTED.store(true, Ordering::Relaxed);
    Ok(())
}

fn is_started() -> bool {
    STARTED.load(Ordering::Relaxed)
}

/// Converts a result of the library: 0 or more, or a negative errno.
#[inline]
fn checked(result: c_int) -> io::Result<c_int> {
    match result {
        0.. => Ok(result),
        refused => Err(io::Error::from_raw_os_error(-refused)),
    }
}

/// The core's data of a thread, which is detached when it ends.
struct Thread {
    is_attached: Cell<bool>,
    is_real_time: Cell<bool>,
    /// Excursions into Linux in this stay that measured code requested.
    excursions: Cell<u64>,
    account: Account,
}

thread_local! {
    static THREAD: Thread = const { Thread {
        is_attached: Cell::new(false),
        is_real_time: Cell::new(false),
        excursions: Cell::new(0),
        account: Account::new(),
    } };
}

impl Thread {
    /// Attaches the calling thread to the core, unless it is attached.
    fn attach(&self) -> io::Result<()> {
        if self.is_attached.get() {
            return Ok(());
        }
        // SAFETY: the call has no arguments, in a process that the core knows.
        checked(unsafe { core_attach() }).map_err(no_room)?;
        self.is_attached.set(true);
        Ok(())
    }

    /// Returns how often the thread went in band, and how long it had run out of band at its last
    /// switch, in nanoseconds; `None` for a thread that is not attached.
    fn counts(&self) -> Option<(u64, u64)> {
        let (mut switches, mut ran) = (0, 0);
        // SAFETY: two numbers that are valid for writing, for a thread that is attached.
        let ask = || checked(unsafe { core_counts(&raw mut switches, &raw mut ran) });
        self.is_attached.get().then(ask)?.ok()?;
        Some((switches.into(), ran))
    }

    fn ran(&self) -> u64 {
        self.counts().map_or(0, |(_, ran)| ran)
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        if self.is_attached.get() {
            // SAFETY: the thread does not use the core any more.
            unsafe { evl_detach_self() };
        }
    }
}

/// The stay of a real-time thread out of band.
#[derive(Debug)]
pub struct Stay(Option<u64>);

impl Stay {
    /// Takes the calling thread out of band if it has a real-time policy.
    #[must_use]
    pub fn begin() -> Self {
        THREAD.with(|thread| {
            if !thread.is_real_time.get() {
                return Self(None);
            }
            thread.excursions.set(0);
            thread.account.leave_linux();
            // Switches there and back, so that a core that counts switches has counted at least
            // one.
            // SAFETY: the calls have no arguments, for a thread that is attached.
            let switched = unsafe {
                evl_switch_oob();
                evl_switch_inband();
                evl_switch_oob()
            };
            thread.account.arrive(thread.ran(), now());
            let before = checked(switched).ok().and_then(|_| thread.counts());
            let before = before.map(|(switches, _)| switches);
            Self(before.filter(|switches| *switches > 0))
        })
    }

    /// Returns how often the thread has gone in band since then without a request, that is not by
    /// [`excursion`]; `None` for a thread that was never out of band, and if the core does not
    /// count (its option `CONFIG_EVL_RUNSTATS`).
    #[must_use]
    pub fn end(self) -> Option<u64> {
        THREAD.with(|thread| {
            let after = thread.counts().map(|(switches, _)| switches);
            // SAFETY: the call has no arguments; a thread that is in band stays there.
            unsafe { evl_switch_inband() };
            thread.account.come_back();
            let left = after?.wrapping_sub(self.0?);
            Some(left.saturating_sub(thread.excursions.get()))
        })
    }
}

/// Makes one Linux system call and goes out of band again: getppid(2), which does nothing else.
#[inline]
pub fn excursion() {
    THREAD.with(|thread| thread.excursions.set(thread.excursions.get() + 1));
    let _ = rustix::process::getppid();
    // SAFETY: the call has no arguments.
    unsafe { evl_switch_oob() };
}

/// Returns the name and version of the core.
#[must_use]
pub fn core() -> Option<String> {
    let interface = read::text(INTERFACE)?;
    Some(format!("EVL, interface {interface}"))
}

/// Whether the core offers such an object.
pub(super) fn offers(object: Object) -> bool {
    matches!(object, Object::IntervalTimer | Object::OneShotTimer) || !is_started()
}

/// Reports the calling thread's Linux policy to the core, and attaches the thread; with the default
/// policy it is in band between its calls of the core.
pub(crate) fn adopt(policy: Policy) -> io::Result<()> {
    if !is_started() {
        return Ok(());
    }
    let (number, priority) = match policy {
        Policy::Fifo(priority) => (libc::SCHED_FIFO, priority),
        Policy::Other { .. } | Policy::Idle => (libc::SCHED_OTHER, 0),
        Policy::Rr(_) | Policy::Deadline { .. } => {
            return Err(unsupported(
                "EVL has no deadline policy, and rr needs its own time slice; use fifo:N or other",
            ));
        }
    };
    THREAD.with(|thread| {
        thread.attach()?;
        // SAFETY: takes only numbers, for a thread that is attached.
        checked(unsafe { core_set_policy(number, c_int::from(priority)) })?;
        thread.is_real_time.set(priority > 0);
        Ok(())
    })
}

/// Returns the real-time policy that the calling thread has in the core.
pub(crate) fn policy() -> Option<Policy> {
    let is_real_time = THREAD.with(|thread| thread.is_real_time.get());
    let (mut policy, mut priority) = (0, 0);
    // SAFETY: two numbers that are valid for writing, for a thread that is attached.
    let found = || checked(unsafe { core_policy(&raw mut policy, &raw mut priority) });
    is_real_time.then(found)?.ok()?;
    let priority = u8::try_from(priority).ok()?;
    (policy == libc::SCHED_FIFO).then_some(Policy::Fifo(priority))
}

/// Returns a stamp of the core's clock; of Linux's clock before [`start`], and in the program's
/// processes that never call it.
#[inline]
pub(crate) fn now() -> u64 {
    match is_started() {
        // SAFETY: the call has no arguments, in a process that the core knows.
        true => unsafe { core_now() },
        false => linux::now(),
    }
}

/// Returns the CPU time of the calling thread, in nanoseconds: the sum of what Linux and the core
/// counted.
pub(crate) fn thread_cpu_time() -> u64 {
    THREAD.with(|thread| thread.account.cpu_time(thread.ran(), now()))
}

/// Sleeps until the stamp; a thread that the core does not know sleeps in Linux.
#[inline]
pub(crate) fn sleep_until(until: u64) {
    match THREAD.with(|thread| thread.is_attached.get()) {
        // SAFETY: takes only a number, for a thread that is attached.
        true => while unsafe { core_sleep_until(until) } == -libc::EINTR {},
        false => linux::sleep_until(until),
    }
}

#[inline]
pub(crate) fn sched_yield() {
    match THREAD.with(|thread| thread.is_attached.get()) {
        // SAFETY: the call has no arguments, for a thread that is attached.
        true => drop(checked(unsafe { evl_yield() })),
        false => linux::sched_yield(),
    }
}

/// A timer of the core that is read. It is closed with the process: closing it takes a thread in
/// band, and it may be dropped in a measured loop.
#[derive(Debug)]
pub(crate) enum TimerDescriptor {
    Linux(linux::TimerDescriptor),
    Core(c_int),
}

impl TimerDescriptor {
    pub(crate) fn new() -> io::Result<Self> {
        match is_started() {
            // SAFETY: the call has no arguments.
            true => checked(unsafe { core_timer() }).map(Self::Core).map_err(no_room),
            false => linux::TimerDescriptor::new().map(Self::Linux),
        }
    }

    /// Sets the first expiry to the stamp `first`, and further ones every `period` nanoseconds
    /// unless 0.
    pub(crate) fn set(&self, first: u64, period: u64) -> io::Result<()> {
        match self {
            Self::Linux(timer) => timer.set(first, period),
            // SAFETY: the timer is open; the other arguments are numbers.
            Self::Core(timer) => {
                checked(unsafe { core_set_timer(*timer, first, period) }).map(drop)
            }
        }
    }

    /// Waits for an expiry; returns how many occurred since the last wait.
    #[inline]
    pub(crate) fn read(&self) -> io::Result<u64> {
        let timer = match self {
            Self::Linux(timer) => return timer.read(),
            Self::Core(timer) => *timer,
        };
        let mut count = 0_u64;
        // SAFETY: the timer is open, and there is room for the 8 bytes that it writes.
        match unsafe { oob_read(timer, (&raw mut count).cast(), size_of::<u64>()) } {
            0.. => Ok(count),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// Replaces the error of an object that could not be created by what it needs, if that is known.
fn no_room(error: io::Error) -> io::Error {
    let needs = match error.raw_os_error() {
        Some(libc::EMFILE) => "raise the limit of open files (ulimit -Hn)",
        Some(libc::EAGAIN | libc::ENOMEM | libc::ENOSPC) => {
            "a kernel with a larger CONFIG_EVL_NR_MONITORS, CONFIG_EVL_NR_THREADS and \
             CONFIG_EVL_COREMEM_SIZE"
        }
        _ => return error,
    };
    unsupported(format!("needs room for more EVL objects: {needs}"))
}

/// Creates an object of the library.
fn created(create: impl FnOnce() -> Handle) -> io::Result<NonNull<c_void>> {
    if !is_started() {
        return Err(io::Error::other("this process is not registered with EVL"));
    }
    NonNull::new(create()).ok_or_else(|| no_room(io::Error::last_os_error()))
}

/// Repeats a request until no signal interrupts it; attaches a thread that the core does not know
/// first. Returns whether the request succeeded.
#[inline]
fn request(call: impl Fn() -> c_int) -> bool {
    loop {
        match call() {
            0.. => return true,
            refused if refused == -libc::EINTR => {}
            refused if refused == -libc::EPERM && attach_late() => {}
            _ => return false,
        }
    }
}

/// Panics after a request that failed, so that a thread never continues without what it waited for.
#[inline]
fn must_succeed(has_succeeded: bool) {
    assert!(has_succeeded, "EVL refused an object that it had created, or the thread that uses it");
}

/// Attaches the calling thread; returns false if it was attached before, or cannot be.
#[cold]
fn attach_late() -> bool {
    THREAD.with(|thread| !thread.is_attached.get() && thread.attach().is_ok())
}

/// Creates a counting semaphore whose waiters are served by priority.
pub(super) fn semaphore(count: u32) -> io::Result<NonNull<c_void>> {
    // SAFETY: takes only a number.
    created(|| unsafe { core_semaphore(count.cast_signed()) })
}

/// Deletes a semaphore that is no longer used.
pub(super) fn delete_semaphore(semaphore: NonNull<c_void>) {
    // SAFETY: it was made by `semaphore`, and is no longer used.
    unsafe { core_delete_semaphore(semaphore.as_ptr()) };
}

#[inline]
pub(super) fn try_wait(semaphore: Handle) -> bool {
    // SAFETY: the caller has a valid semaphore.
    request(|| unsafe { evl_tryget_sem(semaphore) })
}

/// Waits for the semaphore; a signal does not end the wait.
#[inline]
pub(super) fn wait(semaphore: Handle) {
    // SAFETY: as above.
    must_succeed(request(|| unsafe { evl_get_sem(semaphore) }));
}

#[inline]
pub(super) fn post(semaphore: Handle) {
    // SAFETY: as above.
    must_succeed(request(|| unsafe { evl_put_sem(semaphore) }));
}

/// Creates a mutex that inherits priorities or has a ceiling.
pub(super) fn mutex(protocol: Protocol) -> io::Result<NonNull<c_void>> {
    let ceiling = match protocol {
        Protocol::Plain => {
            return Err(not_applicable("an EVL mutex inherits priorities or has a ceiling"));
        }
        Protocol::Inherit => 0,
        Protocol::Ceiling(priority) => c_uint::from(priority),
    };
    // SAFETY: takes only a number.
    created(|| unsafe { core_mutex(ceiling) })
}

/// Deletes a mutex that is no longer used.
pub(super) fn delete_mutex(mutex: NonNull<c_void>) {
    // SAFETY: it was made by `mutex`, and is no longer used.
    unsafe { core_delete_mutex(mutex.as_ptr()) };
}

#[inline]
pub(super) fn try_lock(mutex: Handle) -> bool {
    // SAFETY: the caller has a valid mutex.
    request(|| unsafe { evl_trylock_mutex(mutex) })
}

#[inline]
pub(super) fn lock(mutex: Handle) -> bool {
    // SAFETY: as above.
    request(|| unsafe { evl_lock_mutex(mutex) })
}

#[inline]
pub(super) fn unlock(mutex: Handle) {
    // SAFETY: as above; the calling thread holds it.
    must_succeed(request(|| unsafe { evl_unlock_mutex(mutex) }));
}

/// A mailbox, which does not exist: EVL has no queue that passes messages between its threads; its
/// cross-buffer connects one of its threads with a Linux thread.
#[derive(Debug)]
pub(crate) enum Mailbox {}

impl Mailbox {
    /// # Errors
    /// Always fails: EVL has no mailboxes.
    pub(crate) fn new(_bytes: usize) -> io::Result<Self> {
        Err(not_applicable("EVL has no message queue between its threads"))
    }

    pub(crate) fn send(&self, _message: &[u8]) {
        match *self {}
    }

    pub(crate) fn receive(&self, _message: &mut [u8]) {
        match *self {}
    }
}
