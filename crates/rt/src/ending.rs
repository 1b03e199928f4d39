//! Ending processes, also where real-time tasks of others keep their CPUs from them.

use std::io;
use std::process::{Child, ExitStatus};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use units::CpuSet;

use crate::family::{Relative, all, descendants, ended_child, relative, with_descendants};
use crate::occupant::occupants;
use crate::process::this;
use crate::thread::wait_for;
use crate::{read, sched, tasks, topology};

/// How often processes that are being ended are looked at.
const LOOK_EVERY: Duration = Duration::from_millis(2);
/// How long the kernel has to end them.
const LONGEST: Duration = Duration::from_secs(5);

/// Kills every descendant of this process, also those that are started
/// meanwhile; gives up on one that the kernel does not let go.
pub fn end_descendants() {
    let none_is_left = || {
        while ended_child().is_some() {}
        let mut left = descendants(this());
        left.retain(|process| process.lives);
        for process in &left {
            // One that has just ended is what is wanted.
            let _ = kill_process(process.pid, Signal::KILL);
        }
        left.is_empty().then_some(())
    };
    wait_for(LONGEST, LOOK_EVERY, none_is_left);
}

/// Lets a process, and all that it has started, come to its end also where real-time
/// tasks of others keep its threads from their CPUs: a killed process ends only when each
/// of its threads has run once more.
pub fn let_end(process: Pid) {
    let family = with_descendants(process).into_iter();
    set_free(family.flat_map(tasks::of_process), process);
}

/// Takes real-time policies away from tasks of the process `own` and of those that it has
/// started, and the CPUs that real-time tasks of others have, where there are others that
/// this thread may use.
pub(crate) fn set_free(tasks: impl IntoIterator<Item = Pid>, own: Pid) {
    let taken = occupants(&topology::online(), own);
    let taken: CpuSet = taken.iter().map(|occupant| occupant.cpu).collect();
    let free = topology::usable().without(&taken);
    for task in tasks {
        // One that has ended meanwhile is what is wanted.
        let _ = sched::take_real_time_from(task);
        if !free.is_empty() {
            let _ = sched::set_affinity_of(task, &free);
        }
    }
}

/// Kills a child, also where real-time tasks of others have its CPUs, and waits for it.
///
/// # Errors
/// Where it has not ended after five seconds; it will when the kernel lets it.
pub fn end_child(child: &mut Child) -> io::Result<ExitStatus> {
    let_end(Pid::from_child(child));
    child.kill()?;
    let ended = wait_for(LONGEST, LOOK_EVERY, || child.try_wait().transpose());
    ended.unwrap_or_else(|| {
        Err(io::Error::other(format!("process {} does not end although it was killed", child.id())))
    })
}

/// Kills every other process with the command line of this one, and all that it has
/// started; returns when they have ended, or after five seconds.
pub fn end_twins() {
    let own = command_line(this());
    let is_twin = |process: &Relative| process.pid != this() && command_line(process.pid) == own;
    let twins = all().into_iter().filter(is_twin);
    let family = twins.flat_map(|twin| [vec![twin], descendants(twin.pid)].concat());
    let mut left: Vec<Relative> = family.collect();
    for process in &left {
        // One that has just ended is what is wanted.
        let _ = kill_process(process.pid, Signal::KILL);
    }
    wait_for(LONGEST, LOOK_EVERY, || {
        left.retain(|p| relative(p.pid.as_raw_nonzero().get()).is_some_and(|now| now.lives));
        left.is_empty().then_some(())
    });
}

/// What a process was started with; `None` where it has ended.
fn command_line(pid: Pid) -> Option<String> {
    read::text(format!("/proc/{}/cmdline", pid.as_raw_nonzero()))
}
