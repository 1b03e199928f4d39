//! Locks of the POSIX library and a spin lock, behind one trait.

use std::cell::UnsafeCell;
use std::io;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::driver::told;
use crate::{clock, posix};

/// How a lock was taken, or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// It was free at the first look.
    AtOnce,
    /// It was held, and came free.
    AfterWaiting,
    /// It was not taken. A spin lock gives up at the time given, since a spin
    /// must be bounded; a sleeping wait hurts nobody and goes on. A ceiling
    /// mutex refuses a thread above its ceiling.
    GaveUp,
}

/// A lock that one thread holds at a time.
pub trait Lock: Send + Sync {
    /// Takes the lock; a spin gives up at the stamp `give_up_at`.
    fn lock(&self, give_up_at: u64) -> Taken;
    /// Releases the lock, which the calling thread holds.
    fn unlock(&self);
}

/// The kinds of locks, as results name them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockKind {
    /// Binary POSIX semaphore.
    Semaphore,
    /// Plain POSIX mutex.
    Mutex,
    /// Mutex with priority inheritance.
    MutexInherit,
    /// Mutex with a priority ceiling.
    MutexCeiling,
    /// Spin lock.
    Spin,
}

impl LockKind {
    /// Every kind.
    pub const ALL: [Self; 5] = [
        Self::Semaphore,
        Self::Mutex,
        Self::MutexInherit,
        Self::MutexCeiling,
        Self::Spin,
    ];

    /// The kind's name in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Semaphore => "semaphore",
            Self::Mutex => "mutex",
            Self::MutexInherit => "mutex_inherit",
            Self::MutexCeiling => "mutex_ceiling",
            Self::Spin => "spin",
        }
    }

    /// A new, free lock; `ceiling` is the highest priority that will take it.
    ///
    /// # Errors
    /// Where the C library or the kernel has no such lock; says what it needs.
    pub fn create(self, ceiling: u8) -> io::Result<Box<dyn Lock>> {
        Ok(match self {
            Self::Semaphore => Box::new(Semaphore::new(1)?),
            Self::Mutex => Box::new(Mutex::new(|_| 0)?),
            Self::MutexInherit => Box::new(Mutex::new(inherit)?),
            Self::MutexCeiling => Box::new(Mutex::new(|attr| protect(attr, ceiling))?),
            Self::Spin => Box::<Spin>::default(),
        })
    }
}

/// A counting POSIX semaphore: sem_wait(3), sem_post(3).
#[derive(Debug)]
pub struct Semaphore {
    inner: Box<UnsafeCell<libc::sem_t>>,
}

// SAFETY: POSIX semaphores are made to be used by several threads at once.
unsafe impl Send for Semaphore {}
// SAFETY: as above; the cell is only ever handed to sem_* functions.
unsafe impl Sync for Semaphore {}

impl Semaphore {
    /// A semaphore that `count` waits pass at once.
    ///
    /// # Errors
    /// Where the kernel has no room for one more; says what it needs.
    pub fn new(count: u32) -> io::Result<Self> {
        let inner = Box::new(UnsafeCell::new(
            // SAFETY: all zeros are valid bits of the plain C union.
            unsafe { MaybeUninit::<libc::sem_t>::zeroed().assume_init() },
        ));
        // SAFETY: the box gives the semaphore an address that stays.
        told(unsafe { posix::sem_init(inner.get(), 0, count) }).map_err(no_room)?;
        Ok(Self { inner })
    }

    /// Takes one if there is one; never waits.
    #[inline]
    pub fn try_wait(&self) -> bool {
        // SAFETY: initialised in `new`, lives as long as `self`.
        unsafe { posix::sem_trywait(self.inner.get()) == 0 }
    }

    /// Waits for one; a signal does not end the wait.
    #[inline]
    pub fn wait(&self) {
        // SAFETY: initialised in `new`, lives as long as `self`; the only
        // error of a valid semaphore is EINTR.
        while unsafe { posix::sem_wait(self.inner.get()) } != 0 {}
    }

    /// Adds one, and wakes a waiter.
    #[inline]
    pub fn post(&self) {
        // SAFETY: initialised in `new`, lives as long as `self`.
        unsafe { posix::sem_post(self.inner.get()) };
    }
}

/// What one more semaphore needs. Linux keeps none; the Cobalt core has a place for
/// each.
pub(crate) fn no_room(error: io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(libc::EAGAIN | libc::ENOMEM) => io::Error::new(
            io::ErrorKind::Unsupported,
            "needs room for more semaphores: a kernel with a larger \
             CONFIG_XENO_OPT_REGISTRY_NRSLOTS and CONFIG_XENO_OPT_PRIVATE_HEAPSZ",
        ),
        _ => error,
    }
}

impl Drop for Semaphore {
    fn drop(&mut self) {
        // SAFETY: nobody waits, since nobody else has a reference.
        unsafe { posix::sem_destroy(self.inner.get()) };
    }
}

impl Lock for Semaphore {
    #[inline]
    fn lock(&self, _give_up_at: u64) -> Taken {
        if self.try_wait() {
            return Taken::AtOnce;
        }
        self.wait();
        Taken::AfterWaiting
    }

    #[inline]
    fn unlock(&self) {
        self.post();
    }
}

/// A POSIX mutex: pthread_mutex_lock(3).
struct Mutex {
    inner: Box<UnsafeCell<libc::pthread_mutex_t>>,
}

// SAFETY: POSIX mutexes are made to be used by several threads at once.
unsafe impl Send for Mutex {}
// SAFETY: as above; the cell is only ever handed to pthread_mutex_* functions.
unsafe impl Sync for Mutex {}

