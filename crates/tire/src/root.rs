//! Reciprocal square roots that are the same on every processor.

use rt::simd::{Real, Vector};

/// A factor divided by sqrt(s), accurate to two units in the last place. It uses multiplications
/// alone and not the processor's reciprocal estimates, which differ between vendors.
///
/// The value comes from a guess y from the bits of s, then, for `f64` only, one Newton step, then y
/// times the binomial series of (1 - e)^(-1/2), where e = 1 - s y² is small. The factor is
/// contained in the series.
#[derive(Debug, Clone, Copy)]
pub struct FactorOverRoot<V> {
    newton: V,
    unit: V,
    series: [V; 5],
}

/// The centre of the range of s y² and its largest distance from there: for the guesses, and after
/// Newton's step without its factor.
const OF_GUESSES: (f64, f64) = (0.797, 0.0595);
const OF_STEPS: (f64, f64) = (2.017_990_832_521_8, 1.3e-3);
/// Newton's step y (3/2 - s y²/2) up to a factor, written as y (NEWTON - s y²), which spreads its
/// error to both sides.
const NEWTON: f64 = 2.389_254_691_579_288;
/// 1, 1/2, 3/8, ...: the series of (1 - e)^(-1/2).
const BINOMIAL: [f64; 6] = [1.0, 0.5, 3.0 / 8.0, 5.0 / 16.0, 35.0 / 128.0, 63.0 / 256.0];

/// Returns true if the precision needs Newton's step.
const fn needs_step<T>() -> bool {
    size_of::<T>() > 4
}

impl<V: Vector> FactorOverRoot<V> {
    /// Spreads the constants over the lanes.
    #[inline(always)]
    pub fn new(isa: V::Isa, factor: V) -> Self {
        let all = |value| V::splat(isa, V::Element::from_f64(value));
        let (unit, largest_rest) = if needs_step::<V::Element>() { OF_STEPS } else { OF_GUESSES };
        Self {
            newton: all(NEWTON),
            unit: all(unit),
            series: series(unit, largest_rest).map(|term| all(term) * factor),
        }
    }

    /// Returns the factor over the root of a normal positive number, plus an addend.
    #[inline(always)]
    pub fn plus(&self, square: V, addend: V) -> V {
        let guess = square.reciprocal_root_guess();
        let root = square * guess;
        let (value, rest) = if needs_step::<V::Element>() {
            let step = root.neg_mul_add(guess, self.newton);
            let value = guess * step;
            (value, (root * step).neg_mul_add(value, self.unit))
        } else {
            (guess, root.neg_mul_add(guess, self.unit))
        };
        let [c0, c1, c2, c3, c4] = self.series;
        let upper = c4.mul_add(rest, c3).mul_add(rest, c2);
        let series = upper.mul_add(rest, c1).mul_add(rest, c0);
        value.mul_add(series, addend)
    }
}

/// The series of `unit - s y²` instead of 1 - s y² up to its fourth power, with the fifth spread
/// over the lower ones (Chebyshev economisation up to the largest rest).
fn series(unit: f64, largest_rest: f64) -> [f64; 5] {
    let square = largest_rest * largest_rest;
    let mut series = BINOMIAL;
    series[3] += BINOMIAL[5] * square * 5.0 / 4.0;
    series[1] -= BINOMIAL[5] * square * square * 5.0 / 16.0;
    let mut scale = 1.0 / unit.sqrt();
    [0, 1, 2, 3, 4].map(|power| {
        let term = series[power] * scale;
        scale /= unit;
        term
    })
}

#[cfg(test)]
mod tests {
    use rt::simd::{Generic, InstructionSet};

    use super::*;

    struct Root<T>(T);

    impl<T: Real> Generic<T> for Root<T> {
        type Output = f64;
        fn with<V: Vector<Element = T>>(self, isa: V::Isa) -> f64 {
            let all = |value| V::splat(isa, value);
            let root = FactorOverRoot::<V>::new(isa, all(T::from_f64(1.0)));
            let good = root.plus(all(self.0), all(T::default()));
            V::Lanes::from(good).as_ref()[0].to_f64()
        }
    }

    fn root<T: Real>(square: T) -> f64 {
        InstructionSet::Baseline.with(Root(square)).unwrap()
    }

    /// Returns the largest relative error over four octaves, in units of the last place of 1.
    fn worst<T: Real>(units_of_one: f64) -> f64 {
        let error = |i: i32| {
            let square = T::from_f64(1.0001_f64.powi(i));
            let (root, square) = (root(square), square.to_f64());
            // 1 - s y², with negligible rounding, is twice the error of y.
            let (high, low) = (root * root, root.mul_add(root, -(root * root)));
            high.mul_add(square, -1.0) + low * square
        };
        let largest = (0..28_000).map(|i| error(i).abs() / 2.0).fold(0.0, f64::max);
        largest * units_of_one
    }

    #[test]
    fn roots_are_good_to_two_units_in_the_last_place() {
        let (double, single) = (worst::<f64>(2.0_f64.powi(52)), worst::<f32>(2.0_f64.powi(23)));
        assert!(double < 2.0 && single < 2.0, "{double}, {single}");
    }

    #[test]
    fn the_tiniest_lengths_have_a_root() {
        for square in [1e-30, 1e-24] {
            let root = root(square as f32);
            assert!((root * root * square - 1.0).abs() < 1e-6);
        }
    }
}
