//! Everything that people and programs see of an analysis: HTML, CSV, JUnit XML and the
//! terminal's summary.
//!
//! Pure functions: no clock, no store, no network. The same outcomes give the same
//! report, byte for byte.

mod comparison;
mod csv;
mod figure;
mod frontier;
mod html;
mod junit;
mod map;
mod self_test;
mod terminal;
mod times;

pub use comparison::{
    csv as comparison_csv, html as comparison_html, terminal as comparison_terminal,
};
pub use csv::{csv, csv_histograms};
pub use frontier::frontier;
pub use html::html;
pub use junit::junit;
pub use map::map;
pub use self_test::self_test;
pub use terminal::terminal;
pub use times::times;

#[cfg(test)]
use testing::outcomes as fixture;

// Until every caller names the analysis itself.
pub use analysis::comparison::{
    Comparison, Margin, NOT_CARRIED, NotAMargin, NotPublished, Published, Question, Side,
    Unanswerable, json as comparison_json, varying,
};
pub use analysis::fail_if::{
    Checked, FailIf, Found, NotAFailIf, Unmatched, check_plan, check_runs,
};
pub use analysis::frontier::known;
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
