//! Settings of the kernel outside /proc/sys.

use crate::knob::{Knob, Way, files};
use crate::rivals::TUNED;
use crate::values::Values;

files! {
    "fair_server": ["sys/kernel/debug/sched/fair_server/cpu*/runtime" Text],
        Values::Between("0", "50000000"),
        High "a real-time thread that never waits keeps its CPU forever", 1, &[],
        "kernel/sched/debug.c (fair_server), Linux 6.12",
        "time for ordinary tasks despite real-time ones: none, or 50 ms per second";
    "machine_check_poll": ["sys/devices/system/machinecheck/machinecheck*/ignore_ce" Text],
        Values::Between("1", "0"),
        Low "errors that the hardware corrects are not logged", 1, &[],
        "Documentation/ABI/testing/sysfs-mce",
        "polling for corrected hardware errors: off (1), or every 5 minutes (0)";
    "rcu_expedited": ["sys/kernel/rcu_expedited" Text], Values::Between("0", "1"),
        Low "", 1, &[TUNED], "Documentation/ABI/testing/sysfs-kernel-rcu_expedited",
        "RCU waits are shortened by interrupts to all CPUs: no (0), or yes (1)";
    "rcu_normal": ["sys/kernel/rcu_normal" Text], Values::Between("1", "0"),
        Low "", 1, &[TUNED],
        "Documentation/admin-guide/kernel-parameters.txt (rcupdate.rcu_normal=)",
        "RCU waits are never shortened, even on request (1)";
    "preemption": ["sys/kernel/debug/sched/preempt" InParentheses], Values::Between("full", "lazy"),
        Medium "the whole kernel's code is patched", 1, &[],
        "Documentation/admin-guide/kernel-parameters.txt (preempt=)",
        "preemption model: where a task may preempt the kernel (dynamic kernels)";
    "clock_source": ["sys/devices/system/clocksource/clocksource0/current_clocksource" Text],
        Values::Offered(
            "available_clocksource",
            &["tsc", "arch_sys_counter", "kvm-clock", "hpet", "acpi_pm"],
        ),
        High "the system time may jump", 5, &[],
        "Documentation/admin-guide/kernel-parameters.txt (clocksource=)",
        "clock source from which the kernel reads the time";
}

pub(crate) const STATIC_KEYS: Knob = Knob {
    name: "static_keys",
    summary: "a socket with time stamps is held open, so that opening one patches no kernel code",
    way: Way::Held,
    source: "net/core/sock.c (net_enable_timestamp); tuned's rtentsk",
    ..Knob::PLAIN
};
