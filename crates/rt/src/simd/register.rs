//! A vector that is a register of the processor: the same for all instruction sets, except for the
//! names of the intrinsics.

/// Defines functions of vectors by their intrinsics.
macro_rules! functions {
    ($($function:ident($self:ident $(, $other:ident)*) $value:expr;)+) => {$(
        #[inline(always)]
        fn $function($self $(, $other: Self)*) -> Self {
            // SAFETY: a vector is only created with the proof of its instruction set.
            Self(unsafe { $value })
        }
    )+};
}

macro_rules! vector {
    ($vector:ident: $float:ty, $lanes:literal, $register:ty, $isa:ty;
     $add:ident $sub:ident $mul:ident $set:ident $load:ident $store:ident
     $fma:ident $fnma:ident $div:ident $sqrt:ident $max:ident;
     where_negative($value:ident, $then:ident, $otherwise:ident) $where_negative:block
     guess($number:ident) $guess:block) => {
        #[doc = concat!(stringify!($lanes), " lanes of `", stringify!($float), "`.")]
        #[derive(Debug, Clone, Copy)]
        pub struct $vector($register);

        impl std::ops::Add for $vector {
            type Output = Self;
            functions! { add(self, other) $add(self.0, other.0); }
        }
        impl std::ops::Sub for $vector {
            type Output = Self;
            functions! { sub(self, other) $sub(self.0, other.0); }
        }
        impl std::ops::Mul for $vector {
            type Output = Self;
            functions! { mul(self, other) $mul(self.0, other.0); }
        }

        impl From<$vector> for [$float; $lanes] {
            #[inline(always)]
            fn from(vector: $vector) -> Self {
                let mut lanes = [0.0; $lanes];
                // SAFETY: the array has room for all lanes, and a vector is only created with the
                // proof of its instruction set.
                unsafe { $store(lanes.as_mut_ptr(), vector.0) };
                lanes
            }
        }

        impl $crate::simd::Vector for $vector {
            type Element = $float;
            type Lanes = [$float; $lanes];
            type Isa = $isa;
            const LANES: usize = $lanes;

            #[inline(always)]
            fn splat(_: $isa, value: $float) -> Self {
                // SAFETY: `isa` proves the instruction set.
                Self(unsafe { $set(value) })
            }
            #[inline(always)]
            fn load(_: $isa, from: &[$float; $lanes]) -> Self {
                // SAFETY: the array has all lanes; `isa` proves the instruction set.
                Self(unsafe { $load(from.as_ptr()) })
            }
            functions! {
                mul_add(self, factor, addend) $fma(self.0, factor.0, addend.0);
                neg_mul_add(self, factor, addend) $fnma(self.0, factor.0, addend.0);
                divided_by(self, divisor) $div(self.0, divisor.0);
                square_root(self) $sqrt(self.0);
                max(self, other) $max(self.0, other.0);
                where_negative(self, then, otherwise) {
                    let ($value, $then, $otherwise) = (self.0, then.0, otherwise.0);
                    $where_negative
                };
                reciprocal_root_guess(self) {
                    let $number = self.0;
                    $guess
                };
            }
        }
    };
}

pub(super) use {functions, vector};
