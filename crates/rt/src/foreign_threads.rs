//! Threads that foreign code has started: where they may run, and with which policy.

use base::{CpuSet, Policy};
use rustix::process::Pid;

use crate::process::this;
use crate::{sched, tasks, thread};

/// A thread that this program did not start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignThread {
    /// Its number.
    pub id: Pid,
    /// The CPUs on which it may run.
    pub cpus: CpuSet,
    /// Its policy.
    pub policy: Policy,
}

/// Returns the living threads of a process that foreign code has started: in this process those that
/// this program has not started, in another one all but its first.
#[must_use]
pub fn of(process: Pid) -> Vec<ForeignThread> {
    let is_foreign = |id: &Pid| match process == this() {
        true => !thread::is_own(*id),
        false => *id != process,
    };
    let seen = |id: Pid| {
        let (cpus, policy) =
            (sched::affinity_of(Some(id)).ok()?, sched::policy_of(id.as_raw_pid()).ok()?);
        Some(ForeignThread { id, cpus, policy })
    };
    tasks::living_of(process).filter(is_foreign).filter_map(seen).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::this_thread;

    #[test]
    fn a_thread_is_foreign_unless_this_program_has_started_it() {
        let seen = || {
            let id = this_thread();
            (of(this()).into_iter().find(|one| one.id == id), id)
        };
        assert_eq!(thread::start("own", seen).unwrap().join().unwrap().0, None);
        let foreign = std::thread::spawn(move || {
            sched::set_policy(Policy::Idle).unwrap();
            seen()
        });
        let (found, id) = foreign.join().unwrap();
        assert_eq!(found.map(|one| (one.id, one.policy)), Some((id, Policy::Idle)));
    }

    #[test]
    fn threads_of_another_process_are_all_but_its_first() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        assert_eq!(of(Pid::from_child(&child)), []);
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
