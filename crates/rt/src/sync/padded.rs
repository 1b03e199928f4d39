//! Padding against false sharing.

use std::ops::Deref;

/// A value on separate cache lines.
///
/// Aligned to 128 bytes, since processors fetch lines in pairs.
#[derive(Debug, Default)]
#[repr(align(128))]
pub struct Padded<T>(pub T);

impl<T> Deref for Padded<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}
