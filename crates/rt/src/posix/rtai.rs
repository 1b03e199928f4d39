//! Serves measured code by RTAI, through LXRT: its services for Linux threads.
//!
//! LXRT is a system call with a separate number, which RTAI's headers make in inline functions;
//! `rtai.c` gives symbols to the functions used here. On a kernel without RTAI's modules such a
//! call fails unnoticed, so [`start`] checks first, and no call is made before that.
//!
//! A thread with a real-time policy is *hard* during its measured loop: only RTAI schedules it. A
//! Linux call, a signal or a fault makes it *soft*, a Linux thread, until its next call of LXRT.
//! With another policy it is always soft.

use std::arch::x86_64::{_mm_lfence, _rdtsc};
use std::cell::Cell;
use std::ffi::{c_int, c_longlong, c_void};
use std::io;
use std::path::Path;
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicU64, Ordering};

use base::Policy;

use super::account::Account;
use super::kinds::{Object, Protocol, not_applicable, unsupported};
use super::linux;
use crate::read;

/// An object of the kernel.
type Handle = *mut c_void;

unsafe extern "C" {
    fn lxrt_counts_in(ns: c_longlong) -> c_longlong;
    fn lxrt_time() -> c_longlong;
    fn lxrt_task_init(priority: c_int) -> Handle;
    fn lxrt_task_delete(task: Handle);
    fn lxrt_change_priority(task: Handle, priority: c_int);
    fn lxrt_base_priority(task: Handle) -> c_int;
    fn lxrt_make_hard();
    fn lxrt_make_soft();
    fn lxrt_ran(task: Handle) -> c_longlong;
    fn lxrt_yield();
    fn lxrt_sleep_until(counts: c_longlong) -> c_int;
    fn lxrt_semaphore(count: c_int) -> Handle;
    fn lxrt_resource() -> Handle;
    fn lxrt_semaphore_delete(semaphore: Handle);
    fn lxrt_wait(semaphore: Handle) -> c_int;
    fn lxrt_try_wait(semaphore: Handle) -> c_int;
    fn lxrt_signal(semaphore: Handle);
    fn lxrt_mailbox(bytes: c_int) -> Handle;
    fn lxrt_mailbox_delete(mailbox: Handle);
    fn lxrt_send(mailbox: Handle, message: *const c_void, bytes: c_int) -> c_int;
    fn lxrt_receive(mailbox: Handle, message: *mut c_void, bytes: c_int) -> c_int;
}

/// The results of a call that may wait: it succeeded, or a Linux signal interrupted it. The numbers
/// are those of `rtai.c`.
const DONE: c_int = 0;
const INTERRUPTED: c_int = 1;

/// The file in which RTAI reports about its scheduler, once that is loaded.
const SCHEDULER: &str = "/proc/rtai/scheduler";
/// The folder in which Linux reports about the module with RTAI's mailboxes.
const MAILBOXES: &str = "/sys/module/rtai_mbx";
/// Linux's highest priority; RTAI's is 0.
const HIGHEST: u8 = 99;
/// The priority of a thread without a real-time policy: below all others.
const LOWEST: c_int = 1000;
/// The number that RTAI adds to the priority of a thread while it is soft (`BASE_SOFT_PRIORITY` of
/// its scheduler).
const SOFT: c_int = 1_000_000_000;

/// Whether real-time threads run in a separate kernel next to Linux.
pub const TWO_KERNELS: bool = true;

/// The nanoseconds per count of RTAI's clock, times 2^32; 0 until this process is registered with
/// RTAI.
static NS_PER_COUNT: AtomicU64 = AtomicU64::new(0);

/// Checks that RTAI is there and how long a count of its clock lasts; must be called on the main
/// thread before anything is measured.
///
/// # Errors
/// Fails if the machine does not run RTAI, or its clock is unknown; the error is one line.
pub fn start() -> Result<(), String> {
    if !Path::new(SCHEDULER).exists() {
        return Err(format!(
            "this build measures RTAI, but {SCHEDULER} does not exist: boot a kernel that has it and \
             load its modules (rtai_hal, rtai_sched, rtai_mbx), or use the build without the \
             feature `rtai`"
        ));
    }
    // SAFETY: takes only numbers, and the kernel knows the call.
    let (per_second, earlier, time) =
        unsafe { (lxrt_counts_in(1_000_000_000), counts(), lxrt_time()) };
    let is_counter = (earlier..=counts()).contains(&time.cast_unsigned());
    if per_second <= 0 || !is_counter {
        return Err(format!(
            "RTAI's clock is not the processor's counter: it has {per_second} counts per second and \
             is at {time}, the counter is at {earlier}"
        ));
    }
    let ratio = (1_000_000_000_u128 << 32) / per_second.unsigned_abs() as u128;
    NS_PER_COUNT.store(ratio as u64, Ordering::Relaxed);
    Ok(())
}

