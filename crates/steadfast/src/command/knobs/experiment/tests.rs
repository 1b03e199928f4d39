use std::time::Duration;

use analysis::experiment::{Stage, point, round};
use base::Nanos;
use record::{KNOWN, KnobBarrier, Outcome, RunSpec, SHAM, Warning};

use super::plan::{Candidate, Trial};
use super::rehearsal;
use super::schedule::Schedule;
use crate::command::run::line::specs_of;
use crate::session::driver::{Known, Plan, fake};

/// Returns a small experiment, and the specifications by which its session is found.
pub(crate) fn asked() -> (Box<dyn Plan>, Vec<RunSpec>) {
    let trial = trial(&["one", "two"]);
    let templates = trial.templates();
    (Box::new(trial), templates)
}

fn trial(knobs: &[&str]) -> Trial {
    let names = knobs.iter().chain(&[SHAM, KNOWN]);
    let candidate = |name: &&str| Candidate {
        name: (*name).to_owned(),
        value: "1".to_owned(),
        flag: None,
        settle: Duration::ZERO,
    };
    let each = Nanos::SECOND;
    let budget = Nanos(253 * Nanos::SECOND.0);
    let schedule = Schedule::within(budget, knobs.len() + 1, Some(each), Duration::ZERO).unwrap();
    let mut subject = specs_of("wakeup --policy other --cpus 0").unwrap().remove(0);
    subject.asked.duration = each;
    let rehearsal = rehearsal(&subject).unwrap();
    let knobs = names.map(candidate).collect();
    Trial::of(subject, rehearsal, knobs, schedule, "a machine")
}

/// Returns every run of an experiment on a machine where these knobs cannot be set.
fn runs(trial: Trial, refused: &[&str]) -> Vec<Outcome> {
    resumed(trial, Known::default(), refused)
}

fn resumed(mut trial: Trial, mut known: Known, refused: &[&str]) -> Vec<Outcome> {
    fake::make_all(&mut trial, &mut known, |due| {
        let mut outcome = fake::outcome(&due.spec, due.ordinal, 1);
        let is_refused =
            |tried: &record::Tried| tried.value.is_some() && refused.contains(&tried.knob.as_str());
        if due.spec.asked.tried.iter().any(is_refused) {
            outcome.warnings = vec![Warning::KnobRefused {
                knob: tries(&outcome).concat(),
                asked: "1".to_owned(),
                place: String::new(),
                reason: "made up".to_owned(),
                barrier: KnobBarrier::Other,
            }];
        }
        outcome
    });
    assert!(trial.is_done());
    known.since(0).cloned().collect()
}

fn tries(outcome: &Outcome) -> Vec<&str> {
    let tried = outcome.header.spec.asked.tried.iter();
    tried.map(|tried| tried.knob.as_str()).collect()
}

#[test]
fn each_knob_is_rehearsed_then_all_are_screened_then_the_controls_take_turns() {
    let runs = runs(trial(&["one", "two"]), &[]);
    let rehearsals: Vec<Vec<&str>> = runs[..4].iter().map(tries).collect();
    assert_eq!(rehearsals, [["one"], ["two"], [SHAM], [KNOWN]]);
    let screened: Vec<&Outcome> = runs.iter().filter(|run| tries(run).len() == 3).collect();
    let points = round(Stage::Screening, 3);
    assert_eq!(screened.len() % points.len(), 0);
    for block in screened.chunks(points.len()) {
        let mut made: Vec<Vec<bool>> = block.iter().map(|run| point(&run.header.spec)).collect();
        let mut planned = points.clone();
        assert_ne!(made, planned, "the order is random");
        made.sort_unstable();
        planned.sort_unstable();
        assert_eq!(made, planned);
    }
    let turns = runs[4 + screened.len()..].iter().map(tries).collect::<Vec<_>>();
    let controls = [SHAM, KNOWN].map(|control| vec![[control]; 4]).concat();
    assert_eq!(turns[..8], controls);
    assert_eq!(turns.len() % 8, 0);
}

#[test]
fn wherever_it_is_resumed_it_makes_the_same_runs() {
    let refused = &["two"];
    let specs = |runs: &[Outcome]| -> Vec<RunSpec> {
        runs.iter().map(|run| run.header.spec.clone()).collect()
    };
    let whole = runs(trial(&["one", "two"]), refused);
    for done in 0..whole.len() {
        let mut known = Known::default();
        (0..).zip(&whole[..done]).for_each(|(at, run)| known.add(Some(at), run.clone()));
        let again = resumed(trial(&["one", "two"]), known, refused);
        assert!(specs(&again) == specs(&whole), "after {done} of {} runs", whole.len());
    }
}

#[test]
fn a_knob_that_cannot_be_set_is_not_tried_again() {
    let runs = runs(trial(&["one", "two"]), &["two"]);
    let again = runs[4..].iter().filter(|run| tries(run).contains(&"two"));
    assert_eq!(again.count(), 0);
}
