//! Self-tests: whether lateness is seen, and its cause named correctly.

mod report;
pub(crate) mod section;
mod view;

use record::SelfTest;

use crate::document::Document;
use crate::render::terminal::terminal;
pub use report::SelfTestReport;
pub(crate) use view::SelfTestView;
pub use view::self_test_answer;

pub fn self_test(test: &SelfTest) -> String {
    terminal(&Document::untitled(vec![section::of_test(test)]))
}
