//! The process state that foreign code may change.

use std::env;
use std::ffi::CStr;
use std::fs;
use std::path::PathBuf;

use base::{CpuSet, Policy, counted};

use crate::process::{Pid, this};
use crate::{family, read, sched};

/// How a thread is scheduled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scheduling {
    /// `None` for a policy that no run can request.
    policy: Option<Policy>,
    cpus: CpuSet,
}

impl Scheduling {
    /// Reads the scheduling of a thread of any process as it is now.
    #[must_use]
    pub fn of(thread: Pid) -> Self {
        Self {
            policy: sched::policy_of(thread.as_raw_pid()).ok(),
            cpus: sched::affinity_of(Some(thread)).unwrap_or_default(),
        }
    }

    fn of_this_thread() -> Self {
        Self { policy: sched::policy().ok(), cpus: sched::affinity().unwrap_or_default() }
    }

    /// Describes the changes between two states.
    #[must_use]
    pub fn changed_to(&self, now: &Self) -> Vec<String> {
        let policy = now.policy.filter(|_| self.policy != now.policy);
        let policy = policy.map(|policy| format!("gives the thread the policy {policy}"));
        let [before, after] = [&self.cpus, &now.cpus];
        let cpus = (before != after)
            .then(|| format!("changes the CPUs of the thread from {before} to {after}"));
        policy.into_iter().chain(cpus).collect()
    }
}

/// The state that all code of a process shares, and the scheduling of the calling thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surroundings {
    scheduling: Scheduling,
    /// A bit for each signal that the calling thread blocks, the lowest for number 1.
    blocked: u64,
    /// A bit for each signal that has a handler, as in `blocked`.
    handled: u64,
    /// Living processes that this one has started.
    processes: usize,
    locale: String,
    folder: Option<PathBuf>,
    open_files: usize,
}

impl Surroundings {
    /// Reads the state as it is now.
    #[must_use]
    pub fn now() -> Self {
        let relatives = family::descendants(this()).into_iter();
        Self {
            scheduling: Scheduling::of_this_thread(),
            blocked: signals("/proc/thread-self/status", "SigBlk:"),
            // Without the two signals that the C library keeps for itself and handles from the
            // first thread on: signal(7).
            handled: signals("/proc/self/status", "SigCgt:") & !(0b11 << 31),
            processes: relatives.filter(|process| process.lives).count(),
            locale: locale(),
            folder: env::current_dir().ok(),
            open_files: fs::read_dir("/proc/self/fd").map_or(0, Iterator::count),
        }
    }

    /// Describes the changes between two states.
    #[must_use]
    pub fn changed_to(&self, now: &Self) -> Vec<String> {
        let mut changes = self.scheduling.changed_to(&now.scheduling);
        for (signals, what) in [
            (self.blocked ^ now.blocked, "whether the thread blocks"),
            (self.handled ^ now.handled, "the handler of"),
        ] {
            if signals != 0 {
                let numbers = (0..64).filter(|bit| signals & 1 << bit != 0);
                let numbers: Vec<String> = numbers.map(|bit| (bit + 1).to_string()).collect();
                changes.push(format!("changes {what} signal {}", numbers.join(", ")));
            }
        }
        if let more @ 1.. = now.processes.saturating_sub(self.processes) {
            changes.push(format!("leaves {} running", counted(more, "process")));
        }
        if self.locale != now.locale {
            changes.push(format!("changes the locale from {} to {}", self.locale, now.locale));
        }
        if self.folder != now.folder {
            let folder = now.folder.as_deref().unwrap_or("".as_ref()).display();
            changes.push(format!("changes the working directory to {folder}"));
        }
        if let more @ 1.. = now.open_files.saturating_sub(self.open_files) {
            changes.push(format!("leaves {} open", counted(more, "file")));
        }
        changes
    }
}

/// Reads a mask of signals from proc_pid_status(5).
fn signals(status: &str, name: &str) -> u64 {
    let status = read::text(status).unwrap_or_default();
    let mask = read::field(&status, name);
    mask.and_then(|mask| u64::from_str_radix(mask, 16).ok()).unwrap_or(0)
}

fn locale() -> String {
    // SAFETY: the call only queries the locale; nothing else changes it at the same time, since the
    // foreign code that might is not running.
    let name = unsafe { libc::setlocale(libc::LC_ALL, std::ptr::null()) };
    match name.is_null() {
        true => String::new(),
        // SAFETY: this is a string of the C library, copied immediately.
        false => (unsafe { CStr::from_ptr(name) }).to_string_lossy().into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_change_is_reported() {
        let now = Surroundings::now();
        assert!(!now.locale.is_empty() && now.open_files > 2);
        let before = Surroundings {
            handled: now.handled ^ 0b101,
            locale: "de_DE".to_owned(),
            folder: None,
            open_files: now.open_files - 1,
            blocked: now.blocked ^ 0b10,
            scheduling: Scheduling { cpus: CpuSet::default(), policy: None },
            processes: now.processes,
        };
        let changes = before.changed_to(&now);
        assert_eq!(changes.len(), 7, "{changes:?}");
        assert_eq!(changes[2], "changes whether the thread blocks signal 2");
        assert!(changes[3].ends_with("the handler of signal 1, 3"), "{changes:?}");
        assert_eq!(changes[6], "leaves 1 file open");
        let fewer = Surroundings { open_files: 0, ..now.clone() };
        assert!(now.changed_to(&fewer).is_empty());
    }
}
