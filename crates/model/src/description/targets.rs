//! What a description's ways of naming another variable mean.

use std::collections::HashMap;

use super::version::FmiVersion;

/// All variables that can be referred to.
pub(super) struct Targets {
    version: FmiVersion,
    count: usize,
    by_reference: HashMap<u32, usize>,
}

impl Targets {
    /// Of variables with such value references, in their order; the first of several with the
    /// same one is meant.
    pub(super) fn new(version: FmiVersion, references: impl Iterator<Item = u32>) -> Self {
        let (mut count, mut by_reference) = (0, HashMap::new());
        for reference in references {
            by_reference.entry(reference).or_insert(count);
            count += 1;
        }
        Self { version, count, by_reference }
    }

    /// The place that a number means: FMI 2 counts variables from 1, FMI 3 has their value
    /// references.
    pub(super) fn place(&self, told: u32) -> Option<usize> {
        match self.version {
            FmiVersion::V2 => (told as usize).checked_sub(1).filter(|place| *place < self.count),
            FmiVersion::V3 => self.with_reference(told),
        }
    }

    /// The place of the variable of a value reference.
    pub(super) fn with_reference(&self, reference: u32) -> Option<usize> {
        self.by_reference.get(&reference).copied()
    }
}
