//! Settings of the kernel below /proc/sys.

use std::time::Duration;

use crate::form::Form;
use crate::knob::{At, Knob, Risk, Way};
use crate::rivals::{NUMAD, TUNED};
use crate::values::Values;

/// The documentation of each setting in `Documentation/admin-guide/sysctl`.
const KERNEL: &str = "Documentation/admin-guide/sysctl/kernel.rst";
const VM: &str = "Documentation/admin-guide/sysctl/vm.rst";

/// Declares knobs of one file each below /proc/sys: file, form, values, risk and reason, seconds
/// until it acts, source, summary.
macro_rules! sysctls {
    ($($knob:ident $name:literal, $file:literal $form:ident, $values:expr, $risk:ident $why:literal,
       $seconds:literal, $source:ident, $summary:literal;)*) => {
        $(pub(crate) const $knob: Knob = Knob {
            name: $name,
            summary: $summary,
            way: Way::Files(
                &[At { pattern: concat!("proc/sys/", $file), form: Form::$form }],
                $values,
            ),
            risk: Risk::$risk,
            why: $why,
            settle: Duration::from_secs($seconds),
            written_by: &[TUNED, NUMAD],
            source: $source,
            ..Knob::PLAIN
        };)*
    };
}

sysctls! {
    TIMER_MIGRATION "timer_migration", "kernel/timer_migration" Text, Values::Between("0", "1"),
        Low "", 1, KERNEL, "whether timers of idle CPUs move to busy ones (kernel.timer_migration)";
    STAT_INTERVAL "stat_interval", "vm/stat_interval" Text, Values::Between("120", "1"),
        Low "", 2, VM, "seconds between updates of memory statistics (vm.stat_interval)";
    NUMA_BALANCING "numa_balancing", "kernel/numa_balancing" Text, Values::Only("0"),
        Low "", 2, KERNEL, "whether pages move to the node that uses them (kernel.numa_balancing)";
    SWAPPINESS "swappiness", "vm/swappiness" Text, Values::Between("10", "60"),
        Low "", 1, VM, "how readily memory of programs is swapped (vm.swappiness)";
    COMPACTION "compaction", "vm/compaction_proactiveness" Text, Values::Between("0", "20"),
        Low "", 2, VM, "how actively memory is compacted in advance (vm.compaction_proactiveness)";
    DIRTY_RATIO "dirty_ratio", "vm/dirty_ratio" Text, Values::Unless("0", "10", "20"),
        Low "", 2, VM, "percent of memory that may be dirty before writers wait (vm.dirty_ratio)";
    DIRTY_BACKGROUND_RATIO "dirty_background_ratio", "vm/dirty_background_ratio" Text,
        Values::Unless("0", "3", "10"),
        Low "", 2, VM, "percent of memory that may be dirty before writing back begins";
    DIRTY_WRITEBACK "dirty_writeback", "vm/dirty_writeback_centisecs" Text,
        Values::Between("1500", "500"),
        Low "", 5, VM, "interval of writing back to disk, in hundredths of a second";
    SOFT_WATCHDOG "soft_watchdog", "kernel/soft_watchdog" Text, Values::Only("0"),
        Low "a hang of the kernel goes unnoticed", 2, KERNEL,
        "a task of highest priority on each CPU every 4 s (kernel.soft_watchdog)";
    NMI_WATCHDOG "nmi_watchdog", "kernel/nmi_watchdog" Text, Values::Only("0"),
        Low "a hang of the kernel goes unnoticed", 2, KERNEL,
        "an interrupt every 10 s that cannot be masked (kernel.nmi_watchdog)";
    WATCHDOG_CPUS "watchdog_cpus", "kernel/watchdog_cpumask" CpuList, Values::Away,
        Low "a hang of the measured CPUs goes unnoticed", 2, KERNEL,
        "CPUs on which the kernel's watchdogs run (kernel.watchdog_cpumask)";
    HUNG_TASK "hung_task", "kernel/hung_task_timeout_secs" Text, Values::Between("600", "120"),
        Low "a hung task is reported later", 1, KERNEL,
        "seconds after which a task counts as hung (kernel.hung_task_timeout_secs)";
    RT_THROTTLING "rt_throttling", "kernel/sched_rt_runtime_us" Text, Values::Between("-1", "950000"),
        High "a real-time thread that never waits keeps its CPU forever", 2, KERNEL,
        "real-time threads get 0.95 s of each second, or all of it (kernel.sched_rt_runtime_us)";
}
