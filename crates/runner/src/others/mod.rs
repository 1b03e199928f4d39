//! Moves all tasks that are not part of a measurement off the measured CPUs, and moves them back.
//!
//! A task keeps its new CPUs only while nothing else changes them: if a task has other CPUs when it
//! is read back, something else wanted that, and it keeps them.

mod entry;

use std::io::{self, ErrorKind};
use std::path::PathBuf;

use base::CpuSet;
use measure::reason;
use record::OthersFound;
use rt::process::Pid;
use rt::sched;
use rt::tasks::{self, Task};

use crate::journal::{Journal, directories};
use entry::Entry;

/// Tasks start others while they are moved and moved back; each round finds fewer.
const MOST_ROUNDS: usize = 20;

/// All tasks that are moved aside. Dropping this moves them back.
pub(crate) struct Others {
    journal: Journal<Entry>,
    found: OthersFound,
    why_refused: String,
}

impl Others {
    /// Moves every task that may run on a measured CPU to the CPUs `apart`, except this process and
    /// the one that started it, which leave the measured CPUs themselves.
    pub(crate) fn move_off(measured: &CpuSet, apart: &CpuSet) -> Result<Self, String> {
        give_back_left_over();
        let this = tasks::this().ok_or("/proc does not show this process")?;
        let has_no_part =
            |task: &Task| task.process != this.process && Some(task.process) != this.parent;
        let all = || tasks::all().into_iter().filter(has_no_part).collect();
        Self::move_these(&all, measured, apart, &directories(), this.started)
    }

    fn move_these(
        all: &dyn Fn() -> Vec<Task>,
        measured: &CpuSet,
        apart: &CpuSet,
        directories: &[PathBuf],
        since: u64,
    ) -> Result<Self, String> {
        let no_journal =
            |error: io::Error| format!("its journal cannot be written: {}", reason(&error));
        let mut others = Self {
            journal: Journal::create(directories, since).map_err(no_journal)?,
            found: OthersFound { cpus: apart.clone(), ..OthersFound::default() },
            why_refused: String::new(),
        };
        let mut tried: Vec<(Pid, u64)> = Vec::new();
        for _ in 0..MOST_ROUNDS {
            let is_new = |task: &Task| !tried.contains(&(task.id, task.started));
            let entry = |task: Task| entry(task, measured, apart);
            let new: Vec<Entry> = all().into_iter().filter(is_new).filter_map(entry).collect();
            if new.is_empty() {
                break;
            }
            tried.extend(new.iter().map(|entry| (entry.task, entry.started)));
            others.journal.add(new.clone()).map_err(no_journal)?;
            new.iter().for_each(|entry| others.move_one(entry));
        }
        Ok(others)
    }

    fn move_one(&mut self, entry: &Entry) {
        match sched::set_affinity_of(entry.task, &entry.given) {
            Ok(()) => self.found.moved += 1,
            Err(error) if error.kind() == ErrorKind::InvalidInput => self.found.bound += 1,
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                self.found.refused += 1;
                self.why_refused = reason(&error);
            }
            // The task has ended in the meantime.
            Err(_) => {}
        }
    }

    /// Returns how many tasks this process was not permitted to move, and the kernel's reason.
    pub(crate) fn refused(&self) -> (u64, String) {
        (self.found.refused, self.why_refused.clone())
    }

    pub(crate) fn give_back(mut self) -> OthersFound {
        self.found.given_back = give_back(&mut self.journal, &tasks::all);
        std::mem::take(&mut self.found)
    }
}

impl Drop for Others {
    fn drop(&mut self) {
        give_back(&mut self.journal, &tasks::all);
    }
}

/// Returns how to move a task, if it may run on a measured CPU. A task that may also run on a CPU
/// in `apart` gets no CPU that it did not have before.
fn entry(task: Task, measured: &CpuSet, apart: &CpuSet) -> Option<Entry> {
    if !task.cpus.iter().any(|cpu| measured.contains(cpu)) {
        return None;
    }
    let own: CpuSet = task.cpus.iter().filter(|cpu| apart.contains(*cpu)).collect();
    let given = if own.is_empty() { apart.clone() } else { own };
    Some(Entry { task: task.id, started: task.started, before: task.cpus, given })
}

/// Restores what a killed run has moved. Returns the number of tasks that got their CPUs back.
pub fn give_back_left_over() -> u64 {
    let left_over = Journal::<Entry>::left_over(&directories());
    left_over.map_or(0, |mut journal| give_back(&mut journal, &tasks::all))
}

/// Gives a journal's tasks, and those they have started since, their old CPUs; removes it.
fn give_back(journal: &mut Journal<Entry>, all: &dyn Fn() -> Vec<Task>) -> u64 {
    let mut entries = std::mem::take(&mut journal.entries);
    let mut given_back = 0;
    let rounds = if entries.is_empty() { 0 } else { MOST_ROUNDS };
    for _ in 0..rounds {
        let moved = moved(&all(), &entries, journal.since);
        let back = moved
            .iter()
            .filter(|entry| sched::set_affinity_of(entry.task, &entry.before).is_ok())
            .count();
        if back == 0 {
            break;
        }
        given_back += back as u64;
        entries.extend(moved);
    }
    journal.remove();
    given_back
}

