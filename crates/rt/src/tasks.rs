//! Every task of the machine, that is, every thread of every process: proc(5).

use std::fs;
use std::time::Duration;

use base::CpuSet;
use rustix::process::Pid;

use crate::read;
use crate::stat::Stat;

/// A task as the kernel shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// The task's number.
    pub id: Pid,
    /// The process to which the task belongs.
    pub process: Pid,
    /// The process that started the task's process, or adopted it.
    pub parent: Option<Pid>,
    /// When the task started, in clock ticks since boot: together with its number, this identifies
    /// the task forever.
    pub started: u64,
    /// The CPUs on which the task may run.
    pub cpus: CpuSet,
}

/// Returns every task that /proc shows; a task that ends during the call may be missing.
#[must_use]
pub fn all() -> Vec<Task> {
    numbers_of_all().filter_map(|(process, task)| of(process, task)).collect()
}

/// Returns the numbers of every task, that of its process first.
pub(crate) fn numbers_of_all() -> impl Iterator<Item = (Pid, Pid)> {
    processes().flat_map(|process| of_process(process).map(move |task| (process, task)))
}

/// Returns the numbers of every process.
pub(crate) fn processes() -> impl Iterator<Item = Pid> {
    numbers("/proc")
}

/// Returns the numbers of the threads of a process.
pub(crate) fn of_process(process: Pid) -> impl Iterator<Item = Pid> {
    numbers(&format!("/proc/{process}/task"))
}

/// Returns the living threads of a process. A thread that has ended and been joined stays in /proc
/// until the kernel has removed it, which is later if the thread that joined it has the only CPU.
pub fn living_of(process: Pid) -> impl Iterator<Item = Pid> {
    let is_living =
        move |task: &Pid| Stat::of_task(process, task).is_some_and(|stat| !stat.is_ending());
    of_process(process).filter(is_living)
}

/// Returns the calling thread.
#[must_use]
pub fn this() -> Option<Task> {
    of(rustix::process::getpid(), rustix::thread::gettid())
}

/// Returns when a process started, in clock ticks since boot; `None` if it does not exist, or has
/// ended and has not yet been waited for.
#[must_use]
pub fn start_of(process: Pid) -> Option<u64> {
    let stat = Stat::of(process)?;
    stat.number(STARTED).filter(|_| !stat.has_ended())
}

/// Returns the process that started a process, or adopted it; `None` if it is not visible.
pub(crate) fn parent_of(process: Pid) -> Option<Pid> {
    Stat::of(process)?.parent()
}

/// Returns how long ago a process started; `None` if it is not visible.
pub(crate) fn age(process: Pid) -> Option<Duration> {
    let ticks_per_second = rustix::param::clock_ticks_per_second().max(1);
    let started = Duration::from_millis(start_of(process)? * 1000 / ticks_per_second);
    let uptime = read::text("/proc/uptime")?;
    let uptime = uptime.split_whitespace().next()?.parse().ok()?;
    Duration::try_from_secs_f64(uptime).ok()?.checked_sub(started)
}

/// Whether a signal or a debugger has stopped a process.
#[must_use]
pub fn is_stopped(process: Pid) -> bool {
    Stat::of(process).is_some_and(|stat| stat.is_stopped())
}

fn of(process: Pid, id: Pid) -> Option<Task> {
    let stat = Stat::of_task(process, id)?;
    let status = read::text(format!("/proc/{process}/task/{id}/status"))?;
    Some(Task {
        id,
        process,
        parent: stat.parent(),
        started: stat.number(STARTED)?,
        cpus: read::field(&status, "Cpus_allowed_list:")?.parse().ok()?,
    })
}

/// The column of a task's line with its start.
const STARTED: usize = 22;

/// Returns the process or task with this number; `None` unless the number is above 0.
#[must_use]
pub fn pid(number: i32) -> Option<Pid> {
    if number > 0 { Pid::from_raw(number) } else { None }
}

/// Returns the process or task whose number is this text.
#[must_use]
pub fn pid_in(text: &str) -> Option<Pid> {
    pid(text.parse().ok()?)
}

/// Iterates over the entries of a directory that are task numbers.
fn numbers(directory: &str) -> impl Iterator<Item = Pid> + use<> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.filter_map(|entry| pid_in(entry.file_name().to_str()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_above_0_are_processes() {
        assert_eq!(pid_in("7"), Pid::from_raw(7));
        let others = ["-7", "0", "2147483648", "7 ", ""];
        assert!(others.iter().all(|text| pid_in(text).is_none()));
    }

    #[test]
    fn this_thread_is_listed_with_its_own_cpus() {
        std::thread::spawn(|| {
            let first = CpuSet::one(crate::topology::usable().iter().next().unwrap());
            crate::sched::set_affinity(&first).unwrap();
            let this = this().unwrap();
            assert_eq!(this.cpus, first);
            assert!(all().contains(&this));
        })
        .join()
        .unwrap();
    }

    #[test]
    fn a_process_that_has_ended_has_no_start_and_no_living_thread_before_it_is_waited_for() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let id = Pid::from_child(&child);
        assert!(start_of(id).is_some());
        assert_eq!(living_of(id).collect::<Vec<_>>(), [id]);
        child.kill().unwrap();
        while start_of(id).is_some() {
            std::thread::yield_now();
        }
        assert_eq!((of_process(id).count(), living_of(id).count()), (1, 0));
        child.wait().unwrap();
        assert_eq!(start_of(id), None);
    }
}
