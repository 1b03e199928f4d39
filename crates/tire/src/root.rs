//! Reciprocal square roots that are the same on every processor.

use rt::simd::{Real, Vector};

/// 1 / sqrt(s) to within two units in the last place, faster than the processor's own
/// square root and division, and without its reciprocal estimates, which differ between
/// makers.
///
/// A guess from the bits; one Newton step y (3/2 - s y²/2), with constants that spread
/// its error to both sides, after which |1 - s y²| is at most [`LARGEST_REST`]; then y
/// times the binomial series of (1 - e)^(-1/2).
#[derive(Debug, Clone, Copy)]
pub struct ReciprocalRoot<V> {
    newton: V,
    unit: V,
    series: [V; 5],
}

/// A reciprocal root that lacks its correction.
#[derive(Debug, Clone, Copy)]
pub struct Rough<V> {
    /// 1 / sqrt(s), less a factor that the correction makes good.
    pub value: V,
    /// What the correction follows from.
    pub rest: V,
}

/// Newton's step as SCALE y (NEWTON - s y²), best for guesses with s y² between 0.75 and
/// 0.844. SCALE is left to the series.
const NEWTON: f64 = 2.389_254_691_579_288;
const SCALE: f64 = 0.703_947_718_177_763;
/// Largest |1 - s y²| after that.
const LARGEST_REST: f64 = 1.3e-3;
/// 1, 1/2, 3/8, ...: the series of (1 - e)^(-1/2).
const BINOMIAL: [f64; 6] = [1.0, 0.5, 3.0 / 8.0, 5.0 / 16.0, 35.0 / 128.0, 63.0 / 256.0];

impl<V: Vector> ReciprocalRoot<V> {
    /// The power of e that the series ends with: what the precision can hold.
    const LAST: usize = if size_of::<V::Element>() == 4 { 2 } else { 4 };

    /// Spreads the constants over the lanes.
    #[inline(always)]
    pub fn new(isa: V::Isa) -> Self {
        let all = |value| V::splat(isa, V::Element::from_f64(value));
        Self {
            newton: all(NEWTON),
            unit: all(1.0 / (SCALE * SCALE)),
            series: series(Self::LAST).map(all),
        }
    }

    /// The root of a normal positive number, but for [`ReciprocalRoot::correction`].
    #[inline(always)]
    pub fn of(&self, square: V) -> Rough<V> {
        let guess = square.reciprocal_root_guess();
        let value = guess * (square * guess).neg_mul_add(guess, self.newton);
        let rest = (square * value).neg_mul_add(value, self.unit);
        Rough { value, rest }
    }

    /// The factor that makes a rough root a good one.
    #[inline(always)]
    pub fn correction(&self, rest: V) -> V {
        let mut sum = self.series[Self::LAST];
        for power in (0..Self::LAST).rev() {
            sum = sum.mul_add(rest, self.series[power]);
        }
        sum
    }
}

/// The series up to a power, with the next term spread over the lower ones (Chebyshev
/// economisation over the largest rest), for roots and rests without their SCALE.
fn series(last: usize) -> [f64; 5] {
    let (next, square) = (BINOMIAL[last + 1], LARGEST_REST * LARGEST_REST);
    let mut series = BINOMIAL;
    if last == 2 {
        series[1] += next * square * 3.0 / 4.0;
    } else {
        series[3] += next * square * 5.0 / 4.0;
        series[1] -= next * square * square * 5.0 / 16.0;
    }
    [0, 1, 2, 3, 4].map(|power| series[power] * SCALE.powi(2 * power as i32 + 1))
}

#[cfg(test)]
mod tests {
    use rt::simd::{Generic, InstructionSet};

    use super::*;

    struct Root<T>(T);

    impl<T: Real> Generic<T> for Root<T> {
        type Output = f64;
        fn with<V: Vector<Element = T>>(self, isa: V::Isa) -> f64 {
            let root = ReciprocalRoot::<V>::new(isa);
            let rough = root.of(V::splat(isa, self.0));
            let good = rough.value * root.correction(rough.rest);
            V::Lanes::from(good).as_ref()[0].to_f64()
        }
    }

    /// The largest error in units of the last place over four octaves.
    fn worst<T: Real>(units_of_one: f64) -> f64 {
        let error = |i: i32| {
            let square = T::from_f64(1.0001_f64.powi(i));
            let root = InstructionSet::Baseline.with(Root(square)).unwrap();
            (root * square.to_f64().sqrt() - 1.0).abs() * units_of_one
        };
        (0..28_000).map(error).fold(0.0, f64::max)
    }

    #[test]
    fn roots_are_good_to_two_units_in_the_last_place() {
        assert!(worst::<f64>(2.0_f64.powi(52)) < 2.0);
        assert!(worst::<f32>(2.0_f64.powi(23)) < 2.0);
    }

    #[test]
    fn the_tiniest_lengths_have_a_root() {
        for square in [1e-30, 1e-24] {
            let root = InstructionSet::Baseline.with(Root(square as f32)).unwrap();
            assert!((root * root * square - 1.0).abs() < 1e-6);
        }
    }
}
