use blame::{Cause, CauseTotal, Counted, LateTold, SomeTask, Summary};
use record::{Row, fact};

use serde_json::json;

use super::*;
use crate::standards::Limits;
use crate::{fixture, survey};

const SECOND: u64 = 1_000_000_000;

/// An interval with skipped periods of which a summary of causes says the `told` ones.
fn blamed(number: u64, skipped: u64, summary: &Summary) -> Outcome {
    let mut outcome = outcome(number, "a", number, "one", skipped);
    outcome.rows[0].tell(&fact::BLAME, serde_json::to_value(summary).unwrap());
    outcome
}

fn task(name: &str, pid: u64) -> Cause {
    let (name, policy) = (name.to_owned(), "other".to_owned());
    Cause::Task(SomeTask { name, pid: pid as i64, policy })
}

fn total(cause: Cause, missed: u64) -> CauseTotal {
    let words = cause.words();
    CauseTotal { cause, words, main_of: 1, missed, part_of: 1, time_ns: 1, longest_ns: 1 }
}

fn summary(causes: &[(Cause, u64)]) -> Summary {
    let causes = causes.iter().map(|(cause, missed)| total(cause.clone(), *missed)).collect();
    Summary { causes, ..Summary::default() }
}

fn words(soak: &Soak) -> Vec<String> {
    let line = |listed: &Listed<'_>| {
        let Listed { cause, missed_at_least, missed_at_most } = listed;
        format!("{} {missed_at_least} to {missed_at_most}", cause.words)
    };
    soak.listed_causes().iter().map(line).collect()
}

/// An interval of one second at this second of 1970, with this many of 1000 periods skipped.
fn outcome(second: u64, watch: &str, number: u64, boot: &str, skipped: u64) -> Outcome {
    let mut outcome = fixture::outcome("wakeup", base::Policy::Fifo(80), &[]);
    outcome.header.started_unix_ns = second * SECOND;
    outcome.header.spec.asked.duration = base::Nanos(SECOND);
    outcome.warnings.clear();
    outcome.found.interval = Some(IntervalFound {
        watch: watch.to_owned(),
        number,
        stalled_before: 0,
        is_same_program: false,
        boot: boot.to_owned(),
        suspended_ns: 0,
        began_since_boot_ns: None,
    });
    let executed = 1000 - skipped;
    outcome.rows =
        vec![Row { due: 1000, executed, skipped, label: "CPU 0".into(), ..Row::default() }];
    outcome
}

/// An interval after this many without a step, with this many of its own periods skipped.
fn after_stall(number: u64, stalled: u64, skipped: u64) -> Outcome {
    let mut outcome = outcome(number, "a", number, "one", skipped);
    outcome.found.interval.as_mut().unwrap().stalled_before = stalled;
    outcome.rows[0].due += 1000 * stalled;
    outcome.rows[0].skipped += 1000 * stalled;
    outcome
}

#[test]
fn the_claim_grows_and_counts_every_miss() {
    let mut soak = Soak::default();
    for number in 0..10 {
        soak.add(&outcome(number, "a", number, "one", 0));
    }
    let rate = soak.claimed().rate(1).unwrap();
    assert_eq!((soak.intervals, soak.due, soak.missed), (10, 10_000, 0));
    assert!((1.0 / rate.upper - 10_000.0 / 2.9957).abs() < 5.0, "{rate:?}");
    soak.add(&outcome(10, "a", 10, "one", 3));
    assert_eq!((soak.due, soak.executed + soak.skipped, soak.missed), (11_000, 11_000, 3));
    assert_eq!(words(&soak), ["unknown 3 to 3"]);
    assert!(soak.gaps.is_empty() && soak.boots == 1);
}

#[test]
fn every_gap_is_reported_with_its_reason() {
    let reasons = |next: Outcome| {
        let mut soak = Soak::default();
        soak.add(&outcome(100, "a", 0, "one", 0));
        let gaps = soak.add(&next).gaps;
        gaps.into_iter()
            .map(|gap| (gap.reason, gap.length_ns.unwrap() / SECOND as i64))
            .collect::<Vec<_>>()
    };
    assert_eq!(reasons(outcome(101, "a", 1, "one", 0)), []);
    assert_eq!(reasons(outcome(104, "a", 4, "one", 0)), [(Reason::Lost, 3)]);
    assert_eq!(reasons(outcome(150, "b", 0, "one", 0)), [(Reason::Stopped, 49)]);
    assert_eq!(reasons(outcome(200, "b", 0, "two", 0)), [(Reason::Boot, 99)]);
    let mut again = outcome(102, "b", 0, "one", 0);
    again.found.interval.as_mut().unwrap().is_same_program = true;
    assert_eq!(reasons(again), [(Reason::WatchBegan, 1)]);
    assert_eq!(reasons(outcome(3701, "a", 1, "one", 0)), [(Reason::ClockSet, 3600)]);
    let mut asleep = outcome(161, "a", 1, "one", 0);
    asleep.found.interval.as_mut().unwrap().suspended_ns = 60 * SECOND;
    assert_eq!(reasons(asleep), [(Reason::Suspended, 60)]);
    let mut stalled = outcome(103, "a", 3, "one", 0);
    stalled.found.interval.as_mut().unwrap().stalled_before = 2;
    assert_eq!(reasons(stalled), [(Reason::Stalled, 2)]);
}

