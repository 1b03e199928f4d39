//! Idle states: how fast CPUs wake, and whether a program can hold slow states off.

use base::Observed;
use rt::namespace::Namespace;

use super::{Change, Check, Level, Sight, not_told, unseen};
use crate::Seen;
use crate::State::{Advice, Ok, Warning};
use crate::tree::LATENCY_DEVICE as DEVICE;

pub(super) const CHECKS: &[Check] = &[IDLE_STATES, IDLE_HOLD];

const IDLE_STATES: Check = Check {
    name: "idle_states",
    level: Level::Platform(5),
    knobs: &["idle_hold", "idle_states", "idle_governor"],
    look: idle_states,
    why: "A CPU in a deep idle state wakes late and with cold caches. Steadfast holds these \
          states off while it measures; an application must do so itself.",
    source: "Documentation/admin-guide/pm/cpuidle.rst",
    change: |seen| {
        let hold = "while the application runs, hold /dev/cpu_dma_latency open with four zero bytes \
                    written to it";
        Change::by_program(seen, "sudo cpupower idle-set -D 1", "").or(hold)
    },
    see: "steadfast run wakeup --cpus {cpus} --period 10ms --seconds 60 --idle-states leave",
};

/// Exit latency above which an idle state is noticeable in a wake-up.
const SHALLOW_US: u32 = 1;
/// Exit latency above which an idle state dominates a wake-up.
const DEEP_US: u32 = 10;

fn idle_states(seen: &Seen) -> Sight {
    if seen.tree.latency_us() == Some(0) {
        return (Ok, "idle states are held off (/dev/cpu_dma_latency is 0)".to_owned());
    }
    let states: Observed<Vec<_>> = seen.cpus.iter().map(|cpu| deepest(seen, cpu)).collect();
    let slowest = states.read_as("", |states| states.into_iter().max());
    match (slowest, &seen.machine.hypervisor) {
        (Observed::Absent, Some(_)) => not_told("the host decides what an idle CPU does"),
        (Observed::Absent, None) => not_told("this kernel has no idle driver"),
        (Observed::Seen((us, name)), _) if us > SHALLOW_US => {
            let state = if us > DEEP_US { Warning } else { Advice };
            (state, format!("idle state {name} takes {us} µs to leave"))
        }
        (Observed::Seen(_), _) => (Ok, "no idle state takes long to leave".to_owned()),
        (hidden, _) => unseen(hidden),
    }
}

/// Returns exit latency in microseconds and name of the slowest enabled idle state of a CPU.
fn deepest(seen: &Seen, cpu: usize) -> Observed<(u32, String)> {
    let folder = |number: u32| format!("/sys/devices/system/cpu/cpu{cpu}/cpuidle/state{number}");
    let state = |folder: String| {
        let us = seen.tree.value::<u32>(&format!("{folder}/latency")).seen()?;
        let is_off = seen.tree.value(&format!("{folder}/disable")) == Observed::Seen(1);
        Some((if is_off { 0 } else { us }, seen.tree.text(&format!("{folder}/name")).seen()?))
    };
    let existing = (0..).map(folder).take_while(|folder| seen.tree.exists(folder));
    let states: Vec<Option<(u32, String)>> = existing.map(state).collect();
    match states.iter().cloned().collect::<Option<Vec<_>>>() {
        Some(states) => states.into_iter().max().map_or(Observed::Absent, Observed::Seen),
        None => {
            Observed::Hidden("an idle state does not say how long it takes to leave".to_owned())
        }
    }
}

const IDLE_HOLD: Check = Check {
    name: "idle_hold",
    level: Level::Limits(5),
    knobs: &[],
    look: idle_hold,
    why: "Steadfast holds slow idle states off while it measures, through /dev/cpu_dma_latency; without \
          it, runs are INVALID unless they leave idle states as they are.",
    source: "Documentation/power/pm_qos_interface.rst",
    change: |seen| {
        let leave = "or measure with --idle-states leave";
        match (seen.tree.has_latency_device(), seen.tree.is_in_first(Namespace::Processes)) {
            (false, Observed::Seen(false)) => {
                Change::ask("start the container with --device /dev/cpu_dma_latency").or(leave)
            }
            (false, _) => Change::ask("measure with --idle-states leave"),
            (true, _) => Change::ask("run it as root").or(leave),
        }
    },
    see: "steadfast run wakeup --cpus {cpus} --policy other --memory unlocked --seconds 10",
};

fn idle_hold(seen: &Seen) -> Sight {
    match seen.tried.map(|tried| &tried.hold_refused) {
        None => not_told(""),
        Some(None) => (Ok, format!("this process can hold off idle states ({DEVICE})")),
        Some(Some(why)) => {
            (Advice, format!("this process cannot hold off idle states ({DEVICE}: {why})"))
        }
    }
}
