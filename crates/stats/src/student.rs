//! Student's distribution.

use crate::tail::bisect;

/// How many standard errors on each side of a mean hold the true mean with 95 %
/// confidence, with `freedom` degrees of freedom, at least 1.
pub(crate) fn standard_errors(freedom: u64) -> f64 {
    bisect(0.0..20.0, |t| within(t, freedom) >= crate::CONFIDENCE)
}

/// The share of the distribution between -t and t: Abramowitz, Stegun, Handbook of
/// mathematical functions, 1964, 26.7.3 and 26.7.4.
fn within(t: f64, freedom: u64) -> f64 {
    let angle = (t / (freedom as f64).sqrt()).atan();
    let (sine, cosine) = angle.sin_cos();
    let odd = freedom % 2;
    let (mut term, mut sum) = (if odd == 1 { cosine } else { 1.0 }, 0.0);
    let mut k = odd;
    while k + 2 <= freedom {
        sum += term;
        term *= cosine * cosine * (k + 1) as f64 / (k + 2) as f64;
        k += 2;
    }
    match odd {
        1 => (angle + sine * sum) * std::f64::consts::FRAC_2_PI,
        _ => sine * sum,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Golden values of scipy 1.17: `t.ppf(0.975, n)`.
    #[test]
    fn quantiles_are_those_of_scipy() {
        for (freedom, t) in [
            (1, 12.706_204_737),
            (2, 4.302_652_730),
            (3, 3.182_446_305),
            (4, 2.776_445_105),
            (9, 2.262_157_163),
            (30, 2.042_272_456),
        ] {
            let found = standard_errors(freedom);
            assert!((found - t).abs() < 1e-8, "{freedom}: {found}");
        }
    }
}