fn is_started() -> bool {
    NS_PER_COUNT.load(Ordering::Relaxed) > 0
}

/// Reads the counter from which RTAI takes its time, after all earlier instructions.
#[inline]
fn counts() -> u64 {
    // SAFETY: every x86-64 processor has both instructions.
    unsafe {
        _mm_lfence();
        _rdtsc()
    }
}

#[inline]
fn ns_of(counts: u64, ratio: u64) -> u64 {
    ((u128::from(counts) * u128::from(ratio)) >> 32) as u64
}

/// Returns the first count that is not before the stamp.
#[inline]
fn counts_of(ns: u64, ratio: u64) -> u64 {
    (u128::from(ns) << 32).div_ceil(u128::from(ratio)) as u64
}

/// RTAI's data of a thread, which is removed when the thread ends.
struct Task {
    /// Null for a thread that is only in Linux.
    handle: Cell<Handle>,
    is_real_time: Cell<bool>,
    /// Requested excursions into Linux in this stay.
    asked: Cell<u64>,
    account: Account,
}

thread_local! {
    static TASK: Task = const { Task {
        handle: Cell::new(null_mut()),
        is_real_time: Cell::new(false),
        asked: Cell::new(0),
        account: Account::new(),
    } };
}

impl Task {
    fn handle(&self) -> Option<NonNull<c_void>> {
        NonNull::new(self.handle.get())
    }

    /// Registers the calling thread, which is not yet registered, with RTAI.
    #[cold]
    fn join(&self, priority: c_int) -> io::Result<()> {
        if !is_started() {
            return Err(io::Error::other("this process is not registered with RTAI"));
        }
        // SAFETY: RTAI is there; takes only a number.
        self.handle.set(unsafe { lxrt_task_init(priority) });
        let joined = self.handle().map(drop);
        joined.ok_or_else(|| no_room("threads"))
    }

    /// Makes sure that the kernel knows the caller of a service, which must be a task.
    #[inline]
    fn is_known(&self) -> bool {
        !self.handle.get().is_null() || self.join(LOWEST).is_ok()
    }

    /// Returns how long the thread had run hard at its last switch, in nanoseconds.
    fn ran_ns(&self) -> u64 {
        let ratio = NS_PER_COUNT.load(Ordering::Relaxed);
        // SAFETY: this is the thread's own task.
        let counts = |task: NonNull<c_void>| unsafe { lxrt_ran(task.as_ptr()) };
        let counts = self.handle().map_or(0, counts);
        ns_of(counts.cast_unsigned(), ratio)
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        if let Some(task) = self.handle() {
            // SAFETY: this is the thread's own task, which it does not use any more.
            unsafe { lxrt_task_delete(task.as_ptr()) };
        }
    }
}

/// The stay of a real-time thread in hard mode.
#[derive(Debug)]
pub struct Stay(Option<u64>);

impl Stay {
    /// Makes the calling thread hard if it has a real-time policy.
    #[must_use]
    pub fn begin() -> Self {
        TASK.with(|task| {
            if !task.is_real_time.get() {
                return Self(None);
            }
            task.asked.set(0);
            task.account.leave_linux();
            let before = voluntary_switches();
            // SAFETY: the thread is registered with RTAI. The second call takes effect if a signal
            // interrupted the first.
            unsafe {
                lxrt_make_hard();
                lxrt_make_hard();
            }
            task.account.arrive(task.ran_ns(), now());
            Self(Some(before))
        })
    }

