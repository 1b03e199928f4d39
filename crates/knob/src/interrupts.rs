//! Keeps interrupts and the kernel's own work off the measured CPUs.

use crate::knob::files;
use crate::rivals::{IRQBALANCE, TUNED};
use crate::values::Values;

files! {
    "interrupts": ["proc/irq/*/smp_affinity_list" CpuList, "proc/irq/default_smp_affinity" CpuMask],
        Values::Away,
        Low "interrupts that a driver has distributed stay where they are", 2, &[IRQBALANCE, TUNED],
        "Documentation/core-api/irq/irq-affinity.rst",
        "device interrupts go to CPUs that are not measured";
    "workqueues":
        ["sys/devices/virtual/workqueue/cpumask" CpuMask,
         "sys/devices/virtual/workqueue/*/cpumask" CpuMask],
        Values::Away,
        Low "", 2, &[TUNED], "Documentation/core-api/workqueue.rst",
        "work that is not bound to a CPU is done on CPUs that are not measured";
}
