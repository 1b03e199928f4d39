use crate::fixture::{blamed, frames, refused, wakeup};
use crate::{Answer, answer};
use analysis::Analysis;
use analysis::check::Check;
use analysis::finding::{
    AboutEffects, AboutMachine, Compared, Finding, SelfTestResult, Standing, Why, unlabelled,
};
use analysis::standards::DEFAULT_STANDARDS;
use base::{Nanos, Policy, Vicinity};
use record::Outcome;

use super::{Telling, VIEWS};

#[test]
fn every_view_has_an_answer_to_no_run() {
    let analysis = Analysis::of(&[], &DEFAULT_STANDARDS);
    for view in VIEWS {
        assert!(!view.answer(&analysis).verdict.is_empty());
    }
}

fn answered(runs: &[Outcome]) -> Answer {
    answer(&Analysis::of(runs, &DEFAULT_STANDARDS))
}

fn remark<'a>(answer: &'a Answer, name: &str) -> &'a str {
    let found = answer.remarks.iter().find(|remark| remark.name == name);
    &found.unwrap_or_else(|| panic!("{answer:?}")).words
}

fn clean() -> Outcome {
    wakeup(Policy::Fifo(80), None, 8e3, 6e4)
}

#[test]
fn harm_and_a_failed_self_test_are_bad_news_and_a_sham_that_differs_is_open() {
    let (place, figure) = (Vicinity::SharedCache, Compared::P999);
    let neighbour = "shootdown".to_owned();
    let harm = AboutEffects::WorstNeighbour { neighbour, place, figure, ratio: 3.1 };
    let why = Why::ShamDiffers { figure, interval: [1.5, 2.0] };
    let result = SelfTestResult::NotCertified { reasons: Vec::new() };
    let found = [
        Finding::Effects(harm),
        Finding::Machine(AboutMachine::SelfTest { result }),
        Finding::Effects(AboutEffects::Inconclusive { why }),
    ];
    let standings = found.map(|finding| finding.said().standing);
    assert_eq!(standings, [Standing::Bad, Standing::Bad, Standing::Open]);
}

#[test]
fn deadlines_are_not_ready_open_or_shown() {
    let open = answered(&[clean()]);
    let verdict = "NO MISS SEEN at 1 kHz in 20 000 wake-ups; not yet shown to hold.";
    assert_eq!(open.verdict, verdict);
    let rate = "fewer than 1 in 6 676 miss (95 % confidence, 1 run). To show it: at least 30 s in 29 runs.";
    assert_eq!(remark(&open, "Confidence"), rate);
    let mut missed = clean();
    missed.rows[0].skipped = 3;
    let bad = answered(&[missed]);
    let verdict = "NOT READY for hard real time at 1 kHz: 3 of 20 000 wake-ups missed; the latest \
                   came 58.1 µs late.";
    assert_eq!(bad.verdict, verdict);
    let rare = "events rarer than one per 6.67 s may be missed.";
    assert_eq!(remark(&bad, "Confidence"), rare);
    let shown = answered(&vec![clean(); 29]);
    let verdict = "SHOWN to hold at 1 kHz: no miss in 580 000 wake-ups of 29 runs (fewer than 1 in \
                   193 609).";
    assert_eq!(shown.verdict, verdict);
}

#[test]
fn a_check_says_first_what_its_pass_shows() {
    let runs = vec![clean(); 29];
    let analysis = Analysis::of(&runs, &DEFAULT_STANDARDS);
    let first = |max: Option<u64>, misses: &str| {
        let (period, misses) = (Nanos(1_000_000), misses.parse().unwrap());
        let check = Check { period, max: max.map(Nanos), misses };
        let checked = check.of(&analysis, Nanos::SECOND);
        crate::check(&checked, &analysis).answer.verdict
    };
    let shown = "none of 580 000, so fewer than 1 in 193 609 (95 % confidence).";
    assert_eq!(first(None, "0"), format!("PASS: missed {shown}"));
    let late = "PASS: none of 580 000 came later than 100 µs, so fewer than 1 in 193 609 (95 % \
                confidence).";
    assert_eq!(first(Some(100_000), "0"), late);
    assert_eq!(first(None, "1/1000"), format!("PASS: missed {shown}"));
}

#[test]
fn what_is_unknown_follows_the_verdict() {
    let answer = answered(&[clean(), refused()]);
    let end = "to hold. 10 kHz thread: unknown, all its runs are INVALID.";
    assert!(answer.verdict.ends_with(end), "{}", answer.verdict);
    let invalid = remark(&answer, "INVALID");
    assert!(invalid.starts_with("1 of 2: the kernel refused"), "{invalid}");
    assert_eq!(answered(&[refused()]).verdict, "INVALID: no run can be used.");
}

#[test]
fn fixes_are_numbered_commands() {
    let mut run = blamed("hog");
    run.rows[0].skipped = 3;
    let answer = answered(&[run]);
    let first = remark(&answer, "Fix first");
    let keep = "1. keep task `hog` off CPU 1: `sudo taskset -cp 0 4711` while it runs";
    assert!(first.starts_with(keep), "{first}");
}

#[test]
fn frames_hold_or_overrun() {
    let runs = [frames("timer", 170_000)];
    let verdict = Analysis::of(&runs, &DEFAULT_STANDARDS).verdict;
    let held = "Does not hold 2 processes with frames of 85 % at 100 Hz (`fifo:80`): 1 of 2 000 \
                frames overran.";
    assert_eq!(unlabelled(&verdict.holds), [held]);
}
