//! Every verdict of a command, in every format, against its exit code.

use std::fs;
use std::path::Path;

use analysis::check::Check;
use analysis::gate::{Exact, Sampled};
use anyhow::anyhow;
use base::{Nanos, Policy};
use record::{Outcome, Row, Track, Tried, fact};
use report::{FORMATS, Format, Suite};
use serde_json::json;
use testing::gates;
use testing::outcomes::{distribution, in_lab, mistaken_self_test, refused, self_tested, wakeup};

use super::*;
use crate::options::after;
use crate::startup::exit::{
    EXIT_COULD_NOT_RUN, EXIT_FAILED, EXIT_INTERRUPTED, EXIT_NOT_SHOWN, EXIT_UNDECIDED,
};

/// A way in which a command can end, with constructed runs.
struct Ending {
    name: &'static str,
    runs: Vec<Outcome>,
    /// The largest allowed time and the number of misses of a check, if it is one.
    check: Option<Nanos>,
    limit: &'static str,
    trouble: Option<Trouble>,
    code: u8,
}

fn ending(name: &'static str, runs: Vec<Outcome>, code: u8) -> Ending {
    Ending { name, runs, check: None, limit: "", trouble: None, code }
}

fn clean(runs: usize) -> Vec<Outcome> {
    vec![wakeup(Policy::Fifo(80), None, 8e3, 6e4); runs]
}

fn absent() -> Outcome {
    let mut run = clean(1).remove(0);
    run.rows = vec![Row::unavailable("uart", "needs a port")];
    run
}

/// An INVALID run of an experiment, which does not count as a run of the machine.
fn tried() -> Outcome {
    let mut run = refused();
    run.header.spec.asked.tried = vec![Tried { knob: "thp".to_owned(), value: None }];
    run
}

/// A run of a self-test that blamed few of its disturbances correctly.
fn mistaken() -> Outcome {
    let mut run = self_tested().swap_remove(1);
    run.rows[0].tell(&fact::DISTURBED, json!(mistaken_self_test().disturbances[0]));
    run
}

/// A gate whose last round has an INVALID run, which leaves that round out.
fn gate_with_an_invalid_run() -> Vec<Outcome> {
    let mut runs = gates::rounds(9, 1.0, || 1.0);
    let last = runs.last_mut().expect("there are runs");
    last.warnings = refused().warnings;
    runs
}

fn of_runs() -> Vec<Ending> {
    let of = |name, runs, code| ending(name, runs, code);
    let limited = |limit, ending| Ending { limit, ..ending };
    let in_trouble = |trouble, ending| Ending { trouble: Some(trouble), ..ending };
    vec![
        of("all valid", clean(2), 0),
        of("nothing to measure here", vec![absent()], 0),
        of("INVALID", [clean(1), vec![refused()]].concat(), EXIT_FAILED),
        limited("wakeup.max > 1h", of("limit kept", clean(2), 0)),
        limited("wakeup.max > 1ns", of("limit broken", clean(2), EXIT_FAILED)),
        limited("tire.max > 1s", of("limit about nothing", clean(1), EXIT_COULD_NOT_RUN)),
        in_trouble(
            Trouble::NotMade(anyhow!("no rights")),
            of("not made", clean(1), EXIT_COULD_NOT_RUN),
        ),
        in_trouble(Trouble::Interrupted, of("interrupted", clean(1), EXIT_INTERRUPTED)),
        ending("a knob that was refused", vec![tried()], EXIT_FAILED),
        ending("a self-test", self_tested(), 0),
        ending("a mistaken self-test", vec![mistaken()], EXIT_FAILED),
    ]
}

fn of_checks() -> Vec<Ending> {
    let of = |name, runs, max_ns, code| Ending {
        check: Some(Nanos(max_ns)),
        ..ending(name, runs, code)
    };
    let interrupted = |ending| Ending { trouble: Some(Trouble::Interrupted), ..ending };
    let invalid = [clean(29), vec![refused()]].concat();
    vec![
        of("PASS", clean(29), 60_000, 0),
        of("FAIL", clean(29), 20_000, EXIT_FAILED),
        of("NOT SHOWN YET", clean(4), 60_000, EXIT_NOT_SHOWN),
        of("INVALID", invalid, 60_000, EXIT_FAILED),
        interrupted(of("FAIL, interrupted", clean(2), 20_000, EXIT_FAILED)),
        interrupted(of("interrupted", clean(4), 60_000, EXIT_INTERRUPTED)),
    ]
}

fn of_gates() -> Vec<Ending> {
    let of = |name, runs, code| ending(name, runs, code);
    vec![
        of("passes", gates::rounds(8, 1.0, || 1.0), 0),
        of("passes without its INVALID run", gate_with_an_invalid_run(), 0),
        of("fails", gates::rounds(8, 1.2, || 1.0), EXIT_FAILED),
        of("not measured", gates::rounds(1, 1.0, || 1.0), EXIT_UNDECIDED),
    ]
}

