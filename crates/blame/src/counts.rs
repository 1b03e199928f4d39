//! What each thread counted about itself, period by period.

use plan::Track;

/// Columns of a thread's track: CPU time used, page faults, voluntary switches (it waited), forced
/// switches (something else took the CPU), and its current CPU. Each column has one reading more
/// than there are samples: the first reading is from before the first sample.
pub const USED: [&str; 5] = ["used_ns", "faults", "switches_own", "switches_forced", "on_cpu"];

/// What happened to a thread from the end of one sample to the end of the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// CPU time used, in nanoseconds.
    pub cpu_time_ns: i64,
    pub faults: i64,
    /// Switches because the thread waited.
    pub waits: i64,
    /// Switches because something else took the CPU.
    pub forced: i64,
    /// True if it is on another CPU than before.
    pub moved: bool,
}

impl Counts {
    pub fn of(track: &Track, sample: usize) -> Option<Self> {
        let counted = |name: &str| {
            let readings = track.values(name);
            Some(readings.get(sample + 1)? - readings.get(sample)?)
        };
        let [used, faults, waits, forced, cpu] = USED;
        Some(Self {
            cpu_time_ns: counted(used)?,
            faults: counted(faults)?,
            waits: counted(waits)?,
            forced: counted(forced)?,
            moved: counted(cpu)? != 0,
        })
    }
}
