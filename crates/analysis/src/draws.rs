//! Draws: machines of the lab, or runs, that differ only in chance.

/// At most one in so many ways to divide the draws among two equal systems separates them as these are: one in twenty,
/// in either direction.
const LEAST_WAYS: f64 = 40.0;

/// Whether every draw is shorter than every one of the other system, and chance hardly explains it (permutation test):
/// at least four draws of each.
pub(crate) fn are_shorter(draws: &[f64], others: &[f64]) -> bool {
    let factor = |place: usize| (others.len() + place) as f64 / place as f64;
    let ways: f64 = (1..=draws.len()).map(factor).product();
    longest(draws) < least(others) && ways >= LEAST_WAYS
}

pub(crate) fn least(draws: &[f64]) -> f64 {
    draws.iter().copied().fold(f64::INFINITY, f64::min)
}

pub(crate) fn longest(draws: &[f64]) -> f64 {
    draws.iter().copied().fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_draws_of_each_separate_two_systems_and_three_do_not() {
        let (short, long) = ([1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]);
        assert!(are_shorter(&short, &long));
        assert!(!are_shorter(&long, &short));
        assert!(!are_shorter(&short[..3], &long[..3]));
        assert!(!are_shorter(&short, &[4.0, 6.0, 7.0, 8.0]));
    }
}
