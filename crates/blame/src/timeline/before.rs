//! The state at the start of a window, as far as the first events show it.

use std::collections::BTreeMap;

use super::timers::Timers;
use crate::{Event, Interruption, What};

/// What the thread is doing, as far as the scheduler's events show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ThreadState {
    Running,
    /// Runnable, but another task took its CPU.
    Pushed,
    /// Runnable since it woke, but not running yet.
    Woken,
    /// Asleep, in this task state of the kernel's trace events.
    Asleep(i64),
    /// Asleep, but the event that says in which state is lost: it may wait, or be stopped.
    Unseen,
}

/// What a CPU is doing, as far as the events show.
#[derive(Debug, Default)]
pub(super) struct OnCpu {
    pub(super) task: Option<i64>,
    /// True if the kernel switched to it while the thread was to run there.
    pub(super) is_chosen: bool,
    /// A real-time task that lost the CPU although it could have continued, and has not run since.
    pub(super) preempted: Option<i64>,
    pub(super) interrupted_by: Vec<Interruption>,
    pub(super) timers: Timers,
}

/// The state of the measured thread and of the CPUs before some events.
pub(super) struct InitialState {
    pub(super) cpus: BTreeMap<i64, OnCpu>,
    pub(super) priorities: BTreeMap<i64, i64>,
    pub(super) state: ThreadState,
    /// The CPU on which the thread is; `None` if no event shows it.
    pub(super) cpu: Option<i64>,
}

impl InitialState {
    pub(super) fn as_shown_by(events: &[Event], measured_task: i64) -> Self {
        let mut cpus = BTreeMap::<i64, OnCpu>::new();
        let mut priorities = BTreeMap::new();
        let (mut state, mut cpu) = (None, None);
        for event in events {
            match event.what {
                What::Switch { from, to, priority, .. } => {
                    cpus.entry(event.cpu).or_insert(OnCpu { task: Some(from), ..OnCpu::default() });
                    priorities.entry(to).or_insert(priority);
                    if from == measured_task {
                        state.get_or_insert(ThreadState::Running);
                        cpu.get_or_insert(event.cpu);
                    } else if to == measured_task {
                        state.get_or_insert(ThreadState::Woken);
                        cpu.get_or_insert(event.cpu);
                    }
                }
                What::Waking { task, priority, .. } => {
                    priorities.entry(task).or_insert(priority);
                    if task == measured_task {
                        state.get_or_insert(ThreadState::Asleep(0));
                    }
                }
                What::Priority { task, priority } => {
                    priorities.entry(task).or_insert(priority);
                }
                _ => {}
            }
        }
        Self { cpus, priorities, state: state.unwrap_or(ThreadState::Running), cpu }
    }
}
