//! Programs that change settings.

use super::{Change, Check, Level, Sight, WAKEUP, unseen};
use crate::Seen;
use crate::State::{Advice, Ok};
use base::{CpuSet, Observed};

pub(super) const CHECKS: &[Check] = &[IRQBALANCE, TUNED];

const IRQBALANCE: Check = Check {
    name: "irqbalance",
    level: Level::Neighbours(4),
    knobs: &["service:irqbalance", "interrupts"],
    look: irqbalance,
    why: "irqbalance moves interrupts between CPUs every ten seconds, and overwrites \
          smp_affinity_list.",
    source: "man 1 irqbalance",
    change: |seen| {
        let stop = "sudo systemctl disable --now irqbalance";
        Change::by_program(seen, stop, "stop irqbalance, and do not start it at boot")
            .or("or set in /etc/default/irqbalance: IRQBALANCE_BANNED_CPULIST={cpus}")
    },
    see: WAKEUP,
};

fn irqbalance(seen: &Seen) -> Sight {
    match seen.tree.runs("irqbalance") {
        Observed::Seen(false) => (Ok, "irqbalance is not running".to_owned()),
        Observed::Seen(true) if bans_these(seen) => {
            (Ok, format!("irqbalance is running, and leaves {} alone", seen.cpus.in_words()))
        }
        Observed::Seen(true) => {
            (Advice, "irqbalance is running and moves interrupts between CPUs".to_owned())
        }
        unknown => unseen(unknown),
    }
}

/// Whether irqbalance leaves these CPUs alone by itself: it reads what was isolated at boot, and which
/// CPUs have no tick (cputree.c, setup_banned_cpus).
fn bans_these(seen: &Seen) -> bool {
    let lists = ["isolated", "nohz_full"].map(|list| format!("/sys/devices/system/cpu/{list}"));
    let banned = lists.iter().filter_map(|list| seen.tree.value::<CpuSet>(list).seen());
    let left = banned.fold(seen.cpus.clone(), |left, cpus| left.without(&cpus));
    left.is_empty()
}

const TUNED: Check = Check {
    name: "tuned",
    level: Level::Neighbours(5),
    knobs: &["service:tuned"],
    look: tuned,
    why: "tuned sets governor, idle states and kernel settings by its profile, and may revert your \
          changes; only its profile realtime is made for deadlines.",
    source: "man 7 tuned-profiles-realtime",
    change: |seen| {
        let profile = "sudo tuned-adm profile realtime";
        Change::by_program(seen, profile, "select tuned's profile realtime")
    },
    see: WAKEUP,
};

fn tuned(seen: &Seen) -> Sight {
    match seen.tree.runs("tuned") {
        Observed::Seen(true) => {}
        Observed::Seen(false) => return (Ok, "tuned is not running".to_owned()),
        unknown => return unseen(unknown),
    }
    let profile = seen.tree.text("/etc/tuned/active_profile").seen();
    match profile.as_deref().map(str::trim) {
        Some(profile) if profile.starts_with("realtime") => {
            (Ok, format!("tuned runs with its profile {profile}"))
        }
        Some(profile) => (Advice, format!("tuned runs with its profile {profile}")),
        None => (Advice, "tuned runs".to_owned()),
    }
}
