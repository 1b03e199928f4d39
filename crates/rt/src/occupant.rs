//! Which task occupies a CPU, as far as /proc shows it: man 5 `proc_pid_stat`.

use std::fmt;

use base::{CpuSet, Policy};
use rustix::process::Pid;

use crate::stat::Stat;
use crate::{attributes, family, tasks};

/// A real-time task that runs on a CPU, or is the next to run there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occupant {
    /// The CPU.
    pub cpu: usize,
    /// The process to which the task belongs.
    pub process: Pid,
    /// The task's number.
    pub task: Pid,
    /// The task's name, at most 15 characters.
    pub name: String,
    /// The task's policy and priority.
    pub policy: Policy,
}

impl fmt::Display for Occupant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cpu, process, task, name, policy } = self;
        write!(f, "`{name}` ({policy}, process {process}")?;
        if task != process {
            write!(f, ", thread {task}")?;
        }
        write!(f, ") has CPU {cpu}")
    }
}

/// Returns the foremost real-time task on each of the CPUs that has one: the runnable task with the
/// highest priority. The process `own` and its descendants are left out.
#[must_use]
pub fn occupants(cpus: &CpuSet, own: Pid) -> Vec<Occupant> {
    let own = family::with_descendants(own);
    let is_foreign = |id: &(Pid, Pid)| !own.contains(&id.0);
    let runnable: Vec<Occupant> = tasks::numbers_of_all()
        .filter(is_foreign)
        .filter_map(|(process, task)| runnable(process, task))
        .filter(|task| task.policy.is_real_time())
        .collect();
    let foremost = |cpu| {
        let there = runnable.iter().filter(|task| task.cpu == cpu);
        there.max_by_key(|task| rank(task.policy)).cloned()
    };
    cpus.iter().filter_map(foremost).collect()
}

/// Describes the occupants in one line; `None` if there are none.
#[must_use]
pub fn in_words(occupants: &[Occupant]) -> Option<String> {
    let words: Vec<String> = occupants.iter().map(ToString::to_string).collect();
    (!words.is_empty()).then(|| words.join("; "))
}

/// Ranks policies; a deadline comes before every priority: sched(7).
fn rank(policy: Policy) -> u8 {
    match policy {
        Policy::Deadline { .. } => u8::MAX,
        other => other.priority().unwrap_or(0),
    }
}

/// Returns the task if it runs or waits for its CPU.
fn runnable(process: Pid, task: Pid) -> Option<Occupant> {
    const PROCESSOR: usize = 39;
    let stat = Stat::of_task(process, task)?;
    if stat.state()? != 'R' {
        return None;
    }
    let name = stat.name()?.chars();
    Some(Occupant {
        cpu: stat.number(PROCESSOR)?,
        process,
        task,
        name: name.filter(|letter| !letter.is_control()).collect(),
        policy: attributes::policy_of(task.as_raw_pid()).ok()?,
    })
}
