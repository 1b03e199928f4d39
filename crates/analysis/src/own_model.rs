//! What the runs of a person's own model tell beside their times.

use std::collections::{BTreeMap, BTreeSet};

use blame::{Cause, Summary};
use plan::{Fact, RunSpec, fact};
use serde_json::Value;

use crate::capacity;
use crate::causes::summaries;
use crate::frontier::ended;
use crate::survey::{Series, System};
use crate::words;

/// The measurement that runs them.
pub const MEASUREMENT: &str = "model";

/// Whether a run is one of a person's own model.
#[must_use]
pub fn is_own(spec: &RunSpec) -> bool {
    spec.measurement == MEASUREMENT
}

/// What a series is of: `Dahlquist`, `Dahlquist, 4 instances, 2 threads`.
#[must_use]
pub fn name(series: &Series) -> String {
    words::label(series.label)
}

/// Steps a second that follow each other at once; `None` where each waits until it is due.
#[must_use]
pub fn steps_a_second(series: &Series) -> Option<f64> {
    let is_fast = is_own(series.spec) && !capacity::is_real_time(series);
    let mean = series.latency.as_ref().filter(|_| is_fast)?.mean_ns();
    (mean > 0.0).then(|| 1e9 / mean)
}

/// The names of the remarks that tell what a model should not do.
pub const ODD: [&str; 2] = ["Model", "Outputs"];

/// The name of the remark that tells where the time of a step goes.
pub const STEP: &str = "Step";

/// What is to be known of a model with its times, each under its name.
#[must_use]
pub fn remarks(series: &Series) -> Vec<(&'static str, String)> {
    let became = became(series);
    let model = (!became.is_empty()).then(|| became.join("; "));
    [
        ("Model", model),
        ("Outputs", differing_outputs(series)),
        ("Headroom", headroom(series)),
        ("Audit", beyond_a_trace(series)),
        (STEP, shares(series)),
    ]
    .into_iter()
    .filter_map(|(name, words)| Some((name, words?)))
    .collect()
}

/// What the newest audit of the file of a series' model found, in sentences; nothing where
/// nobody has audited it.
#[must_use]
pub fn audited(system: &System, series: &Series) -> Vec<String> {
    let runs = system.outcomes.iter();
    let of_series = runs.filter(|run| run.header.spec == *series.spec);
    let audits = of_series.filter_map(|run| run.found.audit.as_ref());
    let Some(audit) = audits.max_by_key(|audit| audit.at_unix_ns) else {
        return Vec::new();
    };
    let steps = words::counted(audit.steps as usize, "step");
    let made = format!(
        "{}, {steps} as {}, by version {}; start values and inputs may have been others.",
        words::moment(audit.at_unix_ns),
        audit.interface,
        audit.tool_version
    );
    let found = match (&audit.found[..], &audit.not_seen[..]) {
        ([], []) => vec!["Nothing: no step does what a real-time step must not.".to_owned()],
        ([], _) => vec!["Nothing, in what could be watched.".to_owned()],
        (all, _) => {
            let sentence = |told: &String| format!("{}.", words::capital(told));
            all.iter().map(sentence).collect()
        }
    };
    let not_seen = audit.not_seen.iter().map(|what| format!("Not seen: {what}."));
    found.into_iter().chain(not_seen).chain([made]).collect()
}

/// How much longer a step could take; `None` of too few steps, and where none is due.
fn headroom(series: &Series) -> Option<String> {
    let latency = series.latency.as_ref();
    let paced = latency.filter(|_| capacity::is_real_time(series))?;
    ended(paced, series.spec.parameters.time("rate"))
}

/// Where steps were late by their own code, which no trace looks into: what does. Where most are,
/// none takes longer than usual, and the causes that are named came on top.
fn beyond_a_trace(series: &Series) -> Option<String> {
    let summaries = summaries(series);
    let call_ns = series.mean(&fact::CALL_NS).unwrap_or(0.0);
    let is_beyond = |one: &&Summary| call_ns > one.threshold_ns as f64;
    if let Some(summary) = summaries.iter().find(is_beyond) {
        return Some(format!(
            "the model's call alone takes {} on average, longer than the {} after which a step is \
             late; causes that are named came on top: `steadfast audit FILE` tells what it does, \
             such as allocations and denormals",
            words::time(call_ns),
            words::time(summary.threshold_ns as f64),
        ));
    }
    let causes = summaries.iter().flat_map(|summary| &summary.causes);
    let own = causes.filter(|total| total.cause == Cause::OwnWork);
    let steps: u64 = own.map(|total| total.main_of).sum();
    (steps > 0).then(|| {
        format!(
            "{} took longer than usual by the model's own code: `steadfast audit FILE` tells what \
             no trace does, such as allocations and denormals",
            words::counted(steps as usize, "late step")
        )
    })
}

