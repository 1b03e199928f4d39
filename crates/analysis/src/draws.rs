//! Draws: machines of the lab, or runs, that differ only in chance.

/// Draws of each system that show a difference, if all of one are shorter: of the 70 ways to divide eight draws among two
/// equal systems, two separate them, which is less than one in twenty (permutation test).
pub(crate) const ENOUGH: usize = 4;

/// Whether every draw is shorter than every one of the other system, and there are enough of both.
pub(crate) fn are_shorter(draws: &[f64], others: &[f64]) -> bool {
    longest(draws) < least(others) && draws.len().min(others.len()) >= ENOUGH
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
        assert!(!are_shorter(&short[..3], &long));
        assert!(!are_shorter(&short, &[4.0, 6.0, 7.0, 8.0]));
    }
}
