//! Derivatives of the logarithm of the gamma function, for arguments above 0.

/// From here on the asymptotic series is exact to the last digits.
const FAR: f64 = 12.0;

/// Returns the first derivative: Abramowitz, Stegun, Handbook of mathematical functions, 1964,
/// 6.3.5 and 6.3.18.
pub(crate) fn digamma(x: f64) -> f64 {
    if x < FAR {
        return digamma(x + 1.0) - 1.0 / x;
    }
    let square = 1.0 / (x * x);
    let series = 1.0 / 12.0
        - square * (1.0 / 120.0 - square * (1.0 / 252.0 - square * (1.0 / 240.0 - square / 132.0)));
    x.ln() - 0.5 / x - square * series
}

/// Returns the second derivative: ibid., 6.4.6 and 6.4.12.
pub(crate) fn trigamma(x: f64) -> f64 {
    if x < FAR {
        return trigamma(x + 1.0) + 1.0 / (x * x);
    }
    let square = 1.0 / (x * x);
    let series = 1.0 / 6.0
        - square
            * (1.0 / 30.0 - square * (1.0 / 42.0 - square * (1.0 / 30.0 - square * 5.0 / 66.0)));
    1.0 / x + square / 2.0 + series * square / x
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Golden values of scipy 1.17: `digamma(x)` and `polygamma(1, x)`.
    #[test]
    fn derivatives_are_those_of_scipy() {
        for (x, first, second) in [
            (0.25, -4.227_453_533_376_265_5, 17.197_329_154_507_113),
            (0.5, -1.963_510_026_021_423_5, 4.934_802_200_544_68),
            (1.0, -0.577_215_664_901_532_9, 1.644_934_066_848_226_6),
            (1.5, 0.036_489_973_978_576_52, 0.934_802_200_544_679_3),
            (10.0, 2.251_752_589_066_721, 0.105_166_335_681_685_76),
            (100.0, 4.600_161_852_738_088, 0.010_050_166_663_333_573),
        ] {
            let found = [digamma(x) - first, trigamma(x) - second];
            assert!(found.iter().all(|off| off.abs() < 1e-12), "{x}: {found:?}");
        }
    }
}
