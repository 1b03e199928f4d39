//! Every task of the machine, that is every thread of every process: proc(5).

use std::fs;
use std::time::Duration;

use rustix::process::Pid;
use units::CpuSet;

use crate::read;
use crate::stat::Stat;

/// A task as the kernel shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Its own number.
    pub id: Pid,
    /// The process that it is a thread of.
    pub process: Pid,
    /// The process that started its process, or took it over.
    pub parent: Option<Pid>,
    /// When it started, in clock ticks since boot: with its number, a name that no
    /// later task has.
    pub started: u64,
    /// The CPUs that it may run on.
    pub cpus: CpuSet,
}

/// Every task that /proc shows; one that ends meanwhile may be missing.
#[must_use]
pub fn all() -> Vec<Task> {
    numbers_of_all().filter_map(|(process, task)| of(process, task)).collect()
}

/// The numbers of every task, that of its process first.
pub(crate) fn numbers_of_all() -> impl Iterator<Item = (Pid, Pid)> {
    numbers("/proc").flat_map(|process| of_process(process).map(move |task| (process, task)))
}

/// The numbers of the threads of a process.
pub(crate) fn of_process(process: Pid) -> impl Iterator<Item = Pid> {
    numbers(&format!("/proc/{process}/task"))
}

/// The calling thread.
#[must_use]
pub fn this() -> Option<Task> {
    of(rustix::process::getpid(), rustix::thread::gettid())
}

/// When a process started, in clock ticks since boot; `None` where there is none, or
/// where it has ended and is only not waited for yet.
#[must_use]
pub fn start_of(process: Pid) -> Option<u64> {
    let stat = Stat::of(process)?;
    stat.number(STARTED).filter(|_| !stat.has_ended())
}

/// The process that started a process, or took it over; `None` where there is none to be
/// seen.
pub(crate) fn parent_of(process: Pid) -> Option<Pid> {
    Pid::from_raw(Stat::of(process)?.number(PARENT)?)
}

/// How long ago a process started; `None` where there is none to be seen.
pub(crate) fn age(process: Pid) -> Option<Duration> {
    let ticks_a_second = rustix::param::clock_ticks_per_second().max(1);
    let started = Duration::from_millis(start_of(process)? * 1000 / ticks_a_second);
    let uptime = read::text("/proc/uptime")?;
    let uptime = uptime.split_whitespace().next()?.parse().ok()?;
    Duration::try_from_secs_f64(uptime).ok()?.checked_sub(started)
}

/// Whether a signal or a debugger has stopped a process: man 5 proc_pid_stat.
#[must_use]
pub fn is_stopped(process: Pid) -> bool {
    let state = Stat::of(process).and_then(|stat| stat.state());
    state.is_some_and(|state| ['T', 't'].contains(&state))
}

fn of(process: Pid, id: Pid) -> Option<Task> {
    let stat = Stat::of_task(process, id)?;
    let status = read::text(format!("/proc/{process}/task/{id}/status"))?;
    let cpus = |line: &str| line.strip_prefix("Cpus_allowed_list:")?.trim().parse().ok();
    Some(Task {
        id,
        process,
        parent: Pid::from_raw(stat.number(PARENT)?),
        started: stat.number(STARTED)?,
        cpus: status.lines().find_map(cpus)?,
    })
}

/// Columns of a task's line.
const PARENT: usize = 4;
const STARTED: usize = 22;

/// The entries of a directory that are numbers of tasks.
fn numbers(directory: &str) -> impl Iterator<Item = Pid> + use<> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_thread_is_among_all_with_its_own_cpus() {
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
    fn a_process_that_has_ended_has_no_start_also_before_it_is_waited_for() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let id = Pid::from_child(&child);
        assert!(start_of(id).is_some());
        child.kill().unwrap();
        while start_of(id).is_some() {
            std::thread::yield_now();
        }
        child.wait().unwrap();
        assert_eq!(start_of(id), None);
    }
}
