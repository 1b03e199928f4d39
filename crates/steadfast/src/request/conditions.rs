//! The keys of a run that are not parameters of its measurement. Each corresponds to a flag of
//! `steadfast run`.

use std::fmt::Display;

use clap::ValueEnum;
use load::{LOADS, Processes};
use units::Nanos;

use super::run::RunRequest;
use super::values::Typed;
use crate::args::loads;

pub(crate) type Set = fn(&mut RunRequest, &str) -> Result<(), String>;

/// Every condition: its key, and the function that sets one of its values.
pub(crate) const CONDITIONS: &[(&str, Set)] = &[
    ("target", |run, text| put(&mut run.place, text.parse())),
    ("load", |run, text| put(&mut run.conditions.load, loads(text).map(|l| vec![l]))),
    ("policy", |run, text| put(&mut run.conditions.policy, text.parse().map(Some))),
    ("cpus", |run, text| put(&mut run.conditions.cpus, text.parse().map(Some))),
    ("seconds", |run, text| put(&mut run.conditions.seconds, Nanos::parse_seconds(text).map(Some))),
    ("threshold", |run, text| {
        run.blame.blame = true;
        put(&mut run.blame.threshold, text.parse().map(Some))
    }),
    ("memory", |run, text| put(&mut run.conditions.memory, word(text).map(Some))),
    ("idle-states", |run, text| put(&mut run.conditions.idle_states, word(text).map(Some))),
];

/// Expands a value: `load = "each"` means all loads that do what programs do, except those that may
/// not be installed and whose arguments are the user's choice.
pub(crate) fn each(key: &str, value: Typed) -> Vec<Typed> {
    if (key, &*value.text) != ("load", "each") {
        return vec![value];
    }
    let own = LOADS.iter().filter(|load| load.processes != Processes::Guard && !load.is_aggressor);
    let named = |name: &str| Typed { text: name.to_owned(), at: value.at };
    own.map(|load| named(load.name)).collect()
}

fn put<T, E: Display>(place: &mut T, read: Result<T, E>) -> Result<(), String> {
    *place = read.map_err(|why| why.to_string())?;
    Ok(())
}

fn word<T: ValueEnum>(text: &str) -> Result<T, String> {
    T::from_str(text, false).map_err(|_| {
        let known = T::value_variants().iter();
        let words = known.filter_map(|word| Some(word.to_possible_value()?.get_name().to_owned()));
        let words = words.collect::<Vec<_>>().join(", ");
        format!("`{text}` is not one of {words}")
    })
}
