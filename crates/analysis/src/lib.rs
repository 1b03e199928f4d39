//! What outcomes mean: computed once from outcomes and the user's criteria, the same for
//! every format.
//!
//! Pure functions: no clock, no store, no network. The same outcomes give the same
//! analysis, byte for byte.

pub mod advice;
mod analysis;
pub mod atlas;
pub mod audit;
pub mod benchmark;
pub mod best_effort;
pub mod bins;
pub mod capacity;
pub mod causes;
pub mod certificate;
pub mod check;
pub mod claims;
pub mod clock;
pub mod comparison;
pub mod conditions;
mod draws;
pub mod effect;
pub mod experiment;
pub mod explanation;
pub mod fail_if;
pub mod fields;
pub mod file_bins;
pub mod finding;
pub mod frontier;
pub mod gate;
pub mod general;
pub mod held;
pub mod imported;
pub mod interference;
pub mod invalid;
pub mod json;
pub mod lateness;
pub mod lists;
pub mod machine;
pub mod merit;
pub mod mix;
pub mod own_model;
pub mod phrases;
pub mod published;
pub mod quantiles;
pub mod real_time;
pub mod rhealstone;
pub mod samples;
pub mod self_test;
pub mod services;
pub mod share;
pub mod soak;
pub mod spacing;
pub mod standards;
pub mod step_time;
pub mod studies;
pub mod subject;
pub mod summary;
pub mod survey;
pub mod times;
pub mod verdict;
pub mod views;
pub mod words;

pub use analysis::{Analysis, Setup};

#[cfg(test)]
use testing::outcomes as fixture;
