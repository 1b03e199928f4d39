//! Student's distribution, with any number of degrees of freedom above 0.

use crate::root::bisect;

/// Returns how many standard errors on each side of a mean contain the true mean at this
/// confidence, above 0 and below 1.
pub(crate) fn standard_errors(freedom: f64, confidence: f64) -> f64 {
    errors_beyond(freedom, 1.0 - confidence)
}

/// Returns the number of standard errors with this share of the distribution beyond it on both
/// sides, above 0 and below 1.
pub(crate) fn errors_beyond(freedom: f64, share: f64) -> f64 {
    // Maps every t from 0 up to a number between 0 and 1.
    let unfolded = |place: f64| place / (1.0 - place);
    let holds = |place: f64| beyond(unfolded(place), freedom) <= share;
    unfolded(bisect(0.0..1.0 - f64::EPSILON, holds))
}

/// Returns the share of the distribution below -t and above t: Abramowitz, Stegun, Handbook of
/// mathematical functions, 1964, 26.5.27.
pub(crate) fn beyond(t: f64, freedom: f64) -> f64 {
    incomplete_beta(freedom / (freedom + t * t), freedom / 2.0, 0.5)
}

/// The regularised incomplete beta function: the continued fraction of Abramowitz, Stegun 26.5.8,
/// evaluated from the side where it converges fast.
fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    match x {
        ..=0.0 => 0.0,
        1.0.. => 1.0,
        x if x < (a + 1.0) / (a + b + 2.0) => front(x, a, b) * fraction(x, a, b) / a,
        x => 1.0 - front(1.0 - x, b, a) * fraction(1.0 - x, b, a) / b,
    }
}

/// `x^a (1 - x)^b / B(a, b)`.
fn front(x: f64, a: f64, b: f64) -> f64 {
    let ln_beta = libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b);
    (a * x.ln() + b * (-x).ln_1p() - ln_beta).exp()
}

/// The continued fraction, by the method of Lentz, Applied Optics 15, 1976.
fn fraction(x: f64, a: f64, b: f64) -> f64 {
    const STEPS: u32 = 4_000;
    let not_zero = |number: f64| {
        if number == 0.0 { f64::MIN_POSITIVE } else { number }
    };
    let (mut c, mut d) = (1.0, 1.0 / not_zero(1.0 - (a + b) * x / (a + 1.0)));
    let mut value = d;
    for step in 1..=STEPS {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let before = value;
        for term in [even, odd] {
            d = 1.0 / not_zero(1.0 + term * d);
            c = not_zero(1.0 + term / c);
            value *= c * d;
        }
        if (value / before - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Golden values of scipy 1.17: `t.ppf(0.975, n)`.
    #[test]
    fn quantiles_are_those_of_scipy() {
        for (freedom, t) in [
            (1.0, 12.706_204_736),
            (2.0, 4.302_652_730),
            (3.0, 3.182_446_305),
            (4.0, 2.776_445_105),
            (9.0, 2.262_157_163),
            (30.0, 2.042_272_456),
        ] {
            let found = standard_errors(freedom, 0.95);
            assert!((found - t).abs() < 2e-9, "{freedom}: {found}");
        }
        for (freedom, confidence, t) in [
            (0.7, 0.95, 36.611_415_031_6),
            (2.5, 0.999, 18.277_893_528_1),
            (250.0, 0.9975, 3.054_287_658_5),
            (2e6, 0.95, 1.959_965_170_6),
        ] {
            let found = standard_errors(freedom, confidence);
            assert!((found / t - 1.0).abs() < 1e-9, "{freedom}: {found}");
        }
    }

    /// Golden values of scipy 1.17: `2 * t.sf(t, n)`.
    #[test]
    fn tails_are_those_of_scipy() {
        for (freedom, t, share) in [
            (0.7, 3.0, 0.283_371_339_301_025_8),
            (1.0, 1.0, 0.5),
            (2.5, 4.2, 0.034_964_308_725_681_33),
            (7.3, 0.4, 0.700_603_742_086_768_2),
            (12.0, 9.0, 1.104_090_140_587_179e-6),
            (250.0, 2.5, 0.013_060_882_825_066_13),
            (4.0, 0.0, 1.0),
        ] {
            let found = beyond(t, freedom);
            assert!((found / share - 1.0).abs() < 1e-10, "{freedom}: {found}");
        }
    }
}
