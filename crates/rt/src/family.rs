//! The processes that a process has started, and those that they have started.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Signal, WaitOptions, kill_process};
use units::CpuSet;

use crate::occupant::occupants;
use crate::process::Pid;
use crate::{read, sched, tasks, topology};

/// How often processes that are being ended are looked at.
const LOOK_EVERY: Duration = Duration::from_millis(2);
/// How long the kernel has to end them.
const LONGEST: Duration = Duration::from_secs(5);

/// A process as /proc shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relative {
    /// The process.
    pub pid: Pid,
    /// What started it, or has adopted it since.
    pub parent: Pid,
    /// CPU time of it and of its children that it has waited for, in
    /// milliseconds, at the kernel's resolution (often 10 ms).
    pub cpu_time_ms: u64,
    /// Whether it lives: it has not ended and only waits to be noticed.
    pub lives: bool,
}

/// Every descendant of a process, parents before children.
///
/// A descendant whose parent has ended is still found where `of` adopts orphans.
#[must_use]
pub fn descendants(of: Pid) -> Vec<Relative> {
    let mut strangers = all();
    let mut found: Vec<Relative> = Vec::new();
    let mut parents = HashSet::from([of]);
    while !parents.is_empty() {
        let (children, others) = strangers
            .into_iter()
            .partition(|process: &Relative| parents.contains(&process.parent));
        strangers = others;
        parents = children.iter().map(|child| child.pid).collect();
        found.extend(children);
    }
    found
}

fn all() -> Vec<Relative> {
    let Ok(processes) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    processes
        .flatten()
        .filter_map(|entry| relative(entry.file_name().to_str()?.parse().ok()?))
        .collect()
}

/// proc(5), /proc/PID/stat: after the name, which may hold anything, come state
/// and parent, and in the columns 14 to 17 of the whole line the CPU times.
fn relative(pid: i32) -> Option<Relative> {
    const STATE: usize = 3;
    let stat = read::text(format!("/proc/{pid}/stat"))?;
    let (_, after_name) = stat.rsplit_once(')')?;
    let columns: Vec<&str> = after_name.split_whitespace().collect();
    let column = |number: usize| columns.get(number - STATE).copied();
    let ticks = (14..=17).filter_map(|number| column(number)?.parse::<u64>().ok());
    let ticks_a_second = rustix::param::clock_ticks_per_second().max(1);
    Some(Relative {
        pid: Pid::from_raw(pid)?,
        parent: Pid::from_raw(column(4)?.parse().ok()?)?,
        cpu_time_ms: ticks.sum::<u64>() * 1000 / ticks_a_second,
        lives: !matches!(column(STATE)?, "Z" | "X"),
    })
}

/// Makes this process the parent of descendants whose own parent ends: prctl(2)
/// `PR_SET_CHILD_SUBREAPER`.
///
/// # Errors
/// Before Linux 3.4.
pub fn adopt_orphans() -> io::Result<()> {
    Ok(rustix::process::set_child_subreaper(Some(
        crate::process::this(),
    ))?)
}

/// A child of this process that has ended and was not told before.
#[must_use]
pub fn ended_child() -> Option<(Pid, ExitStatus)> {
    let (pid, status) = rustix::process::wait(WaitOptions::NOHANG).ok()??;
    Some((pid, ExitStatus::from_raw(status.as_raw())))
}

/// Kills every descendant of this process, also those that are started
/// meanwhile; gives up on one that the kernel does not let go.
pub fn end_descendants() {
    let give_up = Instant::now() + LONGEST;
    loop {
        while ended_child().is_some() {}
        let mut left = descendants(crate::process::this());
        left.retain(|process| process.lives);
        if left.is_empty() || Instant::now() > give_up {
            return;
        }
        for process in left {
            // One that has just ended is what is wanted.
            let _ = kill_process(process.pid, Signal::KILL);
        }
        thread::sleep(LOOK_EVERY);
    }
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

/// A process and every descendant of it.
pub(crate) fn with_descendants(process: Pid) -> Vec<Pid> {
    let descendants = descendants(process);
    let descendants = descendants.iter().map(|relative| relative.pid);
    [process].into_iter().chain(descendants).collect()
}

/// Kills a child, also where real-time tasks of others have its CPUs, and waits for it.
///
/// # Errors
/// Where it has not ended after five seconds; it will when the kernel lets it.
pub fn end_child(child: &mut Child) -> io::Result<ExitStatus> {
    let_end(Pid::from_child(child));
    child.kill()?;
    let give_up = Instant::now() + LONGEST;
    while Instant::now() < give_up {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        thread::sleep(LOOK_EVERY);
    }
    Err(io::Error::other(format!(
        "process {} does not end although it was killed",
        child.id()
    )))
}

/// Kills every other process with the command line of this one, and all that it has
/// started; returns when they have ended, or after five seconds.
pub fn end_twins() {
    let own = command_line(crate::process::this());
    let is_twin = |process: &Relative| {
        process.pid != crate::process::this() && command_line(process.pid) == own
    };
    let twins = all().into_iter().filter(is_twin);
    let family = twins.flat_map(|twin| [vec![twin], descendants(twin.pid)].concat());
    let mut left: Vec<Relative> = family.collect();
    for process in &left {
        // One that has just ended is what is wanted.
        let _ = kill_process(process.pid, Signal::KILL);
    }
    let give_up = Instant::now() + LONGEST;
    while !left.is_empty() && Instant::now() < give_up {
        left.retain(|p| relative(p.pid.as_raw_nonzero().get()).is_some_and(|now| now.lives));
        thread::sleep(LOOK_EVERY);
    }
}

/// What a process was started with; `None` where it has ended.
fn command_line(pid: Pid) -> Option<String> {
    read::text(format!("/proc/{}/cmdline", pid.as_raw_nonzero()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::this;
    use std::process::Command;

    #[test]
    fn a_grandchild_is_a_descendant_until_it_ends() {
        let mut shell = Command::new("sh")
            .args(["-c", "sleep 60 & wait"])
            .spawn()
            .unwrap();
        let child = Pid::from_child(&shell);
        let of_shell = || descendants(child);
        let give_up = Instant::now() + Duration::from_secs(30);
        while of_shell().is_empty() && Instant::now() < give_up {
            thread::sleep(Duration::from_millis(1));
        }
        let [sleep] = of_shell().try_into().unwrap();
        assert_eq!(sleep.parent, child);
        assert!(sleep.lives);
        assert!(descendants(this()).iter().any(|p| p.pid == sleep.pid));
        kill_process(sleep.pid, Signal::KILL).unwrap();
        shell.wait().unwrap();
        assert!(descendants(this()).iter().all(|p| p.pid != sleep.pid));
    }
}
