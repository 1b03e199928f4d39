//! What checks look at.

use std::cell::OnceCell;

use plan::Machine;
use units::CpuSet;

use crate::{Tree, Turns};

/// A machine as checks see it.
#[derive(Debug)]
pub struct Seen<'a> {
    pub(crate) machine: &'a Machine,
    pub(crate) tree: Tree,
    /// CPUs on which real-time work is to run.
    pub(crate) cpus: CpuSet,
    /// CPUs that are left for everything else.
    pub(crate) others: CpuSet,
    /// What came of letting a thread have its turn on every CPU.
    pub(crate) turns: Option<&'a Turns>,
    config: OnceCell<Option<String>>,
}

impl<'a> Seen<'a> {
    pub(crate) fn new(
        machine: &'a Machine,
        tree: Tree,
        asked: &CpuSet,
        turns: Option<&'a Turns>,
    ) -> Self {
        let (cpus, others) = apart(machine, asked);
        Self { machine, tree, cpus, others, turns, config: OnceCell::new() }
    }

    /// `CPU 1`, `CPUs 0-3,5`.
    pub(crate) fn cpus_in_words(&self) -> String {
        in_words(&self.cpus)
    }

    /// The real-time core beside Linux that measured threads run on, by its name.
    pub(crate) fn core_beside_linux(&self) -> Option<&'a str> {
        self.machine.core_beside_linux()
    }

    /// Which of the CPUs a list of the kernel's leaves out; all where it is damaged.
    pub(crate) fn left_out_of(&self, list: &str) -> CpuSet {
        self.cpus.without(&list.trim().parse().unwrap_or_default())
    }

    /// What the kernel was asked at boot: the word after `name=`, the last one given.
    pub(crate) fn boot_parameter(&self, name: &str) -> Option<&'a str> {
        let words = self.machine.command_line.split_whitespace();
        words.filter_map(|word| word.strip_prefix(name)?.strip_prefix('=')).next_back()
    }

    /// An option of the kernel's build: `y`, a number, or `n` where the configuration is
    /// told and does not set it.
    pub(crate) fn config(&self, name: &str) -> Option<&str> {
        let config = self.config.get_or_init(|| {
            let text = self.tree.kernel_config(&self.machine.kernel_release);
            text.filter(|text| text.contains("CONFIG_"))
        });
        let set = |line: &'_ str| line.strip_prefix(name).is_some_and(|l| l.starts_with('='));
        let line = config.as_ref()?.lines().find(|line| set(line));
        Some(line.map_or("n", |line| &line[name.len() + 1..]))
    }
}

/// `CPU 1`, `CPUs 0-3,5`.
pub(crate) fn in_words(cpus: &CpuSet) -> String {
    let plural = if cpus.len() == 1 { "" } else { "s" };
    format!("CPU{plural} {cpus}")
}

/// The CPUs for real-time work, and those left for everything else. Where all are asked
/// for, the core of the first one is kept, or that CPU alone where there is one core: the
/// kernel has work of its own, and its first CPU keeps the time.
fn apart(machine: &Machine, asked: &CpuSet) -> (CpuSet, CpuSet) {
    let others = machine.cpus.without(asked);
    let first = machine.cpus.iter().next().map(CpuSet::one);
    let (true, Some(first)) = (others.is_empty(), first) else {
        return (asked.clone(), others);
    };
    let shares = |core: &&CpuSet| first.without(core).is_empty();
    let core = machine.smt_siblings.iter().find(shares);
    let kept = core.into_iter().chain([&first]);
    let mut parted = kept.map(|kept| (asked.without(kept), kept.clone()));
    let parted = parted.find(|(work, _)| !work.is_empty());
    parted.unwrap_or_else(|| (asked.clone(), CpuSet::default()))
}
