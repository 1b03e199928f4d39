//! A condition of a finding: a relation between figures that holds if what decides it is in a region.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::side::Side;

/// How the sides of a condition decide it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Relation {
    /// The ratio of every other side to the first is in the region.
    Ratio,
    /// The ratio of every side to the one before it is in the region.
    Order,
    /// The geometric mean of the ratios of second to first, fourth to third side is in the region.
    Overall,
    /// Every side's own figure is in the region.
    Value,
    /// The ratio of standard deviations between runs, of every other side and the first, is in it.
    Spread,
    /// Every side's share of counted events is in the region, from 0 to 1.
    Share,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Nanoseconds,
    /// From 0 to 1.
    Share,
    /// A quotient of two figures.
    Ratio,
    Number,
}

#[derive(Debug, Clone)]
pub struct Condition {
    pub relation: Relation,
    pub sides: Vec<Side>,
    /// The least value of the region in which it holds.
    pub low: Option<f64>,
    /// The largest value of that region.
    pub high: Option<f64>,
}

impl Condition {
    pub fn region(&self) -> RangeInclusive<f64> {
        self.low.unwrap_or(0.0)..=self.high.unwrap_or(f64::INFINITY)
    }

    pub fn unit(&self) -> Unit {
        match self.relation {
            Relation::Share => Unit::Share,
            _ if self.sides.iter().all(Side::is_in_ns) => Unit::Nanoseconds,
            _ => Unit::Number,
        }
    }

    pub fn unit_of_quantity(&self) -> Unit {
        match self.relation {
            Relation::Value | Relation::Share => self.unit(),
            _ => Unit::Ratio,
        }
    }
}
