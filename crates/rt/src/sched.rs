//! The scheduling of the calling thread: policy, priority, CPU mask; and the CPU mask of other
//! tasks.

use std::io;

use base::{CpuSet, Policy};
use rustix::process::Pid;
use rustix::thread::CapabilitySet;

pub use crate::attributes::policy_of;
use crate::{attributes, cpu_mask, posix};

/// Sets the policy of the calling thread.
///
/// # Errors
/// `EPERM` without permission (`CAP_SYS_NICE` or `RLIMIT_RTPRIO`), or if the thread's control group
/// has no real-time budget, or for a pinned deadline thread; `EBUSY` if a deadline does not fit the
/// granted bandwidth.
pub fn set_policy(policy: Policy) -> io::Result<()> {
    attributes::set_policy_of(0, policy)?;
    posix::adopt(policy)
}

/// Sets the policy of any task, a thread of any process; the number of a process is that of its
/// first thread. The task need not run for it.
///
/// # Errors
/// Fails like [`set_policy`]; `EPERM` also without `CAP_SYS_NICE` for a task of another user,
/// `ESRCH` if it has ended.
pub fn set_policy_of(task: Pid, policy: Policy) -> io::Result<()> {
    attributes::set_policy_of(task.as_raw_pid(), policy)
}

/// Makes threads and processes that a task starts from now on begin with the default policy if its own
/// is a real-time one; `None` is the calling thread.
///
/// # Errors
/// `EPERM` for a task of another user, `ESRCH` if it has ended.
pub fn reset_children_of(task: Option<Pid>) -> io::Result<()> {
    attributes::reset_children_of(Pid::as_raw(task))
}

/// Returns the policy of the calling thread.
///
/// # Errors
/// Fails if the thread's policy is not one of [`Policy`].
pub fn policy() -> io::Result<Policy> {
    if let Some(policy) = posix::policy() {
        return Ok(policy);
    }
    policy_of(0)
}

/// Sets the default policy for the calling thread if it has a real-time policy, for instance from
/// `chrt`; its nice value does not change.
///
/// # Errors
/// Fails if the kernel refuses, which it has no reason to.
pub fn leave_real_time() -> io::Result<()> {
    match policy()? {
        Policy::Other { .. } | Policy::Idle => Ok(()),
        _ => set_policy(Policy::OTHER),
    }
}

/// Whether a policy that was read back grants the requested one. A slice or a nice value that was
/// not requested may have any value.
#[must_use]
pub fn grants(found: Policy, asked: Policy) -> bool {
    match (found, asked) {
        (Policy::Other { nice: found, .. }, Policy::Other { nice, slice: None }) => {
            nice.is_none_or(|nice| nice == found.unwrap_or(0))
        }
        _ => found == asked,
    }
}

/// Confines the calling thread to the given CPUs.
///
/// # Errors
/// `EINVAL` if none of them is online and inside the process's cpuset.
pub fn set_affinity(cpus: &CpuSet) -> io::Result<()> {
    cpu_mask::set(None, cpus)
}

/// Confines any task, a thread of any process, to the given CPUs.
///
/// # Errors
/// Fails like [`set_affinity`]; `EINVAL` also if the kernel keeps one of its own threads on its
/// CPU, `EPERM` without `CAP_SYS_NICE` for a task of another user, `ESRCH` if it has ended.
pub fn set_affinity_of(task: Pid, cpus: &CpuSet) -> io::Result<()> {
    cpu_mask::set(Some(task), cpus)
}

/// Returns the CPUs on which the calling thread may run.
///
/// # Errors
/// Fails only if a filter refuses the call.
pub fn affinity() -> io::Result<CpuSet> {
    affinity_of(None)
}

/// Returns the CPUs on which a task may run; `None` is the calling thread.
///
/// # Errors
/// Fails like [`affinity`], and with `ESRCH` if the task has ended.
pub fn affinity_of(task: Option<Pid>) -> io::Result<CpuSet> {
    cpu_mask::read(task)
}

/// Offers the CPU to another thread of equal priority: sched_yield(2).
#[inline]
pub fn yield_now() {
    posix::sched_yield();
}

/// Sets a policy for the calling thread, and then its present one again: whether the kernel grants it.
///
/// # Errors
/// Fails like [`set_policy`].
pub fn try_policy(wanted: Policy) -> io::Result<()> {
    let before = policy()?;
    set_policy(wanted)?;
    set_policy(before)
}

/// Whether this process may use real-time policies: whether it can set the lowest one for itself.
/// The calling thread's policy is restored.
#[must_use]
pub fn may_be_real_time() -> bool {
    try_policy(Policy::Fifo(1)).is_ok()
}

/// Whether this process has the privilege for real-time policies (`CAP_SYS_NICE`); the kernel may
/// still refuse for lack of bandwidth.
#[must_use]
pub fn has_right_to_real_time() -> bool {
    rustix::thread::capabilities(None)
        .is_ok_and(|sets| sets.effective.contains(CapabilitySet::SYS_NICE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::{REAL_TIME, needs};

    /// Runs a test on a new thread, since a lowered priority cannot be raised again without
    /// privilege.
    fn on_a_thread(test: impl FnOnce() + Send + 'static) {
        std::thread::spawn(test).join().unwrap();
    }

    #[test]
    fn a_nice_value_is_read_back_and_stays_where_none_is_requested_also_through_another_policy() {
        on_a_thread(|| {
            // Higher than tests are likely to be started with; every user may set it.
            let nice = Policy::Other { nice: Some(17), slice: None };
            set_policy(nice).unwrap();
            assert!(grants(policy().unwrap(), nice));
            assert!(!grants(policy().unwrap(), "other:0".parse().unwrap()));
            set_policy(Policy::OTHER).unwrap();
            assert!(grants(policy().unwrap(), nice));
            assert!(grants(policy().unwrap(), Policy::OTHER));
            if set_policy(Policy::Fifo(1)).is_ok() {
                leave_real_time().unwrap();
                assert!(grants(policy().unwrap(), nice));
            }
        });
    }

    #[test]
    fn real_time_policies_are_read_back() {
        let Some(()) = needs(may_be_real_time(), REAL_TIME) else { return };
        for text in ["fifo:1", "rr:7", "deadline:1ms/10ms", "idle"] {
            let asked: Policy = text.parse().unwrap();
            on_a_thread(move || {
                set_policy(asked).unwrap();
                assert_eq!(policy().unwrap(), asked);
            });
        }
    }

    #[test]
    fn a_cpu_mask_is_read_back() {
        on_a_thread(|| {
            let first = CpuSet::one(affinity().unwrap().iter().next().unwrap());
            set_affinity(&first).unwrap();
            assert_eq!(affinity().unwrap(), first);
        });
        on_a_thread(|| {
            assert!(set_affinity(&CpuSet::one(1023)).is_err());
            assert!(set_affinity(&CpuSet::one(8000)).is_err());
        });
    }
}
