//! The state at the start of a window, as far as the first events show it.

use std::collections::BTreeMap;

use super::timers::Timers;
use crate::{Event, Interruption, What};

/// What the thread is doing, as far as the scheduler's events show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Own {
    Running,
    /// Runnable, but another task took its CPU.
    Pushed,
    /// Runnable since it woke, but not running yet.
    Woken,
    Asleep(i64),
    /// Asleep, but the event that says in which state is lost: it may wait, or be stopped.
    Unseen,
}

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

/// The state before some events, as their first ones show it.
pub(super) struct Before {
    pub(super) cpus: BTreeMap<i64, OnCpu>,
    pub(super) priorities: BTreeMap<i64, i64>,
    /// What the thread is doing, and on which CPU it is.
    pub(super) own: Own,
    pub(super) cpu: Option<i64>,
}

impl Before {
    pub(super) fn as_shown_by(events: &[Event], own_task: i64) -> Self {
        let mut cpus = BTreeMap::<i64, OnCpu>::new();
        let mut priorities = BTreeMap::new();
        let (mut own, mut cpu) = (None, None);
        for event in events {
            match event.what {
                What::Switch { from, to, priority, .. } => {
                    cpus.entry(event.cpu).or_insert(OnCpu { task: Some(from), ..OnCpu::default() });
                    priorities.entry(to).or_insert(priority);
                    if from == own_task {
                        own.get_or_insert(Own::Running);
                        cpu.get_or_insert(event.cpu);
                    } else if to == own_task {
                        own.get_or_insert(Own::Woken);
                        cpu.get_or_insert(event.cpu);
                    }
                }
                What::Waking { task, priority, .. } => {
                    priorities.entry(task).or_insert(priority);
                    if task == own_task {
                        own.get_or_insert(Own::Asleep(0));
                    }
                }
                What::Priority { task, priority } => {
                    priorities.entry(task).or_insert(priority);
                }
                _ => {}
            }
        }
        Self { cpus, priorities, own: own.unwrap_or(Own::Running), cpu }
    }
}
