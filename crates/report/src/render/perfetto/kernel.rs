//! The kernel's events around a late sample, as Perfetto's `FtraceEventBundle`.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use blame::{Event, Interruption, Names, What, Window, trace};

use super::wire::Message;

/// Fields of `FtraceEventBundle`.
const CPU: u64 = 1;
const EVENT: u64 = 2;
const LOST_EVENTS: u64 = 3;
/// Fields of `FtraceEvent`. Perfetto refuses an event without the task that had the CPU.
const TIMESTAMP: u64 = 1;
const PID: u64 = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KernelEvents {
    pub switches: usize,
    /// Interrupts and softirqs that began.
    pub interrupts: usize,
}

/// Writes the events of the windows of a run, which may overlap, once each.
#[derive(Default)]
pub(super) struct Bundles {
    pub(super) written: HashSet<Event>,
    pub(super) counts: KernelEvents,
}

impl Bundles {
    /// Returns a bundle for each CPU of a window. Each says that events before it are missing:
    /// only excerpts of the trace are kept.
    pub(super) fn of(
        &mut self,
        window: &Window,
        names: &Names,
        at: impl Fn(i64) -> i64,
    ) -> Vec<Message> {
        let cpus: BTreeSet<i64> = window.events.iter().map(|event| event.cpu).collect();
        let mut running = first_running(&window.events);
        let mut bundles = Vec::new();
        for cpu in cpus {
            let mut bundle = Message::default().number(CPU, cpu).number(LOST_EVENTS, 1);
            for event in window.events.iter().filter(|event| event.cpu == cpu) {
                let task = running.get(&cpu).copied().unwrap_or(0);
                if let What::Switch { to, .. } = event.what {
                    running.insert(cpu, to);
                }
                if let Some((field, fields)) = fields(event, names)
                    && self.written.insert(*event)
                {
                    self.count(event.what);
                    let event = Message::default().number(TIMESTAMP, at(event.at));
                    let event = event.number(PID, task).message(field, &fields);
                    bundle = bundle.message(EVENT, &event);
                }
            }
            bundles.push(bundle);
        }
        bundles
    }

    fn count(&mut self, what: What) {
        match what {
            What::Switch { .. } => self.counts.switches += 1,
            What::Enter(_) => self.counts.interrupts += 1,
            _ => {}
        }
    }
}

fn first_running(events: &[Event]) -> BTreeMap<i64, i64> {
    let leaving = |event: &Event| match event.what {
        What::Switch { from, .. } => Some((event.cpu, from)),
        _ => None,
    };
    events.iter().rev().filter_map(leaving).collect()
}

/// Returns the field of `FtraceEvent` for an event, and the event's own fields; `None` for events
/// that Perfetto does not draw.
fn fields(event: &Event, names: &Names) -> Option<(u64, Message)> {
    let empty = Message::default;
    let name = |task: i64| match names.tasks.get(&task) {
        Some(name) => name.as_str(),
        None if task == 0 => "swapper",
        None => "",
    };
    Some(match event.what {
        What::Switch { from, state, to, priority } => {
            let left = empty().text(1, name(from)).number(2, from).number(4, state);
            (4, left.text(5, name(to)).number(6, to).number(7, priority))
        }
        What::Waking { task, priority, .. } => {
            (20, empty().text(1, name(task)).number(2, task).number(3, priority))
        }
        What::Migrate { task, to } => {
            (491, empty().text(1, name(task)).number(2, task).number(5, to))
        }
        What::Enter(Interruption::Device(irq)) => {
            let name = names.interrupts.get(&irq).map_or("", String::as_str);
            (36, empty().number(1, irq).text(2, name))
        }
        What::Leave(Interruption::Device(irq)) => (37, empty().number(1, irq)),
        What::Enter(Interruption::Soft(vector)) => (24, empty().number(1, vector)),
        What::Leave(Interruption::Soft(vector)) => (25, empty().number(1, vector)),
        What::Enter(Interruption::Cpu(0)) => (559, empty()),
        What::Leave(Interruption::Cpu(0)) => (560, empty()),
        What::Enter(Interruption::Cpu(place)) => (21, empty().text(1, reason(place))),
        What::Leave(Interruption::Cpu(place)) => (22, empty().text(1, reason(place))),
        // Perfetto, like the kernel, has an unsigned number here, also for leaving (-1).
        What::Idle { state } => {
            (13, empty().number(1, i64::from(state as u32)).number(2, event.cpu))
        }
        What::Frequency { khz } => (11, empty().number(1, khz).number(2, event.cpu)),
        What::Priority { .. }
        | What::ToldToSwitch
        | What::Timer { .. }
        | What::Call { .. }
        | What::Return { .. }
        | What::Untold { .. }
        | What::Lost { .. } => return None,
    })
}

/// Returns the name of an interrupt of the CPU itself; place 0 is its timer.
fn reason(place: i64) -> &'static str {
    let place = usize::try_from(place).ok();
    place.and_then(|place| trace::VECTORS.get(place)).copied().unwrap_or("unknown")
}
