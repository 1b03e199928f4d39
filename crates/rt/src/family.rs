//! The processes that a process has started, and their descendants.

use std::collections::HashSet;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use rustix::process::WaitOptions;

use crate::process::Pid;
use crate::stat::Stat;
use crate::tasks;

/// A process as /proc shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relative {
    /// The process number.
    pub pid: Pid,
    /// The process that started it, or has adopted it since.
    pub parent: Pid,
    /// CPU time of the process and of those children that it has waited for, in milliseconds, at
    /// the kernel's resolution (often 10 ms).
    pub cpu_time_ms: u64,
    /// Whether it is alive, as opposed to ended and not yet waited for.
    pub lives: bool,
}

/// Returns every descendant of a process, parents before children.
///
/// A descendant whose parent has ended is found only if `of` adopts orphans.
#[must_use]
pub fn descendants(of: Pid) -> Vec<Relative> {
    let mut strangers = all();
    let mut found: Vec<Relative> = Vec::new();
    let mut parents = HashSet::from([of]);
    while !parents.is_empty() {
        let (children, others) =
            strangers.into_iter().partition(|process: &Relative| parents.contains(&process.parent));
        strangers = others;
        parents = children.iter().map(|child| child.pid).collect();
        found.extend(children);
    }
    found
}

/// Returns every process that /proc shows.
pub(crate) fn all() -> Vec<Relative> {
    tasks::processes().filter_map(relative).collect()
}

pub(crate) fn relative(pid: Pid) -> Option<Relative> {
    let stat = Stat::of(pid)?;
    let ticks = (14..=17).filter_map(|column| stat.number::<u64>(column));
    let ticks_per_second = rustix::param::clock_ticks_per_second().max(1);
    Some(Relative {
        pid,
        parent: stat.parent()?,
        cpu_time_ms: ticks.sum::<u64>() * 1000 / ticks_per_second,
        lives: !stat.has_ended(),
    })
}

/// Makes this process the parent of descendants whose own parent ends: prctl(2)
/// `PR_SET_CHILD_SUBREAPER`.
///
/// # Errors
/// Fails before Linux 3.4.
pub fn adopt_orphans() -> io::Result<()> {
    Ok(rustix::process::set_child_subreaper(Some(crate::process::this()))?)
}

/// Returns a child of this process that has ended and was not returned before.
#[must_use]
pub fn ended_child() -> Option<(Pid, ExitStatus)> {
    let (pid, status) = rustix::process::wait(WaitOptions::NOHANG).ok()??;
    Some((pid, ExitStatus::from_raw(status.as_raw())))
}

/// Returns a process and all its descendants.
pub(crate) fn with_descendants(process: Pid) -> Vec<Pid> {
    let descendants = descendants(process);
    let descendants = descendants.iter().map(|relative| relative.pid);
    [process].into_iter().chain(descendants).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::this;
    use crate::thread::wait_for;
    use rustix::process::{Signal, kill_process};
    use std::process::Command;
    use std::time::Duration;

    #[test]
    fn a_grandchild_is_a_descendant_until_it_ends() {
        let mut shell = Command::new("sh").args(["-c", "sleep 60 & wait"]).spawn().unwrap();
        let child = Pid::from_child(&shell);
        let look = || <[Relative; 1]>::try_from(descendants(child)).ok();
        let found = wait_for(Duration::from_secs(30), Duration::from_millis(1), look);
        let [sleep] = found.unwrap();
        assert_eq!(sleep.parent, child);
        assert!(sleep.lives);
        assert!(descendants(this()).iter().any(|p| p.pid == sleep.pid));
        kill_process(sleep.pid, Signal::KILL).unwrap();
        shell.wait().unwrap();
        assert!(descendants(this()).iter().all(|p| p.pid != sleep.pid));
    }
}
