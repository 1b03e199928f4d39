//! What the kernel did on one CPU, read repeatedly without allocation.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::str::SplitWhitespace;
use std::sync::LazyLock;

use base::CpuSet;

use crate::read;

const INTERRUPTS: &str = "/proc/interrupts";
const STAT: &str = "/proc/stat";

/// Counts of one CPU since boot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Activity {
    /// Interrupts of its timer.
    pub ticks: u64,
    /// All other interrupts: from devices, from other CPUs, and non-maskable ones.
    pub others: u64,
    /// Time that a hypervisor gave to other guests while the CPU had work, in nanoseconds; it grows
    /// in steps of [`step_ns`].
    pub steal_ns: u64,
}

/// How a CPU spent its time, in nanoseconds since boot. Each grows in steps of [`step_ns`]; many
/// kernels count what had the CPU when a tick came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CpuTimes {
    /// Time of all tasks, in user space and in the kernel.
    pub tasks_ns: u64,
    /// Time of interrupts.
    pub interrupts_ns: u64,
    /// Time of softirqs.
    pub softirqs_ns: u64,
    /// Time that a hypervisor gave to other guests while the CPU had work.
    pub steal_ns: u64,
}

/// Reads the times of these CPUs. Leaves out CPUs that the kernel does not list or for which it
/// counts nothing, and all of them if something else is mounted over /proc/stat: its counts would be
/// those of a container.
#[must_use]
pub fn cpu_times(cpus: &CpuSet) -> Vec<(usize, CpuTimes)> {
    if is_covered() {
        return Vec::new();
    }
    let stat = read::text(STAT).unwrap_or_default();
    cpus.iter().filter_map(|cpu| Some((cpu, times_in(&stat, cpu)?))).collect()
}

fn is_covered() -> bool {
    static IS_COVERED: LazyLock<bool> = LazyLock::new(|| {
        let mounts = read::text("/proc/self/mountinfo").unwrap_or_default();
        mounts.lines().any(|line| line.split(' ').nth(4) == Some(STAT))
    });
    *IS_COVERED
}

fn times_in(text: &str, cpu: usize) -> Option<CpuTimes> {
    let columns: Vec<u64> = columns_of(text, cpu)?.map_while(ticks_in).collect();
    let [user, nice, system, idle, disk, interrupts, softirqs, steal, ..] = columns[..] else {
        return None;
    };
    let tasks = user + nice + system;
    let is_counted = tasks + idle + disk + interrupts + softirqs + steal > 0;
    is_counted.then(|| CpuTimes {
        tasks_ns: tasks * step_ns(),
        interrupts_ns: interrupts * step_ns(),
        softirqs_ns: softirqs * step_ns(),
        steal_ns: steal * step_ns(),
    })
}

/// The open files in which the kernel reports on one CPU.
#[derive(Debug)]
pub struct Watch {
    interrupts: File,
    stat: File,
    buffer: Vec<u8>,
    cpu: usize,
}

impl Watch {
    /// Opens the files, and allocates room for their content.
    ///
    /// # Errors
    /// Fails if `/proc` lacks one of the files, or they do not contain this CPU.
    pub fn of(cpu: usize) -> io::Result<Self> {
        let sizes = [INTERRUPTS, STAT].map(|path| fs::read(path).map_or(0, |text| text.len()));
        let room = 2 * sizes.into_iter().max().unwrap_or(0) + 4096;
        let mut watch = Self {
            interrupts: File::open(INTERRUPTS)?,
            stat: File::open(STAT)?,
            // A pattern other than zero makes the kernel back every page.
            buffer: vec![b'\n'; room],
            cpu,
        };
        watch
            .read()
            .map(|_| watch)
            .ok_or_else(|| io::Error::other(format!("{INTERRUPTS} does not list CPU {cpu}")))
    }

    /// Reads the counts; `None` if a file no longer lists the CPU.
    pub fn read(&mut self) -> Option<Activity> {
        let steal_ns = steal_in(content(&self.stat, &mut self.buffer)?, self.cpu)?;
        let (ticks, others) =
            interrupts_in(content(&self.interrupts, &mut self.buffer)?, self.cpu)?;
        Some(Activity { ticks, others, steal_ns })
    }
}

/// Returns the resolution of a CPU's times, in nanoseconds: one clock tick.
#[must_use]
pub fn step_ns() -> u64 {
    1_000_000_000 / rustix::param::clock_ticks_per_second().max(1)
}

/// Reads a file from its start, as far as the buffer reaches; the kernel returns one page at a
/// time.
fn content<'a>(file: &File, buffer: &'a mut [u8]) -> Option<&'a str> {
    let mut used = 0;
    while used < buffer.len() {
        match file.read_at(&mut buffer[used..], used as u64).ok()? {
            0 => break,
            read => used += read,
        }
    }
    str::from_utf8(&buffer[..used]).ok()
}

/// Returns the timer interrupts of a CPU and all its other interrupts, from the text of
/// /proc/interrupts.
pub(crate) fn interrupts_in(text: &str, cpu: usize) -> Option<(u64, u64)> {
    let mut lines = text.lines();
    let of_cpu = |head: &str| head.strip_prefix("CPU").and_then(|n| n.parse().ok()) == Some(cpu);
    let column = lines.next()?.split_whitespace().position(of_cpu)?;
    let (mut ticks, mut others) = (0, 0);
    for line in lines {
        let count = line.split_whitespace().nth(column + 1);
        let count: u64 = count.and_then(|count| count.parse().ok()).unwrap_or(0);
        let sum = if is_timer(line) { &mut ticks } else { &mut others };
        *sum = u64::saturating_add(*sum, count);
    }
    Some((ticks, others))
}

