//! JUnit XML, which Jenkins and GitLab display: a suite per machine, a case per run.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::{Case, Format, Status, Suite};

pub(super) const FORMAT: Format = Format {
    flag: "junit",
    help: "Write JUnit XML to this file: one test case per run, and the answer of a check or gate; \
           INVALID and undecided are errors, broken limits are failures",
    form: "JUnit XML",
    readers: "Jenkins, GitLab",
    write: junit,
};

/// Returns a test case per case: a failure if it broke what it had to hold, an error if it could not
/// be judged, skipped if this machine cannot measure any of its rows.
///
/// # Panics
/// Never: XML is written to memory.
fn junit(suites: &[Suite]) -> String {
    let mut report = Report::new("steadfast");
    for suite_of_cases in suites {
        let mut suite = TestSuite::new(&suite_of_cases.name);
        if !suite_of_cases.machine_id.is_empty() {
            suite.add_property(("machine_id", &*suite_of_cases.machine_id));
        }
        suite.add_test_cases(suite_of_cases.cases.iter().map(case));
        report.add_test_suite(suite);
    }
    report.to_string().expect("XML is written to memory")
}

fn case(judged: &Case) -> TestCase {
    let mut case = TestCase::new(&judged.name, status(&judged.status));
    case.set_classname(format!("steadfast.{}", judged.kind));
    case.set_assertions(judged.assertions);
    case.set_time(judged.time);
    for (name, value) in &judged.properties {
        case.add_property((*name, value.as_str()));
    }
    case.set_system_out(judged.output.join("\n"));
    case
}

fn status(status: &Status) -> TestCaseStatus {
    let not_passed = |kind, name: &str, sentences: &[String]| {
        let mut status = TestCaseStatus::non_success(kind);
        status.set_type(name);
        status.set_message(sentences.first().map_or(name, String::as_str));
        status.set_description(sentences.join("\n"));
        status
    };
    match status {
        Status::Passed => TestCaseStatus::success(),
        Status::Failed(kind, why) => not_passed(NonSuccessKind::Failure, kind, why),
        Status::NotJudged(kind, why) => not_passed(NonSuccessKind::Error, kind.name(), why),
        Status::Skipped(why) => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(why);
            status
        }
    }
}
