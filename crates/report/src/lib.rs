//! Everything that people and programs see of an analysis: HTML, CSV, JUnit XML and the
//! terminal's summary.
//!
//! Pure functions: no clock, no store, no network. The same outcomes give the same
//! report, byte for byte.

mod comparison;
mod document;
mod figure;
mod frontier;
mod map;
mod pages;
mod render;
mod sections;
mod self_test;
mod times;

use plan::Outcome;

pub use comparison::{
    csv as comparison_csv, html as comparison_html, terminal as comparison_terminal,
};
pub use frontier::frontier;
pub use map::map;
pub use render::csv::{csv, csv_histograms};
pub use render::junit::junit;
pub use render::terminal::terminal;
pub use self_test::self_test;
pub use times::times;

/// The self-contained report of outcomes: it works offline, names no outside address and
/// prints. Several kernels of the lab are laid side by side.
#[must_use]
pub fn html(outcomes: &[Outcome], standards: &Standards) -> String {
    let document = match Comparison::if_of_kernels(outcomes, standards) {
        Some(comparison) => pages::comparison(&comparison),
        None => pages::results(outcomes, standards),
    };
    render::html::page(&document)
}

#[cfg(test)]
use testing::outcomes as fixture;

// Until every caller names the analysis itself.
pub use analysis::benchmark::falls_short;
pub use analysis::comparison::{
    Comparison, Margin, NOT_CARRIED, NotAMargin, NotPublished, Published, Question, Side,
    Unanswerable, json as comparison_json, varying,
};
pub use analysis::fail_if::{
    Checked, FailIf, Found, NotAFailIf, Unmatched, check_plan, check_runs,
};
pub use analysis::json::{SCHEMA_VERSION, json, run_json};
pub use analysis::map::{ManyMisses, NotAShare};
pub use analysis::merit::TESTS;
pub use analysis::samples::contradict;
pub use analysis::self_test::json as self_test_json;
pub use analysis::standards::{
    FirmMisses, HeldFor, Limits, NotALimit, SoftShare, Standards, Strictness,
};
pub use analysis::times::Times;
pub use analysis::tolerance::{NotATolerance, Tolerance, share_in_percent};
pub use analysis::verdict::{Change, Verdict, verdict};
pub use analysis::views::{VIEWS, View, view};
pub use analysis::words::grouped;
