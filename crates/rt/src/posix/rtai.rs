//! RTAI answers, through LXRT: its services for threads of Linux.
//!
//! LXRT is a system call of its own number, which RTAI's headers make in inline functions;
//! `rtai.c` gives those that are used here symbols. On a kernel without RTAI's modules such
//! a call fails and tells nobody, so [`start`] looks first, and nothing is asked before.
//!
//! A thread under a real-time policy is *hard* for its measured loop: RTAI alone schedules
//! it. A call of Linux, a signal or a fault makes it *soft*, a thread of Linux, until its
//! next call of LXRT. Under another policy it is soft all its life.

use std::arch::x86_64::{_mm_lfence, _rdtsc};
use std::cell::Cell;
use std::ffi::{c_int, c_longlong, c_void};
use std::io;
use std::mem::MaybeUninit;
use std::path::Path;
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicU64, Ordering};

use units::Policy;

use super::account::Account;
use super::kinds::{Object, Protocol, not_applicable};
use super::linux;
use crate::read;

/// An object of the kernel's.
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

/// How a call that may wait ended, where it did what was asked or a signal of Linux was in its
/// way: `rtai.c`.
const DONE: c_int = 0;
const INTERRUPTED: c_int = 1;

/// Where RTAI tells of its scheduler, once that is loaded.
const SCHEDULER: &str = "/proc/rtai/scheduler";
/// Where Linux tells of the module with RTAI's mailboxes.
const MAILBOXES: &str = "/sys/module/rtai_mbx";
/// RTAI's highest priority is 0, that of Linux this one.
const HIGHEST: u8 = 99;
/// The priority of a thread without a real-time policy: below all others.
const LOWEST: c_int = 1000;
/// What RTAI adds to the priority of a thread while that is soft (`BASE_SOFT_PRIORITY` of
/// its scheduler).
const SOFT: c_int = 1_000_000_000;

/// Whether a real-time thread lives in a kernel of its own beside Linux.
pub const TWO_KERNELS: bool = true;

/// Nanoseconds that a count of RTAI's clock lasts, times 2^32; 0 until this process is one
/// of RTAI's.
static NS_A_COUNT: AtomicU64 = AtomicU64::new(0);

/// Looks whether RTAI is there and how long a count of its clock lasts, on the main thread
/// and before anything is measured.
///
/// # Errors
/// One line where the machine runs no RTAI, or one with a clock that is not known.
pub fn start() -> Result<(), String> {
    if !Path::new(SCHEDULER).exists() {
        return Err(format!(
            "this build measures RTAI and there is no {SCHEDULER}: boot a kernel that has it and \
             load its modules (rtai_hal, rtai_sched, rtai_mbx), or use the build without the \
             feature `rtai`"
        ));
    }
    // SAFETY: numbers alone, asked of a kernel that knows the call.
    let (a_second, earlier, time) =
        unsafe { (lxrt_counts_in(1_000_000_000), counts(), lxrt_time()) };
    let is_counter = (earlier..=counts()).contains(&time.cast_unsigned());
    if a_second <= 0 || !is_counter {
        return Err(format!(
            "RTAI's clock is not the processor's counter: it has {a_second} counts a second and \
             stands at {time}, the counter at {earlier}"
        ));
    }
    let ratio = (1_000_000_000_u128 << 32) / a_second.unsigned_abs() as u128;
    NS_A_COUNT.store(ratio as u64, Ordering::Relaxed);
    Ok(())
}

fn is_started() -> bool {
    NS_A_COUNT.load(Ordering::Relaxed) > 0
}

/// The counter that RTAI takes its time from, read after all that stands before.
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

/// The first count that is not before the stamp.
#[inline]
fn counts_of(ns: u64, ratio: u64) -> u64 {
    (u128::from(ns) << 32).div_ceil(u128::from(ratio)) as u64
}

/// What RTAI knows of a thread, which takes it back when the thread ends.
struct Task {
    /// Null for a thread of Linux alone.
    handle: Cell<Handle>,
    is_real_time: Cell<bool>,
    /// Excursions into Linux in this stay that it was asked for.
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

