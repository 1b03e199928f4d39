//! The events that are traced, and how each is read.

use plan::LAST_STAMP;

use super::VECTORS;
use super::format::{Field, Format};
use crate::{Interruption, Names, What};

/// The events without which no cause can be found.
pub const NEEDED: [&str; 2] = ["sched/sched_switch", "sched/sched_waking"];

/// Events of system calls; recording those of all tasks would be too much.
pub const CALLS: [&str; 2] = ["raw_syscalls/sys_enter", "raw_syscalls/sys_exit"];

/// Bits of an event's flags: in a hard interrupt, in a softirq (include/linux/trace_events.h).
const IN_INTERRUPT: i64 = 0x08 | 0x10;

/// The end of all time (KTIME_MAX), at which a timer expires that never does.
const NEVER: i64 = LAST_STAMP as i64;

/// The numbers of an event; the last number of a switch is [`LEAVING_PRIORITY`].
pub(super) type Numbers = [i64; 5];

/// Index of the leaving task's priority in the numbers of a switch.
pub(super) const LEAVING_PRIORITY: usize = 4;

/// A traced event: its path below `events`, its numbers, its texts (each with the number that it
/// names), and its meaning.
pub(super) struct Traced {
    pub(super) event: &'static str,
    numbers: &'static [&'static str],
    texts: &'static [(&'static str, &'static str)],
    read: fn(Numbers) -> What,
}

pub(super) const TRACED: &[Traced] = &[
    Traced {
        event: NEEDED[0],
        numbers: &["prev_pid", "prev_state", "next_pid", "next_prio", "prev_prio"],
        texts: &[("prev_pid", "prev_comm"), ("next_pid", "next_comm")],
        read: |[from, state, to, priority, _]| What::Switch { from, state, to, priority },
    },
    Traced {
        event: NEEDED[1],
        numbers: &["pid", "prio", "common_flags"],
        texts: &[("pid", "comm")],
        read: |[task, priority, flags, ..]| What::Waking {
            task,
            priority,
            by_interrupt: flags & IN_INTERRUPT != 0,
        },
    },
    Traced {
        event: "sched/sched_pi_setprio",
        numbers: &["pid", "newprio"],
        texts: &[],
        read: |[task, priority, ..]| What::Priority { task, priority },
    },
    Traced {
        event: "sched/sched_migrate_task",
        numbers: &["pid", "dest_cpu"],
        texts: &[],
        read: |[task, to, ..]| What::Migrate { task, to },
    },
    Traced {
        event: "irq/irq_handler_entry",
        numbers: &["irq"],
        texts: &[("irq", "name")],
        read: |[irq, ..]| What::Enter(Interruption::Device(irq)),
    },
    Traced {
        event: "irq/irq_handler_exit",
        numbers: &["irq"],
        texts: &[],
        read: |[irq, ..]| What::Leave(Interruption::Device(irq)),
    },
    Traced {
        event: "irq/softirq_entry",
        numbers: &["vec"],
        texts: &[],
        read: |[vec, ..]| What::Enter(Interruption::Soft(vec)),
    },
    Traced {
        event: "irq/softirq_exit",
        numbers: &["vec"],
        texts: &[],
        read: |[vec, ..]| What::Leave(Interruption::Soft(vec)),
    },
    Traced {
        event: "power/cpu_idle",
        numbers: &["state"],
        texts: &[],
        // The kernel's -1 is unsigned in the event.
        read: |[state, ..]| What::Idle { state: i64::from(state as i32) },
    },
    Traced {
        event: "power/cpu_frequency",
        numbers: &["state"],
        texts: &[],
        read: |[khz, ..]| What::Frequency { khz },
    },
    Traced {
        event: "timer/hrtimer_start",
        numbers: &["common_pid", "expires", "common_flags"],
        texts: &[],
        // Within an interrupt it is not the task's own timer.
        read: |[task, expires, flags, ..]| What::Timer {
            task: if flags & IN_INTERRUPT == 0 { task } else { 0 },
            expires: expires.min(NEVER),
        },
    },
    Traced {
        event: CALLS[0],
        numbers: &["common_pid", "id"],
        texts: &[],
        read: |[task, number, ..]| What::Call { task, number },
    },
    Traced {
        event: CALLS[1],
        numbers: &["common_pid"],
        texts: &[],
        read: |[task, ..]| What::Return { task },
    },
];

/// Returns the events to trace, as paths below `events`.
pub fn events() -> impl Iterator<Item = String> {
    let ends = ["entry", "exit"];
    let vectors =
        VECTORS.iter().flat_map(move |name| ends.map(|end| format!("irq_vectors/{name}_{end}")));
    let fixed = TRACED.iter().map(|traced| traced.event.to_owned());
    fixed.chain(vectors)
}

/// A kind of event of this kernel.
pub(super) struct Kind {
    pub(super) id: u16,
    numbers: Vec<Field>,
    texts: Vec<(Field, Field)>,
    of_tasks: bool,
    pub(super) read: Box<dyn Fn(Numbers) -> What + Send + Sync>,
}

impl std::fmt::Debug for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "event {}", self.id)
    }
}

impl Kind {
    /// Returns `None` if this kernel's event lacks a field.
    pub(super) fn of(traced: &Traced, format: &Format) -> Option<Self> {
        let fields = traced.numbers.iter().map(|name| format.field(name));
        let text =
            |(number, text): &(&str, &str)| Some((format.field(number)?, format.field(text)?));
        Some(Self {
            id: format.id,
            numbers: fields.collect::<Option<_>>()?,
            texts: traced.texts.iter().filter_map(text).collect(),
            of_tasks: traced.event.starts_with("sched/"),
            read: Box::new(traced.read),
        })
    }

    pub(super) fn fixed(id: u16, what: What) -> Self {
        Self {
            id,
            numbers: Vec::new(),
            texts: Vec::new(),
            of_tasks: false,
            read: Box::new(move |_| what),
        }
    }

    pub(super) fn numbers(&self, event: &[u8]) -> Option<Numbers> {
        let mut numbers = Numbers::default();
        for (number, field) in numbers.iter_mut().zip(&self.numbers) {
            *number = field.number(event)?;
        }
        Some(numbers)
    }

    /// Stores the names in the event; the latest name of a number replaces earlier ones.
    pub(super) fn learn(&self, event: &[u8], names: &mut Names) {
        let names = if self.of_tasks { &mut names.tasks } else { &mut names.interrupts };
        for (number, text) in &self.texts {
            let Some((number, text)) = number.number(event).zip(text.text(event)) else {
                continue;
            };
            if names.get(&number).is_none_or(|known| known.as_bytes() != text) {
                names.insert(number, String::from_utf8_lossy(text).into_owned());
            }
        }
    }
}
