//! Locks of the kernel that serves measured code, and a spin lock, behind one trait.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::clock;
use crate::posix::{self, Mutex, Protocol};

/// How an attempt to take a lock ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// The lock was free at the first attempt.
    AtOnce,
    /// The lock was held, and became free.
    AfterWaiting,
    /// The lock was not taken. A spin lock gives up at the given time, since a spin must be
    /// bounded; a sleeping wait harms no other thread and continues. A ceiling mutex refuses a
    /// thread above its ceiling.
    GaveUp,
}

/// A lock that one thread holds at a time.
pub trait Lock: Send + Sync {
    /// Takes the lock; a spin lock gives up at the stamp `give_up_at`.
    fn lock(&self, give_up_at: u64) -> Taken;
    /// Releases the lock, which the calling thread holds.
    fn unlock(&self);
}

base::named! {
    /// The kinds of locks, as results name them.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum LockKind {
        /// Binary POSIX semaphore.
        Semaphore = "semaphore",
        /// Plain POSIX mutex.
        Mutex = "mutex",
        /// Mutex with priority inheritance.
        MutexInherit = "mutex_inherit",
        /// Mutex with a priority ceiling.
        MutexCeiling = "mutex_ceiling",
        /// Spin lock.
        Spin = "spin",
    }
}

impl LockKind {
    /// Creates a free lock; `ceiling` is the highest priority of the threads that will take it.
    ///
    /// # Errors
    /// Fails if the C library or the kernel does not have such a lock; the error says what it
    /// needs.
    pub fn create(self, ceiling: u8) -> io::Result<Box<dyn Lock>> {
        Ok(match self {
            Self::Semaphore => Box::new(Semaphore::new(1)?),
            Self::Mutex => Box::new(Mutex::new(Protocol::Plain)?),
            Self::MutexInherit => Box::new(Mutex::new(Protocol::Inherit)?),
            Self::MutexCeiling => Box::new(Mutex::new(Protocol::Ceiling(ceiling))?),
            Self::Spin => Box::<Spin>::default(),
        })
    }
}

/// A counting semaphore: sem_wait(3), sem_post(3), or their counterparts in a real-time core.
#[derive(Debug)]
pub struct Semaphore(Box<posix::Semaphore>);

impl Semaphore {
    /// Creates a semaphore that `count` waits pass immediately.
    ///
    /// # Errors
    /// Fails if the kernel has no room for another one; the error says what it needs.
    pub fn new(count: u32) -> io::Result<Self> {
        let inner = Box::new(posix::Semaphore::unset());
        // SAFETY: the box gives the semaphore a fixed address.
        unsafe { inner.set(count) }?;
        Ok(Self(inner))
    }

    /// Decrements the semaphore if it is above 0; never waits.
    #[inline]
    pub fn try_wait(&self) -> bool {
        self.0.try_wait()
    }

    /// Waits until the semaphore is above 0 and decrements it; a signal does not end the wait.
    #[inline]
    pub fn wait(&self) {
        self.0.wait();
    }

    /// Increments the semaphore, and wakes a waiter.
    #[inline]
    pub fn post(&self) {
        self.0.post();
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

impl Lock for Mutex {
    #[inline]
    fn lock(&self, _give_up_at: u64) -> Taken {
        match () {
            () if self.try_lock() => Taken::AtOnce,
            () if self.lock() => Taken::AfterWaiting,
            () => Taken::GaveUp,
        }
    }

    #[inline]
    fn unlock(&self) {
        self.unlock();
    }
}

/// A test-and-set lock that spins on a plain read.
#[derive(Debug, Default)]
struct Spin {
    held: AtomicBool,
}

/// The number of spins between two readings of the clock.
const SPINS_PER_LOOK: u32 = 64;

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
            for _ in 0..SPINS_PER_LOOK {
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

    /// Runs two threads that increment a number by separate reads and writes, which only the lock
    /// keeps apart.
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
