//! JUnit XML, which Jenkins and GitLab display: a suite per machine, a case per run.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::{Case, Status, Suite};

/// Returns a test case per case: an error if the run is INVALID, a failure if it breaks a limit,
/// skipped if this machine cannot measure any of its rows.
///
/// # Panics
/// Never: XML is written to memory.
pub(super) fn junit(suites: &[Suite]) -> String {
    let mut report = Report::new("steadfast");
    for own in suites {
        let mut suite = TestSuite::new(&own.name);
        if !own.machine_id.is_empty() {
            suite.add_property(("machine_id", &*own.machine_id));
        }
        suite.add_test_cases(own.cases.iter().map(case));
        report.add_test_suite(suite);
    }
    report.to_string().expect("XML is written to memory")
}

fn case(own: &Case) -> TestCase {
    let mut case = TestCase::new(&own.name, status(&own.status));
    case.set_classname(format!("steadfast.{}", own.kind));
    case.set_assertions(own.assertions);
    for (name, value) in &own.properties {
        case.add_property((*name, value.as_str()));
    }
    case.set_system_out(own.output.join("\n"));
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
        Status::NotJudged(kind, why) => not_passed(NonSuccessKind::Error, kind, why),
        Status::NotMeasured(why) => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(why);
            status
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{refused, wakeup};
    use crate::render::formats::suites;
    use analysis::Analysis;
    use analysis::standards::Standards;
    use plan::{Outcome, Row};
    use units::Policy;

    fn judged(outcomes: &[Outcome], limit: &str) -> Report {
        let standards = Standards { fail_if: vec![limit.parse().unwrap()], ..Standards::default() };
        let text = junit(&suites(&Analysis::of(outcomes, &standards)));
        Report::deserialize_from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    #[test]
    fn invalid_runs_are_errors_and_broken_limits_failures() {
        let mut run = wakeup(Policy::Fifo(80), None, 8e3, 6e4);
        run.rows[0].label = "<row> & \"one\" ]]>\u{1}".to_owned();
        let mut absent = run.clone();
        absent.rows = vec![Row::unavailable("uart", "needs a port")];
        absent.header.spec.measurement = "interrupt".to_owned();
        let all = [run.clone(), run, refused(), absent];
        for (limit, failures) in [("wakeup.max > 1h", 0), ("wakeup.max > 1ns", 2)] {
            let report = judged(&all, limit);
            assert_eq!((report.tests, report.failures, report.errors), (4, failures, 1));
            let cases = report.test_suites.iter().flat_map(|suite| &suite.test_cases);
            let mut names: Vec<&str> = cases.clone().map(|case| case.name.as_str()).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), 4, "{names:?}");
            let skipped = |case: &&TestCase| matches!(case.status, TestCaseStatus::Skipped { .. });
            assert_eq!(cases.filter(skipped).count(), 1);
        }
    }
}