type Attributes = libc::pthread_mutexattr_t;

impl Mutex {
    /// A mutex with the attributes that `set` sets; `set` returns an errno.
    fn new(set: impl FnOnce(*mut Attributes) -> i32) -> io::Result<Self> {
        let inner = Box::new(UnsafeCell::new(libc::PTHREAD_MUTEX_INITIALIZER));
        let mut attr = MaybeUninit::<Attributes>::uninit();
        // SAFETY: `attr` is initialised before it is used and destroyed after;
        // the box gives the mutex an address that stays.
        let errno = unsafe {
            libc::pthread_mutexattr_init(attr.as_mut_ptr());
            let errno = match set(attr.as_mut_ptr()) {
                0 => posix::pthread_mutex_init(inner.get(), attr.as_ptr()),
                errno => errno,
            };
            libc::pthread_mutexattr_destroy(attr.as_mut_ptr());
            errno
        };
        match errno {
            0 => Ok(Self { inner }),
            libc::ENOTSUP => Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "needs a C library with this protocol (the glibc build)",
            )),
            errno => Err(io::Error::from_raw_os_error(errno)),
        }
    }
}

fn inherit(attr: *mut Attributes) -> i32 {
    // SAFETY: called by `Mutex::new` with initialised attributes.
    unsafe { libc::pthread_mutexattr_setprotocol(attr, libc::PTHREAD_PRIO_INHERIT) }
}

#[cfg(target_env = "gnu")]
fn protect(attr: *mut Attributes, ceiling: u8) -> i32 {
    unsafe extern "C" {
        fn pthread_mutexattr_setprioceiling(attr: *mut Attributes, ceiling: i32) -> i32;
    }
    // SAFETY: called by `Mutex::new` with initialised attributes; glibc exports
    // the function since 2.4.
    unsafe {
        match libc::pthread_mutexattr_setprotocol(attr, libc::PTHREAD_PRIO_PROTECT) {
            0 => pthread_mutexattr_setprioceiling(attr, i32::from(ceiling)),
            errno => errno,
        }
    }
}

/// musl has no priority ceilings.
#[cfg(not(target_env = "gnu"))]
fn protect(_attr: *mut Attributes, _ceiling: u8) -> i32 {
    libc::ENOTSUP
}

impl Lock for Mutex {
    #[inline]
    fn lock(&self, _give_up_at: u64) -> Taken {
        // SAFETY: initialised in `new`, lives as long as `self`.
        unsafe {
            if posix::pthread_mutex_trylock(self.inner.get()) == 0 {
                return Taken::AtOnce;
            }
            // The only error of a mutex that this thread does not hold is a
            // ceiling below its priority.
            match posix::pthread_mutex_lock(self.inner.get()) {
                0 => Taken::AfterWaiting,
                _ => Taken::GaveUp,
            }
        }
    }

    #[inline]
    fn unlock(&self) {
        // SAFETY: initialised in `new`; the trait asks that the caller holds it.
        unsafe { posix::pthread_mutex_unlock(self.inner.get()) };
    }
}

impl Drop for Mutex {
    fn drop(&mut self) {
        // SAFETY: nobody holds it, since nobody else has a reference.
        unsafe { posix::pthread_mutex_destroy(self.inner.get()) };
    }
}

/// A test-and-set lock that spins on a plain read.
#[derive(Debug, Default)]
struct Spin {
    held: AtomicBool,
}

/// Spins between two looks at the clock.
const SPINS_A_LOOK: u32 = 64;

impl Spin {
    #[inline]
    fn try_lock(&self) -> bool {
        !self.held.swap(true, Ordering::Acquire)
    }
}

impl Lock for Spin {
    #[inline]
    fn lock(&self, give_up_at: u64) -> Taken {
        if self.try_lock() {
            return Taken::AtOnce;
        }
        loop {
            for _ in 0..SPINS_A_LOOK {
                if !self.held.load(Ordering::Relaxed) && self.try_lock() {
                    return Taken::AfterWaiting;
                }
                std::hint::spin_loop();
            }
            if clock::now() > give_up_at {
                return Taken::GaveUp;
            }
        }
    }

    #[inline]
    fn unlock(&self) {
        self.held.store(false, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nothing but a lock keeps two adders of a split read and write apart.
    fn counts_exactly(lock: &dyn Lock) {
        const ROUNDS: u64 = 20_000;
        let shared = std::sync::atomic::AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    for _ in 0..ROUNDS {
                        assert_ne!(lock.lock(u64::MAX), Taken::GaveUp);
                        let seen = shared.load(Ordering::Relaxed);
                        shared.store(seen + 1, Ordering::Relaxed);
                        lock.unlock();
                    }
                });
            }
        });
        assert_eq!(shared.into_inner(), 2 * ROUNDS);
    }

    #[test]
    fn every_lock_excludes() {
        for kind in LockKind::ALL {
            match kind.create(1) {
                // A thread without real-time priority may not take a ceiling mutex.
                Ok(_) if kind == LockKind::MutexCeiling => {}
                Ok(lock) => counts_exactly(&*lock),
                Err(error) => assert_eq!(error.kind(), io::ErrorKind::Unsupported),
            }
        }
    }

    #[test]
    fn a_spin_is_bounded() {
        let spin = Spin::default();
        assert_eq!(spin.lock(u64::MAX), Taken::AtOnce);
        assert_eq!(spin.lock(clock::now() + 1_000_000), Taken::GaveUp);
        spin.unlock();
        assert_eq!(spin.lock(0), Taken::AtOnce);
    }
}
