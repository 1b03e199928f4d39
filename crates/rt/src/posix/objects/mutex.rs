//! A POSIX mutex: pthread_mutex_lock(3).

use std::cell::UnsafeCell;
use std::io;
use std::mem::MaybeUninit;

use super::super::kernel;
use super::super::kinds::{Protocol, unsupported};

/// A mutex that one thread holds at a time.
pub(crate) struct Mutex(Box<UnsafeCell<libc::pthread_mutex_t>>);

// SAFETY: POSIX mutexes are designed for use by several threads at once.
unsafe impl Send for Mutex {}
// SAFETY: as above; the cell is only passed to pthread_mutex_* functions.
unsafe impl Sync for Mutex {}

type Attributes = libc::pthread_mutexattr_t;

impl Mutex {
    /// Creates a free mutex.
    ///
    /// # Errors
    /// Fails if the C library does not have this protocol; otherwise returns the kernel's error.
    pub(crate) fn new(protocol: Protocol) -> io::Result<Self> {
        let inner = Box::new(UnsafeCell::new(libc::PTHREAD_MUTEX_INITIALIZER));
        let mut attr = MaybeUninit::<Attributes>::uninit();
        // SAFETY: `attr` is initialised before it is used and destroyed afterwards; the box gives
        // the mutex a fixed address.
        let errno = unsafe {
            libc::pthread_mutexattr_init(attr.as_mut_ptr());
            let errno = match set(attr.as_mut_ptr(), protocol) {
                0 => kernel::pthread_mutex_init(inner.get(), attr.as_ptr()),
                errno => errno,
            };
            libc::pthread_mutexattr_destroy(attr.as_mut_ptr());
            errno
        };
        match errno {
            0 => Ok(Self(inner)),
            libc::ENOTSUP => {
                Err(unsupported("needs a C library with this protocol (the glibc build)"))
            }
            errno => Err(io::Error::from_raw_os_error(errno)),
        }
    }

    /// Takes the mutex if it is free; never waits.
    #[inline]
    pub(crate) fn try_lock(&self) -> bool {
        // SAFETY: it was initialised in `new`, and lives as long as `self`.
        unsafe { kernel::pthread_mutex_trylock(self.0.get()) == 0 }
    }

    /// Waits until the mutex is free and takes it, unless its ceiling is below the priority of the
    /// calling thread: the only error of a mutex that this thread does not hold.
    #[inline]
    pub(crate) fn lock(&self) -> bool {
        // SAFETY: as above.
        unsafe { kernel::pthread_mutex_lock(self.0.get()) == 0 }
    }

    /// Releases the mutex, which the calling thread holds.
    #[inline]
    pub(crate) fn unlock(&self) {
        // SAFETY: as above.
        unsafe { kernel::pthread_mutex_unlock(self.0.get()) };
    }
}

impl Drop for Mutex {
    fn drop(&mut self) {
        // SAFETY: no thread holds it, since no other code has a reference.
        unsafe { kernel::pthread_mutex_destroy(self.0.get()) };
    }
}

/// Sets a protocol; returns an errno.
fn set(attr: *mut Attributes, protocol: Protocol) -> i32 {
    match protocol {
        Protocol::Plain => 0,
        // SAFETY: called by `Mutex::new` with initialised attributes.
        Protocol::Inherit => unsafe {
            libc::pthread_mutexattr_setprotocol(attr, libc::PTHREAD_PRIO_INHERIT)
        },
        Protocol::Ceiling(ceiling) => protect(attr, ceiling),
    }
}

#[cfg(target_env = "gnu")]
fn protect(attr: *mut Attributes, ceiling: u8) -> i32 {
    unsafe extern "C" {
        fn pthread_mutexattr_setprioceiling(attr: *mut Attributes, ceiling: i32) -> i32;
    }
    // SAFETY: called by `Mutex::new` with initialised attributes; glibc has exported the function
    // since 2.4.
    unsafe {
        match libc::pthread_mutexattr_setprotocol(attr, libc::PTHREAD_PRIO_PROTECT) {
            0 => pthread_mutexattr_setprioceiling(attr, i32::from(ceiling)),
            errno => errno,
        }
    }
}

/// Always fails: musl has no priority ceilings.
#[cfg(not(target_env = "gnu"))]
fn protect(_attr: *mut Attributes, _ceiling: u8) -> i32 {
    libc::ENOTSUP
}