    /// Makes the calling thread one of RTAI's, unless it is.
    #[cold]
    fn join(&self, priority: c_int) -> io::Result<()> {
        if !is_started() {
            return Err(io::Error::other("this process is none of RTAI's"));
        }
        // SAFETY: RTAI is there; a number alone.
        self.handle.set(unsafe { lxrt_task_init(priority) });
        let joined = self.handle().map(drop);
        joined.ok_or_else(|| no_room("threads"))
    }

    /// Makes sure that the kernel knows the caller of a service: it asks for a task.
    #[inline]
    fn is_known(&self) -> bool {
        !self.handle.get().is_null() || self.join(LOWEST).is_ok()
    }

    /// How long it ran hard until it was last switched away from, in nanoseconds.
    fn told(&self) -> u64 {
        let ratio = NS_A_COUNT.load(Ordering::Relaxed);
        // SAFETY: the thread's own task.
        let counts = |task: NonNull<c_void>| unsafe { lxrt_ran(task.as_ptr()) };
        let counts = self.handle().map_or(0, counts);
        ns_of(counts.cast_unsigned(), ratio)
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        if let Some(task) = self.handle() {
            // SAFETY: the thread's own task, which it uses no more.
            unsafe { lxrt_task_delete(task.as_ptr()) };
        }
    }
}

/// The stay of a real-time thread in hard mode.
#[derive(Debug)]
pub struct Stay(Option<u64>);

impl Stay {
    /// Makes the calling thread hard where it has a real-time policy.
    #[must_use]
    pub fn begin() -> Self {
        TASK.with(|task| {
            if !task.is_real_time.get() {
                return Self(None);
            }
            task.asked.set(0);
            task.account.leave_linux();
            let before = voluntary_switches();
            // SAFETY: a thread that is one of RTAI's. The second call makes up for the first
            // where a signal was in its way.
            unsafe {
                lxrt_make_hard();
                lxrt_make_hard();
            }
            task.account.arrive(task.told(), now());
            Self(Some(before))
        })
    }

    /// Makes the thread soft; how often it has been soft unasked since then, that is not by
    /// [`excursion`]; `None` where it was never hard, and for an RTAI that does not count the
    /// time of its threads.
    ///
    /// Linux counts each time that RTAI takes the thread: that is a switch of a thread that
    /// goes to sleep.
    #[must_use]
    pub fn end(self) -> Option<u64> {
        let before = self.0?;
        TASK.with(|task| {
            // SAFETY: a thread that is one of RTAI's.
            unsafe { lxrt_make_soft() };
            task.account.come_back();
            let taken = voluntary_switches().saturating_sub(before);
            let unasked = taken.checked_sub(1 + task.asked.get());
            unasked.filter(|_| task.told() > 0)
        })
    }
}

/// How often Linux saw the calling thread go to sleep: getrusage(2).
fn voluntary_switches() -> u64 {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: `usage` is valid for writing, and all zeros are valid too.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_THREAD, usage.as_mut_ptr());
        usage.assume_init()
    };
    usage.ru_nvcsw.cast_unsigned()
}

/// Makes one system call of Linux and becomes hard again: getppid(2), which does nothing
/// else.
#[inline]
pub fn excursion() {
    TASK.with(|task| task.asked.set(task.asked.get() + 1));
    let _ = rustix::process::getppid();
    // SAFETY: a thread that is one of RTAI's.
    unsafe { lxrt_make_hard() };
}

/// Name and version of the core, and how early its timers fire so that threads wake in time.
pub(crate) fn core() -> Option<String> {
    let scheduler = read::text(SCHEDULER)?;
    Some(format!("RTAI {}, {}", env!("RTAI_VERSION"), calibration(&scheduler)))
}

/// What the scheduler's page tells of its calibration.
fn calibration(scheduler: &str) -> String {
    let latency = scheduler.lines().find_map(|line| {
        let (_, latency) = line.split_once("user space latency: ")?;
        latency.strip_suffix(" ns")
    });
    match latency {
        None => "calibration not told".to_owned(),
        Some("0") => "not calibrated (latency 0 ns)".to_owned(),
        Some(ns) => format!("calibrated (latency {ns} ns)"),
    }
}

