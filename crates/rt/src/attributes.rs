//! The scheduling attributes of a task: policy, priority and nice value.
//!
//! All policies are set by the raw `sched_setattr(2)` system call: musl's `sched_setscheduler`
//! refuses by design.

use std::io;
use std::mem::size_of;

use base::{Nanos, Policy};
use libc::{SCHED_BATCH, SCHED_FIFO, SCHED_IDLE, SCHED_OTHER, SCHED_RR, c_int};
use rustix::process::Pid;

use crate::driver;

/// `struct sched_attr` as of Linux 3.14, which every later kernel accepts. The policy has the type of
/// its constants.
#[repr(C)]
#[derive(Default)]
struct SchedAttr {
    size: u32,
    policy: c_int,
    flags: u64,
    nice: i32,
    priority: u32,
    runtime: u64,
    deadline: u64,
    period: u64,
}

const SCHED_DEADLINE: c_int = 6;
/// A scheduler that was loaded as a program (Linux 6.12).
const SCHED_EXT: c_int = 7;

/// The flag of a task whose children begin with the default policy.
const RESET_ON_FORK: u64 = 1;

/// Sets the policy of the task with that number; 0 is the calling thread. The task need not run for
/// it. With which policy its children begin does not change.
///
/// # Errors
/// Returns the kernel's error: sched_setattr(2).
pub(crate) fn set_policy_of(task: i32, policy: Policy) -> io::Result<()> {
    let flags = attributes_of(task)?.flags & RESET_ON_FORK;
    set_attributes_of(task, &SchedAttr { flags, ..attributes(policy, nice_of(task)) })
}

/// Makes threads and processes that a task starts from now on begin with the default policy if its own
/// is a real-time one; 0 is the calling thread.
///
/// # Errors
/// Returns the kernel's error: sched_setattr(2).
pub(crate) fn reset_children_of(task: i32) -> io::Result<()> {
    let attr = attributes_of(task)?;
    set_attributes_of(task, &SchedAttr { flags: attr.flags | RESET_ON_FORK, ..attr })
}

fn set_attributes_of(task: i32, attr: &SchedAttr) -> io::Result<()> {
    // SAFETY: `attr` is a `sched_attr` of the size that it states; the call only reads it.
    let result = unsafe { libc::syscall(libc::SYS_sched_setattr, task, &raw const *attr, 0) };
    driver::checked(result as c_int)
}

/// Returns the policy of the task with that number; 0 is the calling thread.
///
/// # Errors
/// `ESRCH` if the task does not exist. Also fails if its policy is not one of [`Policy`].
pub fn policy_of(task: i32) -> io::Result<Policy> {
    let attr = attributes_of(task)?;
    match attr.policy {
        // Their threads rank below every real-time thread, too.
        SCHED_OTHER | SCHED_BATCH | SCHED_EXT => {
            let slice = Some(Nanos(attr.runtime)).filter(|slice| slice.0 > 0);
            let is_worth_showing = |nice: &i8| *nice != 0 || slice.is_some();
            Ok(Policy::Other { nice: Some(attr.nice as i8).filter(is_worth_showing), slice })
        }
        SCHED_IDLE => Ok(Policy::Idle),
        SCHED_FIFO => Ok(Policy::Fifo(attr.priority as u8)),
        SCHED_RR => Ok(Policy::Rr(attr.priority as u8)),
        SCHED_DEADLINE => {
            Ok(Policy::Deadline { runtime: Nanos(attr.runtime), period: Nanos(attr.period) })
        }
        other => Err(io::Error::other(format!("unknown policy {other}"))),
    }
}

fn attributes_of(task: i32) -> io::Result<SchedAttr> {
    let mut attr = SchedAttr::default();
    let size = size_of::<SchedAttr>();
    // SAFETY: `attr` is valid for writing `size` bytes, and every bit pattern of it is valid.
    let result = unsafe { libc::syscall(libc::SYS_sched_getattr, task, &raw mut attr, size, 0) };
    driver::checked(result as c_int)?;
    Ok(attr)
}

/// Returns the nice value of a task, 0 being the calling thread: getpriority(2). A task has one
/// also under a real-time policy.
fn nice_of(task: i32) -> i32 {
    rustix::process::getpriority_process(Pid::from_raw(task)).unwrap_or(0)
}

fn attributes(policy: Policy, inherited_nice: i32) -> SchedAttr {
    let attr = SchedAttr { size: size_of::<SchedAttr>() as u32, ..SchedAttr::default() };
    match policy {
        Policy::Other { nice, slice } => SchedAttr {
            policy: SCHED_OTHER,
            nice: nice.map_or(inherited_nice, i32::from),
            // Since Linux 6.12, the runtime of a thread with the default policy is its slice.
            runtime: slice.map_or(0, |slice| slice.0),
            ..attr
        },
        Policy::Idle => SchedAttr { policy: SCHED_IDLE, nice: inherited_nice, ..attr },
        Policy::Fifo(priority) => {
            SchedAttr { policy: SCHED_FIFO, priority: priority.into(), ..attr }
        }
        Policy::Rr(priority) => SchedAttr { policy: SCHED_RR, priority: priority.into(), ..attr },
        Policy::Deadline { runtime, period } => SchedAttr {
            policy: SCHED_DEADLINE,
            runtime: runtime.0,
            deadline: period.0,
            period: period.0,
            ..attr
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::needs;

    #[test]
    fn children_begin_with_the_default_policy_also_after_another_policy_is_set() {
        let may = crate::sched::may_be_real_time();
        let Some(()) = needs(may, "the right to real-time policies (root)") else { return };
        let of_child = std::thread::spawn(|| {
            reset_children_of(0).unwrap();
            set_policy_of(0, Policy::Fifo(1)).unwrap();
            assert_eq!(policy_of(0).unwrap(), Policy::Fifo(1));
            std::thread::spawn(|| policy_of(0).unwrap()).join().unwrap()
        });
        assert!(matches!(of_child.join().unwrap(), Policy::Other { .. }));
    }

    #[test]
    fn a_batch_thread_has_no_real_time_policy() {
        let batch = SchedAttr { policy: SCHED_BATCH, ..attributes(Policy::OTHER, 0) };
        let read = std::thread::spawn(move || {
            set_attributes_of(0, &batch).unwrap();
            policy_of(0).unwrap()
        });
        assert!(matches!(read.join().unwrap(), Policy::Other { .. }));
    }
}
