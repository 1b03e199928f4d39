//! Hashes of the results of models.

use std::fmt;

/// A hash of a sequence of numbers (FNV-1a, one word at a time).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    #[inline]
    pub(crate) fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3);
    }

    pub(crate) fn add_hash(&mut self, other: Self) {
        self.add(other.0);
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}
