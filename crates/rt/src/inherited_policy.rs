//! The other threads of this process, and which of them have inherited the scheduling policy of the
//! thread that created them, as they would inherit a real-time policy.

use std::io;

use rustix::process::Pid;

use crate::process::{this, this_thread};
use crate::{driver, read, tasks};

/// A thread of this process other than the calling one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heir {
    /// Its name.
    pub name: String,
    /// Whether it has inherited the mark of [`mark_this_thread`].
    pub is_marked: bool,
}

/// Gives the calling thread a policy that needs no privilege, hardly differs from the default
/// policy, and is not used otherwise: `SCHED_BATCH`. Threads that inherit a policy inherit this
/// one.
///
/// # Errors
/// `EPERM` for a thread that has another policy which it may not leave.
pub fn mark_this_thread() -> io::Result<()> {
    let none: libc::c_int = 0;
    let parameters = &raw const none;
    // SAFETY: reads a `sched_param`, which is one number. The system call is made directly because
    // one of the C libraries refuses its own wrapper.
    let result =
        unsafe { libc::syscall(libc::SYS_sched_setscheduler, 0, libc::SCHED_BATCH, parameters) };
    driver::checked(result as libc::c_int)
}

/// Returns all threads of this process except the calling one.
#[must_use]
pub fn others() -> Vec<Heir> {
    let others = tasks::of_process(this()).filter(|task| *task != this_thread());
    others.filter_map(heir).collect()
}

fn heir(task: Pid) -> Option<Heir> {
    let name = read::text(format!("/proc/self/task/{task}/comm"))?;
    // SAFETY: takes only a number.
    let policy = unsafe { libc::syscall(libc::SYS_sched_getscheduler, task.as_raw_pid()) };
    Some(Heir { name, is_marked: policy == libc::c_long::from(libc::SCHED_BATCH) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::thread::{Builder, spawn};

    #[test]
    fn a_marked_thread_has_marked_heirs() {
        let seen = spawn(|| {
            mark_this_thread().unwrap();
            let (end, until) = mpsc::channel::<()>();
            let heir = Builder::new().name("an-heir".to_owned());
            let (named, is_named) = mpsc::channel();
            let heir = heir.spawn(move || named.send(()).is_ok() && until.recv().is_err());
            let heir = heir.unwrap();
            is_named.recv().unwrap();
            let seen = others();
            drop(end);
            assert!(heir.join().unwrap());
            seen
        });
        let seen = seen.join().unwrap();
        let is_heir = |other: &&Heir| other.name.starts_with("an-heir");
        let heirs: Vec<_> = seen.iter().filter(is_heir).collect();
        assert!(matches!(*heirs, [heir] if heir.is_marked), "{seen:?}");
        assert!(seen.iter().any(|other| !other.is_marked), "{seen:?}");
    }
}
