//! The self-test of a machine: its results, and whether later results have one.

use record::{Disturbed, Outcome, SelfTest};

use crate::finding::{AboutMachine, Finding, SelfTestResult};
use crate::lists::groups;
use crate::survey::System;

/// Returns the findings of a self-test, beginning with its verdict. The disturbances that a
/// certificate needs are known only if the test itself `certifies`.
pub fn findings(test: &SelfTest, certifies: bool) -> Vec<Finding> {
    let result = match test.answer {
        record::Answer::TooBusyToTell => SelfTestResult::HostTooBusy,
        _ if !test.certified => SelfTestResult::NotCertified { reasons: test.reasons.clone() },
        _ if certifies => SelfTestResult::Certified,
        _ => SelfTestResult::AllSeen,
    };
    let mut found = vec![AboutMachine::SelfTest { result }, AboutMachine::CertifiesMeasurements];
    let late = own_lateness(test);
    if late > 0 {
        found.push(AboutMachine::OwnLateness { late, most: main_cause(test) });
    }
    found.push(AboutMachine::NotInjected);
    found.into_iter().map(Finding::Machine).collect()
}

/// Disturbances, beginning with those not seen or blamed on something else.
pub fn wrong_first(test: &SelfTest) -> Vec<&Disturbed> {
    let is_right = |found: &&Disturbed| found.seen == found.injected && found.blamed == found.seen;
    let (right, wrong): (Vec<&Disturbed>, Vec<&Disturbed>) =
        test.disturbances.iter().partition(is_right);
    [wrong, right].concat()
}

/// Counts events that were late without injection, except those caused by the host.
pub fn own_lateness(test: &SelfTest) -> u64 {
    test.disturbances.iter().map(|found| found.late_elsewhere()[0]).sum()
}

fn main_cause(test: &SelfTest) -> Option<(String, u64)> {
    let all = test.disturbances.iter().flat_map(|found| &found.elsewhere);
    let of_machine = all.filter(|late| !late.of_host);
    let causes = groups(of_machine, |a, b| a.cause == b.cause).into_iter();
    let counted =
        causes.map(|alike| (alike[0].cause.clone(), alike.iter().map(|late| late.count).sum()));
    counted.max_by_key(|(_, count)| *count)
}

/// Collects the results of a machine's self-test runs, the newest of each disturbance.
pub fn stored(system: &System, outcomes: &[&Outcome]) -> SelfTest {
    let headers = outcomes.iter().map(|outcome| &outcome.header);
    let of_system = headers.filter(|header| *header.machine == *system.machine);
    let (version, at) = of_system
        .map(|header| (header.tool_version.as_str(), header.started_unix_ns))
        .max_by_key(|(_, at)| *at)
        .unwrap_or_default();
    let disturbed = system.disturbed.clone();
    SelfTest::of(system.machine_id.clone(), version, at, disturbed)
}

/// The self-test of a machine's results; `None` in the lab, where time is simulated.
pub fn tested(system: &System) -> Option<Finding> {
    let cannot = system.machine.lab.is_some() || system.machine.imported_as.is_some();
    if cannot || system.outcomes.is_empty() {
        return None;
    }
    let tests = system.outcomes.iter().filter_map(|o| o.found.self_test.as_ref());
    Some(Finding::Machine(AboutMachine::SelfTested {
        test: tests.max_by_key(|test| test.at_unix_ns).cloned(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::AboutMachine::{OwnLateness, SelfTested};
    use crate::fixture;
    use crate::fixture::mistaken_self_test as test;
    use crate::survey::systems;
    use record::Elsewhere;

    #[test]
    fn what_is_late_without_injection_is_the_machines_own() {
        let mut test = test();
        let elsewhere = |cause: &str, count| Elsewhere {
            cause: cause.to_owned(),
            of_host: false,
            count,
            longest_ns: 600_000,
        };
        test.disturbances[0].elsewhere = vec![elsewhere("task `a`", 4), elsewhere("task `b`", 18)];
        let most = Some(("task `b`".to_owned(), 18));
        let found = findings(&test, true);
        assert!(found.contains(&Finding::Machine(OwnLateness { late: 22, most })), "{found:?}");
        let result = SelfTestResult::NotCertified { reasons: test.reasons };
        assert_eq!(found[0], Finding::Machine(AboutMachine::SelfTest { result }));
    }

    #[test]
    fn a_host_that_is_too_busy_has_its_own_answer() {
        let mut hog = test().disturbances.remove(0);
        (hog.injected, hog.spoilt) = (5, 35);
        let test = SelfTest::of("machine".into(), "9", 0, vec![hog]);
        let result = SelfTestResult::HostTooBusy;
        assert_eq!(findings(&test, true)[0], Finding::Machine(AboutMachine::SelfTest { result }));
    }

    #[test]
    fn where_nothing_could_be_injected_nothing_was_named_wrong() {
        let mut hog = test().disturbances.remove(0);
        (hog.injected, hog.seen, hog.blamed, hog.spoilt) = (0, 0, 0, 0);
        hog.not_injected = Some("it was not run".to_owned());
        let test = SelfTest::of("machine".into(), "9", 0, vec![hog]);
        let Finding::Machine(AboutMachine::SelfTest {
            result: SelfTestResult::NotCertified { reasons },
        }) = &findings(&test, true)[0]
        else {
            panic!("{test:?}")
        };
        assert!(reasons[0].ends_with("was not injected: it was not run"), "{reasons:?}");
    }

    #[test]
    fn later_results_refer_to_it() {
        let policy = base::Policy::Fifo(80);
        let mut outcomes = vec![fixture::outcome("wakeup", policy, &[])];
        let of = |outcomes: &[Outcome]| tested(&systems(outcomes)[0]).unwrap();
        assert_eq!(of(&outcomes), Finding::Machine(SelfTested { test: None }));
        outcomes[0].found.self_test = Some(test().summary());
        assert_eq!(of(&outcomes), Finding::Machine(SelfTested { test: Some(test().summary()) }));
    }
}
