//! The formats of build servers and of services that follow figures over time: one file each, in
//! one table. All show the same cases.

mod bencher;
mod cases;
mod format;
mod junit;
mod ktap;
mod markdown;
mod status;

pub(crate) use cases::CHECK;
pub use cases::{Case, Metric, Suite, exact_suites, suites};
pub use format::Format;
pub use status::{NotJudged, Status};

pub static FORMATS: &[Format] = &[junit::FORMAT, ktap::FORMAT, markdown::FORMAT, bencher::FORMAT];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{in_lab, refused, wakeup};
    use analysis::Analysis;
    use analysis::standards::Standards;
    use base::Policy;
    use quick_junit::{Report, TestCase, TestCaseStatus};
    use record::{Outcome, Row, Warning};
    use serde_json::Value;
    use std::collections::BTreeSet;
    use testing::gates;

    fn written(flag: &str, runs: &[Outcome], limit: &str) -> String {
        let standards = Standards { fail_if: vec![limit.parse().unwrap()], ..Standards::default() };
        let suites = suites(&Analysis::of(runs, &standards), Vec::new());
        let format = FORMATS.iter().find(|format| format.flag == flag).unwrap();
        (format.write)(&suites)
    }

    /// Returns a valid run, an INVALID one, and one that this machine cannot measure.
    fn three() -> Vec<Outcome> {
        let run = wakeup(Policy::Fifo(80), None, 8e3, 6e4);
        let mut absent = run.clone();
        absent.rows = vec![Row::unavailable("uart", "needs a | port # 1")];
        absent.header.spec.measurement = "interrupt".to_owned();
        vec![run, refused(), absent]
    }

    #[test]
    fn in_junit_invalid_runs_are_errors_and_broken_limits_failures() {
        let mut all = three();
        all[0].rows[0].label = "<row> & \"one\" ]]>\u{1}".to_owned();
        all.push(all[0].clone());
        for (limit, failures) in [("wakeup.max > 1h", 0), ("wakeup.max > 1ns", 2)] {
            let text = written("junit", &all, limit);
            let report = Report::deserialize_from_str(&text).expect(&text);
            assert_eq!((report.tests, report.failures, report.errors), (4, failures, 1));
            let cases = report.test_suites.iter().flat_map(|suite| &suite.test_cases);
            let names: BTreeSet<&str> = cases.clone().map(|case| case.name.as_str()).collect();
            assert_eq!(names.len(), 4, "{names:?}");
            let skipped = |case: &&TestCase| matches!(case.status, TestCaseStatus::Skipped { .. });
            assert_eq!(cases.filter(skipped).count(), 1);
        }
    }

    #[test]
    fn in_ktap_what_is_not_measured_is_skipped_and_what_is_invalid_fails() {
        let text = written("ktap", &three(), "wakeup.max > 1h");
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("# ")).collect();
        assert_eq!(lines[..2], ["KTAP version 1", "1..3"], "{text}");
        assert!(lines[2].starts_with("ok 1 wakeup fifo:80"), "{text}");
        assert!(lines[3].starts_with("not ok 2 "), "{text}");
        assert!(lines[4].contains(" # SKIP not measured"), "{text}");
        assert_eq!(lines[4].matches('#').count(), 1, "{text}");
        let broken = written("ktap", &three()[..1], "wakeup.max > 1ns");
        assert!(broken.contains("not ok 1 "), "{broken}");
    }

    #[test]
    fn in_markdown_every_case_is_one_row_of_the_table() {
        let text = written("markdown", &three(), "wakeup.max > 1h");
        let rows: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
        assert_eq!(rows.len(), 2 + 3, "{text}");
        assert!(rows.iter().all(|row| row.replace("\\|", "").matches('|').count() == 4), "{text}");
        assert!(text.contains("1 passed, 0 failed, 1 not judged, 1 not measured"), "{text}");
        assert!(text.contains("| **not judged** | ") && text.contains(" | INVALID: "), "{text}");
        let gate = written("markdown", &gates::rounds(1, 1.0, || 1.0), "wakeup.max > 1h");
        assert!(gate.contains("| **not judged** | gate all CPUs | NOT MEASURED: "), "{gate}");
    }

    #[test]
    fn a_run_that_its_limit_ended_says_so_in_the_formats_that_people_read() {
        let mut run = wakeup(Policy::Fifo(80), None, 8e3, 6e4);
        run.warnings.push(Warning::StoppedAt {
            thread: "CPU 1".to_owned(),
            limit_ns: 20_000,
            late_ns: 71_700,
            at_ns: 17_000_000,
            planned_ns: 30_000_000_000,
        });
        for flag in ["junit", "ktap", "markdown"] {
            let text = written(flag, std::slice::from_ref(&run), "wakeup.max > 1h");
            assert!(
                text.contains("ENDED EARLY: ") && text.contains(" woke 71.7 µs late"),
                "{text}"
            );
        }
    }

    #[test]
    fn bencher_gets_measured_figures_what_failed_and_instructions_from_the_lab() {
        let figures = |runs: &[Outcome]| -> Value {
            serde_json::from_str(&written("bencher", runs, "wakeup.max > 1h")).unwrap()
        };
        let report = figures(&three());
        let having = |all: &Value, measure: &str| -> Vec<f64> {
            let values = all.as_object().unwrap().values();
            values.filter_map(|benchmark| benchmark[measure]["value"].as_f64()).collect()
        };
        let medians = having(&report, "median-ns");
        assert_eq!(medians.len(), three()[0].rows.len(), "{report}");
        assert!(medians.iter().all(|median| *median > 0.0), "{report}");
        // The one that cannot be measured is left out.
        assert_eq!(having(&report, "failed"), [0.0, 1.0], "{report}");
        let lab = figures(&[in_lab("rt", "rt", three().remove(0))]);
        assert!(!having(&lab, "median-instructions").is_empty(), "{lab}");
    }

    #[test]
    fn a_gate_is_a_case_that_only_passes_if_it_is_decided() {
        let gate = |rounds: usize, ratio: f64| {
            let text = written("ktap", &gates::rounds(rounds, ratio, || 1.0), "wakeup.max > 1h");
            text.lines().last().unwrap_or_default().to_owned()
                + text.lines().find(|line| line.contains(" gate ")).unwrap()
        };
        assert!(gate(8, 1.0).contains("ok 25 gate all CPUs"));
        assert!(gate(8, 1.2).contains("not ok 25 gate all CPUs"));
        assert!(gate(1, 1.0).contains("not ok 4 gate all CPUs"));
    }
}