/// Whether the core offers such an object; a process that is none of RTAI's asks Linux.
pub(super) fn offers(object: Object) -> bool {
    object == Object::IntervalTimer || !is_started()
}

/// Tells RTAI of a policy that the calling thread has under Linux, and makes it one of its
/// threads.
pub(crate) fn adopt(policy: Policy) -> io::Result<()> {
    if !is_started() {
        return Ok(());
    }
    let (priority, is_real_time) = match policy {
        Policy::Fifo(priority) => (c_int::from(HIGHEST - priority.min(HIGHEST)), true),
        Policy::Other { .. } | Policy::Idle => (LOWEST, false),
        Policy::Rr(_) | Policy::Deadline { .. } => {
            let why = "LXRT tells no other policy than fifo back; use fifo:N or other";
            return Err(io::Error::new(io::ErrorKind::Unsupported, why));
        }
    };
    TASK.with(|task| {
        match task.handle() {
            None => task.join(priority)?,
            // SAFETY: the thread's own task.
            Some(known) => unsafe { lxrt_change_priority(known.as_ptr(), priority) },
        }
        task.is_real_time.set(is_real_time);
        Ok(())
    })
}

/// The real-time policy that the calling thread has in RTAI.
pub(crate) fn policy() -> Option<Policy> {
    TASK.with(|task| {
        let known = task.handle().filter(|_| task.is_real_time.get())?;
        // SAFETY: the thread's own task.
        let priority = unsafe { lxrt_base_priority(known.as_ptr()) };
        let below = u8::try_from(priority % SOFT).ok()?;
        HIGHEST.checked_sub(below).map(Policy::Fifo)
    })
}

/// Before [`start`], and in the program's processes that never do, Linux's own.
#[inline]
pub(crate) fn now() -> u64 {
    match NS_A_COUNT.load(Ordering::Relaxed) {
        0 => linux::now(),
        ratio => ns_of(counts(), ratio),
    }
}

/// CPU time of the calling thread, in nanoseconds: what Linux counted, and what RTAI did
/// while it was hard.
pub(crate) fn thread_cpu_time() -> u64 {
    TASK.with(|task| task.account.cpu_time(task.told(), now()))
}

/// A thread that RTAI does not know sleeps in Linux.
#[inline]
pub(crate) fn sleep_until(until: u64) {
    let is_known = TASK.with(|task| task.handle().is_some());
    match NS_A_COUNT.load(Ordering::Relaxed) {
        0 => linux::sleep_until(until),
        _ if !is_known => linux::sleep_until(linux::now() + until.saturating_sub(now())),
        ratio => {
            let until = counts_of(until, ratio).cast_signed();
            // SAFETY: a thread that is one of RTAI's.
            while unsafe { lxrt_sleep_until(until) } == INTERRUPTED {}
        }
    }
}

#[inline]
pub(crate) fn sched_yield() {
    // A soft thread is ready for Linux alone.
    match TASK.with(|task| task.is_real_time.get()) {
        // SAFETY: a thread that is one of RTAI's.
        true => unsafe { lxrt_yield() },
        false => linux::sched_yield(),
    }
}

/// A timer that is read. RTAI has none but those of its threads, which sleep from one
/// expiry to the next; a process that is none of RTAI's has Linux's.
#[derive(Debug)]
pub(crate) enum TimerDescriptor {
    Linux(linux::TimerDescriptor),
    /// The next expiry, and how far apart they are, in nanoseconds.
    Own([AtomicU64; 2]),
}

impl TimerDescriptor {
    pub(crate) fn new() -> io::Result<Self> {
        match is_started() {
            true => Ok(Self::Own(Default::default())),
            false => linux::TimerDescriptor::new().map(Self::Linux),
        }
    }

    /// First expiry at the stamp `first`, then every `period` nanoseconds.
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

