//! Vectors of AVX2 with FMA and of AVX-512.

use std::arch::x86_64::*;

use super::isa::{Avx2, Avx512};
use super::register::{functions, vector};
use super::vector::Real;

/// Brings all cache lines of a value into the second-level cache.
#[inline(always)]
pub(super) fn prefetch<T>(value: &T) {
    let start = std::ptr::from_ref(value).cast::<i8>();
    for offset in (0..size_of::<T>()).step_by(64) {
        // SAFETY: a prefetch changes nothing and never faults; the address is within the value.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(start.add(offset)) };
    }
}

vector!(F64x4: f64, 4, __m256d, Avx2;
_mm256_add_pd _mm256_sub_pd _mm256_mul_pd _mm256_set1_pd _mm256_loadu_pd
_mm256_storeu_pd _mm256_fmadd_pd _mm256_fnmadd_pd _mm256_div_pd _mm256_sqrt_pd _mm256_max_pd;
where_negative(value, then, otherwise) {
    let negative = _mm256_cmp_pd::<_CMP_LT_OQ>(value, _mm256_setzero_pd());
    _mm256_blendv_pd(otherwise, then, negative)
}
guess(value) {
    let half = _mm256_srli_epi64::<1>(_mm256_castpd_si256(value));
    let from = _mm256_set1_epi64x(f64::GUESS.cast_signed());
    _mm256_castsi256_pd(_mm256_sub_epi64(from, half))
});

vector!(F32x8: f32, 8, __m256, Avx2;
_mm256_add_ps _mm256_sub_ps _mm256_mul_ps _mm256_set1_ps _mm256_loadu_ps
_mm256_storeu_ps _mm256_fmadd_ps _mm256_fnmadd_ps _mm256_div_ps _mm256_sqrt_ps _mm256_max_ps;
where_negative(value, then, otherwise) {
    let negative = _mm256_cmp_ps::<_CMP_LT_OQ>(value, _mm256_setzero_ps());
    _mm256_blendv_ps(otherwise, then, negative)
}
guess(value) {
    let half = _mm256_srli_epi32::<1>(_mm256_castps_si256(value));
    let from = _mm256_set1_epi32(f32::GUESS.cast_signed());
    _mm256_castsi256_ps(_mm256_sub_epi32(from, half))
});

vector!(F64x8: f64, 8, __m512d, Avx512;
_mm512_add_pd _mm512_sub_pd _mm512_mul_pd _mm512_set1_pd _mm512_loadu_pd
_mm512_storeu_pd _mm512_fmadd_pd _mm512_fnmadd_pd _mm512_div_pd _mm512_sqrt_pd _mm512_max_pd;
where_negative(value, then, otherwise) {
    let negative = _mm512_cmp_pd_mask::<_CMP_LT_OQ>(value, _mm512_setzero_pd());
    _mm512_mask_blend_pd(negative, otherwise, then)
}
guess(value) {
    let half = _mm512_srli_epi64::<1>(_mm512_castpd_si512(value));
    let from = _mm512_set1_epi64(f64::GUESS.cast_signed());
    _mm512_castsi512_pd(_mm512_sub_epi64(from, half))
});

vector!(F32x16: f32, 16, __m512, Avx512;
_mm512_add_ps _mm512_sub_ps _mm512_mul_ps _mm512_set1_ps _mm512_loadu_ps
_mm512_storeu_ps _mm512_fmadd_ps _mm512_fnmadd_ps _mm512_div_ps _mm512_sqrt_ps _mm512_max_ps;
where_negative(value, then, otherwise) {
    let negative = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(value, _mm512_setzero_ps());
    _mm512_mask_blend_ps(negative, otherwise, then)
}
guess(value) {
    let half = _mm512_srli_epi32::<1>(_mm512_castps_si512(value));
    let from = _mm512_set1_epi32(f32::GUESS.cast_signed());
    _mm512_castsi512_ps(_mm512_sub_epi32(from, half))
});
