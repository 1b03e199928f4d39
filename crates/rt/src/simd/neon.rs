//! NEON vectors, which every 64-bit ARM processor has.

use std::arch::aarch64::*;
use std::arch::asm;

use super::isa::Neon;
use super::register::{functions, vector};
use super::vector::Real;

/// Brings all cache lines of a value into the second-level cache.
#[inline(always)]
pub(super) fn prefetch<T>(value: &T) {
    let start = std::ptr::from_ref(value).cast::<i8>();
    for offset in (0..size_of::<T>()).step_by(64) {
        // SAFETY: a prefetch changes nothing and never faults.
        unsafe {
            asm!(
                "prfm pldl2keep, [{line}]",
                line = in(reg) start.wrapping_add(offset),
                options(nostack, preserves_flags, readonly)
            );
        }
    }
}

/// Defines functions that take their arguments in the order of the other instruction sets: factors
/// before the addend; and the maximum of two zeros, or of values that are not both numbers, is the
/// second one.
macro_rules! in_order {
    ($register:ty; $fma:ident = $neon_fma:ident, $fnma:ident = $neon_fms:ident,
     $max:ident = $select:ident $greater:ident) => {
        #[inline(always)]
        unsafe fn $fma(value: $register, factor: $register, addend: $register) -> $register {
            // SAFETY: the caller has the instruction set.
            unsafe { $neon_fma(addend, value, factor) }
        }
        #[inline(always)]
        unsafe fn $fnma(value: $register, factor: $register, addend: $register) -> $register {
            // SAFETY: the caller has the instruction set.
            unsafe { $neon_fms(addend, value, factor) }
        }
        #[inline(always)]
        unsafe fn $max(first: $register, second: $register) -> $register {
            // SAFETY: the caller has the instruction set.
            unsafe { $select($greater(first, second), first, second) }
        }
    };
}

in_order!(float64x2_t; fma_f64 = vfmaq_f64, fnma_f64 = vfmsq_f64, max_f64 = vbslq_f64 vcgtq_f64);
in_order!(float32x4_t; fma_f32 = vfmaq_f32, fnma_f32 = vfmsq_f32, max_f32 = vbslq_f32 vcgtq_f32);

vector!(F64x2: f64, 2, float64x2_t, Neon;
vaddq_f64 vsubq_f64 vmulq_f64 vdupq_n_f64 vld1q_f64
vst1q_f64 fma_f64 fnma_f64 vdivq_f64 vsqrtq_f64 max_f64;
where_negative(value, then, otherwise) { vbslq_f64(vcltzq_f64(value), then, otherwise) }
guess(value) {
    let half = vshrq_n_u64::<1>(vreinterpretq_u64_f64(value));
    vreinterpretq_f64_u64(vsubq_u64(vdupq_n_u64(f64::GUESS), half))
});

vector!(F32x4: f32, 4, float32x4_t, Neon;
vaddq_f32 vsubq_f32 vmulq_f32 vdupq_n_f32 vld1q_f32
vst1q_f32 fma_f32 fnma_f32 vdivq_f32 vsqrtq_f32 max_f32;
where_negative(value, then, otherwise) { vbslq_f32(vcltzq_f32(value), then, otherwise) }
guess(value) {
    let half = vshrq_n_u32::<1>(vreinterpretq_u32_f32(value));
    vreinterpretq_f32_u32(vsubq_u32(vdupq_n_u32(f32::GUESS), half))
});
