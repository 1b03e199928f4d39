//! What the kernel itself counts of the work of loads, for their tests.

use rt::read;

/// Returns the interrupts of that name on all CPUs; `None` if the kernel counts none of that name.
pub(crate) fn interrupts(name: &str) -> Option<u64> {
    let all = read::text("/proc/interrupts")?;
    let mut lines = all.lines().map(str::trim);
    let line = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    Some(line.split_whitespace().map_while(|word| word.parse::<u64>().ok()).sum())
}

/// Returns how many processes and threads were ever started: `/proc/stat`.
pub(crate) fn processes() -> u64 {
    let all = read::text("/proc/stat").unwrap();
    let line = all.lines().find_map(|line| line.strip_prefix("processes "));
    line.unwrap().trim().parse().unwrap()
}

/// Returns the sum of all counters in `/proc/vmstat` whose names begin with this.
pub(crate) fn memory(name: &str) -> u64 {
    let all = read::text("/proc/vmstat").unwrap();
    let lines = all.lines().filter(|line| line.starts_with(name));
    let counts = lines.filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok());
    counts.sum()
}
