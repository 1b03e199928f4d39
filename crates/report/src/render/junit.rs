//! Outcomes as JUnit XML, which Jenkins and GitLab display: a suite per machine, a case per run.

use std::collections::BTreeMap;

use plan::{Answer, Disturbed, Outcome, Warning};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use analysis::fail_if::{self, Checked, FailIf};
use analysis::standards::Standards;
use analysis::survey::systems;
use analysis::words;

use crate::english::{TOO_BUSY, warned};

/// Returns a test case per run: an error if the run is INVALID, a failure if it breaks a limit,
/// skipped if this machine cannot measure any of its rows.
///
/// # Panics
/// Never: XML is written to memory.
#[must_use]
pub fn junit(outcomes: &[&Outcome], standards: &Standards) -> String {
    let mut report = Report::new("steadfast");
    for system in systems(outcomes.iter().copied()) {
        let mut suite = TestSuite::new(&system.name);
        suite.add_property(("machine_id", &*system.machine_id));
        let mut times: BTreeMap<String, usize> = BTreeMap::new();
        for outcome in system.outcomes {
            let title = outcome.header.spec.title();
            let time = times.entry(title.clone()).or_default();
            *time += 1;
            let name = match time {
                1 => title,
                repeated => format!("{title} ({repeated})"),
            };
            suite.add_test_case(case(&name, outcome, &standards.fail_if));
        }
        report.add_test_suite(suite);
    }
    report.to_string().expect("XML is written to memory")
}

fn case(name: &str, outcome: &Outcome, fail_ifs: &[FailIf]) -> TestCase {
    let header = &outcome.header;
    let checked = fail_if::of_run(fail_ifs, outcome);
    let mut case = TestCase::new(name, status(outcome, &checked));
    case.set_classname(format!("steadfast.{}", header.spec.measurement));
    case.set_assertions(checked.len());
    case.add_property(("run_id", header.run_id.as_str()));
    case.add_property(("started_utc", words::rfc3339(header.started_unix_ns).as_str()));
    let lines: Vec<String> =
        outcome.rows.iter().map(figures).chain(checked.iter().map(Checked::sentence)).collect();
    case.set_system_out(lines.join("\n"));
    case
}

fn status(outcome: &Outcome, checked: &[Checked]) -> TestCaseStatus {
    let not_passed = |kind, name: &str, sentences: Vec<String>| {
        let mut status = TestCaseStatus::non_success(kind);
        status.set_type(name);
        status.set_message(sentences.first().map_or(name, String::as_str));
        status.set_description(sentences.join("\n"));
        status
    };
    if let Some(disturbed) = Disturbed::of(outcome) {
        return match Answer::to(&[disturbed]) {
            (Answer::Certified, _) => TestCaseStatus::success(),
            (Answer::TooBusyToTell, reasons) => {
                let mut status = TestCaseStatus::skipped();
                status.set_message(format!("{TOO_BUSY} {}", reasons.join("; ")));
                status
            }
            (Answer::NotCertified | Answer::BrokenClock, reasons) => {
                not_passed(NonSuccessKind::Failure, "self-test", reasons)
            }
        };
    }
    if !outcome.is_valid() {
        let invalidating = outcome.warnings.iter().filter(|w| w.invalidates());
        let why = |warning: &Warning| warned(&warning.cause(), &warning.remedy());
        return not_passed(NonSuccessKind::Error, "INVALID", invalidating.map(why).collect());
    }
    let broken: Vec<String> =
        checked.iter().filter(|checked| !checked.is_passed()).map(Checked::sentence).collect();
    if !broken.is_empty() {
        return not_passed(NonSuccessKind::Failure, "limit", broken);
    }
    let needs: Option<Vec<&str>> =
        outcome.rows.iter().map(|row| row.unavailable.as_deref()).collect();
    match needs.as_deref() {
        None | Some([]) => TestCaseStatus::success(),
        Some([needs, ..]) => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(words::unavailable(needs));
            status
        }
    }
}

/// Formats the figures of a row in one line.
fn figures(row: &plan::Row) -> String {
    let counts = format!(
        "{}: due {}, executed {}, skipped {}",
        row.label, row.due, row.executed, row.skipped
    );
    match (&row.unavailable, &row.latency) {
        (Some(needs), _) => format!("{}: {}", row.label, words::unavailable(needs)),
        (None, None) => counts,
        (None, Some(latency)) => format!(
            "{counts}, average {}, max {}",
            words::time(latency.mean_ns()),
            words::time(latency.max.value_ns as f64)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{refused, wakeup};
    use plan::Row;
    use units::Policy;

    fn judged(outcomes: &[Outcome], limit: &str) -> Report {
        let standards = Standards { fail_if: vec![limit.parse().unwrap()], ..Standards::default() };
        let text = junit(&outcomes.iter().collect::<Vec<_>>(), &standards);
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
