//! What checks look at.

use std::cell::OnceCell;

use plan::Machine;
use units::CpuSet;

use crate::Tree;

/// A machine as checks see it.
#[derive(Debug)]
pub struct Seen<'a> {
    pub(crate) machine: &'a Machine,
    pub(crate) tree: Tree,
    /// CPUs on which real-time work is to run.
    pub(crate) cpus: &'a CpuSet,
    config: OnceCell<Option<String>>,
}

impl<'a> Seen<'a> {
    pub(crate) fn new(machine: &'a Machine, tree: Tree, cpus: &'a CpuSet) -> Self {
        Self {
            machine,
            tree,
            cpus,
            config: OnceCell::new(),
        }
    }

    /// CPUs that are left for everything else.
    pub(crate) fn others(&self) -> CpuSet {
        self.machine.cpus.without(self.cpus)
    }

    /// `CPU 1`, `CPUs 0-3,5`.
    pub(crate) fn cpus_in_words(&self) -> String {
        let plural = if self.cpus.len() == 1 { "" } else { "s" };
        format!("CPU{plural} {}", self.cpus)
    }

    /// Which of the CPUs a list of the kernel's leaves out; all where it is damaged.
    pub(crate) fn left_out_of(&self, list: &str) -> CpuSet {
        self.cpus.without(&list.trim().parse().unwrap_or_default())
    }

    /// What the kernel was asked at boot: the word after `name=`, the last one given.
    pub(crate) fn boot_parameter(&self, name: &str) -> Option<&'a str> {
        let words = self.machine.command_line.split_whitespace();
        words
            .filter_map(|word| word.strip_prefix(name)?.strip_prefix('='))
            .next_back()
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