    /// Waits for an expiry; how many there were since the last wait.
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

/// What one more object needs.
fn no_room(of: &str) -> io::Error {
    let needs = format!(
        "needs room for more {of}: an RTAI with more slots in its registry \
         (CONFIG_RTAI_SCHED_LXRT_NUMSLOTS) and a larger heap (rtai_global_heap_size)"
    );
    io::Error::new(io::ErrorKind::Unsupported, needs)
}

/// A counting semaphore whose waiters are served by priority.
pub(super) fn semaphore(count: u32) -> io::Result<NonNull<c_void>> {
    // SAFETY: RTAI is there; a number alone.
    made("semaphores", || unsafe { lxrt_semaphore(count.cast_signed()) })
}

/// What RTAI makes for the calling thread, which becomes one of RTAI's: it gives objects back
/// with the thread that they are of.
fn made(of: &str, make: impl FnOnce() -> Handle) -> io::Result<NonNull<c_void>> {
    TASK.with(|task| match task.handle() {
        Some(_) => Ok(()),
        None => task.join(LOWEST),
    })?;
    NonNull::new(make()).ok_or_else(|| no_room(of))
}

/// Nobody uses it any more.
pub(super) fn delete_semaphore(semaphore: NonNull<c_void>) {
    // SAFETY: the kernel made the handle and checks it.
    unsafe { lxrt_semaphore_delete(semaphore.as_ptr()) };
}

#[inline]
pub(super) fn try_wait(semaphore: Handle) -> bool {
    // SAFETY: as above, and the caller is one of RTAI's.
    TASK.with(Task::is_known) && unsafe { lxrt_try_wait(semaphore) } != 0
}

/// A signal does not end the wait.
#[inline]
pub(super) fn wait(semaphore: Handle) {
    // SAFETY: as above.
    until_done(|| unsafe { lxrt_wait(semaphore) });
}

/// Asks until no signal is in the way.
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

/// Who waits must not go on as if it had been given what it waits for.
#[cold]
fn refused() -> ! {
    panic!("RTAI refuses an object that it made, or the thread that asks for it");
}

#[inline]
pub(super) fn post(semaphore: Handle) {
    if TASK.with(Task::is_known) {
        // SAFETY: as above.
        unsafe { lxrt_signal(semaphore) };
    }
}

/// A resource semaphore: one thread holds it, and inherits the priority of those that wait.
pub(super) fn mutex(protocol: Protocol) -> io::Result<NonNull<c_void>> {
    match protocol {
        // SAFETY: RTAI is there.
        Protocol::Inherit => made("mutexes", || unsafe { lxrt_resource() }),
        Protocol::Plain => Err(not_applicable("a mutex of RTAI always inherits priorities")),
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

// SAFETY: the handle is the kernel's, which several threads may ask at once.
unsafe impl Send for Mailbox {}
// SAFETY: as above.
unsafe impl Sync for Mailbox {}

impl Mailbox {
    /// A new mailbox for messages of so many bytes that nobody else knows.
    ///
    /// # Errors
    /// Where RTAI has none or no room for one; says what it needs.
    pub(crate) fn new(bytes: usize) -> io::Result<Self> {
        if !Path::new(MAILBOXES).exists() {
            let needs = "needs RTAI's mailboxes: load its module rtai_mbx";
            return Err(io::Error::new(io::ErrorKind::Unsupported, needs));
        }
        // SAFETY: RTAI is there; a number alone.
        made("mailboxes", || unsafe { lxrt_mailbox(bytes as c_int) }).map(Self)
    }

    /// Puts a message in, and wakes a receiver that sleeps.
    #[inline]
    pub(crate) fn send(&self, message: &[u8]) {
        let (bytes, message) = (message.len() as c_int, message.as_ptr());
        // SAFETY: the kernel made the handle; the message is valid for as many bytes, and the
        // caller is one of RTAI's.
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
        // SAFETY: nobody uses it, since nobody else has a reference.
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
    fn the_calibration_is_told() {
        let page = |ns: u32| format!("x\n    Calibrated user space latency: {ns} ns\ny");
        assert_eq!(calibration(&page(0)), "not calibrated (latency 0 ns)");
        assert_eq!(calibration(&page(2500)), "calibrated (latency 2500 ns)");
        assert_eq!(calibration(""), "calibration not told");
    }
}
