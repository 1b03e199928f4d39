//! How the scheduler limits real-time threads.

use rt::system::release_at_least;

use super::{Change, Check, Level, Sight, WAKEUP, not_told, unseen};
use crate::Seen;
use crate::State::{Advice, Ok, Warning};
use base::Observed;

pub(super) const CHECKS: &[Check] = &[TURN, THROTTLING, FAIR_SERVER, TIMER_MIGRATION];

/// Work that uses almost all of a CPU, which a limit would cut short.
const NEARLY_FULL: &str = "steadfast run frame --cpus {cpus} --fill 90% --seconds 60";

const TURN: Check = Check {
    name: "turn",
    level: Level::Start(1),
    knobs: &[],
    look: |seen| match seen.tried {
        None => not_told(""),
        Some(tried) if tried.in_vain.is_empty() => {
            (Ok, format!("a thread of policy {} gets its turn on every CPU", tried.granted()))
        }
        Some(tried) => (Warning, tried.in_vain.join("; ")),
    },
    why: "A real-time task that never waits keeps all tasks of lower or equal priority off its \
          CPU, including those of a measurement, which then never ends.",
    source: "man 7 sched (SCHED_FIFO)",
    change: |_| {
        Change::command("sudo chrt --all-tasks --other --pid 0 PROCESS")
            .or("to remove its real-time policy; or end it")
    },
    see: WAKEUP,
};

pub(super) const THROTTLING: Check = Check {
    name: "throttling",
    level: Level::Neighbours(6),
    knobs: &["rt_throttling"],
    look: throttling,
    why: "Real-time threads that use more than the allowed part of a period are stopped until the \
          next one: a gap of tens of milliseconds. The limit also protects a machine from a thread \
          that never waits.",
    source: "Documentation/scheduler/sched-rt-group.rst",
    change: |_| {
        Change::command("sudo sysctl kernel.sched_rt_runtime_us=-1")
            .or("only if all real-time threads are known to wait")
    },
    see: NEARLY_FULL,
};

/// Whether a kernel of this release limits real-time threads by its fair server.
pub(super) fn has_fair_server(release: &str) -> bool {
    release_at_least(release, 6, 12)
}

fn throttling(seen: &Seen) -> Sight {
    if let Some(core) = seen.machine.core_beside_linux() {
        return (Ok, format!("Linux does not throttle threads on {core}"));
    }
    if has_fair_server(&seen.machine.kernel_release) {
        // Since then, only control groups with their own budget are throttled (kernel/sched/rt.c,
        // "Remove default bandwidth control").
        match seen.config("CONFIG_RT_GROUP_SCHED") {
            None => return not_told("the kernel's configuration cannot be read"),
            Some("y") => {}
            Some(_) => {
                let found = "this kernel limits real-time threads only by its fair server";
                return (Ok, found.to_owned());
            }
        }
    }
    let setting =
        |name: &str| seen.tree.value::<i64>(&format!("/proc/sys/kernel/sched_rt_{name}_us")).seen();
    let runtime = setting("runtime").or(seen.machine.sched_rt_runtime_us);
    match (runtime, setting("period")) {
        (None, _) => not_told(""),
        (Some(..0), _) => (Ok, "real-time threads are not throttled".to_owned()),
        (Some(runtime), Some(period @ 1..)) => {
            let percent = 100 * runtime.min(period) / period;
            let found = format!("real-time threads may use {percent} % of a CPU");
            (if percent < 100 { Advice } else { Ok }, found)
        }
        (Some(runtime), _) => {
            (Advice, format!("real-time threads may use {runtime} µs of each period"))
        }
    }
}

pub(super) const FAIR_SERVER: Check = Check {
    name: "fair_server",
    level: Level::Neighbours(7),
    knobs: &["fair_server"],
    look: fair_server,
    why: "From Linux 6.12 on, the fair server takes a CPU from real-time threads that starve \
          ordinary ones, by default for 50 ms of each second, even if throttling is off.",
    source: "kernel/sched/debug.c (debugfs sched/fair_server)",
    change: |_| {
        Change::command("echo 0 | sudo tee /sys/kernel/debug/sched/fair_server/cpu*/runtime")
            .or("only if all real-time threads are known to wait")
    },
    see: NEARLY_FULL,
};

fn fair_server(seen: &Seen) -> Sight {
    const TREE: &str = "/sys/kernel/debug/sched/fair_server";
    let runtime = |cpu| seen.tree.value::<u64>(&format!("{TREE}/cpu{cpu}/runtime"));
    let release = &seen.machine.kernel_release;
    if let Some(core) = seen.machine.core_beside_linux() {
        return (Ok, format!("the fair server takes nothing from threads on {core}"));
    }
    let runtimes: Observed<Vec<u64>> = seen.cpus.iter().map(runtime).collect();
    match runtimes.seen().and_then(|all| all.into_iter().max()) {
        Some(0) => (Ok, "the fair server is off".to_owned()),
        Some(ns) => {
            (Advice, format!("the fair server reserves {} ms of each period", ns / 1_000_000))
        }
        None if release.is_empty() => not_told(""),
        None if has_fair_server(release) && is_locked_down(seen) => {
            not_told("the kernel's lockdown hides it")
        }
        None if has_fair_server(release) => {
            not_told("it needs root and debugfs (sudo mount -t debugfs none /sys/kernel/debug)")
        }
        None => (Ok, "this kernel has no fair server".to_owned()),
    }
}

/// Whether the kernel hides files of debugfs even from root (man 7 kernel_lockdown).
fn is_locked_down(seen: &Seen) -> bool {
    let mode = seen.tree.bracketed("/sys/kernel/security/lockdown", '[');
    mode.is_some_and(|mode| mode != "none")
}

const TIMER_MIGRATION: Check = Check {
    name: "timer_migration",
    level: Level::Rest(5),
    knobs: &["timer_migration"],
    look: |seen| match seen.tree.value::<i32>("/proc/sys/kernel/timer_migration") {
        Observed::Seen(0) => (Ok, "timers stay on their CPUs".to_owned()),
        Observed::Seen(_) => (Advice, "timers of idle CPUs may move to busy ones".to_owned()),
        unknown => unseen(unknown),
    },
    why: "Timers of other CPUs may expire on the CPU of real-time work, and its own timers \
          elsewhere.",
    source: "Documentation/admin-guide/sysctl/kernel.rst (timer_migration)",
    change: |_| Change::command("sudo sysctl kernel.timer_migration=0"),
    see: WAKEUP,
};
