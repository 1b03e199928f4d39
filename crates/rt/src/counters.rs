//! What the kernel counts for a thread and for a CPU.

use std::ops::Sub;

use crate::posix::thread_usage;
use crate::task_counts::own_times;
use crate::{activity, clock, read};

/// Counts of the calling thread since it started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThreadCounts {
    /// Page faults without input or output.
    pub minor_faults: u64,
    /// Page faults that waited for a device.
    pub major_faults: u64,
    /// Switches because the thread waited.
    pub voluntary_switches: u64,
    /// Switches because another task took the CPU.
    pub involuntary_switches: u64,
    /// Moves to another CPU; `None` if the kernel does not report them.
    pub migrations: Option<u64>,
    /// Time for which it was ready and waited for a CPU, in nanoseconds; `None` if the kernel does
    /// not count it.
    pub delay_ns: Option<u64>,
    /// CPU time in nanoseconds.
    pub cpu_time_ns: u64,
}

impl ThreadCounts {
    /// Reads the counts before a measurement: getrusage(2), and sched and schedstat in
    /// /proc/thread-self.
    #[must_use]
    pub fn before() -> Self {
        // Opening a file is itself work, which the other counts would include.
        let (migrations, delay_ns) = (migrations(), own_delay_ns());
        Self { migrations, delay_ns, ..Self::usage() }
    }

    /// Reads the counts after a measurement.
    #[must_use]
    pub fn after() -> Self {
        let usage = Self::usage();
        Self { migrations: migrations(), delay_ns: own_delay_ns(), ..usage }
    }

    /// Reads what needs a system call but no file, for use inside a measurement: everything except
    /// the moves to other CPUs and the waits for a CPU.
    #[must_use]
    pub fn usage() -> Self {
        let usage = thread_usage();
        Self {
            minor_faults: usage.ru_minflt as u64,
            major_faults: usage.ru_majflt as u64,
            voluntary_switches: usage.ru_nvcsw as u64,
            involuntary_switches: usage.ru_nivcsw as u64,
            migrations: None,
            delay_ns: None,
            cpu_time_ns: clock::thread_cpu_time(),
        }
    }
}

impl Sub for ThreadCounts {
    type Output = Self;

    /// Returns what was counted between an earlier reading and this one.
    fn sub(self, earlier: Self) -> Self {
        Self {
            minor_faults: self.minor_faults - earlier.minor_faults,
            major_faults: self.major_faults - earlier.major_faults,
            voluntary_switches: self.voluntary_switches - earlier.voluntary_switches,
            involuntary_switches: self.involuntary_switches - earlier.involuntary_switches,
            migrations: self.migrations.zip(earlier.migrations).map(|(a, b)| a - b),
            delay_ns: self.delay_ns.zip(earlier.delay_ns).map(|(a, b)| a - b),
            cpu_time_ns: self.cpu_time_ns - earlier.cpu_time_ns,
        }
    }
}

/// What the calling thread has used since it started, read without opening a file: cheap enough to
/// be read once per period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThreadUse {
    /// CPU time in nanoseconds.
    pub cpu_time_ns: u64,
    /// Page faults, minor and major.
    pub faults: u64,
    /// Switches because the thread waited.
    pub voluntary_switches: u64,
    /// Switches because another task took the CPU.
    pub involuntary_switches: u64,
    /// The CPU that it is on.
    pub cpu: u64,
}

impl ThreadUse {
    /// Reads the use up to now: getrusage(2), clock_gettime(2), getcpu(2).
    #[must_use]
    pub fn now() -> Self {
        let usage = thread_usage();
        Self {
            cpu_time_ns: clock::thread_cpu_time(),
            faults: (usage.ru_minflt + usage.ru_majflt) as u64,
            voluntary_switches: usage.ru_nvcsw as u64,
            involuntary_switches: usage.ru_nivcsw as u64,
            cpu: rustix::thread::sched_getcpu() as u64,
        }
    }
}

fn own_delay_ns() -> Option<u64> {
    own_times().map(|[_, waited]| waited)
}

fn migrations() -> Option<u64> {
    let text = read::text("/proc/thread-self/sched")?;
    let line = text.lines().find(|line| line.starts_with("se.nr_migrations"))?;
    line.rsplit(':').next()?.trim().parse().ok()
}

/// Returns for how long the calling thread has run or waited for a CPU, in nanoseconds since it
/// started; the rest of the time it slept or was stopped. `None` if the kernel does not report it.
#[must_use]
pub fn runnable_ns() -> Option<u64> {
    own_times().map(|[ran, waited]| ran + waited)
}

/// Returns the time that a hypervisor gave to other guests while the CPU had work, in nanoseconds
/// since boot; `None` if the kernel has counted none on any CPU: without a hypervisor that reports
/// it, the count stays 0.
#[must_use]
pub fn steal_ns(cpu: usize) -> Option<u64> {
    let stat = read::text("/proc/stat").filter(|stat| activity::reports_steal(stat))?;
    activity::steal_in(&stat, cpu)
}

/// Returns the time that a CPU was idle, in nanoseconds since boot; `None` if the kernel does not
/// report it.
#[must_use]
pub fn idle_ns(cpu: usize) -> Option<u64> {
    activity::idle_in(&read::text("/proc/stat")?, cpu)
}

/// Returns the number of interrupts that a CPU has taken since boot; `None` if the kernel does not
/// report it.
#[must_use]
pub fn interrupts(cpu: usize) -> Option<u64> {
    let (ticks, others) = activity::interrupts_in(&read::text("/proc/interrupts")?, cpu)?;
    Some(ticks + others)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_sleeps_is_not_runnable_and_one_that_works_is() {
        let Some(before) = runnable_ns() else { return };
        let begin = clock::now();
        while clock::now() < begin + 20_000_000 {}
        let worked = runnable_ns().unwrap() - before;
        let begin = clock::now();
        std::thread::sleep(std::time::Duration::from_millis(50));
        let asleep = (clock::now() - begin) - (runnable_ns().unwrap() - before - worked);
        assert!(worked > 5_000_000 && asleep > 40_000_000, "{worked} {asleep}");
    }

    #[test]
    fn work_between_two_readings_is_counted() {
        let before = ThreadCounts::before();
        let mut pages = vec![0u8; 64 * 4096];
        pages.iter_mut().step_by(4096).for_each(|byte| *byte = 1);
        std::hint::black_box(&pages);
        std::thread::yield_now();
        let counted = ThreadCounts::after() - before;
        assert!(counted.cpu_time_ns > 0);
        assert!(counted.minor_faults + counted.major_faults > 0);
    }
}
