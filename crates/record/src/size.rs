//! What makes a model larger, and the unit of its size.

use crate::{Fact, Parameters, fact};

/// The size of a model: the parameter that sets it, the fact that reports it, and its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub parameter: &'static str,
    pub fact: Fact,
    pub one: &'static str,
    pub many: &'static str,
}

impl Size {
    pub const MASSES: Self =
        Self { parameter: "masses", fact: fact::MASSES, one: "mass", many: "masses" };

    pub const INSTANCES: Self =
        Self { parameter: "instances", fact: fact::INSTANCES, one: "instance", many: "instances" };

    /// Returns the size of a measurement's model; `None` for a measurement that simulates nothing.
    pub fn of_measurement(name: &str) -> Option<Self> {
        match name {
            "tire" => Some(Self::MASSES),
            "model" => Some(Self::INSTANCES),
            _ => None,
        }
    }

    pub fn count(self, parameters: &Parameters) -> u64 {
        parameters.count(self.parameter)
    }

    /// Returns a size with its unit: `5900 masses`.
    pub fn words(self, count: u64) -> String {
        format!("{count} {}", self.unit(count))
    }

    pub fn unit(self, count: u64) -> &'static str {
        if count == 1 { self.one } else { self.many }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Family;

    #[test]
    fn every_model_has_a_size() {
        for name in Family::Models.measurements() {
            assert!(Size::of_measurement(name).is_some(), "{name}");
        }
        assert_eq!(Size::of_measurement("wakeup"), None);
        assert_eq!(Size::MASSES.words(5900), "5900 masses");
        assert_eq!(Size::MASSES.words(1), "1 mass");
    }
}
