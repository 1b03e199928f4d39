//! Ends processes, also when other processes' real-time tasks keep their CPUs from them.

use std::io;
use std::process::{Child, ExitStatus};
use std::time::Duration;

use base::{CpuSet, Policy};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid,
};

use crate::family::{Relative, all, descendants, ended_child, relative, with_descendants};
use crate::occupant::occupants;
use crate::process::this;
use crate::thread::wait_for;
use crate::{read, sched, tasks, topology};

/// How often processes that are being ended are checked.
const LOOK_EVERY: Duration = Duration::from_millis(2);
/// The longest time that the kernel has to end them.
const LONGEST: Duration = Duration::from_secs(5);

/// Kills every descendant of this process, including those that are started in the meantime; gives
/// up on one that the kernel does not let go.
pub fn end_descendants() {
    let none_is_left = || {
        while ended_child().is_some() {}
        let mut left = descendants(this());
        left.retain(|process| process.lives);
        for process in &left {
            // Fails if the process has just ended, which is the goal.
            let _ = kill_process(process.pid, Signal::KILL);
        }
        left.is_empty().then_some(())
    };
    wait_for(LONGEST, LOOK_EVERY, none_is_left);
}

/// Lets a process, and all that it has started, end also when other processes' real-time tasks keep
/// its threads from their CPUs: a killed process ends only when each of its threads has run once
/// more.
pub fn let_end(process: Pid) {
    let family = with_descendants(process).into_iter();
    set_free(family.flat_map(tasks::of_process), process);
}

/// Takes real-time policies away from tasks of the process `own` and of its descendants. Also takes
/// away the CPUs that other processes' real-time tasks occupy, if this thread may use any other
/// CPUs.
pub(crate) fn set_free(tasks: impl IntoIterator<Item = Pid>, own: Pid) {
    let taken = occupants(&topology::online(), own);
    let taken: CpuSet = taken.iter().map(|occupant| occupant.cpu).collect();
    let free = topology::usable().without(&taken);
    for task in tasks {
        // Fails if the task has just ended, which is the goal.
        let _ = sched::set_policy_of(task, Policy::OTHER);
        if !free.is_empty() {
            let _ = sched::set_affinity_of(task, &free);
        }
    }
}

/// Kills a child, also when other processes' real-time tasks occupy its CPUs, and waits for it.
///
/// # Errors
/// Fails if the child has not ended after five seconds; it will when the kernel lets it.
pub fn end_child(child: &mut Child) -> io::Result<ExitStatus> {
    let_end(Pid::from_child(child));
    child.kill()?;
    let ended = wait_for(LONGEST, LOOK_EVERY, || child.try_wait().transpose());
    ended.unwrap_or_else(|| {
        let id = child.id();
        Err(io::Error::other(format!("process {id} was killed but has not ended within 5 s")))
    })
}

/// Kills a child and everything that it has started, and waits for the child. Nothing happens if it
/// has ended before.
pub fn end_family(child: &mut Child) {
    if let Ok(None) = child.try_wait() {
        for process in with_descendants(Pid::from_child(child)) {
            // Fails if the process has just ended, which is the goal.
            let _ = kill_process(process, Signal::KILL);
        }
        let _ = child.wait();
    }
}

/// Returns whether a child has ended. It is not waited for, so its number stays its own.
#[must_use]
pub fn has_ended(child: &Child) -> bool {
    let looks = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(Pid::from_child(child)), looks), Ok(None))
}

/// Kills the process group that a child leads, and waits for the child. The child must not have been
/// waited for if it has ended: its number could be that of another group.
pub fn end_group(leader: &mut Child) {
    // Fails if all of it has just ended, which is the goal.
    let _ = kill_process_group(Pid::from_child(leader), Signal::KILL);
    let _ = leader.wait();
}

/// Kills every other process with the same command line as this one, and all that it has started;
/// returns when they have ended, or after five seconds.
pub fn end_twins() {
    let own = command_line(this());
    let is_twin = |process: &Relative| process.pid != this() && command_line(process.pid) == own;
    let twins = all().into_iter().filter(is_twin);
    let family = twins.flat_map(|twin| [vec![twin], descendants(twin.pid)].concat());
    let mut left: Vec<Relative> = family.collect();
    for process in &left {
        // Fails if the process has just ended, which is the goal.
        let _ = kill_process(process.pid, Signal::KILL);
    }
    wait_for(LONGEST, LOOK_EVERY, || {
        left.retain(|p| relative(p.pid).is_some_and(|now| now.lives));
        left.is_empty().then_some(())
    });
}

/// Returns the command line with which a process was started; `None` if it has ended.
fn command_line(pid: Pid) -> Option<String> {
    read::text(format!("/proc/{pid}/cmdline"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    #[test]
    fn what_a_child_has_started_ends_with_it() {
        let mut wrapper = Command::new("sh");
        wrapper.args(["-c", "sleep 60 & echo $!; wait"]).stdout(Stdio::piped());
        let mut wrapper = wrapper.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(wrapper.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let sleep = Pid::from_raw(line.trim().parse().unwrap()).unwrap();
        assert!(relative(sleep).unwrap().lives);
        end_family(&mut wrapper);
        let has_ended = || (!relative(sleep).is_some_and(|now| now.lives)).then_some(());
        assert_eq!(wait_for(LONGEST, LOOK_EVERY, has_ended), Some(()));
        end_family(&mut wrapper);
    }
}
