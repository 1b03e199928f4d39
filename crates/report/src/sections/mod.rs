//! The sections of documents: each a file that turns a part of the analysis into blocks.

mod answer;
mod causes;
mod claims;
mod clock;
mod common;
pub(crate) mod comparison;
mod conditions;
mod frames;
mod frontier;
mod general;
mod interrupt;
mod latency;
mod locks;
mod machine;
#[cfg(test)]
mod made_up;
mod map;
mod measured;
mod measurements;
mod merit;
mod messages;
mod metrics;
mod own_model;
mod platform;
mod results;
mod rhealstone;
mod runs;
mod self_test;
mod series;
mod solvers;
mod step_time;
mod tire;
pub(crate) mod told;
mod verdict;
mod wakeup;

pub(crate) use answer::glance;
pub(crate) use frontier::searched;
pub(crate) use machine::machines;
pub(crate) use map::drawn;
pub(crate) use measurements::measured;
pub(crate) use results::results;
pub(crate) use runs::{invalid, runs};
pub(crate) use self_test::of_test;
pub(crate) use solvers::solvers;
pub(crate) use verdict::{alarms, clock_meaning, reach, sources, verdict};
