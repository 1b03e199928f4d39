use record::{CodePlace, Deed, ModelThread, Occurrence, Pass};

use super::*;

fn seen(deed: Deed, name: &str, runs: &[(u64, u64, u64)]) -> Occurrence {
    let run = |&(first, last, each)| record::StepRun { first, last, each };
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
        is_program: false,
        inside: pass(inside),
        outside: pass(outside),
    }
}

#[test]
fn a_model_is_clean_only_if_both_passes_were_made() {
    let mut record = record(vec![], vec![]);
    assert!(Audited::of(&record).is_clean());
    record.outside.end = PassEnd::NotMade("not permitted".to_owned());
    let audited = Audited::of(&record);
    assert!(!audited.is_clean() && audited.findings.is_empty());
}

#[test]
fn the_worst_finding_comes_first_with_what_it_costs() {
    let sleeps: Vec<_> = (1..10).map(|nth| (500 * nth, 500 * nth, 1)).collect();
    let mut record = record(
        vec![
            seen(Deed::Denormal, "", &[(3100, 4999, 1)]),
            seen(Deed::Allocation, "malloc", &[(0, 0, 3)]),
        ],
        vec![seen(Deed::SystemCall, "clock_nanosleep", &sleeps)],
    );
    record.inside.step_ns = (0..5000).map(|step| if step < 3100 { 100 } else { 900 }).collect();
    let audited = Audited::of(&record);
    let kinds: Vec<_> = audited.findings.iter().map(|finding| finding.kind).collect();
    assert_eq!(kinds, [FindingKind::Allocation, FindingKind::SystemCall, FindingKind::Denormal]);
    let [allocation, sleep, denormal] = &audited.findings[..] else { unreachable!() };
    assert_eq!((allocation.count, allocation.first_step), (3, Some(0)));
    assert_eq!(sleep.pattern, Pattern::Stride { stride: 500, first: 500 });
    assert_eq!(denormal.times_as_long, Some(9.0));
    assert_eq!(denormal.pattern, Pattern::From { first: 3100 });
}

#[test]
fn what_other_threads_do_is_no_finding() {
    let mut other = seen(Deed::SystemCall, "futex", &[(7, 7, 2)]);
    other.by_step = false;
    let audited = Audited::of(&record(vec![], vec![other]));
    assert!(audited.is_clean());
    assert_eq!((audited.concurrent[0].name.as_str(), audited.concurrent[0].count), ("futex", 2));
}

#[test]
fn threads_that_inherit_are_reported() {
    let mut record = record(vec![], vec![]);
    let thread = |inherits_policy| ModelThread { name: "w".to_owned(), inherits_policy };
    record.inside.threads = vec![thread(true), thread(true)];
    let audited = Audited::of(&record);
    assert_eq!(audited.findings[0].details, Details::Heirs(2));
}

#[test]
fn a_model_that_breaks_is_reported_with_phase_and_step() {
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
    let crash = &audited.findings[0];
    assert_eq!((crash.kind, crash.first_step), (FindingKind::Crash, Some(1000)));
}

#[test]
fn outputs_that_differ_between_equal_passes_are_found() {
    let mut record = record(vec![], vec![]);
    record.outside.outputs_hash = Some("2".to_owned());
    assert_eq!(Audited::of(&record).findings[0].kind, FindingKind::OutputsDiffer);
}
