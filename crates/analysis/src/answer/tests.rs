use super::*;
use crate::Analysis;
use crate::fixture::{
    blamed, everything, own_model, refused, self_tested, tire, two_machines, wakeup,
};
use crate::standards::Standards;
use plan::{Outcome, Warning};
use units::Policy;

fn answer(runs: &[Outcome]) -> Answer {
    Analysis::of(runs, &Standards::default()).answer
}

#[test]
fn one_miss_is_not_ready_and_none_is_not_yet_shown() {
    let clean = wakeup(Policy::Fifo(80), None, 8e3, 6e4);
    let open = answer(std::slice::from_ref(&clean));
    assert_eq!(open.standing, Standing::Open);
    assert!(open.verdict.starts_with("NO MISS SEEN at 1 kHz"), "{}", open.verdict);
    let mut missed = clean.clone();
    missed.rows[0].skipped = 3;
    let bad = answer(&[clean.clone(), missed]);
    assert_eq!(bad.standing, Standing::Bad);
    assert!(
        bad.verdict.starts_with("NOT READY for hard real time at 1 kHz: 3 of "),
        "{}",
        bad.verdict
    );
    let often = vec![clean; 29];
    let good = answer(&often);
    assert_eq!(good.standing, Standing::Good);
    assert!(good.verdict.starts_with("SHOWN to hold at 1 kHz: no miss in "), "{}", good.verdict);
}

#[test]
fn a_run_without_a_real_time_policy_is_judged_where_nothing_else_ran() {
    let mut usual = wakeup("other".parse().unwrap(), None, 8e3, 6e4);
    usual.rows[0].skipped = 1;
    assert_eq!(answer(std::slice::from_ref(&usual)).standing, Standing::Bad);
    let real_time = wakeup(Policy::Fifo(80), None, 8e3, 6e4);
    assert_eq!(answer(&[usual, real_time]).standing, Standing::Open);
}

#[test]
fn a_model_is_told_by_the_largest_size_that_missed_nothing() {
    let sizes = [(100, 0), (200, 0), (400, 11)];
    let runs = sizes.map(|(masses, missed)| tire("real-time", masses, 1, 200, missed));
    let answer = answer(&runs);
    assert_eq!(answer.standing, Standing::Open);
    assert!(answer.verdict.contains("200 masses on 1 thread"), "{}", answer.verdict);
}

#[test]
fn a_persons_own_model_is_judged_by_its_deadlines() {
    let own = answer(&[own_model("real-time", 0)]);
    assert_eq!(own.standing, Standing::Open);
    assert_eq!(own.lines[0].what, "1 kHz model plant");
    assert_eq!(own.lines[0].figures[0], "missed none of 2 000");
    assert!(own.remarks.iter().any(|one| one.name == "Headroom"), "{own:?}");
    let missed = answer(&[own_model("real-time", 2)]);
    assert_eq!(missed.standing, Standing::Bad);
    assert!(
        missed.verdict.starts_with("NOT READY for hard real time at 1 kHz: 2 of 2 000 steps"),
        "{missed:?}"
    );
}

#[test]
fn a_persons_own_model_without_deadlines_is_told_by_its_speed() {
    let fast = answer(&[own_model("real-fast", 0)]);
    assert_eq!(fast.standing, Standing::Plain);
    assert_eq!(fast.lines[0].what, "real-fast model plant");
    assert!(fast.lines[0].figures[0].ends_with(" steps a second"), "{fast:?}");
    assert!(
        fast.verdict.starts_with("real-fast model plant, fifo:80: "),
        "what is as usual is not listed: {fast:?}"
    );
}

#[test]
fn of_several_models_only_what_one_should_not_do_is_told() {
    let mut odd = own_model("real-time", 0);
    odd.rows[0].label = "other".to_owned();
    odd.rows[0].tell(&plan::fact::LOG_LINES, 7);
    let told = answer(&[own_model("real-time", 0), odd]).remarks;
    let of_model = |name| told.iter().find(|one| one.name == name);
    assert!(of_model("Headroom").is_none());
    assert_eq!(of_model("Model").unwrap().words, "other: logged 7 lines, within its steps");
}

#[test]
fn an_invalid_run_says_why_and_what_mends_it() {
    let answer = answer(&[refused()]);
    assert_eq!(answer.standing, Standing::Bad);
    assert_eq!(answer.remarks[0].name, "Cause");
    assert!(answer.remarks[0].words.contains("Remedy: "), "{answer:?}");
}

#[test]
fn every_machine_has_a_line_with_its_name() {
    let runs = two_machines();
    let standards = Standards::default();
    let analysis = Analysis::of(&runs, &standards);
    assert_eq!(analysis.systems.len(), 2);
    for machine in named(&analysis.systems) {
        let head = machine.told(String::new());
        let lines = &analysis.answer.lines;
        assert!(lines.iter().any(|line| line.what.starts_with(&head)), "{lines:?}");
    }
}

