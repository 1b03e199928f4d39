//! The user's limits on figures, for scripts: `wakeup.max > 150us` fails a run.

use std::fmt;

use base::{Nanos, Policy};
use record::{RunSpec, Value as Parameter};

/// A comparison that fails a run if it is true: `MEASUREMENT[CONDITION=VALUE,...].ROW.FIGURE
/// OPERATOR VALUE`, where the brackets and the row are optional.
#[derive(Debug, Clone, PartialEq)]
pub struct FailIf {
    pub(super) typed: String,
    pub(super) measurement: String,
    pub(super) conditions: Vec<Condition>,
    pub(super) rows: Rows,
    pub(super) figure: String,
    pub(super) operator: &'static Operator,
    pub(super) bound: Bound,
}

/// A condition that a run must have requested, as typed.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Condition {
    pub(super) name: String,
    pub(super) value: String,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Rows {
    /// The row whose figures are at the top level of the run's JSON.
    First,
    /// Every row that could be measured.
    Every,
    Named(String),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Bound {
    Time(Nanos),
    Percent(f64),
    Number(f64),
}

#[derive(Debug)]
pub(super) struct Operator {
    pub(super) name: &'static str,
    pub(super) is_true: fn(f64, f64) -> bool,
}

impl PartialEq for Operator {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

pub(super) const OPERATORS: [Operator; 6] = [
    Operator { name: ">", is_true: |found, bound| found > bound },
    Operator { name: ">=", is_true: |found, bound| found >= bound },
    Operator { name: "<", is_true: |found, bound| found < bound },
    Operator { name: "<=", is_true: |found, bound| found <= bound },
    Operator { name: "==", is_true: |found, bound| found == bound },
    Operator { name: "!=", is_true: |found, bound| found != bound },
];

/// Whether a run requested a value, as typed.
type Holds = fn(&RunSpec, &str) -> bool;

/// Conditions of a run other than its parameters.
pub(super) const CONDITIONS: [(&str, Holds); 3] = [
    ("load", has_load),
    ("policy", |spec, typed| {
        spec.imported.is_none() && typed.parse::<Policy>() == Ok(spec.asked.policy)
    }),
    ("cpus", |spec, typed| {
        spec.imported.is_none() && typed.parse().as_ref() == Ok(&spec.asked.cpus)
    }),
];

/// The word for no load.
pub(super) const NO_LOAD: &str = "none";

pub(super) fn has_load(spec: &RunSpec, typed: &str) -> bool {
    let mut loads = spec.asked.loads.iter();
    if spec.imported.is_some() {
        return false;
    }
    match typed {
        NO_LOAD => loads.all(|load| load.name == NO_LOAD),
        typed => loads.any(|load| load.to_string() == typed),
    }
}

impl FailIf {
    pub(super) fn is_about(&self, spec: &RunSpec) -> bool {
        let mut conditions = self.conditions.iter();
        spec.measurement == self.measurement && conditions.all(|condition| condition.holds(spec))
    }
}

impl Condition {
    pub(super) fn holds(&self, spec: &RunSpec) -> bool {
        let Self { name, value } = self;
        match CONDITIONS.iter().find(|(known, _)| known == name) {
            Some((_, holds)) => holds(spec, value),
            None => spec.parameters.get(name).is_some_and(|asked| is_typed(asked, value)),
        }
    }
}

pub(super) fn is_typed(value: &Parameter, typed: &str) -> bool {
    match value {
        Parameter::Time(time) => typed.parse() == Ok(*time),
        Parameter::Count(count) => typed.parse() == Ok(*count),
        Parameter::Percent(percent) => typed.trim_end_matches('%').parse() == Ok(*percent),
        Parameter::Rate(rate) => typed.parse() == Ok(*rate),
        Parameter::Number(number) => typed.parse() == Ok(*number),
        Parameter::Word(word) => typed == word,
    }
}

impl fmt::Display for FailIf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.typed)
    }
}
