//! What makes a model larger, and what that is counted in.

use crate::{Fact, Parameters, fact};

/// The size of a model: what sets it, what tells it, and its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// The parameter that sets it, which is also its flag.
    pub parameter: &'static str,
    /// The fact by which rows tell it.
    pub fact: Fact,
    /// Its unit, of one.
    pub one: &'static str,
    /// Its unit, of several.
    pub many: &'static str,
}

impl Size {
    /// The size of a tire.
    pub const MASSES: Self =
        Self { parameter: "masses", fact: fact::MASSES, one: "mass", many: "masses" };

    /// The size of a person's own model.
    pub const INSTANCES: Self =
        Self { parameter: "instances", fact: fact::INSTANCES, one: "instance", many: "instances" };

    /// The size of the model of a measurement; `None` of one that simulates nothing.
    #[must_use]
    pub fn of_measurement(name: &str) -> Option<Self> {
        match name {
            "tire" => Some(Self::MASSES),
            "model" => Some(Self::INSTANCES),
            _ => None,
        }
    }

    /// The size that a run asks for.
    #[must_use]
    pub fn count(self, parameters: &Parameters) -> u64 {
        parameters.count(self.parameter)
    }

    /// A size with its unit: `5900 masses`.
    #[must_use]
    pub fn words(self, count: u64) -> String {
        format!("{count} {}", self.unit(count))
    }

    /// Its unit, of so many.
    #[must_use]
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
