//! Settings of the kernel outside /proc/sys.

use std::time::Duration;

use crate::form::Form;
use crate::knob::{At, Knob, Risk, Way, text};
use crate::rivals::TUNED;
use crate::values::Values;

pub(crate) const FAIR_SERVER: Knob = Knob {
    name: "fair_server",
    summary: "time for ordinary tasks despite real-time ones: none, or 50 ms per second",
    way: text!("sys/kernel/debug/sched/fair_server/cpu*/runtime", Between("0", "50000000")),
    risk: Risk::High,
    why: "a real-time thread that never waits keeps its CPU forever",
    source: "kernel/sched/debug.c (fair_server), Linux 6.12",
    ..Knob::PLAIN
};

pub(crate) const MACHINE_CHECK_POLL: Knob = Knob {
    name: "machine_check_poll",
    summary: "polling for corrected hardware errors: off (1), or every 5 minutes (0)",
    way: text!("sys/devices/system/machinecheck/machinecheck*/ignore_ce", Between("1", "0")),
    why: "errors that the hardware corrects are not logged",
    source: "Documentation/ABI/testing/sysfs-mce",
    ..Knob::PLAIN
};

pub(crate) const RCU_EXPEDITED: Knob = Knob {
    name: "rcu_expedited",
    summary: "RCU waits are shortened by interrupts to all CPUs: no (0), or yes (1)",
    way: text!("sys/kernel/rcu_expedited", Between("0", "1")),
    written_by: &[TUNED],
    source: "Documentation/ABI/testing/sysfs-kernel-rcu_expedited",
    ..Knob::PLAIN
};

pub(crate) const RCU_NORMAL: Knob = Knob {
    name: "rcu_normal",
    summary: "RCU waits are never shortened, even on request (1)",
    way: text!("sys/kernel/rcu_normal", Between("1", "0")),
    written_by: &[TUNED],
    source: "Documentation/admin-guide/kernel-parameters.txt (rcupdate.rcu_normal=)",
    ..Knob::PLAIN
};

pub(crate) const PREEMPTION: Knob = Knob {
    name: "preemption",
    summary: "preemption model: where a task may preempt the kernel (dynamic kernels)",
    way: Way::Files(
        &[At { pattern: "sys/kernel/debug/sched/preempt", form: Form::InParentheses }],
        Values::Between("full", "lazy"),
    ),
    risk: Risk::Medium,
    why: "the whole kernel's code is patched",
    source: "Documentation/admin-guide/kernel-parameters.txt (preempt=)",
    ..Knob::PLAIN
};

pub(crate) const CLOCK_SOURCE: Knob = Knob {
    name: "clock_source",
    summary: "clock source from which the kernel reads the time",
    way: text!(
        "sys/devices/system/clocksource/clocksource0/current_clocksource",
        Offered(
            "available_clocksource",
            &["tsc", "arch_sys_counter", "kvm-clock", "hpet", "acpi_pm"],
        ),
    ),
    risk: Risk::High,
    why: "the system time may jump",
    settle: Duration::from_secs(5),
    source: "Documentation/admin-guide/kernel-parameters.txt (clocksource=)",
    ..Knob::PLAIN
};

pub(crate) const STATIC_KEYS: Knob = Knob {
    name: "static_keys",
    summary: "a socket with time stamps is held open, so that opening one patches no kernel code",
    way: Way::Held,
    source: "net/core/sock.c (net_enable_timestamp); tuned's rtentsk",
    ..Knob::PLAIN
};
