//! A POSIX message queue.

use std::ffi::{CStr, CString};
use std::io;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Channel, Message};
use crate::posix;

/// A mailbox of one message: mq_open(3), mq_send(3), mq_receive(3).
#[derive(Debug)]
pub struct Queue(libc::mqd_t);

impl Queue {
    /// A new queue that nobody else can find: its name is gone once it is open, so
    /// that nothing is left behind, however this process ends.
    ///
    /// # Errors
    /// Where the kernel has no such queues or no room for one; says what it needs.
    pub fn new() -> io::Result<Self> {
        static OPENED: AtomicU64 = AtomicU64::new(0);
        let number = OPENED.fetch_add(1, Ordering::Relaxed);
        let name = CString::new(format!("/steadfast-{}-{number}", std::process::id()))?;
        Self::open(&name)
    }

    fn open(name: &CStr) -> io::Result<Self> {
        // SAFETY: all zeros are valid bits of the plain C struct.
        let mut attributes: libc::mq_attr = unsafe { MaybeUninit::zeroed().assume_init() };
        attributes.mq_maxmsg = 1;
        attributes.mq_msgsize = size_of::<Message>() as _;
        let flags = libc::O_RDWR | libc::O_CREAT | libc::O_EXCL | libc::O_CLOEXEC;
        let mode: libc::c_uint = 0o600;
        // SAFETY: name and attributes are valid, and a new queue takes a mode and
        // attributes after the flags.
        let queue = unsafe { posix::mq_open(name.as_ptr(), flags, mode, &raw const attributes) };
        if queue == -1 {
            return Err(unavailable(&io::Error::last_os_error()));
        }
        // SAFETY: the name is valid.
        unsafe { posix::mq_unlink(name.as_ptr()) };
        Ok(Self(queue))
    }
}

/// What a queue needs that could not be opened.
fn unavailable(error: &io::Error) -> io::Error {
    let needs = match error.raw_os_error() {
        Some(libc::ENOSYS) => {
            "needs a kernel with POSIX message queues (CONFIG_POSIX_MQUEUE)".to_owned()
        }
        Some(libc::EMFILE) => {
            "needs room for a message queue: raise RLIMIT_MSGQUEUE (ulimit -q)".to_owned()
        }
        Some(libc::ENOSPC) => {
            "needs one more message queue: raise /proc/sys/fs/mqueue/queues_max".to_owned()
        }
        _ => format!("needs POSIX message queues, which the kernel refuses: {error}"),
    };
    io::Error::new(io::ErrorKind::Unsupported, needs)
}

impl Channel for Queue {
    #[inline]
    fn send(&self, message: &Message) {
        // SAFETY: the queue is open as long as `self`; the message is valid for as
        // many bytes. The only error of an open queue with room is EINTR.
        while unsafe { posix::mq_send(self.0, message.as_ptr().cast(), message.len(), 0) } == -1 {}
    }

    #[inline]
    fn receive(&self) -> Message {
        let mut message = [0; size_of::<Message>()];
        // SAFETY: as above, and no message is longer; no priority is asked for.
        while unsafe {
            posix::mq_receive(
                self.0,
                message.as_mut_ptr().cast(),
                message.len(),
                std::ptr::null_mut(),
            )
        } == -1
        {}
        message
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        // SAFETY: opened in `open`, and nobody else has a reference.
        unsafe { posix::mq_close(self.0) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::skip;

    #[test]
    fn an_open_queue_leaves_no_name_behind() {
        let name = CString::new(format!("/steadfast-test-{}", std::process::id())).unwrap();
        let Ok(first) = Queue::open(&name) else {
            skip("needs a kernel with POSIX message queues");
            return;
        };
        let second = Queue::open(&name).unwrap();
        first.send(&[1; 16]);
        second.send(&[2; 16]);
        assert_eq!((first.receive(), second.receive()), ([1; 16], [2; 16]));
    }

    #[test]
    fn a_queue_that_cannot_be_had_says_what_it_needs() {
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
