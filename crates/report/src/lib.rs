//! Everything that people and programs see of outcomes: verdict, tables,
//! figures, HTML, JSON, CSV, JUnit XML and the terminal's summary.
//!
//! Pure functions: no clock, no store, no network. The same outcomes give the
//! same report, byte for byte.

#[cfg(test)]
#[allow(dead_code)]
#[path = "../examples/sample/fixture.rs"]
mod fixture;

mod advice;
mod benchmark;
mod capacity;
mod causes;
mod claims;
mod clock;
mod comparison;
mod csv;
mod fail_if;
mod figure;
mod frontier;
mod html;
mod json;
mod junit;
mod map;
mod merit;
mod published;
mod quantiles;
mod real_time;
mod rhealstone;
mod samples;
mod self_test;
mod standards;
mod step_time;
mod survey;
mod terminal;
mod times;
mod tolerance;
mod verdict;
mod views;
mod words;

pub use benchmark::falls_short;
pub use comparison::{
    Comparison, Margin, NOT_CARRIED, NotAMargin, NotPublished, Published, Question, Side,
    Unanswerable, varying,
};
pub use csv::{csv, csv_histograms};
pub use fail_if::{Checked, FailIf, Found, NotAFailIf, Unmatched, check_plan, check_runs};
pub use frontier::{Size, frontier};
pub use html::html;
pub use json::{SCHEMA_VERSION, json, run_json};
pub use junit::junit;
pub use map::{ManyMisses, NotAShare, map};
pub use merit::TESTS;
pub use samples::contradict;
pub use self_test::{self_test, self_test_json};
pub use standards::{FirmMisses, HeldFor, Limits, NotALimit, SoftShare, Standards, Strictness};
pub use terminal::terminal;
pub use times::Times;
pub use tolerance::{NotATolerance, Tolerance, share_in_percent};
pub use verdict::{Change, Verdict, verdict};
pub use views::{VIEWS, View, view};
pub use words::grouped;
