//! Vectors of reals for arithmetic that must run at the speed of the machine and
//! give the same bits on every machine.
//!
//! A kernel is written over [`Vector`] and compiled once for each instruction
//! set. All operations are exact IEEE 754 ones that act on each lane alone, so a
//! kernel without exchange between lanes gives equal bits whatever the number of
//! lanes. The processors' reciprocal estimates are left out on purpose: they differ
//! between makers. Written over `std::arch` because ten small operations a type are
//! less to read, and to trust, than a library of all of them.

mod portable;
mod real;
mod set;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::fmt::Debug;
use std::ops::{Add, Mul, Sub};

pub use portable::{Baseline, Portable};
pub use real::Real;
pub use set::{Generic, InstructionSet, UnknownInstructionSet};

/// Proof that this processor has an instruction set; only its detection makes one.
pub trait Isa: Copy + Debug + Send + Sync + 'static {
    /// Runs work compiled for this instruction set.
    ///
    /// Mark the closure, and all it calls, `#[inline(always)]`: only what is inlined
    /// gets the set's instructions.
    fn run<R>(self, work: impl FnOnce() -> R) -> R;
}

/// Some reals that are computed on together, each lane for itself.
pub trait Vector:
    Copy + Debug + Send + Sync + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + 'static
{
    /// The type of one lane.
    type Element: Real;
    /// The lanes in memory.
    type Lanes: Copy
        + Debug
        + Send
        + Sync
        + AsRef<[Self::Element]>
        + AsMut<[Self::Element]>
        + From<Self>
        + 'static;
    /// The instruction set this type needs.
    type Isa: Isa;
    /// Number of lanes.
    const LANES: usize;

    /// The same value in all lanes.
    fn splat(isa: Self::Isa, value: Self::Element) -> Self;
    /// Reads all lanes.
    fn load(isa: Self::Isa, from: &Self::Lanes) -> Self;
    /// `self * factor + addend`, rounded once.
    fn mul_add(self, factor: Self, addend: Self) -> Self;
    /// `addend - self * factor`, rounded once.
    fn neg_mul_add(self, factor: Self, addend: Self) -> Self;
    /// `self / divisor`.
    fn divided_by(self, divisor: Self) -> Self;
    /// The square root.
    fn square_root(self) -> Self;
    /// `self` where it is greater, else `other`.
    fn max(self, other: Self) -> Self;
    /// `then` where `self` is below zero, else `otherwise`.
    fn where_negative(self, then: Self, otherwise: Self) -> Self;
    /// A guess `g` of `1 / sqrt(self)` with `self g^2` between 0.75 and 0.844, for
    /// normal positive numbers: a real's bits grow like its logarithm, so that
    /// halving and negating them takes the reciprocal root.
    fn reciprocal_root_guess(self) -> Self;
}

/// Asks for a value to be brought near the processor, for use a little later; never
/// waits.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    x86::prefetch(value);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
