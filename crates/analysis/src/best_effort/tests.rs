//! Choices of made-up runs.

use base::Policy;
use record::Outcome;
use testing::mixes::{choices, in_turns};

use super::*;
use crate::Analysis;
use crate::finding::AboutDeadlines::{MissBound, Missed};
use crate::finding::AboutEffects::{IdleWork, MissesWithoutWork, MostWork};
use crate::finding::Finding;
use crate::standards::DEFAULT_STANDARDS;

fn tried(runs: &[Outcome]) -> Vec<BestEffort> {
    Analysis::of(runs, &DEFAULT_STANDARDS).best_effort
}

fn found(runs: &[Outcome]) -> Vec<Finding> {
    findings(&tried(runs))
}

#[test]
fn each_choice_is_reported_with_what_it_buys_and_what_it_costs() {
    let runs = choices();
    let all = tried(&runs);
    let [beside] = all.as_slice() else { panic!("{all:?}") };
    assert_eq!(beside.rates, ["fast", "medium", "slow"]);
    let names: Vec<&str> = beside.choices.iter().map(|choice| &*choice.name).collect();
    assert_eq!(names, ["none", "idle", "other"]);
    let [none, idle, other] = [0, 1, 2].map(|place| &beside.choices[place]);
    assert_eq!((none.work_per_s, none.median), (None, None));
    let work = idle.work_per_s.unwrap();
    assert!(work.lower > 0.0 && work.lower < work.value && work.value < work.upper);
    let median = idle.median.unwrap();
    assert!(median.is_worse() && median.times[0] > 1.0, "{median:?}");
    assert_eq!((other.missed, other.fits()), (12, false));
    assert_eq!(none.due, 4 * 2_220);
}

#[test]
fn the_most_work_with_which_nothing_is_missed_is_the_answer() {
    let found = found(&choices());
    let first = &found[0];
    assert!(
        matches!(first, Finding::Effects(MostWork { choice, .. }) if choice == "idle"),
        "{first:?}"
    );
    let has = |is: fn(&Finding) -> bool| found.iter().any(is);
    assert!(has(|finding| matches!(finding, Finding::Effects(IdleWork { median: Some(_), .. }))));
    assert!(has(
        |finding| matches!(finding, Finding::Deadlines(Missed { cases }) if cases[0].0 == "other")
    ));
    assert!(has(
        |finding| matches!(finding, Finding::Deadlines(MissBound { upper, .. }) if *upper < 0.01)
    ));
}

#[test]
fn what_misses_by_itself_has_no_room() {
    let runs = in_turns(3, &[(None, 1.0, 0.0, 2), (Some(Policy::Idle), 1.0, 9.0, 2)]);
    assert!(matches!(found(&runs)[0], Finding::Effects(MissesWithoutWork { missed: 6, .. })));
}

#[test]
fn mixes_of_one_kind_alone_are_no_choice() {
    assert!(tried(&in_turns(3, &[(None, 1.0, 0.0, 0)])).is_empty());
    assert!(tried(&in_turns(3, &[(Some(Policy::Idle), 1.0, 9.0, 0)])).is_empty());
}
