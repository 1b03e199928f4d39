//! Ready plans: lists of runs, each line as one would type it after `steadfast run`.

/// A ready plan.
pub(crate) struct Plan {
    /// Its command, and the name of its sessions.
    pub(crate) name: &'static str,
    /// The runs; a line that this machine cannot make is left out, and told.
    pub(crate) lines: &'static [&'static str],
}

/// The question in two minutes.
pub(crate) const QUICK: Plan = Plan {
    name: "quick",
    lines: &[
        "clock_overhead",
        "platform_gap --cpus all --seconds 5",
        "task_switch",
        "preemption",
        "semaphore_shuffle",
        "priority_inversion --trials 15",
        "deadlock_break --trials 10",
        "mailbox_transfer --seconds 2",
        "interrupt --source timer --seconds 2",
        "wakeup --cpus all --period 1ms --seconds 27",
        "wakeup --cpus all --period 1ms --seconds 10 --load cpu",
        "wakeup --cpus all --period 1ms --seconds 10 --policy other",
        "wakeup --cpus all --period 100us --seconds 10",
        "wakeup --cpus all --period 10ms --seconds 10",
        "frame --processes 1,cpus --seconds 2",
        "tire --mode real-fast --masses 400,2000,5900,24000,57000 --threads 1,cpus --steps 300",
        "tire --mode real-time --masses 24000,57000,110000,220000,440000 --threads 1,cpus --steps 200",
        "tire --solver simd --mode real-fast --masses 5900,57000,1000000 --threads 1,cpus --steps 300",
        "tire --solver simd --mode real-time --masses 57000,1000000,2000000,4000000 --threads cpus --steps 200",
    ],
};

/// MUR's variables as far as one machine varies them by itself: CPUs, affinity and
/// processes; besides, how frames start. SMT, disk and kernel take another boot:
/// the same plan again, and one report of both stores.
pub(crate) const FRAMES: Plan = Plan {
    name: "frames",
    lines: &[
        "frame --processes 1,cores,cpus --affinity locked,free --seconds 60",
        "frame --processes 1 --affinity locked --others moved --seconds 60",
        "frame --processes 1,cpus --affinity locked --start spin,hybrid --seconds 60",
        "frame --processes 1 --affinity locked --start spin,hybrid --others moved --seconds 60",
        "frame --processes 1 --affinity locked --overrun catch-up --load cpu --seconds 60",
    ],
};
