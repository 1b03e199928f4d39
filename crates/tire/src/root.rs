//! Reciprocal square roots that are the same on every processor.

use rt::simd::{Real, Vector};

/// A factor over sqrt(s) to within two units in the last place of `f64`, by
/// multiplications alone, and without the processor's reciprocal estimates, which
/// differ between makers.
///
/// A guess y from the bits; one Newton step; then y times the binomial series of
/// (1 - e)^(-1/2), where e = 1 - s y² is small, which has the factor in it.
#[derive(Debug, Clone, Copy)]
pub struct FactorOverRoot<V> {
    newton: V,
    unit: V,
    series: [V; 5],
}

/// What s y² comes near to after Newton's step without its factor, and how far from it.
const OF_STEPS: f64 = 2.017_990_832_521_8;
const LARGEST_REST: f64 = 1.3e-3;
/// Newton's step y (3/2 - s y²/2) but for a factor, as y (NEWTON - s y²), which spreads
/// its error to both sides.
const NEWTON: f64 = 2.389_254_691_579_288;
/// 1, 1/2, 3/8, ...: the series of (1 - e)^(-1/2).
const BINOMIAL: [f64; 6] = [1.0, 0.5, 3.0 / 8.0, 5.0 / 16.0, 35.0 / 128.0, 63.0 / 256.0];

impl<V: Vector> FactorOverRoot<V> {
    /// Spreads the constants over the lanes.
    #[inline(always)]
    pub fn new(isa: V::Isa, factor: V) -> Self {
        let all = |value| V::splat(isa, V::Element::from_f64(value));
        Self {
            newton: all(NEWTON),
            unit: all(OF_STEPS),
            series: series().map(|term| all(term) * factor),
        }
    }

    /// The factor over the root of a normal positive number, plus an addend.
    #[inline(always)]
    pub fn plus(&self, square: V, addend: V) -> V {
        let guess = square.reciprocal_root_guess();
        let root = square * guess;
        let step = root.neg_mul_add(guess, self.newton);
        let value = guess * step;
        let rest = (root * step).neg_mul_add(value, self.unit);
        let [c0, c1, c2, c3, c4] = self.series;
        let upper = c4.mul_add(rest, c3).mul_add(rest, c2);
        let series = upper.mul_add(rest, c1).mul_add(rest, c0);
        value.mul_add(series, addend)
    }
}

/// The series of `OF_STEPS - s y²` instead of 1 - s y² to its fourth power, with the
/// fifth spread over the lower ones (Chebyshev economisation up to the largest rest).
fn series() -> [f64; 5] {
    let square = LARGEST_REST * LARGEST_REST;
    let mut series = BINOMIAL;
    series[3] += BINOMIAL[5] * square * 5.0 / 4.0;
    series[1] -= BINOMIAL[5] * square * square * 5.0 / 16.0;
    let mut scale = 1.0 / OF_STEPS.sqrt();
    [0, 1, 2, 3, 4].map(|power| {
        let term = series[power] * scale;
        scale /= OF_STEPS;
        term
    })
}

#[cfg(test)]
mod tests {
    use rt::simd::{Baseline, Portable};

    use super::*;

    type One = Portable<f64, 1>;

    fn root(square: f64) -> f64 {
        let isa = Baseline::detect();
        let [one, square, zero] = [1.0, square, 0.0].map(|value| One::splat(isa, value));
        let factor = FactorOverRoot::new(isa, one);
        <[f64; 1]>::from(factor.plus(square, zero))[0]
    }

    #[test]
    fn roots_are_good_to_two_units_in_the_last_place() {
        // Over four octaves.
        for i in 0..28_000 {
            let square = 1.0001_f64.powi(i);
            let root = root(square);
            // 1 - s y², without a rounding that counts, is twice the error of y.
            let (high, low) = (root * root, root.mul_add(root, -(root * root)));
            let error = (high.mul_add(square, -1.0) + low * square).abs() / 2.0;
            assert!(error < 2.0 * f64::EPSILON, "{error} of {square}");
        }
    }

    #[test]
    fn the_tiniest_lengths_have_a_root() {
        for square in [1e-30, 1e-24] {
            let root = root(square);
            assert!((root * root * square - 1.0).abs() < 1e-15);
        }
    }
}
