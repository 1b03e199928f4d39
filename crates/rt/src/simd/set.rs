//! The instruction sets, by name.

use std::fmt;

use super::isa::Baseline;
#[cfg(target_arch = "aarch64")]
use super::isa::Neon;
#[cfg(target_arch = "x86_64")]
use super::isa::{Avx2, Avx512};
use super::vector::{Real, Vector};

base::named! {
    /// An instruction set that has its own vector types.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum InstructionSet {
        /// The instructions that every processor of the architecture has.
        Baseline = "baseline",
        /// 64-bit ARM: 128-bit vectors.
        Neon = "neon",
        /// x86-64 with AVX2 and FMA: 256-bit vectors.
        Avx2 = "avx2",
        /// x86-64 with AVX-512 F and DQ: 512-bit vectors.
        Avx512 = "avx512",
    }
}

/// Work over vectors of any width, to be done with those of one instruction set.
pub trait Generic<T: Real> {
    /// The result of the work.
    type Output;
    /// Does the work with vectors `V`.
    fn with<V: Vector<Element = T>>(self, isa: V::Isa) -> Self::Output;
}

impl InstructionSet {
    /// Returns the sets that this processor has, the widest last.
    pub fn available() -> impl Iterator<Item = Self> {
        struct Nothing;
        impl Generic<f64> for Nothing {
            type Output = ();
            fn with<V: Vector<Element = f64>>(self, _: V::Isa) {}
        }
        Self::ALL.into_iter().filter(|set| set.with::<f64, _>(Nothing).is_some())
    }

    /// Returns the widest set that this processor has.
    #[must_use]
    pub fn best() -> Self {
        Self::available().last().unwrap_or(Self::Baseline)
    }

    /// Does the work with the vectors of this set; `None` if the processor does not have it.
    pub fn with<T: Real, G: Generic<T>>(self, work: G) -> Option<G::Output> {
        match self {
            Self::Baseline => Some(work.with::<T::Baseline>(Baseline::detect())),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => Neon::detect().map(|isa| work.with::<T::Neon>(isa)),
            #[cfg(not(target_arch = "aarch64"))]
            Self::Neon => None,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => Avx2::detect().map(|isa| work.with::<T::Avx2>(isa)),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => Avx512::detect().map(|isa| work.with::<T::Avx512>(isa)),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => None,
        }
    }
}

impl fmt::Display for InstructionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation on lanes of odd and special values.
    struct Operations<T>(Vec<[T; 3]>);

    impl<T: Real> Generic<T> for Operations<T> {
        type Output = Vec<Vec<u64>>;
        fn with<V: Vector<Element = T>>(self, isa: V::Isa) -> Self::Output {
            let bits = |vector: V| {
                let lanes = V::Lanes::from(vector);
                lanes.as_ref()[0].to_f64().to_bits()
            };
            let results = |[a, b, c]: [T; 3]| {
                let [a, b, c] = [a, b, c].map(|value| V::splat(isa, value));
                let all = [
                    a + b,
                    a - b,
                    a * b,
                    a.mul_add(b, c),
                    a.neg_mul_add(b, c),
                    a.divided_by(c * c + V::splat(isa, T::from_f64(1.0))),
                    (a * a).square_root(),
                    a.max(b),
                    a.where_negative(b, c),
                    a.reciprocal_root_guess(),
                    V::load(isa, &V::Lanes::from(a)),
                ];
                all.map(bits).to_vec()
            };
            self.0.into_iter().map(results).collect()
        }
    }

    fn equal_in_all_sets<T: Real>() {
        let values = [0.0, -0.0, 1.0, -1.5, 0.1, 1.0 / 3.0, 7e15, 3e-20, -2e-9].map(T::from_f64);
        let triples = || {
            let pairs = values.iter().flat_map(|a| values.iter().map(move |b| (a, b)));
            pairs.flat_map(|(a, b)| values.iter().map(|c| [*a, *b, *c])).collect()
        };
        let expected = InstructionSet::Baseline.with::<T, _>(Operations(triples()));
        for set in InstructionSet::available() {
            assert_eq!(set.with::<T, _>(Operations(triples())), expected, "{set}");
        }
    }

    #[test]
    fn all_sets_give_equal_bits() {
        equal_in_all_sets::<f32>();
        equal_in_all_sets::<f64>();
    }

    #[test]
    fn a_guess_is_within_its_bounds() {
        struct Guess<T>(T);
        impl<T: Real> Generic<T> for Guess<T> {
            type Output = f64;
            fn with<V: Vector<Element = T>>(self, isa: V::Isa) -> f64 {
                let guess = V::splat(isa, self.0).reciprocal_root_guess();
                V::Lanes::from(guess).as_ref()[0].to_f64()
            }
        }
        for step in 0..4000 {
            let value = 1e-9 * 1.01_f64.powi(step);
            let guess = InstructionSet::Baseline.with(Guess(value)).unwrap();
            assert!((0.75..0.844).contains(&(value * guess * guess)), "{value}");
        }
        for step in 0..4000 {
            let value = (1e-9 * 1.01_f64.powi(step)) as f32;
            let guess = InstructionSet::Baseline.with(Guess(value)).unwrap();
            let product = f64::from(value) * guess * guess;
            assert!((0.749..0.845).contains(&product), "{value}");
        }
    }
}
