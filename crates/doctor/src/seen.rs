//! The data that checks examine.

use base::CpuSet;
use record::Machine;

use crate::installation::KERNEL_OPTIONS;
use crate::{Tree, Tried};

/// A machine as the checks see it.
#[derive(Debug)]
pub struct Seen<'a> {
    pub(crate) machine: &'a Machine,
    pub(crate) tree: Tree,
    /// CPUs on which real-time work is to run.
    pub(crate) cpus: CpuSet,
    /// CPUs that are left for everything else.
    pub(crate) others: CpuSet,
    /// What was tried; `None` for a machine that is not this one.
    pub(crate) tried: Option<&'a Tried>,
}

impl<'a> Seen<'a> {
    pub(crate) fn new(
        machine: &'a Machine,
        tree: Tree,
        asked: &CpuSet,
        tried: Option<&'a Tried>,
    ) -> Self {
        let (cpus, others) = apart(machine, asked);
        Self { machine, tree, cpus, others, tried }
    }

    /// Returns those of the CPUs that a list of the kernel does not contain; all of them if the
    /// list is damaged.
    pub(crate) fn left_out_of(&self, list: &str) -> CpuSet {
        self.cpus.without(&list.trim().parse().unwrap_or_default())
    }

    /// Returns the value of a boot parameter: the word after `name=`, for the last occurrence.
    pub(crate) fn boot_parameter(&self, name: &str) -> Option<&'a str> {
        let words = self.machine.command_line.split_whitespace();
        words.filter_map(|word| word.strip_prefix(name)?.strip_prefix('=')).next_back()
    }

    /// Returns an option of the kernel's build: `y`, a number, or `n` if the configuration can be
    /// read and does not set it.
    pub(crate) fn config(&self, name: &str) -> Option<&str> {
        debug_assert!(KERNEL_OPTIONS.contains(&name), "{name} is not in fingerprints");
        Some(self.machine.installation.as_ref()?.kernel_options.get(name)?)
    }
}

/// Divides the CPUs into those for real-time work and those for everything else. If all CPUs are
/// requested, the core of the first one is kept for everything else, or only that CPU if there is
/// one core: the kernel has its own work, and its first CPU keeps the time. Isolated CPUs are never
/// for everything else.
fn apart(machine: &Machine, asked: &CpuSet) -> (CpuSet, CpuSet) {
    let isolated = machine.isolated_cpus.parse().unwrap_or_default();
    let others = machine.cpus.without(asked);
    if !others.is_empty() {
        return (asked.clone(), others.without(&isolated));
    }
    let first = machine.cpus.iter().next().map(CpuSet::one);
    let Some(first) = first else { return (asked.clone(), others) };
    let shares = |core: &&CpuSet| first.without(core).is_empty();
    let core = machine.smt_siblings.iter().find(shares);
    let kept = core.into_iter().chain([&first]);
    let mut parted = kept.map(|kept| (asked.without(kept), kept.clone()));
    let parted = parted.find(|(work, _)| !work.is_empty());
    parted.unwrap_or_else(|| (asked.clone(), CpuSet::default()))
}
