//! The floating-point types with their vectors.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};

#[cfg(target_arch = "aarch64")]
use super::neon::{F32x4, F64x2};
use super::portable::Portable;
use super::vector::Real;
#[cfg(target_arch = "x86_64")]
use super::x86::{F32x8, F32x16, F64x4, F64x8};

macro_rules! real {
    ($float:ty: $bits:ty, $atomic:ty, $guess:literal, $lanes:literal, $neon:ty, $avx2:ty, $avx512:ty) => {
        impl Real for $float {
            type Bits = $bits;
            type Atomic = $atomic;
            const GUESS: $bits = $guess;
            type Scalar = Portable<Self, 1>;
            type Baseline = Portable<Self, $lanes>;
            #[cfg(target_arch = "aarch64")]
            type Neon = $neon;
            #[cfg(target_arch = "x86_64")]
            type Avx2 = $avx2;
            #[cfg(target_arch = "x86_64")]
            type Avx512 = $avx512;

            #[inline(always)]
            fn from_f64(value: f64) -> Self {
                value as Self
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                self.into()
            }
            #[inline(always)]
            fn load(from: &$atomic) -> Self {
                Self::from_bits(from.load(Relaxed))
            }
            #[inline(always)]
            fn store(self, to: &$atomic) {
                to.store(self.to_bits(), Relaxed);
            }
        }
    };
}

real!(f64: u64, AtomicU64, 0x5FE4_0000_0000_0000, 2, F64x2, F64x4, F64x8);
real!(f32: u32, AtomicU32, 0x5F20_0000, 4, F32x4, F32x8, F32x16);
