//! Vectors as arrays, for any processor.

use std::ops::{Add, Mul, Sub};

use super::isa::Baseline;
use super::vector::{Real, Vector};

/// `N` reals in an array.
#[derive(Debug, Clone, Copy)]
pub struct Portable<T, const N: usize>([T; N]);

impl<T, const N: usize> From<Portable<T, N>> for [T; N] {
    #[inline(always)]
    fn from(vector: Portable<T, N>) -> Self {
        vector.0
    }
}

/// An operator of two vectors.
macro_rules! operator {
    ($float:ty, $operator:ident, $function:ident) => {
        impl<const N: usize> $operator for Portable<$float, N> {
            type Output = Self;
            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                Self(std::array::from_fn(|i| self.0[i].$function(other.0[i])))
            }
        }
    };
}

macro_rules! portable {
    ($float:ty) => {
        operator!($float, Add, add);
        operator!($float, Sub, sub);
        operator!($float, Mul, mul);

        impl<const N: usize> Vector for Portable<$float, N> {
            type Element = $float;
            type Lanes = [$float; N];
            type Isa = Baseline;
            const LANES: usize = N;

            #[inline(always)]
            fn splat(_: Baseline, value: $float) -> Self {
                Self([value; N])
            }
            #[inline(always)]
            fn load(_: Baseline, from: &[$float; N]) -> Self {
                Self(*from)
            }
            #[inline(always)]
            fn mul_add(self, factor: Self, addend: Self) -> Self {
                Self(std::array::from_fn(|i| {
                    self.0[i].mul_add(factor.0[i], addend.0[i])
                }))
            }
            #[inline(always)]
            fn neg_mul_add(self, factor: Self, addend: Self) -> Self {
                Self(std::array::from_fn(|i| {
                    (-self.0[i]).mul_add(factor.0[i], addend.0[i])
                }))
            }
            #[inline(always)]
            fn divided_by(self, divisor: Self) -> Self {
                Self(std::array::from_fn(|i| self.0[i] / divisor.0[i]))
            }
            #[inline(always)]
            fn square_root(self) -> Self {
                Self(self.0.map(<$float>::sqrt))
            }
            #[inline(always)]
            fn max(self, other: Self) -> Self {
                Self(std::array::from_fn(|i| {
                    if self.0[i] > other.0[i] {
                        self.0[i]
                    } else {
                        other.0[i]
                    }
                }))
            }
            #[inline(always)]
            fn where_negative(self, then: Self, otherwise: Self) -> Self {
                Self(std::array::from_fn(|i| {
                    if self.0[i] < 0.0 {
                        then.0[i]
                    } else {
                        otherwise.0[i]
                    }
                }))
            }
            #[inline(always)]
            fn reciprocal_root_guess(self) -> Self {
                Self(self.0.map(|value| {
                    <$float>::from_bits(<$float>::GUESS.wrapping_sub(value.to_bits() >> 1))
                }))
            }
        }
    };
}

portable!(f32);
portable!(f64);
