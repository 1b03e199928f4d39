//! Settings of the kernel below /proc/sys.

use crate::knob::files;
use crate::rivals::{NUMAD, TUNED};
use crate::values::Values;

const KERNEL: &str = "Documentation/admin-guide/sysctl/kernel.rst";
const VM: &str = "Documentation/admin-guide/sysctl/vm.rst";

/// The daemons that write settings of this table.
const RIVALS: &[&str] = &[TUNED, NUMAD];

files! {
    "timer_migration": ["proc/sys/kernel/timer_migration" Text], Values::Between("0", "1"),
        Low "", 1, RIVALS, KERNEL,
        "whether timers of idle CPUs move to busy ones (kernel.timer_migration)";
    "stat_interval": ["proc/sys/vm/stat_interval" Text], Values::Between("120", "1"),
        Low "", 2, RIVALS, VM,
        "seconds between updates of memory statistics (vm.stat_interval)";
    "numa_balancing": ["proc/sys/kernel/numa_balancing" Text], Values::Only("0"),
        Low "", 2, RIVALS, KERNEL,
        "whether pages move to the node that uses them (kernel.numa_balancing)";
    "swappiness": ["proc/sys/vm/swappiness" Text], Values::Between("10", "60"),
        Low "", 1, RIVALS, VM,
        "how readily memory of programs is swapped (vm.swappiness)";
    "compaction": ["proc/sys/vm/compaction_proactiveness" Text], Values::Between("0", "20"),
        Low "", 2, RIVALS, VM,
        "how actively memory is compacted in advance (vm.compaction_proactiveness)";
    "dirty_ratio": ["proc/sys/vm/dirty_ratio" Text], Values::Unless("0", "10", "20"),
        Low "", 2, RIVALS, VM,
        "percent of memory that may be dirty before writers wait (vm.dirty_ratio)";
    "dirty_background_ratio": ["proc/sys/vm/dirty_background_ratio" Text],
        Values::Unless("0", "3", "10"),
        Low "", 2, RIVALS, VM,
        "percent of memory that may be dirty before writing back begins";
    "dirty_writeback": ["proc/sys/vm/dirty_writeback_centisecs" Text],
        Values::Between("1500", "500"),
        Low "", 5, RIVALS, VM,
        "interval of writing back to disk, in hundredths of a second";
    "soft_watchdog": ["proc/sys/kernel/soft_watchdog" Text], Values::Only("0"),
        Low "a hang of the kernel goes unnoticed", 2, RIVALS, KERNEL,
        "a task of highest priority on each CPU every 4 s (kernel.soft_watchdog)";
    "nmi_watchdog": ["proc/sys/kernel/nmi_watchdog" Text], Values::Only("0"),
        Low "a hang of the kernel goes unnoticed", 2, RIVALS, KERNEL,
        "an interrupt every 10 s that cannot be masked (kernel.nmi_watchdog)";
    "watchdog_cpus": ["proc/sys/kernel/watchdog_cpumask" CpuList], Values::Away,
        Low "a hang of the measured CPUs goes unnoticed", 2, RIVALS, KERNEL,
        "CPUs on which the kernel's watchdogs run (kernel.watchdog_cpumask)";
    "hung_task": ["proc/sys/kernel/hung_task_timeout_secs" Text], Values::Between("600", "120"),
        Low "a hung task is reported later", 1, RIVALS, KERNEL,
        "seconds after which a task counts as hung (kernel.hung_task_timeout_secs)";
    "rt_throttling": ["proc/sys/kernel/sched_rt_runtime_us" Text], Values::Between("-1", "950000"),
        High "a real-time thread that never waits keeps its CPU forever", 2, RIVALS, KERNEL,
        "real-time threads get 0.95 s of each second, or all of it (kernel.sched_rt_runtime_us)";
}
