//! Resolves the ways in which a description refers to variables.

use std::collections::HashMap;

use super::version::FmiVersion;

/// All variables to which a description can refer.
pub(super) struct Targets {
    version: FmiVersion,
    count: usize,
    by_reference: HashMap<u32, usize>,
}

impl Targets {
    /// Indexes variables by these value references, in their order. If several have the same one,
    /// the first counts.
    pub(super) fn new(version: FmiVersion, references: impl Iterator<Item = u32>) -> Self {
        let (mut count, mut by_reference) = (0, HashMap::new());
        for reference in references {
            by_reference.entry(reference).or_insert(count);
            count += 1;
        }
        Self { version, count, by_reference }
    }

    /// Returns the place to which a number refers: FMI 2 counts variables from 1, FMI 3 uses their
    /// value references.
    pub(super) fn place(&self, number: u32) -> Option<usize> {
        match self.version {
            FmiVersion::V2 => (number as usize).checked_sub(1).filter(|place| *place < self.count),
            FmiVersion::V3 => self.with_reference(number),
        }
    }

    /// Returns the place of the variable with a value reference.
    pub(super) fn with_reference(&self, reference: u32) -> Option<usize> {
        self.by_reference.get(&reference).copied()
    }
}
