//! Mixes of made-up runs.

use record::Outcome;
use testing::mixes::{Paced, RATES, mix, wrong_way_round};

use super::*;
use crate::finding::AboutDeadlines::{Missed, MixResult};
use crate::finding::AboutMix::{BestEffortSteps, NoMiss, StaleInputs};
use crate::finding::{AboutMix, Finding, Schedulability};
use crate::standards::DEFAULT_STANDARDS;

fn found(run: &Outcome) -> Vec<Finding> {
    mix_results(&[run])[0].findings()
}

fn schedulable(run: &Outcome) -> Vec<(String, Option<bool>, bool)> {
    let member =
        |member: &Member| (member.name.clone(), member.is_schedulable(), member.missed == 0);
    mix_results(&[run])[0].members.iter().map(member).collect()
}

fn case(members: &[&str], schedulable: bool, missed: bool) -> Schedulability {
    let members = members.iter().map(|name| (*name).to_owned()).collect();
    Schedulability { members, schedulable, delay_ns: None, missed, cause: None }
}

#[test]
fn each_member_is_analysed() {
    let named = |name: &str, schedulable, met| (name.to_owned(), schedulable, met);
    let expected = [
        named("fast", Some(true), true),
        named("medium", Some(true), true),
        named("slow", Some(true), true),
        named("rest", None, true),
    ];
    assert_eq!(schedulable(&mix(&RATES, Some(2_060.0))), expected);
    let wrong = schedulable(&mix(&wrong_way_round(), None));
    assert_eq!(wrong[0], named("fast", Some(false), false));
    assert_eq!(wrong[2], named("slow", Some(true), true));
}

#[test]
fn the_right_way_round_misses_none_and_the_wrong_way_does() {
    let good = found(&mix(&RATES, Some(2_060.0)));
    assert_eq!(good[0], Finding::Mix(NoMiss { rates: 3, due: 2_220 }));
    assert_eq!(good[1], Finding::Mix(BestEffortSteps { steps_per_s: 2_060.0 }));
    let bad = found(&mix(&wrong_way_round(), None));
    assert_eq!(bad[0], Finding::Deadlines(Missed { cases: vec![("fast".to_owned(), 60, 2_000)] }));
    let cases = vec![case(&["medium", "slow"], true, false), case(&["fast"], false, true)];
    assert_eq!(bad[1], Finding::Mix(AboutMix::Schedulability { cases }));
    assert_eq!(bad[2], Finding::Mix(StaleInputs { cases: vec![("fast".to_owned(), 4, 2_000)] }));
}

#[test]
fn best_effort_work_has_no_deadlines() {
    let runs = [mix(&RATES, Some(2_060.0))];
    let holds = crate::Analysis::of(&runs, &DEFAULT_STANDARDS).verdict.holds;
    let expected = MixResult {
        members: ["fast", "medium", "slow"].map(str::to_owned).into(),
        missed: 0,
        due: 2_220,
    };
    assert!(holds.contains(&Finding::Deadlines(expected)), "{holds:?}");
}

#[test]
fn a_miss_of_what_is_schedulable_comes_first() {
    let [fast, medium, slow] = RATES;
    let fast = Paced { missed: 2, ..fast };
    let Finding::Mix(AboutMix::Schedulability { cases }) =
        &found(&mix(&[fast, medium, slow], None))[1]
    else {
        panic!("members have fixed priorities")
    };
    assert_eq!(cases[0], case(&["fast"], true, true));
}

#[test]
fn among_equals_the_lateness_that_others_cause_is_no_blocking() {
    let [fast, medium, _] = RATES;
    let equals =
        [fast, Paced { priority: 80, ..medium }].map(|paced| Paced { source: None, ..paced });
    let mut run = mix(&equals, None);
    let late = run.rows[1].clone();
    run.rows[1] = late.with(&fact::START_LATE_MAX_NS, 600_000);
    let blocking = |member: &Member| member.on_paper.map(|paper| paper.blocking_ns);
    let blocked: Vec<_> = mix_results(&[&run])[0].members.iter().map(blocking).collect();
    assert_eq!(blocked, [Some(10_000), Some(10_000)]);
}

#[test]
fn a_delay_from_outside_is_no_cost_of_a_member() {
    let [fast, medium, slow] = RATES;
    let mut run = mix(&[Paced { missed: 30, ..fast }, medium, slow], None);
    let late = run.rows[0].clone();
    run.rows[0] = late.with(&fact::START_LATE_MAX_NS, 30_000_000);
    let Finding::Mix(AboutMix::Schedulability { cases }) = &found(&run)[1] else {
        panic!("members have fixed priorities")
    };
    let delayed = Schedulability { delay_ns: Some(30_000_000), ..case(&["fast"], true, true) };
    assert_eq!(cases[0], delayed);
}

#[test]
fn the_cause_of_a_members_misses_is_that_of_its_own_threads() {
    let late = |thread: &str, took_ns: i64, cause: Cause| LateTold {
        thread: thread.to_owned(),
        index: 0,
        due_ns: 0,
        took_ns,
        shares: vec![(cause, took_ns)],
        segments: Vec::new(),
    };
    let in_time = late("solver 1", 900_000, Cause::PageFault);
    let late_samples = vec![
        late("solver 0", 9_000_000, Cause::Steal),
        in_time.clone(),
        in_time,
        late("solver 1", 2_000_000, Cause::Stopped),
    ];
    let summary = Summary { late_samples, ..Summary::default() };
    let of = |threads| cause(&summary, threads, 1_000_000);
    assert_eq!(of(0..1), Some(Cause::Steal.words()));
    assert_eq!(of(1..2), Some(Cause::Stopped.words()));
    assert_eq!(of(2..3), None);
}
