use plan::{CodePlace, Deed, ModelThread, Pass};

use super::*;
use crate::answer::Standing;

fn seen(deed: Deed, name: &str, runs: &[(u64, u64, u64)]) -> Occurrence {
    let run = |&(first, last, each)| plan::StepRun { first, last, each };
    Occurrence {
        deed,
        name: name.to_owned(),
        place: Some(CodePlace {
            library: "/models/plant.so".to_owned(),
            offset: 0x1139,
            symbol: Some("plant_step+12".to_owned()),
        }),
        by_step: true,
        bytes: 0,
        beside: 0,
        runs: runs.iter().map(run).collect(),
    }
}

fn record(inside: Vec<Occurrence>, outside: Vec<Occurrence>) -> AuditRecord {
    let pass =
        |occurrences| Pass { occurrences, outputs_hash: Some("1".to_owned()), ..Pass::default() };
    AuditRecord {
        file: "/models/plant.so".to_owned(),
        interface: "library".to_owned(),
        steps: 5000,
        inside: pass(inside),
        outside: pass(outside),
    }
}

#[test]
fn a_clean_model_is_told_so() {
    let audited = Audited::of(&record(vec![], vec![]));
    assert!(audited.is_clean() && audited.answer.standing == Standing::Good);
    assert!(audited.answer.verdict.starts_with("Nothing found"));
}

#[test]
fn findings_are_words_first_with_what_they_cost() {
    let mut record = record(
        vec![
            seen(Deed::Denormal, "", &[(3100, 4999, 1)]),
            seen(Deed::Allocation, "malloc", &[(0, 0, 3)]),
        ],
        vec![seen(
            Deed::SystemCall,
            "clock_nanosleep",
            &[(500, 500, 1), (1000, 1000, 1), (1500, 1500, 1)],
        )],
    );
    record.inside.step_ns = (0..5000).map(|step| if step < 3100 { 100 } else { 900 }).collect();
    let audited = Audited::of(&record);
    let kinds: Vec<_> = audited.findings.iter().map(|finding| finding.kind).collect();
    assert_eq!(kinds, [FindingKind::Allocation, FindingKind::SystemCall, FindingKind::Denormal]);
    let [allocation, sleep, denormal] = &audited.findings[..] else { unreachable!() };
    assert_eq!((allocation.count, allocation.first_step), (3, Some(0)));
    assert!(
        allocation.told.contains("allocates (the first): 3 times in all"),
        "{}",
        allocation.told
    );
    assert_eq!(
        sleep.told,
        "every 500th step makes a system call, from step 500 on: clock_nanosleep"
    );
    assert_eq!(denormal.times_as_long, Some(9.0));
    assert!(
        denormal.told.contains("on every step calculates with denormals; these take 9"),
        "{}",
        denormal.told
    );
    assert!(audited.answer.verdict.starts_with("1 of 5"), "{}", audited.answer.verdict);
    assert_eq!(told_place(&allocation.places[0]), "plant_step+12 in plant.so+0x1139");
}

#[test]
fn what_other_threads_do_is_no_finding() {
    let mut other = seen(Deed::SystemCall, "futex", &[(7, 7, 2)]);
    other.by_step = false;
    let audited = Audited::of(&record(vec![], vec![other]));
    assert!(audited.is_clean());
    assert_eq!((audited.beside[0].name.as_str(), audited.beside[0].count), ("futex", 2));
}

#[test]
fn threads_that_inherit_are_told() {
    let mut record = record(vec![], vec![]);
    let thread = |inherits_policy| ModelThread { name: "w".to_owned(), inherits_policy };
    record.inside.threads = vec![thread(true), thread(true)];
    let audited = Audited::of(&record);
    assert_eq!(
        audited.findings[0].told,
        "2 threads are made before the first step; all inherit the policy and the CPUs of the step"
    );
}

#[test]
fn a_model_that_breaks_is_told_with_phase_and_step() {
    let mut record = record(vec![], vec![]);
    record.outside.end = PassEnd::Broken {
        phase: "step".to_owned(),
        step: Some(1000),
        what: "it used memory that is not there".to_owned(),
        place: None,
    };
    record.inside.end = record.outside.end.clone();
    let audited = Audited::of(&record);
    assert_eq!(audited.findings.len(), 1, "once, not once a pass");
    assert_eq!(
        (audited.findings[0].kind, audited.findings[0].first_step),
        (FindingKind::Crash, Some(1000))
    );
}

#[test]
fn outputs_that_differ_between_equal_passes_are_found() {
    let mut record = record(vec![], vec![]);
    record.outside.outputs_hash = Some("2".to_owned());
    assert_eq!(Audited::of(&record).findings[0].kind, FindingKind::OutputsDiffer);
}

#[test]
fn an_audit_that_saw_half_is_not_clean() {
    let mut record = record(vec![], vec![]);
    record.outside.end = PassEnd::NotMade("not permitted".to_owned());
    let audited = Audited::of(&record);
    assert!(!audited.is_clean() && audited.findings.is_empty());
    assert_eq!(audited.answer.standing, Standing::Open);
}