/// Whether the line counts timer interrupts: `LOC: ... Local timer interrupts` on x86; elsewhere a
/// device such as `arch_timer`.
fn is_timer(line: &str) -> bool {
    line.trim_start().starts_with("LOC:") || line.trim_end().ends_with("timer")
}

pub(crate) fn steal_in(text: &str, cpu: usize) -> Option<u64> {
    time_in(text, cpu, STEAL)
}

const STEAL: usize = 7;

/// Whether the text of /proc/stat shows that stolen time is reported: few hypervisors do, and without
/// one that does, the count of all CPUs together is 0 for ever.
#[must_use]
pub fn reports_steal(text: &str) -> bool {
    let all = text.lines().find_map(|line| line.strip_prefix("cpu "));
    all.and_then(|all| all.split_whitespace().nth(STEAL)).is_some_and(|ticks| ticks != "0")
}

/// Returns the CPU's idle time in nanoseconds, including the time in which a task waited for a
/// disk.
pub(crate) fn idle_in(text: &str, cpu: usize) -> Option<u64> {
    Some(time_in(text, cpu, 3)? + time_in(text, cpu, 4)?)
}

/// Returns a column of a CPU's line in /proc/stat, converted from clock ticks to nanoseconds.
fn time_in(text: &str, cpu: usize, column: usize) -> Option<u64> {
    Some(columns_of(text, cpu)?.nth(column).and_then(ticks_in)? * step_ns())
}

/// Returns a time in clock ticks; `None` if it is longer than 87 years, so that sums of times in
/// nanoseconds are valid too.
fn ticks_in(column: &str) -> Option<u64> {
    column.parse().ok().filter(|ticks| *ticks < 1 << 38)
}

fn columns_of(text: &str, cpu: usize) -> Option<SplitWhitespace<'_>> {
    let columns = text.lines().find_map(|line| {
        let (name, columns) = line.strip_prefix("cpu")?.split_once(' ')?;
        (name.parse() == Ok(cpu)).then_some(columns)
    });
    columns.map(str::split_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "           CPU0       CPU2
  24:          1          7  IO-APIC   5-edge      ACPI:Ged
 NMI:          0          2   Non-maskable interrupts
 LOC:       5319       9216   Local timer interrupts
 ERR:          3
";

    #[test]
    fn a_cpu_has_its_own_column() {
        assert_eq!(interrupts_in(TABLE, 0), Some((5319, 4)));
        assert_eq!(interrupts_in(TABLE, 2), Some((9216, 9)));
        assert_eq!(interrupts_in(TABLE, 1), None);
        assert_eq!(interrupts_in("", 0), None);
        let arm = "      CPU0\n 10:  42  GICv3 27 Level  arch_timer\n 11: 5 GICv3 33 Level uart\n";
        assert_eq!(interrupts_in(arm, 0), Some((42, 5)));
    }

    #[test]
    fn stolen_time_is_that_of_the_cpu() {
        let stat = "cpu  9 9 9 9 9 9 9 99 0 0\ncpu1 1 2 3 4 5 6 7 8 0 0\ncpu10 0 0 0 0 0 0 0 1\n";
        assert_eq!(steal_in(stat, 1), Some(8 * step_ns()));
        assert_eq!(steal_in(stat, 10), Some(step_ns()));
        assert_eq!(idle_in(stat, 1), Some((4 + 5) * step_ns()));
        assert_eq!(steal_in(stat, 2), None);
        assert!(reports_steal(stat));
        for other in ["cpu  1 2 3 4 5 6 7 0\ncpu0 1 2 3 4 5 6 7 0", "cpu  1 2 3", ""] {
            assert!(!reports_steal(other));
        }
        assert_eq!(steal_in("cpu1 1 2 3 4 5 6 7 18446744073709551615", 1), None, "no such time");
    }

    #[test]
    fn times_are_those_of_the_cpu_and_zeros_are_none() {
        let stat =
            "cpu  9 9 9 9 9 9 9 99 0 0\ncpu1 1 2 3 4 5 6 7 8 3 0\ncpu2 0 0 0 0 0 0 0 0\ncpu3 1 2";
        let expected = CpuTimes {
            tasks_ns: 6 * step_ns(),
            interrupts_ns: 6 * step_ns(),
            softirqs_ns: 7 * step_ns(),
            steal_ns: 8 * step_ns(),
        };
        assert_eq!(times_in(stat, 1), Some(expected));
        assert_eq!([2, 3, 4].map(|cpu| times_in(stat, cpu)), [None; 3]);
    }

    #[test]
    fn counts_never_fall_on_this_machine() {
        let cpu = crate::topology::online().iter().next().unwrap();
        let mut watch = Watch::of(cpu).unwrap();
        let before = watch.read().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(20));
        let after = watch.read().unwrap();
        assert!(after.ticks >= before.ticks && after.others >= before.others);
        assert!(after.steal_ns >= before.steal_ns);
        assert!(Watch::of(1 << 20).is_err());
    }

    #[test]
    fn odd_counts_are_read() {
        let stat = "cpu  9 9 9 9 9 9 9 99 0 0\ncpu1 1 2 3 4 5 6 7 8 3 0\ncpu3 1 2";
        testing::try_corpus(&[TABLE, stat], 3_000, |input| {
            let text = String::from_utf8_lossy(input);
            for cpu in [0, 1, 3] {
                let _ = (times_in(&text, cpu), interrupts_in(&text, cpu));
                let _ = (steal_in(&text, cpu), idle_in(&text, cpu));
            }
        });
    }
}
