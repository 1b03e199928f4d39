//! The kernel's line about a task: man 5 `proc_pid_stat`.

use std::fmt::Display;
use std::str::FromStr;

use rustix::process::Pid;

use crate::read;

/// The line of a task. Its columns have the man page's numbers.
pub(crate) struct Stat(String);

/// The column of the state, the first one after the name.
const STATE: usize = 3;
const PARENT: usize = 4;
const FLAGS: usize = 9;
/// The flag of a task that is ending: `PF_EXITING` in the kernel's `sched.h`.
const IS_ENDING: u64 = 0x4;

impl Stat {
    /// Reads the line of a process.
    pub(crate) fn of(process: impl Display) -> Option<Self> {
        read::text(format!("/proc/{process}/stat")).map(Self)
    }

    /// Reads the line of one of its threads.
    pub(crate) fn of_task(process: impl Display, task: impl Display) -> Option<Self> {
        Self::of(format!("{process}/task/{task}"))
    }

    /// Returns the name, which may contain any characters.
    pub(crate) fn name(&self) -> Option<&str> {
        let (before, _) = self.0.rsplit_once(')')?;
        Some(before.split_once('(')?.1)
    }

    /// Returns the task's state: `R`, `S`, `Z` and so on.
    pub(crate) fn state(&self) -> Option<char> {
        self.column(STATE)?.chars().next()
    }

    /// Whether it has ended and has not yet been waited for.
    pub(crate) fn has_ended(&self) -> bool {
        self.state().is_some_and(|state| ['Z', 'X'].contains(&state))
    }

    /// Whether it runs no code of its program any longer, and the kernel will remove it.
    pub(crate) fn is_ending(&self) -> bool {
        self.number(FLAGS).is_some_and(|flags: u64| flags & IS_ENDING != 0)
    }

    /// Whether a signal or a debugger has stopped it.
    pub(crate) fn is_stopped(&self) -> bool {
        self.state().is_some_and(|state| ['T', 't'].contains(&state))
    }

    /// Returns the process that started it, or has adopted it since.
    pub(crate) fn parent(&self) -> Option<Pid> {
        Pid::from_raw(self.number(PARENT)?)
    }

    /// Returns the number in one of the columns after the state.
    pub(crate) fn number<T: FromStr>(&self, column: usize) -> Option<T> {
        self.column(column)?.parse().ok()
    }

    fn column(&self, number: usize) -> Option<&str> {
        let (_, after_name) = self.0.rsplit_once(')')?;
        after_name.split_whitespace().nth(number - STATE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_brackets_hides_no_field() {
        let fields: Vec<String> = (3..30).map(|field| field.to_string()).collect();
        let stat = Stat(format!("17 (a) b (c)) {}", fields.join(" ")));
        assert_eq!(stat.number(22), Some(22));
        assert_eq!((stat.name(), stat.state()), (Some("a) b (c)"), Some('3')));
    }
}
