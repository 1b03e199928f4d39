//! A POSIX message queue: mq_open(3), mq_send(3), mq_receive(3).

use std::ffi::{CStr, CString};
use std::io;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU64, Ordering};

use super::super::kernel;
use super::super::kinds::unsupported;

/// A queue with room for one message.
#[derive(Debug)]
pub(crate) struct Mailbox(libc::mqd_t);

impl Mailbox {
    /// Creates a queue for messages of `bytes` bytes that other processes cannot find: its name is
    /// removed as soon as it is open, so that nothing is left behind, however this process ends.
    ///
    /// # Errors
    /// Fails if the kernel has no such queues or no room for another one; the error says what it
    /// needs.
    pub(crate) fn new(bytes: usize) -> io::Result<Self> {
        static OPENED: AtomicU64 = AtomicU64::new(0);
        let number = OPENED.fetch_add(1, Ordering::Relaxed);
        let name = CString::new(format!("/steadfast-{}-{number}", std::process::id()))?;
        Self::open(&name, bytes)
    }

    fn open(name: &CStr, bytes: usize) -> io::Result<Self> {
        // SAFETY: all zeros are valid bits of the plain C struct.
        let mut attributes: libc::mq_attr = unsafe { MaybeUninit::zeroed().assume_init() };
        attributes.mq_maxmsg = 1;
        attributes.mq_msgsize = bytes as _;
        let flags = libc::O_RDWR | libc::O_CREAT | libc::O_EXCL | libc::O_CLOEXEC;
        let mode: libc::c_uint = 0o600;
        // SAFETY: name and attributes are valid, and a new queue takes a mode and attributes after
        // the flags.
        let queue = unsafe { kernel::mq_open(name.as_ptr(), flags, mode, &raw const attributes) };
        if queue == -1 {
            return Err(unavailable(&io::Error::last_os_error()));
        }
        // SAFETY: the name is valid.
        unsafe { kernel::mq_unlink(name.as_ptr()) };
        Ok(Self(queue))
    }

    /// Puts a message in, and wakes a receiver that sleeps.
    #[inline]
    pub(crate) fn send(&self, message: &[u8]) {
        // SAFETY: the queue is open as long as `self`, and the message is valid for its length. The
        // only error of an open queue with room is EINTR.
        while unsafe { kernel::mq_send(self.0, message.as_ptr().cast(), message.len(), 0) } == -1 {}
    }

    /// Waits for a message and takes it out.
    #[inline]
    pub(crate) fn receive(&self, message: &mut [u8]) {
        // SAFETY: as above, and no message is longer; no priority is requested.
        while unsafe {
            kernel::mq_receive(
                self.0,
                message.as_mut_ptr().cast(),
                message.len(),
                std::ptr::null_mut(),
            )
        } == -1
        {}
    }
}

/// Explains what a queue needs that could not be opened.
fn unavailable(error: &io::Error) -> io::Error {
    let needs = match error.raw_os_error() {
        Some(libc::ENOSYS) => "needs a kernel with POSIX message queues (CONFIG_POSIX_MQUEUE)",
        Some(libc::EMFILE) => "needs room for a message queue: raise RLIMIT_MSGQUEUE (ulimit -q)",
        Some(libc::ENOSPC) => {
            "needs room for another message queue: raise /proc/sys/fs/mqueue/queues_max"
        }
        _ => &format!("needs POSIX message queues, which the kernel refused: {error}"),
    };
    unsupported(needs)
}

impl Drop for Mailbox {
    fn drop(&mut self) {
        // SAFETY: it was opened in `open`, and no other code has a reference.
        unsafe { kernel::mq_close(self.0) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::skip;

    #[test]
    fn an_open_queue_leaves_no_name_behind() {
        let name = CString::new(format!("/steadfast-test-{}", std::process::id())).unwrap();
        let Ok(first) = Mailbox::open(&name, 16) else {
            return skip("needs a kernel with POSIX message queues");
        };
        let second = Mailbox::open(&name, 16).unwrap();
        let messages = [(&first, [1; 16]), (&second, [2; 16])];
        messages.iter().for_each(|(queue, message)| queue.send(message));
        for (queue, message) in messages {
            let mut received = [0; 16];
            queue.receive(&mut received);
            assert_eq!(received, message);
        }
    }

    #[test]
    fn a_queue_that_cannot_be_opened_says_what_it_needs() {
        for (errno, need) in [
            (libc::ENOSYS, "CONFIG_POSIX_MQUEUE"),
            (libc::EMFILE, "RLIMIT_MSGQUEUE"),
            (libc::ENOSPC, "queues_max"),
            (libc::EACCES, "Permission denied"),
        ] {
            let error = unavailable(&io::Error::from_raw_os_error(errno));
            let text = error.to_string();
            assert!(text.starts_with("needs ") && text.contains(need), "{text}");
        }
    }
}
