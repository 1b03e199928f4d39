//! The self-test of a machine: what it found, and what later results say of it.

use plan::{Disturbed, Elsewhere, Outcome, SelfTest, SelfTested};
use serde_json::{Value, json};

use crate::answer::{Answer, Line, Remark, Standing, effort, named, subject};
use crate::fields::SCHEMA_VERSION;
use crate::survey::System;
use crate::words;

/// What no disturbance of known length stands for.
pub const NOT_COVERED: &str = "A load on the other hardware thread of a core, where cores \
                                      have two, is not injected: how much it slows a loop is not \
                                      known beforehand.";
/// The answer where the host was at work in too many events.
pub const TOO_BUSY: &str = "The host is too busy to tell whether this machine measures \
                                   right: run it again when less else runs on it.";
/// What a self-test found as JSON, with the sums over all disturbances.
#[must_use]
pub fn json(test: &SelfTest) -> Value {
    let sum = |of: fn(&Disturbed) -> u64| -> u64 { test.disturbances.iter().map(of).sum() };
    let (injected, blamed) = (sum(|d| d.injected), sum(|d| d.blamed));
    let mut all = json!({
        "schema_version": SCHEMA_VERSION,
        "injected": injected,
        "spoilt": sum(|d| d.spoilt),
        "seen": sum(|d| d.seen),
        "blamed": blamed,
        "share_blamed": (injected > 0).then(|| blamed as f64 / injected as f64),
        "late_without_injection": sum(|d| d.late_elsewhere()[0]),
        "host_stalls": sum(|d| d.late_elsewhere()[1]),
        "not_covered": NOT_COVERED,
    });
    if let (Value::Object(all), Value::Object(test)) = (&mut all, json!(test)) {
        all.extend(test);
    }
    all
}

/// Whether what is measured here can be believed, and which disturbances were not seen or
/// named right.
#[must_use]
pub fn glance(test: &SelfTest) -> Answer {
    let (standing, verdict) = match test.answer {
        plan::Answer::TooBusyToTell => (Standing::Open, TOO_BUSY.to_owned()),
        _ if test.certified => (
            Standing::Good,
            "CERTIFIED: what is late on this machine is seen, and its cause named.".to_owned(),
        ),
        _ => (Standing::Bad, "NOT CERTIFIED: something was not seen, or named wrong.".to_owned()),
    };
    let line = |one: &Disturbed| Line {
        what: one.name.clone(),
        figures: vec![
            format!("seen {} of {}", one.seen, one.injected),
            format!("blamed right {}", one.blamed),
        ],
    };
    // What went wrong comes first, since not all have a line.
    let (wrong, right): (Vec<&Disturbed>, Vec<&Disturbed>) =
        test.disturbances.iter().partition(|one| one.seen < one.injected || one.blamed < one.seen);
    let own = test.disturbances.iter().map(|d| d.late_elsewhere()[0]);
    let own: u64 = own.sum();
    let about = "It says nothing of how fit the machine is for real-time work.";
    let own_words = (own > 0).then(|| Remark::new("Late too", late_too(test, own)));
    Answer {
        subject: certified(&test.told()),
        effort: format!("{} late without injection", words::grouped(own)),
        standing,
        verdict,
        lines: wrong.into_iter().chain(right).map(line).collect(),
        remarks: [Remark::new("Means", about)]
            .into_iter()
            .chain(own_words)
            .chain([Remark::new("Not seen", NOT_COVERED)])
            .collect(),
    }
}

/// What was late that nothing was injected for: this machine is so itself.
fn late_too(test: &SelfTest, own: u64) -> String {
    let mut causes: Vec<(&str, u64)> = Vec::new();
    let all = test.disturbances.iter().flat_map(|one| &one.elsewhere);
    for late in all.filter(|late| !late.of_host) {
        match causes.iter_mut().find(|(cause, _)| *cause == late.cause) {
            Some((_, count)) => *count += late.count,
            None => causes.push((&late.cause, late.count)),
        }
    }
    let most = causes.iter().max_by_key(|(_, count)| *count);
    let most = most.map(|(cause, count)| format!(", {} by {cause}", words::grouped(*count)));
    format!(
        "{} without injection: this machine's own lateness, no mistake of the measurement{}",
        words::grouped(own),
        most.unwrap_or_default()
    )
}

