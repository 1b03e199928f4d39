//! Who is on a CPU. Some kernels (6.18 among them) do not tell of the switch from the idle
//! task to another one; that it happened shows in who makes the next event.

use std::collections::BTreeMap;

use crate::{Event, What};

const IDLE: i64 = 0;
/// Of a task that was never seen to be woken.
const ORDINARY: i64 = 120;

/// Each CPU's task, as far as its events have told.
#[derive(Debug, Default)]
pub(super) struct Running {
    cpus: BTreeMap<i64, OnCpu>,
    priorities: BTreeMap<i64, i64>,
}

#[derive(Debug)]
struct OnCpu {
    task: Option<i64>,
    /// Its last event.
    at: i64,
}

impl Running {
    /// The switch from idle that nothing told of, where a task makes an event on a CPU
    /// that was idle: it came right after the CPU's last event, which woke the task.
    pub(super) fn untold(&mut self, cpu: i64, by: i64) -> Option<Event> {
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
        let at = on_cpu.at;
        Some(Event { at, cpu, what })
    }

    /// Hears what a CPU's event tells.
    pub(super) fn hear(&mut self, event: Event) {
        let on_cpu = self.cpus.entry(event.cpu).or_insert(OnCpu { task: None, at: event.at });
        on_cpu.at = event.at;
        match event.what {
            What::Switch { to, priority, .. } => {
                on_cpu.task = Some(to);
                self.priorities.insert(to, priority);
            }
            What::Waking { task, priority, .. } => {
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
        assert_eq!(running.untold(1, IDLE), None);
        assert_eq!(running.untold(0, 7), None);
        let told = running.untold(1, 7).unwrap();
        let what = What::Switch { from: IDLE, state: 0, to: 7, priority: 9 };
        assert_eq!(told, Event { at: 22, cpu: 1, what });
        assert_eq!(running.untold(1, 7), None);
    }

    #[test]
    fn a_switch_that_was_told_or_lost_is_not_made_up() {
        assert_eq!(heard(&[(10, switch(7))]).untold(1, 8), None);
        let lost = What::Lost { count: 3 };
        assert_eq!(heard(&[(10, switch(IDLE)), (20, lost)]).untold(1, 7), None);
    }
}
