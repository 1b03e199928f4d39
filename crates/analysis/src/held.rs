//! What a size, or any periodic work, was shown to hold: how many deadlines were due and missed, in
//! how many runs, the bound that follows, and therefore whether it is shown to hold, likely to, or
//! does not. The verdict, the frontier, the map and the tables are views of this.

use stats::frontier::{Demand, Standing, claims};
use stats::{MissRate, Tries};

use crate::words;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Held {
    pub tries: Tries,
    /// The miss rate's 95 % interval, with the confidence shared by all sizes of a line.
    pub bound: MissRate,
    pub standing: Standing,
}

const ANYTHING: MissRate = MissRate { rate: 0.0, lower: 0.0, upper: 1.0 };

impl Held {
    /// Judges the deadlines of one of `among` sizes.
    pub fn of(tries: Tries, demand: Demand, among: usize) -> Self {
        Self {
            tries,
            bound: tries.rate(claims(among)).unwrap_or(ANYTHING),
            standing: demand.standing(tries, among),
        }
    }

    /// Whether it is shown; anything less is never reported as holding.
    pub fn is_shown(&self) -> bool {
        self.standing == Standing::Held
    }
}

/// The name of a standing in results.
pub fn name(standing: Standing) -> &'static str {
    match standing {
        Standing::Held => "shown to hold",
        Standing::SeemsHeld => "seems to hold",
        Standing::SeemsMissed => "seems to miss",
        Standing::Missed => "shown to miss",
    }
}

/// Formats an interval of rates, both ends in the form that suits the upper one; as `1 in N`, rounded
/// outwards.
pub fn from_to(lower: f64, upper: f64) -> String {
    match 1.0 / upper {
        10.0.. => {
            format!("1 in {} to {}", words::grouped((1.0 / lower).ceil() as u64), one_in(upper))
        }
        _ => format!("{} to {}", words::percent(lower), words::percent(upper)),
    }
}

/// Formats the upper end of a rate as `1 in N`; as a percentage if N is below 10.
pub fn one_in(rate: f64) -> String {
    match 1.0 / rate {
        often if often >= 10.0 => format!("1 in {}", words::grouped(often as u64)),
        _ => words::percent(rate),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_have_one_form_and_contain_the_interval() {
        assert_eq!(from_to(0.0936, 0.105), "9.36 % to 10.5 %");
        assert_eq!(from_to(0.0951, 0.0992), "1 in 11 to 1 in 10");
        assert_eq!(from_to(1e-6, 0.0101), "1 in 1 000 000 to 1 in 99");
    }
}
