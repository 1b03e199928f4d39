//! Objects of the POSIX library, through the calls of the kernel that serves measured code.

mod mailbox;
mod mutex;
mod semaphore;

pub(crate) use mailbox::Mailbox;
pub(crate) use mutex::Mutex;
pub(crate) use semaphore::Semaphore;
