//! The names of interrupts and softirqs that the kernel numbers.

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
