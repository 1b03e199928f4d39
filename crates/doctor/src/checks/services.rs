//! Programs that change settings.

use super::{Change, Check, Sight, WAKEUP, unseen};
use crate::Seen;
use crate::State::{Advice, Ok};
use crate::tree::Namespace;
use units::{CpuSet, Observed};

pub(super) const IRQBALANCE: Check = Check {
    name: "irqbalance",
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
    match runs(seen, "irqbalance") {
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

pub(super) const TUNED: Check = Check {
    name: "tuned",
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
    match runs(seen, "tuned") {
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

/// Whether a program with this name runs. That it does not is seen only by a process that sees the
/// processes of all users, in the namespace that the kernel started with.
fn runs(seen: &Seen, name: &str) -> Observed<bool> {
    let Some(processes) = seen.tree.numbers_in("/proc") else {
        return Observed::Hidden("no process can be seen".to_owned());
    };
    let named = |process: &u32| seen.tree.text(&format!("/proc/{process}/comm"));
    let names: Vec<Observed<String>> = processes.iter().map(named).collect();
    let is_it = |found: &Observed<String>| matches!(found, Observed::Seen(found) if found == name);
    // A process whose folder is gone has ended.
    let is_hidden = |(process, name): (&u32, &Observed<String>)| {
        !matches!(name, Observed::Seen(_)) && seen.tree.exists(&format!("/proc/{process}"))
    };
    let hidden = |why: &str| Observed::Hidden(why.to_owned());
    match seen.tree.is_in_first(Namespace::Processes) {
        _ if names.iter().any(is_it) => Observed::Seen(true),
        Observed::Seen(true) if !processes.contains(&1) => hidden("processes of others are hidden"),
        Observed::Seen(true) if processes.iter().zip(&names).any(is_hidden) => {
            hidden("processes of others are hidden")
        }
        Observed::Seen(true) => Observed::Seen(false),
        Observed::Seen(false) => hidden("the host's processes cannot be seen from a container"),
        _ => hidden("whether this is a container cannot be seen"),
    }
}
