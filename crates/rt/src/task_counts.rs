//! What the kernel counts for any thread: proc(5), and Documentation/scheduler/sched-stats.rst.

use rustix::process::Pid;

use crate::read;
use crate::stat::Stat;

/// Counts of a thread since it started, and its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TaskCounts {
    /// Time on a CPU in nanoseconds, up to its last switch or the CPU's last tick.
    pub run_ns: u64,
    /// Time for which it was ready and waited for a CPU, in nanoseconds, without a wait that goes on.
    pub delay_ns: u64,
    /// Page faults, minor and major.
    pub faults: u64,
    /// Whether a signal or a debugger has stopped it.
    pub is_stopped: bool,
}

/// The columns of minor and major page faults.
const FAULTS: [usize; 2] = [10, 12];

impl TaskCounts {
    /// Reads the counts of a thread of a process; `None` if it has ended, or the kernel counts no
    /// run delay.
    #[must_use]
    pub fn of(process: Pid, task: Pid) -> Option<Self> {
        let [run_ns, delay_ns] = times(&format!("/proc/{process}/task/{task}/schedstat"))?;
        let stat = Stat::of_task(process, task)?;
        let faults = FAULTS.iter().filter_map(|column| stat.number::<u64>(*column)).sum();
        Some(Self { run_ns, delay_ns, faults, is_stopped: stat.is_stopped() })
    }
}

/// Returns how long the calling thread has run, and how long it has been ready and waited for a CPU,
/// in nanoseconds since it started; `None` if the kernel does not count it.
#[must_use]
pub fn own_times() -> Option<[u64; 2]> {
    times("/proc/thread-self/schedstat")
}

/// Reads run time and run delay. A kernel without these counts has no file, or one of zeros.
fn times(path: &str) -> Option<[u64; 2]> {
    let text = read::text(path)?;
    let mut numbers = text.split_whitespace().map(str::parse);
    let mut next = || numbers.next()?.ok();
    let [run_ns, delay_ns, turns] = [next()?, next()?, next()?];
    (turns > 0).then_some([run_ns, delay_ns])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::{this, this_thread};

    #[test]
    fn a_thread_counts_its_own_time_and_page_faults() {
        let Some(before) = TaskCounts::of(this(), this_thread()) else {
            return eprintln!("skipped: this kernel counts no run delay");
        };
        let mut pages = vec![0u8; 64 * 4096];
        pages.iter_mut().step_by(4096).for_each(|byte| *byte = 1);
        std::hint::black_box(&pages);
        let _ = crate::clock::thread_cpu_time();
        let after = TaskCounts::of(this(), this_thread()).unwrap();
        assert!(after.run_ns > before.run_ns && after.faults > before.faults);
        assert!(after.delay_ns >= before.delay_ns && !after.is_stopped);
        assert!(own_times().unwrap()[1] >= after.delay_ns);
    }

    #[test]
    fn zeros_count_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("schedstat");
        let read = |text| {
            std::fs::write(&file, text).unwrap();
            times(file.to_str().unwrap())
        };
        assert_eq!(read("0 0 0\n"), None);
        assert_eq!(read("0 12 1\n"), Some([0, 12]));
        assert_eq!(read("7"), None);
    }
}
