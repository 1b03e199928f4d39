//! What the kernel did on one CPU, read repeatedly without allocation.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;

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
    /// in steps of [`steal_step_ns`].
    pub steal_ns: u64,
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

/// Returns the resolution of stolen time, in nanoseconds: one clock tick.
#[must_use]
pub fn steal_step_ns() -> u64 {
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
        if is_timer(line) { ticks += count } else { others += count }
    }
    Some((ticks, others))
}

/// Whether the line counts timer interrupts: `LOC: ... Local timer interrupts` on x86; elsewhere a
/// device such as `arch_timer`.
fn is_timer(line: &str) -> bool {
    line.trim_start().starts_with("LOC:") || line.trim_end().ends_with("timer")
}

pub(crate) fn steal_in(text: &str, cpu: usize) -> Option<u64> {
    time_in(text, cpu, 7)
}

/// Returns the CPU's idle time in nanoseconds, including the time in which a task waited for a
/// disk.
pub(crate) fn idle_in(text: &str, cpu: usize) -> Option<u64> {
    Some(time_in(text, cpu, 3)? + time_in(text, cpu, 4)?)
}

/// Returns a column of a CPU's line in /proc/stat, converted from clock ticks to nanoseconds.
fn time_in(text: &str, cpu: usize, column: usize) -> Option<u64> {
    let columns = text.lines().find_map(|line| {
        let (name, columns) = line.strip_prefix("cpu")?.split_once(' ')?;
        (name.parse() == Ok(cpu)).then_some(columns)
    })?;
    let ticks: u64 = columns.split_whitespace().nth(column)?.parse().ok()?;
    Some(ticks * steal_step_ns())
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
        assert_eq!(steal_in(stat, 1), Some(8 * steal_step_ns()));
        assert_eq!(steal_in(stat, 10), Some(steal_step_ns()));
        assert_eq!(idle_in(stat, 1), Some((4 + 5) * steal_step_ns()));
        assert_eq!(steal_in(stat, 2), None);
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
}
