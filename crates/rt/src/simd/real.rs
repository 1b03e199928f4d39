//! The floating-point types and their vectors.

use std::fmt::Debug;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};

#[cfg(target_arch = "x86_64")]
use super::x86;
use super::{Baseline, Portable, Vector};

/// A binary floating-point type, `f32` or `f64`, with its vectors.
pub trait Real: Copy + Default + PartialEq + Debug + Send + Sync + 'static {
    /// The bits as a whole number.
    type Bits;
    /// The type in memory that several threads read and write.
    type Atomic: Default + Debug + Send + Sync;
    /// What [`Vector::reciprocal_root_guess`] takes the halved bits from: one and a
    /// half times the bits of 1, less a quarter in the exponent's place.
    const GUESS: Self::Bits;
    /// One lane, for code that takes one number at a time.
    type Scalar: Vector<Element = Self, Isa = Baseline>;
    /// The vectors of [`super::InstructionSet::Baseline`].
    type Baseline: Vector<Element = Self, Isa = Baseline>;
    /// The vectors of [`super::InstructionSet::Avx2`].
    #[cfg(target_arch = "x86_64")]
    type Avx2: Vector<Element = Self, Isa = x86::Avx2>;
    /// The vectors of [`super::InstructionSet::Avx512`].
    #[cfg(target_arch = "x86_64")]
    type Avx512: Vector<Element = Self, Isa = x86::Avx512>;

    /// The nearest value of this type.
    fn from_f64(value: f64) -> Self;
    /// The same value, exactly.
    fn to_f64(self) -> f64;
    /// Reads a shared value; something else must order it (relaxed).
    fn load(from: &Self::Atomic) -> Self;
    /// Writes a shared value; something else must order it (relaxed).
    fn store(self, to: &Self::Atomic);
}

impl Real for f64 {
    type Bits = u64;
    type Atomic = AtomicU64;
    const GUESS: u64 = 0x5FE4_0000_0000_0000;
    type Scalar = Portable<Self, 1>;
    type Baseline = Portable<Self, 2>;
    #[cfg(target_arch = "x86_64")]
    type Avx2 = x86::F64x4;
    #[cfg(target_arch = "x86_64")]
    type Avx512 = x86::F64x8;

    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }
    #[inline(always)]
    fn load(from: &AtomicU64) -> Self {
        Self::from_bits(from.load(Relaxed))
    }
    #[inline(always)]
    fn store(self, to: &AtomicU64) {
        to.store(self.to_bits(), Relaxed);
    }
}

impl Real for f32 {
    type Bits = u32;
    type Atomic = AtomicU32;
    const GUESS: u32 = 0x5F20_0000;
    type Scalar = Portable<Self, 1>;
    type Baseline = Portable<Self, 4>;
    #[cfg(target_arch = "x86_64")]
    type Avx2 = x86::F32x8;
    #[cfg(target_arch = "x86_64")]
    type Avx512 = x86::F32x16;

    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value as Self
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
    #[inline(always)]
    fn load(from: &AtomicU32) -> Self {
        Self::from_bits(from.load(Relaxed))
    }
    #[inline(always)]
    fn store(self, to: &AtomicU32) {
        to.store(self.to_bits(), Relaxed);
    }
}
