//! Mixes of made-up runs.

use plan::Outcome;
use testing::mixes::{Paced, RATES, mix, wrong_way_round};

use super::*;
use crate::Analysis;
use crate::answer::{Answer, Standing};
use crate::standards::Standards;

fn analysed<T>(runs: &[Outcome], see: impl Fn(&Analysis) -> T) -> T {
    let standards = Standards::default();
    see(&Analysis::of(runs, &standards))
}

fn answer(runs: &[Outcome]) -> Answer {
    analysed(runs, |analysis| analysis.answer.clone())
}

fn holds(run: &Outcome) -> Vec<(String, Option<bool>, bool)> {
    let member = |one: &Member| (one.name.clone(), one.holds_on_paper(), one.met());
    of(&[run])[0].members.iter().map(member).collect()
}

#[test]
fn each_member_is_told_with_what_paper_says() {
    let told = holds(&mix(&RATES, Some(2_060.0)));
    let named = |name: &str, paper, met| (name.to_owned(), paper, met);
    let expected = [
        named("fast", Some(true), true),
        named("medium", Some(true), true),
        named("slow", Some(true), true),
        named("rest", None, true),
    ];
    assert_eq!(told, expected);
    let told = holds(&mix(&wrong_way_round(), None));
    assert_eq!(told[0], named("fast", Some(false), false));
    assert_eq!(told[2], named("slow", Some(true), true));
}

#[test]
fn the_right_way_round_is_good_and_the_wrong_way_is_not() {
    let good = answer(&[mix(&RATES, Some(2_060.0))]);
    assert_eq!(good.standing, Standing::Good);
    assert!(good.verdict.contains("2 060 best-effort steps a second"));
    let bad = answer(&[mix(&wrong_way_round(), None)]);
    assert_eq!(bad.standing, Standing::Bad);
    assert_eq!(bad.verdict, "Deadlines missed: fast missed 60 of 2 000.");
    let words: Vec<&str> = bad.remarks.iter().map(|remark| &*remark.words).collect();
    let told = words.join("\n");
    assert!(told.contains("fast: on paper no, seen no"), "{told}");
    assert!(told.contains("older than their source's period and delay: 4 of 2 000 in fast"));
}

#[test]
fn a_miss_that_paper_excludes_is_told_first() {
    let [fast, medium, slow] = RATES;
    let fast = Paced { missed: 2, ..fast };
    let told = answer(&[mix(&[fast, medium, slow], None)]);
    let paper = &told.remarks[0].words;
    assert!(paper.starts_with("fast: on paper yes, seen no; the cause is told with --blame;"));
}

#[test]
fn among_equals_the_lateness_that_others_cause_is_no_blocking() {
    let [fast, medium, _] = RATES;
    let equals = [fast, Paced { priority: 80, ..medium }].map(|one| Paced { source: None, ..one });
    let mut run = mix(&equals, None);
    let late = run.rows[1].clone();
    run.rows[1] = late.with(&fact::START_LATE_MAX_NS, 600_000);
    let blocking = |member: &Member| member.on_paper.map(|paper| paper.blocking_ns);
    let told: Vec<_> = of(&[&run])[0].members.iter().map(blocking).collect();
    assert_eq!(told, [Some(10_000), Some(10_000)]);
}
