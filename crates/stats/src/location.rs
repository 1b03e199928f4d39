//! Where values lie.

/// The middle value; of an even number the lower of the two in the middle.
/// `None` of nothing.
#[must_use]
pub fn median(values: &[i64]) -> Option<i64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len().saturating_sub(1) / 2).copied()
}

/// The arithmetic mean; `None` of nothing.
#[must_use]
pub fn mean(values: &[i64]) -> Option<f64> {
    let sum: i64 = values.iter().sum();
    (!values.is_empty()).then(|| sum as f64 / values.len() as f64)
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
}