/// The answer where nothing but self-tests was run; `None` where anything else was. Which
/// disturbances a certificate takes is not known here, so that none is given.
#[must_use]
pub(crate) fn alone(systems: &[System], outcomes: &[&Outcome]) -> Option<Answer> {
    let is_tested = |system: &System| system.outcomes.is_empty() && !system.disturbed.is_empty();
    if !systems.iter().all(is_tested) {
        return None;
    }
    let machines = named(systems).into_iter();
    let answers = machines.map(|machine| {
        let mut answer = glance(&found(machine.system, outcomes));
        if answer.standing == Standing::Good {
            answer.verdict = "SEEN: whatever was injected, with its cause.".to_owned();
        }
        for line in &mut answer.lines {
            line.what = machine.told(std::mem::take(&mut line.what));
        }
        answer
    });
    let worst = |one: Answer, other: Answer| {
        let lines = [one.lines.as_slice(), &other.lines].concat();
        let worst = if other.standing > one.standing { other } else { one };
        Answer { lines, ..worst }
    };
    let answer = answers.reduce(worst)?;
    let effort = effort(outcomes.iter().copied());
    Some(Answer {
        subject: subject(systems),
        effort: format!("{effort}, {}", answer.effort),
        ..answer
    })
}

/// What the self-test runs of a machine found, the newest of each disturbance.
fn found(system: &System, outcomes: &[&Outcome]) -> SelfTest {
    let headers = outcomes.iter().map(|outcome| &outcome.header);
    let own = headers.filter(|header| *header.machine == *system.machine);
    let (version, at) = own
        .map(|header| (header.tool_version.as_str(), header.started_unix_ns))
        .max_by_key(|(_, at)| *at)
        .unwrap_or_default();
    let disturbed = system.disturbed.clone();
    SelfTest::of(system.machine_id.clone(), version, at, disturbed)
}

/// Late things of each disturbance, by cause.
pub fn by_cause(found: &[Disturbed], which: fn(&Disturbed) -> &[Elsewhere]) -> Vec<String> {
    let sentence = |disturbed: &Disturbed| {
        let each = which(disturbed).iter().map(|one| {
            let longest = words::time(one.longest_ns as f64);
            format!("{} by {} (at most {longest})", one.count, one.cause)
        });
        let each: Vec<String> = each.collect();
        (!each.is_empty()).then(|| format!("`{}`: {}.", disturbed.name, each.join("; ")))
    };
    found.iter().filter_map(sentence).collect()
}

/// `certified on … by version …`, or not.
pub fn certified(test: &SelfTested) -> String {
    let is_it = match test.certified {
        true => "certified",
        false => "not certified",
    };
    let (when, version) = (words::moment(test.at_unix_ns), &test.tool_version);
    format!("{is_it} on {when} by version {version}")
}

/// What the results of a machine say of its self-test; nothing of a machine of the lab,
/// whose time is not that of this world.
pub fn sentence(system: &System) -> Option<String> {
    if system.machine.lab.is_some() || system.outcomes.is_empty() {
        return None;
    }
    let tests = system.outcomes.iter().filter_map(|o| o.found.self_test.as_ref());
    Some(match tests.max_by_key(|test| test.at_unix_ns) {
        Some(test) => {
            format!("By its self-test, what is measured on this machine is {}.", certified(test))
        }
        None => "This machine has no self-test yet: `steadfast self-test`.".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use crate::fixture::mistaken_self_test as test;
    use crate::survey::systems;

    #[test]
    fn sums_and_reasons_are_told() {
        let json = json(&test());
        assert_eq!((&json["injected"], &json["blamed"]), (&json!(40), &json!(30)));
        assert_eq!(json["certified"], false);
        assert_eq!(json["share_blamed"], 0.75);
    }

    #[test]
    fn what_is_late_without_injection_is_the_machines_own() {
        let mut test = test();
        let own = |cause: &str, count| Elsewhere {
            cause: cause.to_owned(),
            of_host: false,
            count,
            longest_ns: 600_000,
        };
        test.disturbances[0].elsewhere = vec![own("task `a`", 4), own("task `b`", 18)];
        let told = glance(&test);
        assert_eq!(told.effort, "22 late without injection");
        let remark = told.remarks.iter().find(|one| one.name == "Late too");
        let words = &remark.unwrap().words;
        assert!(words.ends_with("measurement, 18 by task `b`"), "{words}");
        assert_eq!(json(&test)["late_without_injection"], 22);
    }

    #[test]
    fn a_host_that_is_too_busy_has_its_own_answer() {
        let mut hog = test().disturbances.remove(0);
        (hog.injected, hog.spoilt) = (5, 35);
        let test = SelfTest::of("machine".into(), "9", 0, vec![hog]);
        assert_eq!(json(&test)["answer"], "too_busy_to_tell");
    }

    #[test]
    fn later_results_refer_to_it() {
        let policy = units::Policy::Fifo(80);
        let mut outcomes = vec![fixture::outcome("wakeup", policy, &[])];
        let of = |outcomes: &[Outcome]| sentence(&systems(outcomes)[0]).unwrap();
        assert!(of(&outcomes).contains("no self-test yet"));
        outcomes[0].found.self_test = Some(test().told());
        assert!(of(&outcomes).contains("not certified on 1970"));
    }
}
