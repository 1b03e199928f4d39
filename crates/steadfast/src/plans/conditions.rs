//! The keys of a run that are not parameters of its measurement: the flags of
//! `steadfast run` that they stand for.

use std::fmt::Display;

use clap::ValueEnum;
use load::{LOADS, Processes};
use units::Nanos;

use super::values::Typed;
use crate::args::loads;
use crate::command::run::RunArgs;

/// A condition: its key, and what one of its values does to what would be typed.
pub(super) struct Condition {
    pub(super) name: &'static str,
    pub(super) set: fn(&mut RunArgs, &str) -> Result<(), String>,
}

impl Condition {
    /// What a value stands for: `each` load for all but those that may not be installed, and
    /// whose arguments are a person's choice.
    pub(super) fn each(&self, value: &Typed) -> Vec<Typed> {
        match (self.name, &*value.text) {
            ("load", "each") => LOADS
                .iter()
                .filter(|load| load.processes() != Processes::Guard)
                .map(|load| Typed {
                    text: load.name().to_owned(),
                    at: value.at,
                })
                .collect(),
            _ => vec![value.clone()],
        }
    }
}

pub(super) const CONDITIONS: &[Condition] = &[
    Condition {
        name: "target",
        set: |run, text| put(&mut run.place.target, text.parse()),
    },
    Condition {
        name: "load",
        set: |run, text| put(&mut run.conditions.load, loads(text).map(|l| vec![l])),
    },
    Condition {
        name: "policy",
        set: |run, text| put(&mut run.conditions.policy, text.parse().map(Some)),
    },
    Condition {
        name: "cpus",
        set: |run, text| put(&mut run.conditions.cpus, text.parse().map(Some)),
    },
    Condition {
        name: "seconds",
        set: |run, text| {
            let seconds = Nanos::parse_seconds(text).map(Some);
            put(&mut run.conditions.seconds, seconds)
        },
    },
    Condition {
        name: "memory",
        set: |run, text| put(&mut run.conditions.memory, word(text).map(Some)),
    },
    Condition {
        name: "idle-states",
        set: |run, text| put(&mut run.conditions.idle_states, word(text).map(Some)),
    },
];

fn put<T, E: Display>(place: &mut T, read: Result<T, E>) -> Result<(), String> {
    *place = read.map_err(|why| why.to_string())?;
    Ok(())
}

/// One of the words of a choice.
fn word<T: ValueEnum>(text: &str) -> Result<T, String> {
    T::from_str(text, false).map_err(|_| {
        let known = T::value_variants().iter();
        let words = known.filter_map(|word| Some(word.to_possible_value()?.get_name().to_owned()));
        let words = words.collect::<Vec<_>>().join(", ");
        format!("`{text}` is not one of {words}")
    })
}