/// Returns the tasks that have the CPUs that a move gave them: those in the journal, and those that
/// a moved task has started since and that have inherited the CPUs.
fn moved(all: &[Task], entries: &[Entry], since: u64) -> Vec<Entry> {
    let of = |number: Pid| entries.iter().find(|entry| entry.task == number);
    let entry = |task: &Task| {
        let own = of(task.id).filter(|entry| entry.started == task.started);
        let inherited = || {
            let starters = [Some(task.process), task.parent].into_iter().flatten();
            starters.filter_map(of).next().filter(|_| task.started >= since)
        };
        let entry = own.or_else(inherited)?;
        (task.cpus == entry.given && entry.given != entry.before).then(|| Entry {
            task: task.id,
            started: task.started,
            ..entry.clone()
        })
    };
    all.iter().filter_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::process::{Child, Command, Stdio};

    use testing::skip;

    fn pid(number: i32) -> Pid {
        Pid::from_raw(number).unwrap()
    }

    fn task(id: i32, process: i32, parent: i32, started: u64, cpus: &str) -> Task {
        Task {
            id: pid(id),
            process: pid(process),
            parent: Pid::from_raw(parent),
            started,
            cpus: cpus.parse().unwrap(),
        }
    }

    fn cpus(text: &str) -> CpuSet {
        text.parse().unwrap()
    }

    #[test]
    fn nothing_is_given_a_cpu_that_it_did_not_have_unless_it_has_none_left() {
        let given = |before: &str| {
            entry(task(7, 7, 1, 0, before), &cpus("2-3"), &cpus("0-1")).map(|e| e.given.to_string())
        };
        assert_eq!(given("0-3").as_deref(), Some("0-1"));
        assert_eq!(given("1-2").as_deref(), Some("1"));
        assert_eq!(given("3").as_deref(), Some("0-1"));
        assert_eq!(given("0-1"), None);
    }

    #[test]
    fn children_of_moved_tasks_are_found_and_other_tasks_are_left_alone() {
        let entries = [entry(task(7, 7, 1, 50, "0-3"), &cpus("2-3"), &cpus("0-1")).unwrap()];
        let found = |task: Task| moved(&[task], &entries, 100).len();
        assert_eq!(found(task(7, 7, 1, 50, "0-1")), 1, "itself");
        assert_eq!(found(task(8, 7, 1, 101, "0-1")), 1, "its new thread");
        assert_eq!(found(task(9, 9, 7, 101, "0-1")), 1, "its new child");
        assert_eq!(found(task(7, 7, 1, 50, "2")), 0, "something else gave it other CPUs");
        assert_eq!(found(task(7, 7, 1, 99, "0-1")), 0, "its number had another task");
        assert_eq!(found(task(9, 9, 7, 60, "0-1")), 0, "its earlier child");
        assert_eq!(found(task(9, 9, 2, 101, "0-1")), 0, "an unrelated task");
    }

    /// A shell that starts a `sleep` for each line that it receives.
    struct Victim(Child);

    impl Victim {
        fn start(cpus: &CpuSet) -> Self {
            let script = "while read line; do sleep 1000 2>&- & pids=\"$pids $!\"; echo started; done; kill $pids";
            let shell = Command::new("sh")
                .args(["-c", script])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            sched::set_affinity_of(pid(shell.id() as i32), cpus).unwrap();
            Self(shell)
        }

        fn starts_another(&mut self) {
            writeln!(self.0.stdin.as_mut().unwrap()).unwrap();
            let mut answer = [0; 8];
            self.0.stdout.as_mut().unwrap().read_exact(&mut answer).unwrap();
        }

        fn tasks(&self) -> Vec<Task> {
            let shell = pid(self.0.id() as i32);
            let is_ours = |task: &Task| task.process == shell || task.parent == Some(shell);
            tasks::all().into_iter().filter(is_ours).collect()
        }

        fn all_have(&self, cpus: &CpuSet) -> bool {
            self.tasks().iter().all(|task| task.cpus == *cpus)
        }
    }

    impl Drop for Victim {
        fn drop(&mut self) {
            drop(self.0.stdin.take());
            let _ = self.0.wait();
        }
    }

    #[test]
    fn a_process_and_its_new_children_get_their_cpus_back() {
        let usable = rt::topology::usable();
        let Some(measured) = usable.iter().last().filter(|_| usable.len() > 1) else {
            return skip("needs two CPUs");
        };
        let measured = CpuSet::one(measured);
        let apart = usable.without(&measured);
        let directory = tempfile::tempdir().unwrap();
        let directories = [directory.path().to_owned()];
        let mut victim = Victim::start(&usable);
        victim.starts_another();
        let since = tasks::this().unwrap().started;
        let move_them = |victim: &Victim| {
            let all = || victim.tasks();
            Others::move_these(&all, &measured, &apart, &directories, since).unwrap()
        };

        let others = move_them(&victim);
        assert!(victim.all_have(&apart));
        victim.starts_another();
        let found = others.give_back();
        assert_eq!((found.moved, found.given_back, found.refused), (2, 3, 0));
        assert!(victim.all_have(&usable));
        assert!(Journal::<Entry>::left_over(&directories).is_none());

        // A killed run leaves its journal, and no process locks it.
        let killed = move_them(&victim);
        victim.starts_another();
        assert!(victim.all_have(&apart));
        let left = tempfile::tempdir().unwrap();
        let journal = directory.path().read_dir().unwrap().next().unwrap().unwrap();
        std::fs::copy(journal.path(), left.path().join(journal.file_name())).unwrap();
        std::mem::forget(killed);
        let mut left = Journal::left_over(&[left.path().to_owned()]).unwrap();
        assert_eq!(give_back(&mut left, &|| victim.tasks()), 4);
        assert!(victim.all_have(&usable));
    }
}