/// What each phase takes of a step, and the first one, which is none of the measured ones.
fn shares(series: &Series) -> Option<String> {
    let phases = [
        ("the call", &fact::CALL_NS),
        ("inputs", &fact::INPUTS_NS),
        ("outputs", &fact::OUTPUTS_NS),
    ];
    let mean = |(name, fact): (&'static str, &Fact)| Some((name, series.mean(fact)?));
    let means: Vec<(&str, f64)> = phases.into_iter().filter_map(mean).collect();
    let all: f64 = means.iter().map(|(_, ns)| ns).sum();
    let share = |(name, ns): &(&str, f64)| format!("{name} {:.0} %", ns / all * 100.0);
    let shares: Vec<String> = means.iter().map(share).collect();
    let first = series.mean(&fact::FIRST_STEP_NS);
    let first = first.map(|ns| format!("; the first one took {}", words::time(ns)));
    (all > 0.0).then(|| {
        format!("{} of {}{}", words::listed(&shares), words::time(all), first.unwrap_or_default())
    })
}

/// What a model did that a real-time step should not, and what its switches take.
fn became(series: &Series) -> Vec<String> {
    let steps = words::grouped(series.executed());
    let count = |fact| series.total(fact).filter(|count| *count > 0);
    let told = |fact, words: &dyn Fn(u64) -> String| count(fact).map(words);
    let switches = series.median(&fact::SWITCHES_NS);
    let counted = |count: u64, thing| words::counted(count as usize, thing);
    [
        told(&fact::DISCARDED, &|count| {
            format!("discarded {} of {steps} steps", words::grouped(count))
        }),
        told(&fact::EARLY_RETURNS, &|count| {
            format!("{} of {steps} steps returned before their time", words::grouped(count))
        }),
        told(&fact::OTHER_TIMES, &|count| {
            format!(
                "{} of {steps} steps came to another time than asked for, as where its own step \
                 does not divide this one",
                words::grouped(count)
            )
        }),
        told(&fact::LOG_LINES, &|count| {
            format!("logged {}, within its steps", counted(count, "line"))
        }),
        told(&fact::TEXTS_CUT, &|count| {
            format!("put out {} of more bytes than are recorded of one", counted(count, "text"))
        }),
        series.most(&fact::MODEL_THREADS).filter(|count| *count > 0.0).map(|count| {
            format!(
                "made {}, with the policy and the CPUs of the thread that steps it",
                counted(count as u64, "thread")
            )
        }),
        switches.map(|ns| {
            format!("the switches to its process and back take {} of each step", words::time(ns))
        }),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Whether runs of as many steps with the same inputs came to other outputs.
fn differing_outputs(series: &Series) -> Option<String> {
    let mut outputs: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
    for row in &series.rows {
        if let Some(hash) = row.fact(&fact::OUTPUT_HASH).and_then(Value::as_str) {
            outputs.entry(row.executed).or_default().push(hash);
        }
    }
    let (steps, (runs, different)) = outputs
        .into_iter()
        .map(|(steps, hashes)| {
            let different: BTreeSet<&str> = hashes.iter().copied().collect();
            (steps, (hashes.len(), different.len()))
        })
        .find(|(_, (_, different))| *different > 1)?;
    Some(format!(
        "the same inputs gave other outputs: {different} hashes in {} of {} each",
        words::counted(runs, "run"),
        words::counted(steps as usize, "step")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::own_model;
    use crate::survey::systems;
    use plan::Outcome;
    use serde_json::json;

    fn told(runs: &[Outcome]) -> BTreeMap<&'static str, String> {
        let systems = systems(runs);
        remarks(&systems[0].series[0]).into_iter().collect()
    }

    #[test]
    fn a_model_that_does_what_it_should_has_headroom_and_shares_alone() {
        let told = told(&[own_model("real-time", 0)]);
        assert_eq!(told.keys().copied().collect::<Vec<_>>(), ["Headroom", "Step"]);
        assert!(told["Headroom"].contains("before their deadline"), "{told:?}");
        assert_eq!(
            told["Step"],
            "the call 90 %, inputs 4 % and outputs 6 % of 30 µs; the first one took 410 µs"
        );
    }

    #[test]
    fn what_a_model_did_besides_is_counted() {
        let mut run = own_model("real-time", 0);
        run.rows[0].tell(&fact::DISCARDED, 3);
        run.rows[0].tell(&fact::LOG_LINES, 1);
        run.rows[0].tell(&fact::MODEL_THREADS, 2);
        let told = told(&[run]);
        assert!(
            told["Model"].starts_with("discarded 3 of 2 000 steps; logged 1 line,"),
            "{told:?}"
        );
        assert!(told["Model"].contains("; made 2 threads,"), "{told:?}");
    }

    #[test]
    fn steps_that_were_late_by_their_own_code_are_left_to_an_audit() {
        let told_of = |kind: &str, threshold_ns: i64| {
            let mut run = own_model("real-time", 0);
            let cause = json!({
                "cause": {"kind": kind}, "words": "", "main_of": 3, "part_of": 3, "time_ns": 9,
                "longest_ns": 3,
            });
            let blame = json!({
                "threshold_ns": threshold_ns, "late": 3, "traced": 3, "causes": [cause], "not_traced": null,
                "lost_events": 0, "windows_not_kept": 0, "cost": null, "told": [], "worst": [],
            });
            run.rows[0].tell(&fact::BLAME, blame);
            told(&[run]).get("Audit").cloned()
        };
        let words = told_of("own_work", 100_000).unwrap();
        assert!(words.starts_with("3 late steps took longer than usual"), "{words}");
        assert_eq!(told_of("page_fault", 100_000), None);
        let words = told_of("page_fault", 20_000).unwrap();
        assert!(words.starts_with("the model's call alone takes 27 µs on average"), "{words}");
    }

    #[test]
    fn equal_runs_with_other_outputs_are_told_and_runs_of_other_lengths_are_not() {
        let run = own_model("real-time", 0);
        let mut other = run.clone();
        other.rows[0].tell(&fact::OUTPUT_HASH, "00000000000000aa");
        let told_of = |runs: &[Outcome]| told(runs).get("Outputs").cloned();
        assert_eq!(told_of(&[run.clone(), run.clone()]), None);
        assert_eq!(
            told_of(&[run.clone(), other.clone()]).unwrap(),
            "the same inputs gave other outputs: 2 hashes in 2 runs of 2 000 steps each"
        );
        other.rows[0].executed -= 1;
        assert_eq!(told_of(&[run, other]), None);
    }
}
