//! Measures of location: median and mean.

use crate::student::standard_errors;

/// Returns the middle value; of an even number of values, the lower of the two in the middle.
/// Returns `None` if there are no values.
pub fn median(values: &[i64]) -> Option<i64> {
    median_in_place(&mut values.to_vec())
}

/// Returns the same without an allocation; sorts the values.
pub fn median_in_place(values: &mut [i64]) -> Option<i64> {
    values.sort_unstable();
    values.get(values.len().saturating_sub(1) / 2).copied()
}

/// Returns the arithmetic mean; `None` if there are no values.
pub fn mean(values: &[i64]) -> Option<f64> {
    let sum: i64 = values.iter().sum();
    (!values.is_empty()).then(|| sum as f64 / values.len() as f64)
}

/// Returns the mean of at least one value.
pub(crate) fn average(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Returns the variance of at least two values.
pub(crate) fn variance(values: &[f64]) -> f64 {
    let mean = average(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    squares / (values.len() as f64 - 1.0)
}

/// Returns the lower end, the mean and the upper end of Student's interval for the mean of values
/// with random variation, at this confidence, above 0 and below 1. Returns `None` for fewer than
/// two values.
pub fn mean_within(values: &[f64], confidence: f64) -> Option<[f64; 3]> {
    if values.len() < 2 {
        return None;
    }
    let (mean, count) = (average(values), values.len() as f64);
    let margin = standard_errors(count - 1.0, confidence) * (variance(values) / count).sqrt();
    Some([mean - margin, mean, mean + margin])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_means() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3, 1, 2]), Some(2));
        assert_eq!(median(&[4, 1, 3, 2]), Some(2));
        assert_eq!(mean(&[]), None);
        assert_eq!(mean(&[1, 2]), Some(1.5));
    }

    /// Mean ± 4.302653 standard errors, the quantile of two degrees of freedom.
    #[test]
    fn an_interval_of_few_values_is_wide() {
        assert_eq!(mean_within(&[1.0], 0.95), None);
        let [lower, mean, upper] = mean_within(&[9.0, 10.0, 12.0], 0.95).unwrap();
        assert!((mean - 31.0 / 3.0).abs() < 1e-12);
        assert!((lower - 6.538_750).abs() < 1e-5, "{lower}");
        assert!((upper - 14.127_917).abs() < 1e-5, "{upper}");
    }
}
