//! Vectors and their reals, as traits.

use std::fmt::Debug;
use std::ops::{Add, Mul, Sub};

#[cfg(target_arch = "aarch64")]
use super::isa::Neon;
#[cfg(target_arch = "x86_64")]
use super::isa::{Avx2, Avx512};
use super::isa::{Baseline, Isa};

/// Several reals that are computed on together, each lane separately.
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

    /// Sets all lanes to the same value.
    fn splat(isa: Self::Isa, value: Self::Element) -> Self;
    /// Reads all lanes.
    fn load(isa: Self::Isa, from: &Self::Lanes) -> Self;
    /// `self * factor + addend`, rounded once.
    fn mul_add(self, factor: Self, addend: Self) -> Self;
    /// `addend - self * factor`, rounded once.
    fn neg_mul_add(self, factor: Self, addend: Self) -> Self;
    /// `self / divisor`.
    fn divided_by(self, divisor: Self) -> Self;
    /// The square root of each lane.
    fn square_root(self) -> Self;
    /// `self` where it is greater, else `other`.
    fn max(self, other: Self) -> Self;
    /// `then` where `self` is below zero, else `otherwise`.
    fn where_negative(self, then: Self, otherwise: Self) -> Self;
    /// A guess `g` of `1 / sqrt(self)` with `self g^2` between 0.75 and 0.844, for normal positive
    /// numbers: a real's bits grow like its logarithm, so halving and negating them gives the
    /// reciprocal root.
    fn reciprocal_root_guess(self) -> Self;
}

/// A binary floating-point type, `f32` or `f64`, with its vectors.
pub trait Real: Copy + Default + PartialEq + Debug + Send + Sync + 'static {
    /// The bits as a whole number.
    type Bits;
    /// The type in memory that several threads read and write.
    type Atomic: Default + Debug + Send + Sync;
    /// The constant from which [`Vector::reciprocal_root_guess`] subtracts the halved bits: one and
    /// a half times the bits of 1, less a quarter in the exponent's place.
    const GUESS: Self::Bits;
    /// One lane, for code that takes one number at a time.
    type Scalar: Vector<Element = Self, Isa = Baseline>;
    /// The vectors of [`super::InstructionSet::Baseline`].
    type Baseline: Vector<Element = Self, Isa = Baseline>;
    /// The vectors of [`super::InstructionSet::Neon`].
    #[cfg(target_arch = "aarch64")]
    type Neon: Vector<Element = Self, Isa = Neon>;
    /// The vectors of [`super::InstructionSet::Avx2`].
    #[cfg(target_arch = "x86_64")]
    type Avx2: Vector<Element = Self, Isa = Avx2>;
    /// The vectors of [`super::InstructionSet::Avx512`].
    #[cfg(target_arch = "x86_64")]
    type Avx512: Vector<Element = Self, Isa = Avx512>;

    /// Returns the nearest value of this type.
    fn from_f64(value: f64) -> Self;
    /// Returns the same value, exactly.
    fn to_f64(self) -> f64;
    /// Reads a shared value (relaxed); other code must order the access.
    fn load(from: &Self::Atomic) -> Self;
    /// Writes a shared value (relaxed); other code must order the access.
    fn store(self, to: &Self::Atomic);
}
