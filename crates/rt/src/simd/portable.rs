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

/// Defines functions of vectors by their operation in lane `$lane`.
macro_rules! lanewise {
    ($lane:ident; $($function:ident($self:ident $(, $other:ident)*) $value:expr;)+) => {$(
        #[inline(always)]
        fn $function($self $(, $other: Self)*) -> Self {
            Self(std::array::from_fn(|$lane| $value))
        }
    )+};
}

macro_rules! portable {
    ($float:ty) => {
        impl<const N: usize> Add for Portable<$float, N> {
            type Output = Self;
            lanewise! { i; add(self, other) self.0[i] + other.0[i]; }
        }

        impl<const N: usize> Sub for Portable<$float, N> {
            type Output = Self;
            lanewise! { i; sub(self, other) self.0[i] - other.0[i]; }
        }

        impl<const N: usize> Mul for Portable<$float, N> {
            type Output = Self;
            lanewise! { i; mul(self, other) self.0[i] * other.0[i]; }
        }

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
            lanewise! {
                i;
                mul_add(self, factor, addend) self.0[i].mul_add(factor.0[i], addend.0[i]);
                neg_mul_add(self, factor, addend) (-self.0[i]).mul_add(factor.0[i], addend.0[i]);
                divided_by(self, divisor) self.0[i] / divisor.0[i];
                square_root(self) self.0[i].sqrt();
                max(self, other) if self.0[i] > other.0[i] { self.0[i] } else { other.0[i] };
                where_negative(self, then, otherwise)
                    if self.0[i] < 0.0 { then.0[i] } else { otherwise.0[i] };
                reciprocal_root_guess(self)
                    <$float>::from_bits(<$float>::GUESS.wrapping_sub(self.0[i].to_bits() >> 1));
            }
        }
    };
}

portable!(f32);
portable!(f64);
