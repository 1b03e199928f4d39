//! Programs that change settings.

use super::{Change, Check, Sight, WAKEUP, not_told};
use crate::Seen;
use crate::State::{Advice, Ok};

pub(super) const IRQBALANCE: Check = Check {
    name: "irqbalance",
    knobs: &["service:irqbalance", "interrupts"],
    look: |seen| match runs(seen, "irqbalance") {
        None => not_told("no process can be seen"),
        Some(false) => (Ok, "irqbalance is not running".to_owned()),
        Some(true) => {
            (Advice, "irqbalance is running and moves interrupts between CPUs".to_owned())
        }
    },
    why: "irqbalance moves interrupts between CPUs every ten seconds, and overwrites \
          smp_affinity_list.",
    source: "man 1 irqbalance",
    change: |_| {
        Change::command("sudo systemctl disable --now irqbalance")
            .or("or set in /etc/default/irqbalance: IRQBALANCE_BANNED_CPULIST={cpus}")
    },
    see: WAKEUP,
};

pub(super) const TUNED: Check = Check {
    name: "tuned",
    knobs: &["service:tuned"],
    look: tuned,
    why: "tuned sets governor, idle states and kernel settings by its profile, and may revert your \
          changes; only its profile realtime is made for deadlines.",
    source: "man 7 tuned-profiles-realtime",
    change: |_| Change::command("sudo tuned-adm profile realtime"),
    see: WAKEUP,
};

fn tuned(seen: &Seen) -> Sight {
    match runs(seen, "tuned") {
        None => return not_told("no process can be seen"),
        Some(false) => return (Ok, "tuned is not running".to_owned()),
        Some(true) => {}
    }
    let profile = seen.tree.text("/etc/tuned/active_profile");
    match profile.as_deref().map(str::trim) {
        Some(profile) if profile.starts_with("realtime") => {
            (Ok, format!("tuned runs with its profile {profile}"))
        }
        Some(profile) => (Advice, format!("tuned runs with its profile {profile}")),
        None => (Advice, "tuned runs".to_owned()),
    }
}

/// Whether a program with this name runs; `None` if no process can be seen.
fn runs(seen: &Seen, name: &str) -> Option<bool> {
    let processes = seen.tree.numbers_in("/proc")?;
    let named = |process| seen.tree.text(&format!("/proc/{process}/comm"));
    let names: Vec<String> = processes.into_iter().filter_map(named).collect();
    (!names.is_empty()).then(|| names.iter().any(|other| other == name))
}
