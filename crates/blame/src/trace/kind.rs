//! The events that are traced, and how each is read.

use record::LAST_STAMP;

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

/// The meaning of an event's numbers.
type Read = fn(Numbers) -> What;

/// Index of the leaving task's priority in the numbers of a switch.
pub(super) const LEAVING_PRIORITY: usize = 4;

/// A traced event: its path below `events`, its numbers, its texts (each with the number that it
/// names), and its meaning.
pub(super) struct Traced {
    pub(super) event: &'static str,
    numbers: &'static [&'static str],
    texts: &'static [(&'static str, &'static str)],
    read: Read,
}

const fn traced(event: &'static str, numbers: &'static [&'static str], read: Read) -> Traced {
    Traced { event, numbers, texts: &[], read }
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
    traced("sched/sched_pi_setprio", &["pid", "newprio"], |[task, priority, ..]| What::Priority {
        task,
        priority,
    }),
    traced("sched/sched_migrate_task", &["pid", "dest_cpu"], |[task, to, ..]| What::Migrate {
        task,
        to,
    }),
    Traced {
        event: "irq/irq_handler_entry",
        numbers: &["irq"],
        texts: &[("irq", "name")],
        read: |[irq, ..]| What::Enter(Interruption::Device(irq)),
    },
    traced("irq/irq_handler_exit", &["irq"], |[irq, ..]| What::Leave(Interruption::Device(irq))),
    traced("irq/softirq_entry", &["vec"], |[vec, ..]| What::Enter(Interruption::Soft(vec))),
    traced("irq/softirq_exit", &["vec"], |[vec, ..]| What::Leave(Interruption::Soft(vec))),
    // The kernel's -1 is unsigned in the event.
    traced("power/cpu_idle", &["state"], |[state, ..]| What::Idle {
        state: i64::from(state as i32),
    }),
    traced("power/cpu_frequency", &["state"], |[khz, ..]| What::Frequency { khz }),
    // Within an interrupt it is not the task's own timer.
    traced(
        "timer/hrtimer_start",
        &["common_pid", "expires", "common_flags"],
        |[task, expires, flags, ..]| What::Timer {
            task: if flags & IN_INTERRUPT == 0 { task } else { 0 },
            expires: expires.min(NEVER),
        },
    ),
    traced(CALLS[0], &["common_pid", "id"], |[task, number, ..]| What::Call { task, number }),
    traced(CALLS[1], &["common_pid"], |[task, ..]| What::Return { task }),
];

/// Returns the events to trace, as paths below `events`.
pub fn events() -> impl Iterator<Item = String> {
    let ends = ["entry", "exit"];
    let vectors =
        VECTORS.iter().flat_map(move |name| ends.map(|end| format!("irq_vectors/{name}_{end}")));
    TRACED.iter().map(|traced| traced.event.to_owned()).chain(vectors)
}

#[derive(Debug)]
pub(super) struct Kind {
    pub(super) id: u16,
    /// The numbers of an event before its fields are read.
    given: Numbers,
    numbers: Vec<Field>,
    texts: Vec<(Field, Field)>,
    of_tasks: bool,
    pub(super) read: Read,
}

impl Kind {
    /// Returns `None` if this kernel's event lacks a field.
    pub(super) fn of(traced: &Traced, format: &Format) -> Option<Self> {
        let fields = traced.numbers.iter().map(|name| format.field(name));
        let text =
            |(number, text): &(&str, &str)| Some((format.field(number)?, format.field(text)?));
        Some(Self {
            id: format.id,
            given: Numbers::default(),
            numbers: fields.collect::<Option<_>>()?,
            texts: traced.texts.iter().filter_map(text).collect(),
            of_tasks: traced.event.starts_with("sched/"),
            read: traced.read,
        })
    }

    /// Returns the start and end of the interrupt with this index in [`VECTORS`], if `format` knows
    /// them by their paths below `events`.
    pub(super) fn of_vector(
        place: usize,
        format: impl Fn(&str) -> Option<Format>,
    ) -> impl Iterator<Item = Self> {
        let enter: Read = |[vector, ..]| What::Enter(Interruption::Cpu(vector));
        let leave: Read = |[vector, ..]| What::Leave(Interruption::Cpu(vector));
        [("entry", enter), ("exit", leave)].into_iter().filter_map(move |(end, read)| {
            let id = format(&format!("irq_vectors/{}_{end}", VECTORS[place]))?.id;
            let given = [place as i64, 0, 0, 0, 0];
            Some(Self { id, given, numbers: vec![], texts: vec![], of_tasks: false, read })
        })
    }

    pub(super) fn numbers(&self, event: &[u8]) -> Option<Numbers> {
        let mut numbers = self.given;
        for (number, field) in numbers.iter_mut().zip(&self.numbers) {
            *number = field.number(event)?;
        }
        Some(numbers)
    }

    /// Stores the names in the event; the latest name of a number replaces earlier ones.
    pub(super) fn learn(&self, event: &[u8], names: &mut Names) {
        let names = if self.of_tasks { &mut names.tasks } else { &mut names.interrupts };
        for (number, text) in &self.texts {
            let Some((number, text)) = number.number(event).zip(text.text(event)) else { continue };
            if names.get(&number).is_none_or(|known| known.as_bytes() != text) {
                names.insert(number, String::from_utf8_lossy(text).into_owned());
            }
        }
    }
}

/// Interrupts of the CPU itself, as the kernel's `irq_vectors` events name them; other
/// architectures have fewer of them or none.
pub const VECTORS: [&str; 7] = [
    "local_timer",
    "reschedule",
    "call_function",
    "call_function_single",
    "irq_work",
    "x86_platform_ipi",
    "thermal_apic",
];

/// Softirqs by number (include/linux/interrupt.h).
const SOFTIRQS: [&str; 10] =
    ["HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU"];

pub(crate) fn vector(number: i64) -> &'static str {
    named(&VECTORS, number)
}

pub(crate) fn softirq(number: i64) -> &'static str {
    named(&SOFTIRQS, number)
}

fn named(names: &[&'static str], number: i64) -> &'static str {
    let place = usize::try_from(number).ok();
    place.and_then(|place| names.get(place)).unwrap_or(&"of an unknown kind")
}
