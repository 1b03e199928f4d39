//! What is on a CPU. Some kernels (6.18 among them) record no event for the switch from the idle
//! task to another one; the next event, made by that other task, shows that it happened.

use std::collections::BTreeMap;

use crate::{Event, What};

const IDLE: i64 = 0;
/// Priority assumed for a task whose waking was never seen.
const ORDINARY: i64 = 120;

#[derive(Debug, Default)]
pub(super) struct Running {
    cpus: BTreeMap<i64, OnCpu>,
    priorities: BTreeMap<i64, i64>,
}

#[derive(Debug)]
struct OnCpu {
    task: Option<i64>,
    /// Time of its last event.
    at: i64,
}

impl Running {
    /// Returns the switch from idle that was not recorded, if a task makes an event on a CPU that
    /// was idle. The switch came right after the CPU's last event, which woke the task.
    pub(super) fn missing_switch(&mut self, cpu: i64, by: i64) -> Option<Event> {
        let on_cpu = self.cpus.get_mut(&cpu)?;
        if on_cpu.task != Some(IDLE) || by == IDLE {
            return None;
        }
        on_cpu.task = Some(by);
        let what = What::Switch {
            from: IDLE,
            state: 0,
            to: by,
            priority: self.priorities.get(&by).copied().unwrap_or(ORDINARY),
        };
        Some(Event { at: on_cpu.at, cpu, what })
    }

    /// Returns a change of priority if a task leaves the CPU with a priority other than the known
    /// one: the task changed it itself, which no event records.
    pub(super) fn changed(&mut self, task: i64, priority: i64) -> Option<What> {
        let known = self.priorities.insert(task, priority);
        (task != IDLE && known != Some(priority)).then_some(What::Priority { task, priority })
    }

    pub(super) fn hear(&mut self, event: Event) {
        let on_cpu = self.cpus.entry(event.cpu).or_insert(OnCpu { task: None, at: event.at });
        on_cpu.at = event.at;
        match event.what {
            What::Switch { to, priority, .. } => {
                on_cpu.task = Some(to);
                self.priorities.insert(to, priority);
            }
            What::Waking { task, priority, .. } | What::Priority { task, priority } => {
                self.priorities.insert(task, priority);
            }
            What::Lost { .. } => on_cpu.task = None,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn switch(to: i64) -> What {
        What::Switch { from: 5, state: 1, to, priority: 120 }
    }

    fn heard(events: &[(i64, What)]) -> Running {
        let mut running = Running::default();
        for (at, what) in events {
            let (at, what) = (*at, *what);
            running.hear(Event { at, cpu: 1, what });
        }
        running
    }

    #[test]
    fn a_switch_from_idle_shows_in_who_makes_the_next_event() {
        let waking = What::Waking { task: 7, priority: 9, by_interrupt: true };
        let mut running =
            heard(&[(10, switch(IDLE)), (20, waking), (22, What::Idle { state: -1 })]);
        assert_eq!(running.missing_switch(1, IDLE), None);
        assert_eq!(running.missing_switch(0, 7), None);
        let missing = running.missing_switch(1, 7).unwrap();
        let what = What::Switch { from: IDLE, state: 0, to: 7, priority: 9 };
        assert_eq!(missing, Event { at: 22, cpu: 1, what });
        assert_eq!(running.missing_switch(1, 7), None);
    }

    #[test]
    fn a_priority_that_a_task_gave_itself_shows_as_it_leaves() {
        let mut running = heard(&[(10, switch(7))]);
        assert_eq!(running.changed(7, 120), None);
        let raised = What::Priority { task: 7, priority: 0 };
        assert_eq!(running.changed(7, 0), Some(raised));
        assert_eq!(running.changed(7, 0), None);
        assert_eq!(running.changed(IDLE, 120), None);
    }

    #[test]
    fn a_switch_that_was_recorded_or_lost_is_not_invented() {
        assert_eq!(heard(&[(10, switch(7))]).missing_switch(1, 8), None);
        let lost = What::Lost { count: 3 };
        assert_eq!(heard(&[(10, switch(IDLE)), (20, lost)]).missing_switch(1, 7), None);
    }
}
