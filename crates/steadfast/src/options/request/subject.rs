//! Commands that make runs of one measurement, which is named as after `steadfast run`.

use clap::builder::PossibleValuesParser;
use measure::MIX;
use record::Refused;

use crate::options::parameters::{ParameterArgs, takers};

pub(crate) struct Subject {
    command: &'static str,
    /// Names of measurements; the first one is meant if none is typed.
    pub(crate) measurements: &'static [&'static str],
    /// Parameters that the command sets itself, each with the reason.
    set: &'static [(&'static str, &'static str)],
}

pub(crate) const CHECK: Subject = Subject {
    command: "check",
    measurements: &["wakeup", "tire", "model"],
    set: &[("mode", "a check is about deadlines"), ("period", "--rate sets it")],
};
pub(crate) const FRONTIER: Subject = Subject {
    command: "frontier",
    measurements: &["tire", "model", MIX],
    set: &[
        ("steps", "--held-for and --budget set how long runs are"),
        ("mode", "a frontier consists of real-time runs"),
    ],
};
pub(crate) const MAP: Subject = Subject {
    command: "map",
    measurements: &["tire", "model"],
    set: &[("mode", "a map consists of real-time runs")],
};

impl Subject {
    pub(crate) fn of(command: &str) -> Option<&'static Self> {
        [&CHECK, &FRONTIER, &MAP].into_iter().find(|subject| subject.command == command)
    }

    pub(crate) fn names(&self) -> PossibleValuesParser {
        PossibleValuesParser::new(self.measurements)
    }

    /// Refuses a parameter that the command sets itself.
    pub(crate) fn refuse_set(&self, typed: &ParameterArgs) -> Result<(), Refused> {
        match self.set.iter().find(|(name, _)| typed.has(name)) {
            Some((name, why)) => Err(Refused::option(name, why).remedy("leave it out")),
            None => Ok(()),
        }
    }
}

/// Returns the measurement of a command that takes one, if `name` is one of those.
pub(crate) fn named(command: &str, name: &str) -> Option<&'static str> {
    let known = measure::find(name)?.name();
    let is_taken = match Subject::of(command) {
        Some(subject) => subject.measurements.contains(&known),
        None => command == "run",
    };
    is_taken.then_some(known)
}

/// Returns the flags that the help of a command leaves out: parameters of measurements that `words`
/// do not name, and those that the command sets itself.
pub(crate) fn left_out(command: &str, words: &[String]) -> Vec<&'static str> {
    let subject = Subject::of(command);
    let typed = words.iter().find_map(|word| named(command, word));
    let Some(shown) = typed.or_else(|| subject?.measurements.first().copied()) else {
        return Vec::new();
    };
    let others = takers().filter(|(_, takers)| !takers.contains(&shown));
    let set = subject.into_iter().flat_map(|subject| subject.set);
    others.map(|(name, _)| name).chain(set.map(|(name, _)| *name)).collect()
}