    /// Makes the thread soft; returns how often it has been soft since then without a request, that
    /// is not by [`excursion`]. `None` if it was never hard, and if RTAI does not count the time of
    /// its threads.
    ///
    /// Linux counts each time that RTAI takes the thread over: that is the switch of a thread that
    /// goes to sleep.
    #[must_use]
    pub fn end(self) -> Option<u64> {
        let before = self.0?;
        TASK.with(|task| {
            // SAFETY: the thread is registered with RTAI.
            unsafe { lxrt_make_soft() };
            task.account.come_back();
            let taken = voluntary_switches().saturating_sub(before);
            let unasked = taken.checked_sub(1 + task.asked.get());
            unasked.filter(|_| task.ran_ns() > 0)
        })
    }
}

/// Returns how often the calling thread went to sleep according to Linux.
fn voluntary_switches() -> u64 {
    linux::thread_usage().ru_nvcsw.cast_unsigned()
}

/// Makes one Linux system call and becomes hard again: getppid(2), which does nothing else.
#[inline]
pub fn excursion() {
    TASK.with(|task| task.asked.set(task.asked.get() + 1));
    let _ = rustix::process::getppid();
    // SAFETY: the thread is registered with RTAI.
    unsafe { lxrt_make_hard() };
}

/// Returns the name and version of the core, and how early its timers fire so that threads wake in
/// time.
#[must_use]
pub fn core() -> Option<String> {
    let scheduler = read::text(SCHEDULER)?;
    Some(format!("RTAI {}, {}", env!("RTAI_VERSION"), calibration(&scheduler)))
}

/// Describes the calibration that the scheduler's page reports.
fn calibration(scheduler: &str) -> String {
    let latency = scheduler.lines().find_map(|line| {
        let (_, latency) = line.split_once("user space latency: ")?;
        latency.strip_suffix(" ns")
    });
    match latency {
        None => "calibration not reported".to_owned(),
        Some("0") => "not calibrated (latency 0 ns)".to_owned(),
        Some(ns) => format!("calibrated (latency {ns} ns)"),
    }
}

/// Whether the core offers such an object; a process that is not registered with RTAI uses Linux.
pub(super) fn offers(object: Object) -> bool {
    object == Object::IntervalTimer || !is_started()
}

/// Reports the calling thread's Linux policy to RTAI, and registers the thread.
pub(crate) fn adopt(policy: Policy) -> io::Result<()> {
    if !is_started() {
        return Ok(());
    }
    let (priority, is_real_time) = match policy {
        Policy::Fifo(priority) => (c_int::from(HIGHEST - priority.min(HIGHEST)), true),
        Policy::Other { .. } | Policy::Idle => (LOWEST, false),
        Policy::Rr(_) | Policy::Deadline { .. } => {
            return Err(unsupported("LXRT reports back only the fifo policy; use fifo:N or other"));
        }
    };
    TASK.with(|task| {
        match task.handle() {
            None => task.join(priority)?,
            // SAFETY: this is the thread's own task.
            Some(known) => unsafe { lxrt_change_priority(known.as_ptr(), priority) },
        }
        task.is_real_time.set(is_real_time);
        Ok(())
    })
}

/// Returns the real-time policy that the calling thread has in RTAI.
pub(crate) fn policy() -> Option<Policy> {
    TASK.with(|task| {
        let known = task.handle().filter(|_| task.is_real_time.get())?;
        // SAFETY: this is the thread's own task.
        let priority = unsafe { lxrt_base_priority(known.as_ptr()) };
        let below = u8::try_from(priority % SOFT).ok()?;
        HIGHEST.checked_sub(below).map(Policy::Fifo)
    })
}

/// Returns a stamp of RTAI's clock; of Linux's clock before [`start`], and in the program's
/// processes that never call it.
#[inline]
pub(crate) fn now() -> u64 {
    match NS_PER_COUNT.load(Ordering::Relaxed) {
        0 => linux::now(),
        ratio => ns_of(counts(), ratio),
    }
}

/// Returns the CPU time of the calling thread, in nanoseconds: the sum of what Linux counted, and
/// RTAI while the thread was hard.
pub(crate) fn thread_cpu_time() -> u64 {
    TASK.with(|task| task.account.cpu_time(task.ran_ns(), now()))
}

