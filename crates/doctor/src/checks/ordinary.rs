//! What decides about threads without a real-time policy.

use base::{Nanos, Observed};

use super::{Change, Check, Level, Sight, not_told, unseen};
use crate::Seen;
use crate::State::{Advice, Ok};

pub(super) const CHECKS: &[Check] = &[SCHED_EXT, TIMER_SLACK];

const SCHED_EXT: Check = Check {
    name: "sched_ext",
    level: Level::Ordinary(1),
    knobs: &[],
    look: sched_ext,
    why: "A scheduler that was loaded as a program (sched_ext) chooses among threads without a real-time \
          policy, by rules of its own. Results with and without it are not comparable.",
    source: "Documentation/scheduler/sched-ext.rst",
    change: |_| {
        Change::ask("end the program that loaded it, such as the service scx or scx_loader")
            .or("or, as root, echo S > /proc/sysrq-trigger")
    },
    see: ORDINARY,
};

/// The run that shows how late a thread without a real-time policy wakes.
const ORDINARY: &str = "steadfast run wakeup --cpus {cpus} --policy other --seconds 60 --load cpu";

fn sched_ext(seen: &Seen) -> Sight {
    const FOLDER: &str = "/sys/kernel/sched_ext";
    match seen.tree.text(&format!("{FOLDER}/state")) {
        Observed::Seen(state) if state == "disabled" => {
            (Ok, "no scheduler was loaded as a program".to_owned())
        }
        Observed::Seen(state) => {
            let name = seen.tree.text(&format!("{FOLDER}/root/ops")).seen();
            let name = name.unwrap_or_else(|| "without a name".to_owned());
            (Advice, format!("a scheduler was loaded as a program: {name} (sched_ext {state})"))
        }
        Observed::Absent => not_told("this kernel does not load schedulers"),
        hidden => unseen(hidden),
    }
}

const TIMER_SLACK: Check = Check {
    name: "timer_slack",
    level: Level::Ordinary(3),
    knobs: &[],
    look: timer_slack,
    why: "The kernel may wake a sleeping thread without a real-time policy this much too late. Threads \
          inherit it from the program that starts theirs.",
    source: "man 2 PR_SET_TIMERSLACK",
    change: |_| {
        Change::command("echo 50000 > /proc/$$/timerslack_ns")
            .or("for this shell and what it starts; in a service of systemd: TimerSlackNSec=50us")
    },
    see: ORDINARY,
};

/// The slack of timers, in nanoseconds, with which the kernel's first process starts.
const USUAL_SLACK: u64 = 50_000;

fn timer_slack(seen: &Seen) -> Sight {
    match seen.tree.value("/proc/self/timerslack_ns") {
        // From Linux 6.13 on, a thread with a real-time policy has none.
        Observed::Seen(0) => not_told("this process has a real-time policy"),
        Observed::Seen(USUAL_SLACK) => {
            (Ok, format!("timers have the default slack ({} µs)", USUAL_SLACK / 1000))
        }
        Observed::Seen(ns) => {
            let inherited = Nanos(ns);
            (Advice, format!("this process inherited a timer slack of {inherited} (default 50us)"))
        }
        unknown => unseen(unknown),
    }
}