/// Returns the same suites without what is wrong: a format says that something is wrong if it then
/// differs.
fn as_if_passed(mut suites: Vec<Suite>) -> Vec<Suite> {
    let cases = suites.iter_mut().flat_map(|suite| &mut suite.cases);
    let wrong = cases.filter(|case| !case.status.is_fine());
    wrong.for_each(|case| case.status = Status::Passed);
    suites
}

fn answer_to(folder: &Path, limit: &str) -> AnswerArgs {
    let file = |format: &Format| format!("--{0} {1}/{0}", format.flag, folder.display());
    let files: Vec<String> = FORMATS.iter().map(file).collect();
    let mut answer: AnswerArgs = after(&files.join(" ")).expect("the options are known");
    answer.fail_if =
        (!limit.is_empty()).then(|| limit.parse().expect("a limit")).into_iter().collect();
    answer
}

fn own_cases(max: Option<Nanos>, analysis: &Analysis) -> Vec<Case> {
    let case = |max| {
        let misses = "0".parse().expect("it is known");
        let check = Check { period: Nanos(1_000_000), max: Some(max), misses };
        let checked = check.of(analysis, Nanos::SECOND);
        report::check(&checked, analysis).case("check 1kHz max 60us".to_owned())
    };
    max.map(case).into_iter().collect()
}

#[test]
fn every_format_has_the_verdict_of_the_exit_code() {
    for ending in [of_runs(), of_checks(), of_gates()].into_iter().flatten() {
        let Ending { name, code, .. } = ending;
        let folder = tempfile::tempdir().unwrap();
        let answer = answer_to(folder.path(), ending.limit);
        let standards = answer.standards();
        let analysis = Analysis::of(&ending.runs, &standards);
        let own = own_cases(ending.check, &analysis);
        let found = conclude(&answer, &analysis, ending.trouble, own);
        let found = found.unwrap_or_else(|_| ExitCode::from(EXIT_COULD_NOT_RUN));
        assert_eq!(found, ExitCode::from(code), "{name}");
        let fine = as_if_passed(report::suites(&analysis, own_cases(ending.check, &analysis)));
        for format in FORMATS {
            let text = fs::read_to_string(folder.path().join(format.flag)).unwrap();
            let is_fine = text == (format.write)(&fine);
            assert_eq!(is_fine, code == 0, "{name}, --{}: {text}", format.flag);
        }
    }
}

/// Returns a run in the lab whose third wake-up takes some nanoseconds more.
fn sampled(more_ns: i64) -> Sampled {
    let mut samples = vec![8_000; 100];
    samples[2] += more_ns;
    let mut run = clean(1).remove(0);
    run.rows = vec![Row::of("cpu 0", distribution(&samples))];
    let tracks = vec![Track::new("cpu 0").column("latency_ns", samples)];
    Sampled { outcome: in_lab("rt", "rt", run), tracks }
}

#[test]
fn every_format_of_an_exact_gate_has_the_verdict_of_the_exit_code() {
    let baseline = [sampled(0)];
    for (now, code) in
        [(Some(sampled(0)), 0), (Some(sampled(400)), EXIT_FAILED), (None, EXIT_UNDECIDED)]
    {
        let exact = Exact::of("main", &baseline, &[now], "it was not made", &[]);
        let suites = report::exact_suites(&exact);
        assert_eq!(exit::of(&suites), ExitCode::from(code));
        let fine = as_if_passed(report::exact_suites(&exact));
        for format in FORMATS {
            let text = (format.write)(&suites);
            assert_eq!(text == (format.write)(&fine), code == 0, "--{}: {text}", format.flag);
        }
    }
}

#[test]
fn the_check_itself_is_a_case_and_every_case_has_its_time() {
    let folder = tempfile::tempdir().unwrap();
    let answer = answer_to(folder.path(), "");
    let (runs, standards) = (clean(2), answer.standards());
    let analysis = Analysis::of(&runs, &standards);
    let own = own_cases(Some(Nanos(20_000)), &analysis);
    assert_eq!(conclude(&answer, &analysis, None, own).unwrap(), ExitCode::from(EXIT_FAILED));
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let junit = read("junit");
    assert!(junit.contains("name=\"check 1kHz max 60us\"") && junit.contains("FAIL: "), "{junit}");
    let cases: Vec<&str> = junit.split("<testcase ").skip(1).collect();
    assert_eq!(cases.len(), 3);
    for case in &cases {
        assert!(case.split('>').next().is_some_and(|head| head.contains("time=")), "{case}");
    }
    assert!(cases[1..].iter().all(|case| !case.contains("time=\"0.000\"")), "{junit}");
    assert!(read("ktap").contains("not ok 1 check 1kHz max 60us"));
}
