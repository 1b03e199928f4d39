//! Objects of the POSIX library, by the calls of the kernel that answers.

mod mailbox;
mod mutex;
mod semaphore;

pub(crate) use mailbox::Mailbox;
pub(crate) use mutex::Mutex;
pub(crate) use semaphore::Semaphore;