/// Sleeps until the stamp; a thread that RTAI does not know sleeps in Linux.
#[inline]
pub(crate) fn sleep_until(until: u64) {
    let is_known = TASK.with(|task| task.handle().is_some());
    match NS_PER_COUNT.load(Ordering::Relaxed) {
        0 => linux::sleep_until(until),
        _ if !is_known => linux::sleep_until(linux::now() + until.saturating_sub(now())),
        ratio => {
            let until = counts_of(until, ratio).cast_signed();
            // SAFETY: the thread is registered with RTAI.
            while unsafe { lxrt_sleep_until(until) } == INTERRUPTED {}
        }
    }
}

#[inline]
pub(crate) fn sched_yield() {
    // Only Linux schedules a soft thread.
    match TASK.with(|task| task.is_real_time.get()) {
        // SAFETY: the thread is registered with RTAI.
        true => unsafe { lxrt_yield() },
        false => linux::sched_yield(),
    }
}

/// A timer that is read. RTAI has only the timers of its threads, which sleep from one expiry to
/// the next; a process that is not registered with RTAI has Linux's timer.
#[derive(Debug)]
pub(crate) enum TimerDescriptor {
    Linux(linux::TimerDescriptor),
    /// The next expiry, and the distance between expiries, in nanoseconds.
    Own([AtomicU64; 2]),
}

impl TimerDescriptor {
    pub(crate) fn new() -> io::Result<Self> {
        match is_started() {
            true => Ok(Self::Own(Default::default())),
            false => linux::TimerDescriptor::new().map(Self::Linux),
        }
    }

    /// Sets the first expiry to the stamp `first`, and further ones every `period` nanoseconds.
    pub(crate) fn set(&self, first: u64, period: u64) -> io::Result<()> {
        match self {
            Self::Linux(timer) => timer.set(first, period),
            Self::Own(_) if period == 0 => Err(io::ErrorKind::InvalidInput.into()),
            Self::Own([next, apart]) => {
                next.store(first, Ordering::Relaxed);
                apart.store(period, Ordering::Relaxed);
                Ok(())
            }
        }
    }

    /// Waits for an expiry; returns how many occurred since the last wait.
    #[inline]
    pub(crate) fn read(&self) -> io::Result<u64> {
        let [next, apart] = match self {
            Self::Linux(timer) => return timer.read(),
            Self::Own(times) => times,
        };
        let (due, apart) = (next.load(Ordering::Relaxed), apart.load(Ordering::Relaxed));
        sleep_until(due);
        let expired = 1 + now().saturating_sub(due) / apart.max(1);
        next.store(due + expired * apart, Ordering::Relaxed);
        Ok(expired)
    }
}

/// Explains what another object needs.
fn no_room(of: &str) -> io::Error {
    unsupported(format!(
        "needs room for more {of}: an RTAI with more slots in its registry \
         (CONFIG_RTAI_SCHED_LXRT_NUMSLOTS) and a larger heap (rtai_global_heap_size)"
    ))
}

/// Creates a counting semaphore whose waiters are served by priority.
pub(super) fn semaphore(count: u32) -> io::Result<NonNull<c_void>> {
    // SAFETY: RTAI is there; takes only a number.
    made("semaphores", || unsafe { lxrt_semaphore(count.cast_signed()) })
}

/// Creates an object of RTAI for the calling thread, which is registered first: RTAI removes
/// objects with their thread.
fn made(of: &str, make: impl FnOnce() -> Handle) -> io::Result<NonNull<c_void>> {
    TASK.with(|task| match task.handle() {
        Some(_) => Ok(()),
        None => task.join(LOWEST),
    })?;
    NonNull::new(make()).ok_or_else(|| no_room(of))
}

/// Deletes a semaphore that is no longer used.
pub(super) fn delete_semaphore(semaphore: NonNull<c_void>) {
    // SAFETY: the kernel made the handle and checks it.
    unsafe { lxrt_semaphore_delete(semaphore.as_ptr()) };
}

#[inline]
pub(super) fn try_wait(semaphore: Handle) -> bool {
    // SAFETY: as above, and the caller is registered with RTAI.
    TASK.with(Task::is_known) && unsafe { lxrt_try_wait(semaphore) } != 0
}

/// Waits for the semaphore; a signal does not end the wait.
#[inline]
pub(super) fn wait(semaphore: Handle) {
    // SAFETY: as above.
    until_done(|| unsafe { lxrt_wait(semaphore) });
}

