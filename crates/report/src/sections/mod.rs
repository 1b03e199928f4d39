//! The sections of documents: each file turns a part of the analysis into blocks. Where there is
//! nothing to show, there is no section.

mod answer;
mod audit;
mod causes;
mod claims;
mod clock;
mod common;
pub(crate) mod comparison;
pub(crate) mod frames;
pub(crate) mod frontier;
mod general;
mod interrupt;
mod latency;
mod locks;
mod machine;
#[cfg(test)]
mod made_up;
pub(crate) mod map;
mod measured;
mod measurements;
mod merit;
mod messages;
mod metrics;
mod mix;
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
mod verdict;
mod wakeup;

pub(crate) use answer::glance;
pub(crate) use audit::found as found_by_audit;
pub(crate) use machine::machines;
pub(crate) use measurements::measured;
pub(crate) use own_model::of_own_models;
pub(crate) use results::results;
pub(crate) use runs::{invalid, runs};
pub(crate) use self_test::of_test;
pub(crate) use solvers::solvers;
pub(crate) use verdict::{alarms, clock_meaning, reach, sources, verdict};