#[test]
fn a_clock_that_was_set_back_makes_no_negative_gap() {
    let gaps = |next: Outcome| {
        let mut soak = Soak::default();
        let mut first = outcome(10_000, "a", 0, "one", 0);
        first.found.interval.as_mut().unwrap().began_since_boot_ns = Some(500 * SECOND);
        soak.add(&first);
        let gaps = soak.add(&next).gaps.into_iter();
        gaps.map(|gap| (gap.reason, gap.length_ns.map(|ns| ns / SECOND as i64))).collect::<Vec<_>>()
    };
    let mut next = outcome(10_000 + 5 - 3600, "b", 0, "one", 0);
    assert_eq!(gaps(next.clone()), [(Reason::Stopped, None)]);
    next.found.interval.as_mut().unwrap().began_since_boot_ns = Some(505 * SECOND);
    assert_eq!(gaps(next.clone()), [(Reason::Stopped, Some(4)), (Reason::ClockSet, Some(-3600))]);
    next.found.interval.as_mut().unwrap().boot = "two".to_owned();
    assert_eq!(gaps(next), [(Reason::Boot, None)]);
    assert_eq!(gaps(outcome(10_000 - 60, "a", 1, "one", 0)), [(Reason::ClockSet, Some(-61))]);
}

#[test]
fn intervals_without_a_step_are_watched() {
    let mut soak = Soak::default();
    soak.add(&after_stall(3, 2, 0));
    assert_eq!((soak.intervals, soak.due, soak.executed, soak.skipped), (3, 3000, 1000, 2000));
}

#[test]
fn a_soak_and_a_report_of_its_intervals_claim_the_same() {
    let burst = |number: u64| if number % 8 == 5 { 20 } else { 0 };
    let mut intervals: Vec<Outcome> =
        (0..60).map(|number| outcome(number, "a", number, "one", burst(number))).collect();
    intervals.push(after_stall(61, 1, 3));
    // A stall until the end of the watch.
    intervals.push(after_stall(64, 2, 1000));
    let mut soak = Soak::default();
    intervals.iter().for_each(|interval| drop(soak.add(interval)));
    let systems = survey::systems(&intervals);
    let series = &systems[0].series[0];
    let reported = real_time::RealTime::of_series(series, &Limits::default()).unwrap().held;
    let [claimed, reported] = [soak.claimed(), reported.tries].map(|tries| (tries, tries.rate(1)));
    assert_eq!(claimed, reported);
    assert_eq!((claimed.0.due, claimed.0.missed), (65_000, 7 * 20 + 1_003 + 3_000));
    // A burst counts as one miss, so the bound is far above that of independent ones.
    let independent = stats::MissRate::of(claimed.0.missed, claimed.0.due).unwrap();
    assert!(claimed.1.unwrap().upper > 2.0 * independent.upper);
}

#[test]
fn the_largest_of_many_causes_is_first_although_it_appears_last_and_memory_is_bounded() {
    let (mut soak, mut picture) = (Soak::default(), Picture::default());
    for number in 0..2_000 {
        let name =
            if number < 1_950 { format!("task-{}", number % 499) } else { "late".to_owned() };
        // Each process is another one.
        let summary = summary(&[(task(&name, number), 1)]);
        picture.add(&soak.add(&blamed(number, 1, &summary)));
    }
    assert_eq!((soak.missed, soak.causes.total(), soak.listed_causes().len()), (2_000, 2_000, 500));
    assert_eq!(words(&soak)[0], "task `late` (other) 50 to 50");
    let last = picture.columns.last().unwrap();
    assert_eq!(last.causes.heaviest()[0].0.name.as_deref(), Some("late"));
}

#[test]
fn causes_beyond_the_room_leave_the_largest_with_its_bounds() {
    let mut soak = Soak::default();
    for number in 0..3_000 {
        soak.add(&blamed(number, 1, &summary(&[(task(&format!("task-{number}"), number), 1)])));
    }
    soak.add(&blamed(3_000, 70, &summary(&[(task("late", 9), 70)])));
    assert_eq!(soak.listed_causes().len(), MOST_CAUSES);
    assert_eq!(words(&soak)[0], "task `late` (other) 70 to 73");
}

