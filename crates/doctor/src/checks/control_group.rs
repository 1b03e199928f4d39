//! Limits set by the control group of this process.

use std::path::{Path, PathBuf};

use base::Observed;
use rt::control_group::{ControlGroups, CpuBudget};
use rt::namespace::Namespace;

use super::{Change, Check, Level, Sight, not_told};
use crate::Seen;
use crate::State::{Advice, Ok, Warning};

pub(super) const CHECKS: &[Check] = &[CPU_BUDGET, GROUP_WEIGHT];

const CPU_BUDGET: Check = Check {
    name: "cpu_budget",
    level: Level::Start(4),
    knobs: &[],
    look: cpu_budget,
    why: "A control group that has used its budget is stopped until the next period, often for \
          most of 100 ms.",
    source: "Documentation/admin-guide/cgroup-v2.rst (cpu.max)",
    change: |seen| {
        let lift = |CpuBudget { file, no_limit, .. }| written(no_limit, &file);
        let free = groups_of(seen, |groups| groups.cpu_budget().map(lift));
        changed(seen, free, "start the container without --cpus and --cpu-quota")
    },
    see: "steadfast run wakeup --cpus {cpus} --policy other --seconds 60 --load cpu",
};

fn cpu_budget(seen: &Seen) -> Sight {
    let files = ["cpu.cfs_quota_us", "cpu.max"];
    let look = |groups: &ControlGroups| (groups.cpu_budget(), hidden_groups(seen, groups, files));
    match groups_of(seen, |groups| Some(look(groups))) {
        None => not_told("/proc/self/cgroup is missing"),
        Some((Some(budget), _)) => (Warning, format!("the control group may use {}", budget.grant)),
        Some((None, Some(why))) => not_told(&why),
        Some((None, None)) => (Ok, "this process has no CPU budget".to_owned()),
    }
}

/// Returns what `look` finds in the control groups of this process.
fn groups_of<T>(seen: &Seen, look: impl FnOnce(&ControlGroups) -> Option<T>) -> Option<T> {
    look(&ControlGroups::of_this(&|path| seen.tree.text(path).seen())?)
}

fn written(value: &str, file: &Path) -> String {
    format!("echo {value} | sudo tee {}", base::quoted_file(file))
}

/// Changes a setting of a control group, in a container by a new start.
fn changed(seen: &Seen, command: Option<String>, restart: &'static str) -> Change {
    match (seen.tree.is_in_first(Namespace::ControlGroups), command) {
        (Observed::Seen(true), Some(command)) => Change::command(command),
        (Observed::Seen(true), None) => Change::default(),
        _ => Change::ask(restart),
    }
}

/// Returns why a setting may exist that cannot be seen, if so: of groups outside a container, of groups
/// that are not mounted, or because a group lacks its file, of version 1 or 2.
fn hidden_groups(seen: &Seen, groups: &ControlGroups, files: [&str; 2]) -> Option<String> {
    if seen.tree.is_in_first(Namespace::ControlGroups) != Observed::Seen(true) {
        return Some("control groups outside this container cannot be seen".to_owned());
    }
    let controller = if groups.path("cpu").is_some() { "cpu" } else { "" };
    let folders = groups.folders(controller);
    if !groups.reaches_root(controller) {
        return Some("not all control groups of this process are mounted".to_owned());
    }
    let exists = |folder: &Path, file: &str| seen.tree.exists(&folder.join(file).to_string_lossy());
    let lacks = |folder: &&PathBuf| match controller {
        "cpu" => !exists(folder, files[0]),
        _ => has_controller(seen, folder) != Some(false) && !exists(folder, files[1]),
    };
    // The root of version 2 has no settings.
    let with_settings = folders.len() - usize::from(controller.is_empty());
    let lacking = folders[..with_settings].iter().find(lacks)?;
    let file = if controller.is_empty() { files[1] } else { files[0] };
    Some(format!("{} does not show {file}", lacking.display()))
}

/// Whether a group of version 2 has the controller `cpu`, without which it has no limit.
fn has_controller(seen: &Seen, folder: &Path) -> Option<bool> {
    let file = folder.join("cgroup.controllers");
    let controllers = seen.tree.text(file.to_str()?).seen()?;
    Some(controllers.split_whitespace().any(|name| name == "cpu"))
}

const GROUP_WEIGHT: Check = Check {
    name: "group_weight",
    level: Level::Ordinary(2),
    knobs: &[],
    look: group_weight,
    why: "Threads without a real-time policy share a CPU by the weights of their control groups; in an \
          idle group they run only when nothing else does.",
    source: "Documentation/admin-guide/cgroup-v2.rst (cpu.weight, cpu.idle)",
    change: |seen| {
        let usual = groups_of(seen, lowered).map(|lowered| match lowered.is_idle {
            true => written("0", &lowered.file.with_file_name("cpu.idle")),
            false => written(&lowered.usual.to_string(), &lowered.file),
        });
        changed(seen, usual, "start the container with the default weight, without --cpu-shares")
    },
    see: "steadfast run wakeup --cpus {cpus} --policy other --seconds 60 --load cpu",
};

/// The files of a weight and its default, in versions 1 and 2.
const WEIGHTS: [(&str, u64); 2] = [("cpu.shares", 1024), ("cpu.weight", 100)];

/// A weight of a control group below the default.
struct Lowered {
    file: PathBuf,
    weight: u64,
    usual: u64,
    is_idle: bool,
}

fn group_weight(seen: &Seen) -> Sight {
    let files = WEIGHTS.map(|(file, _)| file);
    let look = |groups: &ControlGroups| (lowered(groups), hidden_groups(seen, groups, files));
    match groups_of(seen, |groups| Some(look(groups))) {
        None => not_told("/proc/self/cgroup is missing"),
        Some((Some(Lowered { is_idle: true, .. }), _)) => {
            (Advice, "the control group is idle (cpu.idle is 1)".to_owned())
        }
        Some((Some(Lowered { weight, usual, .. }), _)) => {
            (Advice, format!("the control group has the weight {weight} (default {usual})"))
        }
        Some((None, Some(why))) => not_told(&why),
        Some((None, None)) => (Ok, "the control group has at least the default weight".to_owned()),
    }
}

/// Returns the nearest weight below the default.
fn lowered(groups: &ControlGroups) -> Option<Lowered> {
    let controller = if groups.path("cpu").is_some() { "cpu" } else { "" };
    let (name, usual) = WEIGHTS[usize::from(controller.is_empty())];
    let in_folder = |folder: PathBuf| {
        let weight = groups.number(&folder.join(name))?;
        let is_idle = groups.number(&folder.join("cpu.idle")) == Some(1);
        (weight < usual).then(|| Lowered { file: folder.join(name), weight, usual, is_idle })
    };
    groups.folders(controller).into_iter().find_map(in_folder)
}
