//! A moved task in the journal.

use base::CpuSet;
use rt::process::Pid;
use rt::tasks;

use crate::journal;

/// A task that is moved, or is about to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) task: Pid,
    /// Clock ticks from boot to its start; a later task of the same number has another start.
    pub(super) started: u64,
    pub(super) before: CpuSet,
    pub(super) given: CpuSet,
}

/// The task's number, clock ticks at its start, its CPUs, and those to which it is moved.
impl journal::Entry for Entry {
    const KIND: &'static str = "moved";
    const BUSY: &'static str = "moved everything off its CPUs";

    fn line(&self) -> String {
        let Self { task, started, before, given } = self;
        format!("{task} {started} {before} {given}")
    }

    fn read(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let mut word = || words.next();
        Some(Self {
            task: tasks::pid_in(word()?)?,
            started: word()?.parse().ok()?,
            before: word()?.parse().ok()?,
            given: word()?.parse().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::Entry as _;

    #[test]
    fn a_task_is_read_as_written_and_refused_if_truncated() {
        let entry = Entry {
            task: Pid::from_raw(7).unwrap(),
            started: 17,
            before: "0-3,5".parse().unwrap(),
            given: CpuSet::one(0),
        };
        assert_eq!(Entry::read(&entry.line()), Some(entry));
        assert_eq!(Entry::read("8 17 0-3"), None);
        assert_eq!(Entry::read("-8 17 0-3 0"), None, "a group of processes, for the kernel");
    }

    #[test]
    fn odd_entries_are_read_or_left_out() {
        testing::try_corpus(&["7 17 0-3,5 0", "8 18446744073709551615 0 1-2"], 3_000, |input| {
            if let Some(entry) = Entry::read(&String::from_utf8_lossy(input)) {
                assert_eq!(Entry::read(&entry.line()), Some(entry));
            }
        });
    }
}