/// Repeats a request until no signal interrupts it.
#[inline]
fn until_done(ask: impl Fn() -> c_int) {
    loop {
        match TASK.with(Task::is_known).then(&ask) {
            Some(DONE) => return,
            Some(INTERRUPTED) => {}
            _ => refused(),
        }
    }
}

/// Ends the thread, which must never continue as if it had been given what it waits for.
#[cold]
fn refused() -> ! {
    panic!("RTAI refused an object that it had created, or the thread that uses it");
}

#[inline]
pub(super) fn post(semaphore: Handle) {
    if TASK.with(Task::is_known) {
        // SAFETY: as above.
        unsafe { lxrt_signal(semaphore) };
    }
}

/// Creates a resource semaphore: one thread holds it, and inherits the priority of waiting threads.
pub(super) fn mutex(protocol: Protocol) -> io::Result<NonNull<c_void>> {
    match protocol {
        // SAFETY: RTAI is there.
        Protocol::Inherit => made("mutexes", || unsafe { lxrt_resource() }),
        Protocol::Plain => Err(not_applicable("an RTAI mutex always inherits priorities")),
        Protocol::Ceiling(_) => Err(not_applicable("RTAI has no priority ceilings")),
    }
}

pub(super) use self::{delete_semaphore as delete_mutex, post as unlock, try_wait as try_lock};

#[inline]
pub(super) fn lock(mutex: Handle) -> bool {
    wait(mutex);
    true
}

/// A mailbox with room for one message.
#[derive(Debug)]
pub(crate) struct Mailbox(NonNull<c_void>);

// SAFETY: the handle is the kernel's, and several threads may use it at once.
unsafe impl Send for Mailbox {}
// SAFETY: as above.
unsafe impl Sync for Mailbox {}

impl Mailbox {
    /// Creates a mailbox for messages of `bytes` bytes that other processes do not know.
    ///
    /// # Errors
    /// Fails if RTAI has no mailboxes or no room for another one; the error says what it needs.
    pub(crate) fn new(bytes: usize) -> io::Result<Self> {
        if !Path::new(MAILBOXES).exists() {
            return Err(unsupported("needs RTAI's mailboxes: load its module rtai_mbx"));
        }
        // SAFETY: RTAI is there; takes only a number.
        made("mailboxes", || unsafe { lxrt_mailbox(bytes as c_int) }).map(Self)
    }

    /// Puts a message in, and wakes a receiver that sleeps.
    #[inline]
    pub(crate) fn send(&self, message: &[u8]) {
        let (bytes, message) = (message.len() as c_int, message.as_ptr());
        // SAFETY: the kernel made the handle; the message is valid for its length, and the caller
        // is registered with RTAI.
        until_done(|| unsafe { lxrt_send(self.0.as_ptr(), message.cast(), bytes) });
    }

    /// Waits for a message and takes it out.
    #[inline]
    pub(crate) fn receive(&self, message: &mut [u8]) {
        let (bytes, message) = (message.len() as c_int, message.as_mut_ptr());
        // SAFETY: as above.
        until_done(|| unsafe { lxrt_receive(self.0.as_ptr(), message.cast(), bytes) });
    }
}

impl Drop for Mailbox {
    fn drop(&mut self) {
        // SAFETY: it is not in use, since no other code has a reference.
        unsafe { lxrt_mailbox_delete(self.0.as_ptr()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_sleep_ends_before_its_stamp() {
        for frequency in [999_989_000_u128, 1_000_000_000, 2_894_561_000, 3] {
            let ratio = ((1_000_000_000_u128 << 32) / frequency) as u64;
            for ns in [0, 1, 999_999_999, 86_400_000_000_000, 1 << 50] {
                let counts = counts_of(ns, ratio);
                assert!(ns_of(counts, ratio) >= ns, "{frequency} {ns}");
                assert!(counts == 0 || ns_of(counts - 1, ratio) < ns, "{frequency} {ns}");
            }
        }
    }

    #[test]
    fn the_calibration_is_described() {
        let page = |ns: u32| format!("x\n    Calibrated user space latency: {ns} ns\ny");
        assert_eq!(calibration(&page(0)), "not calibrated (latency 0 ns)");
        assert_eq!(calibration(&page(2500)), "calibrated (latency 2500 ns)");
        assert_eq!(calibration(""), "calibration not reported");
    }
}