#[test]
fn a_machine_without_a_real_time_policy_is_told_beside_one_with_it() {
    let real_time = wakeup(Policy::Fifo(80), None, 8e3, 6e4);
    let mut usual = wakeup("other".parse().unwrap(), None, 8e3, 6e4);
    usual.rows[0].skipped = 1;
    let mut machine = (*usual.header.machine).clone();
    machine.cpu_model = "Intel(R) Core(TM) i7-9700K CPU @ 3.60GHz".to_owned();
    usual.header.machine = machine.into();
    let mut refused = refused();
    let mut machine = (*refused.header.machine).clone();
    machine.cpu_model = "third".to_owned();
    refused.header.machine = machine.into();
    let answer = answer(&[real_time, usual, refused]);
    assert!(answer.verdict.contains(" at 1 kHz on Intel Core i7-9700K: 1 of "), "{answer:?}");
    let told = |text: &str| answer.lines.iter().any(|line| line.what == text);
    assert!(told("Intel Core i7-9700K: 1 kHz thread") && told("third"), "{answer:?}");
    let sure = answer.remarks.iter().find(|remark| remark.name == SURE);
    let sure = &sure.unwrap().words;
    assert!(sure.starts_with("Intel Core i7-9700K: 1 kHz thread: "), "{sure}");
}

#[test]
fn self_tests_alone_are_answered_by_what_they_found() {
    let answer = answer(&self_tested());
    assert_ne!(answer.standing, Standing::Plain);
    assert!(answer.lines.iter().any(|line| line.figures[0].starts_with("seen ")), "{answer:?}");
}

#[test]
fn whatever_was_measured_has_an_answer() {
    for runs in [everything(), two_machines(), vec![]] {
        let answer = answer(&runs);
        assert!(!answer.verdict.is_empty() && !answer.subject.is_empty());
    }
}

fn remark<'a>(answer: &'a Answer, name: &str) -> &'a str {
    let mut remarks = answer.remarks.iter();
    let found = remarks.find(|remark| remark.name == name);
    &found.unwrap_or_else(|| panic!("{answer:?}")).words
}

#[test]
fn a_setting_that_changed_within_a_session_is_named() {
    let before = wakeup(Policy::Fifo(80), None, 8e3, 6e4);
    let mut after = before.clone();
    let mut machine = (*after.header.machine).clone();
    machine.transparent_huge_pages = Some("never".to_owned());
    after.header.machine = machine.into();
    let answer = answer(&[before, after]);
    let subject = &answer.subject;
    assert!(subject.ends_with(": thp madvise and thp never"), "{subject}");
    let is_told = |text: &str| answer.lines.iter().any(|line| line.what == text);
    assert!(is_told("thp never: 1 kHz thread"), "{answer:?}");
}

#[test]
fn of_what_nothing_is_known_is_said_first_and_whom_to_wait_for() {
    let mut spoilt = refused();
    spoilt.warnings = vec![Warning::MeasuredBeside {
        who: "process 71 measures on CPU 1 since 3 s (`steadfast`)".to_owned(),
        asked: false,
    }];
    let answer = answer(&[wakeup(Policy::Fifo(80), None, 8e3, 6e4), spoilt]);
    let unknown = "NOT KNOWN of the 10 kHz thread: every such run is INVALID. NO MISS SEEN";
    assert!(answer.verdict.starts_with(unknown), "{}", answer.verdict);
    let first = remark(&answer, FIRST);
    assert!(first.starts_with("1. wait for process 71, and"), "{first}");
}

#[test]
fn the_task_that_was_blamed_most_is_kept_off_first() {
    let first = answer(&[blamed("hog")]);
    let first = remark(&first, FIRST);
    let keep = "1. keep task `hog` off CPU 1: `sudo taskset -cp 0 4711`";
    assert!(first.starts_with(keep), "{first}");
}

#[test]
fn a_cause_is_told_where_something_was_counted_and_sure_is_about_the_verdict() {
    let mut missed = wakeup(Policy::Fifo(80), None, 8e3, 6e4);
    missed.rows[0].skipped = 3;
    let told = answer(std::slice::from_ref(&missed));
    assert!(remark(&told, "Why").starts_with("no cause was counted"));
    missed.found.cpus[0].steal_ns = 30_000_000;
    let tire = tire("real-time", 400, 1, 10, 0);
    let told = answer(&[missed, tire]);
    assert!(remark(&told, "Why").starts_with("probably: the hypervisor (KVM) took"));
    assert!(remark(&told, SURE).starts_with("1 kHz thread: "), "{told:?}");
}