#[test]
fn causes_are_ordered_by_missed_periods_and_the_rest_is_unknown() {
    let found =
        [(task("often", 1), 3), (task("long", 2), 40), (Cause::Unknown { why: "lost".into() }, 2)];
    let mut soak = Soak::default();
    let shares = soak.add(&blamed(0, 50, &summary(&found))).interval.causes;
    let shares: Vec<(&str, u64)> = shares
        .iter()
        .map(|share| (share.cause.name.as_deref().unwrap_or("unknown"), share.missed))
        .collect();
    assert_eq!(shares, [("long", 40), ("unknown", 7), ("often", 3)]);
    let json = serde_json::to_value(soak.listed_causes()).unwrap();
    assert_eq!(
        json[0],
        json!({
            "cause": "task", "name": "long", "policy": "other", "words": "task `long` (other)",
            "missed_at_least": 40, "missed_at_most": 40,
        })
    );
}

#[test]
fn without_a_search_causes_are_what_the_kernel_counted() {
    let mut stalled = outcome(0, "a", 0, "one", 500);
    let sample = Counted {
        thread: "CPU 0".to_owned(),
        cpu: Some(0),
        due_ns: 5,
        took_ns: 400_000_000,
        shares: vec![(Cause::UnknownTask, 399_000_000)],
    };
    let period = record::Value::Time(base::Nanos(1_000_000));
    stalled.header.spec.parameters.set("period", period);
    stalled.rows[0].tell(&fact::COUNTED, serde_json::to_value([sample]).unwrap());
    let mut soak = Soak::default();
    soak.add(&stalled);
    assert_eq!(
        words(&soak),
        ["something else that ran on the CPU 400 to 400", "unknown 100 to 100"]
    );
    // What it lost beyond the end of its interval is missed in the next one.
    stalled.rows[0].skipped = 300;
    let mut soak = Soak::default();
    soak.add(&stalled);
    soak.add(&outcome(1, "a", 1, "one", 150));
    assert_eq!(words(&soak), ["something else that ran on the CPU 400 to 400", "unknown 50 to 50"]);
}

#[test]
fn a_stall_over_several_intervals_belongs_to_the_cause_of_its_first_one() {
    let hog = task("hog", 1);
    let stall = LateTold {
        thread: "CPU 0".to_owned(),
        index: 989,
        due_ns: 5,
        // 10 periods of its own interval, one interval without a step, and 30 of the next.
        took_ns: 1_040 * 1_000_000,
        shares: vec![(hog.clone(), 1_039 * 1_000_000)],
        segments: Vec::new(),
    };
    let first = Summary { late_samples: vec![stall], ..summary(&[(hog, 10)]) };
    let period = |mut outcome: Outcome| {
        outcome.header.spec.parameters.set("period", record::Value::Time(base::Nanos(1_000_000)));
        outcome
    };
    let next = |number: u64, stalled_before: u64| {
        let mut next = period(blamed(number, 34, &summary(&[(task("other", 2), 3)])));
        next.rows[0].skipped += 1000 * stalled_before;
        next.rows[0].due += 1000 * stalled_before;
        next.found.interval.as_mut().unwrap().stalled_before = stalled_before;
        next
    };
    let mut soak = Soak::default();
    soak.add(&period(blamed(0, 10, &first)));
    soak.add(&next(2, 1));
    let expected =
        ["task `hog` (other) 1040 to 1040", "task `other` (other) 3 to 3", "unknown 1 to 1"];
    assert_eq!(words(&soak), expected);
    // After a gap nothing is known.
    let mut soak = Soak::default();
    soak.add(&period(blamed(0, 10, &first)));
    soak.add(&next(3, 1));
    assert_eq!(words(&soak)[1], "task `hog` (other) 10 to 10");
}

#[test]
fn a_picture_of_many_intervals_is_bounded_and_loses_no_sample() {
    let (mut soak, mut picture) = (Soak::default(), Picture::default());
    for number in 0..5_000 {
        picture.add(&soak.add(&outcome(number, "a", number, "one", number % 2)));
        assert!(picture.columns.len() <= Picture::WIDEST);
    }
    let columns = || picture.columns.iter();
    assert_eq!(columns().map(|column| column.due).sum::<u64>(), soak.due);
    let missed = columns().map(|column| column.causes.total()).sum::<u64>();
    assert_eq!((missed, picture.merged), (soak.missed, 16));
    assert!(columns().rev().skip(1).all(|column| column.due == 16_000));
}

#[test]
fn a_change_of_the_machine_is_dated() {
    let mut soak = Soak::default();
    let mut first = outcome(0, "a", 0, "one", 0);
    first.header.machine.governors = vec!["performance".to_owned()];
    soak.add(&first);
    let mut next = outcome(1, "a", 1, "one", 0);
    next.header.machine = first.header.machine.clone();
    assert_eq!(soak.add(&next).interval.changes, []);
    let mut changed = outcome(2, "a", 2, "one", 0);
    changed.header.machine = first.header.machine.clone();
    changed.header.machine.governors = vec!["powersave".to_owned()];
    let changes = soak.add(&changed).interval.changes;
    assert_eq!((changes.len(), &*changes[0].what), (1, "governors"));
    assert_eq!(changes[0].to, json!(["powersave"]));
    assert!(changes[0].before.contains("00:00:02"), "{}", changes[0].before);
}
