//! Keeps interrupts and the kernel's own work off the measured CPUs.

use std::time::Duration;

use crate::form::Form;
use crate::knob::{At, Knob, Way};
use crate::rivals::{IRQBALANCE, TUNED};
use crate::values::Values;

pub(crate) const INTERRUPTS: Knob = Knob {
    name: "interrupts",
    summary: "device interrupts go to CPUs that are not measured",
    way: Way::Files(
        &[
            At { pattern: "proc/irq/*/smp_affinity_list", form: Form::CpuList },
            At { pattern: "proc/irq/default_smp_affinity", form: Form::CpuMask },
        ],
        Values::Away,
    ),
    why: "interrupts that a driver has distributed stay where they are",
    settle: Duration::from_secs(2),
    written_by: &[IRQBALANCE, TUNED],
    source: "Documentation/core-api/irq/irq-affinity.rst",
    ..Knob::PLAIN
};

pub(crate) const WORKQUEUES: Knob = Knob {
    name: "workqueues",
    summary: "work that is not bound to a CPU is done on CPUs that are not measured",
    way: Way::Files(
        &[
            At { pattern: "sys/devices/virtual/workqueue/cpumask", form: Form::CpuMask },
            At { pattern: "sys/devices/virtual/workqueue/*/cpumask", form: Form::CpuMask },
        ],
        Values::Away,
    ),
    settle: Duration::from_secs(2),
    written_by: &[TUNED],
    source: "Documentation/core-api/workqueue.rst",
    ..Knob::PLAIN
};
