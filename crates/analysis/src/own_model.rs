//! Results of a user's own model other than its times.

use std::collections::BTreeMap;

use blame::{Cause, Summary};
use record::{Fact, ModelAudited, Row, RunSpec, fact};
use serde::Deserialize;
use serde_json::Value;

use crate::causes::summaries;
use crate::finding::{AboutModel, Checked, Finding, Misbehaved, Phase, ThreadsAt};
use crate::frontier::headroom;
use crate::survey::{self, Series, System, distinct};
use crate::words::{capital, counted, moment};
use crate::{capacity, words};

pub const MEASUREMENT: &str = "model";

pub fn is_own(spec: &RunSpec) -> bool {
    spec.measurement == MEASUREMENT
}

/// Names the model of a series: `Dahlquist`, `Dahlquist, 4 instances, 2 threads`.
pub fn name(series: &Series) -> String {
    words::label(series.label)
}

/// Names the model of a series, with the settings by which the others differ from it: `Dahlquist
/// (k=2.5)`.
pub fn name_among(others: &[&Series], series: &Series) -> String {
    let settings = |of: &Series| of.spec.parameters.settings().to_owned();
    let (name, used) = (name(series), settings(series));
    let differ = used != record::NOWHERE && others.iter().any(|other| settings(other) != used);
    if differ { format!("{name} ({used})") } else { name }
}

/// Returns steps per second of back-to-back steps; `None` if each step waits for its release.
pub fn steps_a_second(series: &Series) -> Option<f64> {
    let is_fast = is_own(series.spec) && !capacity::is_real_time(series);
    let mean = series.latency.as_ref().filter(|_| is_fast)?.mean_ns();
    (mean > 0.0).then(|| 1e9 / mean)
}

pub fn findings(series: &Series) -> Vec<Finding> {
    let latency = series.latency.as_ref().filter(|_| capacity::is_real_time(series));
    let period = series.spec.parameters.rate_period();
    [
        misbehaviour(&series.rows).map(Finding::Model),
        checked(series),
        differing_outputs(series),
        latency.and_then(|latency| headroom(latency, period, None, None)),
        late_by_itself(series),
        phases(series),
    ]
    .into_iter()
    .flatten()
    .collect()
}

pub fn newest_audit<'a>(system: &System<'a>, series: &Series) -> Option<&'a ModelAudited> {
    let of_series = system.outcomes.iter().copied().filter(|run| run.header.spec == *series.spec);
    of_series.filter_map(|run| run.found.audit.as_ref()).max_by_key(|audit| audit.at_unix_ns)
}

/// Returns how the outputs of a row compare with a reference, if they were compared.
pub fn checked_in(row: &Row) -> Option<Checked> {
    row.fact(&fact::CHECKED).and_then(|found| Checked::deserialize(found).ok())
}

/// Reports the comparison with a reference: that of the first run that differs, else the last one.
fn checked(series: &Series) -> Option<Finding> {
    let all: Vec<Checked> = series.rows.iter().filter_map(|row| checked_in(row)).collect();
    let differing =
        all.iter().position(|compared| compared.first.is_some() || compared.is_undecided());
    let place = differing.or(all.len().checked_sub(1))?;
    Some(Finding::Model(AboutModel::Checked(all[place].clone())))
}

/// Returns what the model of these rows did that a real-time step should not, and the cost of its
/// switches.
pub(crate) fn misbehaviour(rows: &[&Row]) -> Option<AboutModel> {
    let values = |fact: &'static Fact| rows.iter().filter_map(|row| row.fact(fact));
    let median = |fact| survey::median(values(fact).filter_map(Value::as_f64));
    let total = |fact| values(fact).filter_map(Value::as_u64).sum::<u64>();
    let places = values(&fact::MODEL_THREADS_AT).filter_map(|at| Vec::deserialize(at).ok());
    let threads_at: Option<Vec<ThreadsAt>> = places
        .max_by_key(|places: &Vec<ThreadsAt>| places.iter().map(|at| at.threads).sum::<u64>());
    let threads = values(&fact::MODEL_THREADS).filter_map(Value::as_u64).max().unwrap_or(0);
    let switches_ns = median(&fact::SWITCHES_NS);
    let counts = [
        &fact::NOT_MADE,
        &fact::DISCARDED,
        &fact::EARLY_RETURNS,
        &fact::OTHER_TIMES,
        &fact::LOG_LINES,
        &fact::MODEL_WARNINGS,
        &fact::TEXTS_CUT,
    ];
    let counts = counts.map(total);
    let is_any = counts.iter().any(|count| *count > 0) || threads > 0 || switches_ns.is_some();
    let [not_made, discarded, early_returns, other_times, log_lines, warnings, texts_cut] = counts;
    let model = || Misbehaved {
        steps: rows.iter().map(|row| row.executed).sum(),
        not_made,
        discarded,
        early_returns,
        other_times,
        own_step_ns: median(&fact::OWN_STEP_NS).filter(|_| not_made > 0),
        log_lines,
        warnings,
        texts_cut,
        threads,
        threads_at: threads_at.unwrap_or_default(),
        switches_ns,
    };
    is_any.then(|| AboutModel::ModelMisbehaved(model()))
}

/// Reports steps that were late through their own code, into which traces cannot look. If these are
/// the majority, the typical step is as long, and the named causes came on top.
fn late_by_itself(series: &Series) -> Option<Finding> {
    let summaries = summaries(series);
    let call_ns = series.mean(&fact::CALL_NS).unwrap_or(0.0);
    let is_beyond = |summary: &&Summary| call_ns > summary.threshold_ns as f64;
    if let Some(summary) = summaries.iter().find(is_beyond) {
        let late_after_ns = summary.threshold_ns;
        return Some(Finding::Model(AboutModel::CallTooLong { call_ns, late_after_ns }));
    }
    let causes = summaries.iter().flat_map(|summary| &summary.causes);
    let is_own = |cause: &Cause| matches!(cause, Cause::OwnWork | Cause::OwnLength);
    let steps: u64 = causes.filter(|total| is_own(&total.cause)).map(|total| total.main_of).sum();
    (steps > 0).then_some(Finding::Model(AboutModel::LateByOwnCode { steps }))
}

/// What each phase takes of a step, and how long the first step took, which is not measured.
fn phases(series: &Series) -> Option<Finding> {
    let phases = [
        (Phase::Call, &fact::CALL_NS),
        (Phase::Inputs, &fact::INPUTS_NS),
        (Phase::Outputs, &fact::OUTPUTS_NS),
    ];
    let mean = |(phase, fact): (Phase, &Fact)| Some((phase, series.mean(fact)?));
    let means: Vec<(Phase, f64)> = phases.into_iter().filter_map(mean).collect();
    let step_ns: f64 = means.iter().map(|(_, ns)| ns).sum();
    let shares = means.into_iter().map(|(phase, ns)| (phase, ns / step_ns)).collect();
    let first_step_ns = series.mean(&fact::FIRST_STEP_NS);
    let found = AboutModel::StepPhases { shares, step_ns, first_step_ns };
    (step_ns > 0.0).then_some(Finding::Model(found))
}

fn differing_outputs(series: &Series) -> Option<Finding> {
    let mut outputs: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
    for row in &series.rows {
        if let Some(hash) = row.fact(&fact::OUTPUT_HASH).and_then(Value::as_str) {
            outputs.entry(row.executed).or_default().push(hash);
        }
    }
    outputs.into_iter().find_map(|(steps, hashes)| {
        let (different, runs) = (distinct(&hashes), hashes.len());
        let found = AboutModel::OutputsDiffer { different, runs, steps };
        (different > 1).then_some(Finding::Model(found))
    })
}

/// Returns what an audit of a model found, what it could not watch, and when it was done.
pub fn audited(audit: &ModelAudited) -> Vec<String> {
    let found = match (&audit.found[..], &audit.not_seen[..]) {
        ([], []) => vec!["Nothing: no step does what a real-time step must not.".to_owned()],
        ([], _) => vec!["Nothing in what could be watched.".to_owned()],
        (found, _) => found.iter().map(|found| format!("{}.", capital(found))).collect(),
    };
    let not_seen = audit.not_seen.iter().map(|what| format!("Not watched: {what}."));
    let when = format!(
        "{}, {} as {}, by version {}; start values and inputs may have differed.",
        moment(audit.at_unix_ns),
        counted(audit.steps as usize, "step"),
        audit.interface,
        audit.tool_version
    );
    found.into_iter().chain(not_seen).chain([when]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::AboutCapacity::Headroom;
    use crate::finding::AboutModel::{
        CallTooLong, LateByOwnCode, ModelMisbehaved, OutputsDiffer, StepPhases,
    };
    use crate::fixture::own_model;
    use crate::survey::systems;
    use record::Outcome;
    use serde_json::json;

    fn found(runs: &[Outcome]) -> Vec<Finding> {
        findings(&systems(runs)[0].series[0])
    }

    #[test]
    fn runs_that_differ_in_a_setting_are_named_by_it() {
        let with = |set: &str| {
            let mut run = own_model("real-time", 0);
            run.header.spec.parameters.set("set", record::Value::Word(set.to_owned()));
            run
        };
        let runs = [with("cells=12"), with("cells=16")];
        let systems = systems(&runs);
        let all: Vec<&Series> = systems[0].series.iter().collect();
        let names: Vec<String> = all.iter().map(|series| name_among(&all, series)).collect();
        assert!(
            names[0].ends_with(" (cells=12)") && names[1].ends_with(" (cells=16)"),
            "{names:?}"
        );
        assert_eq!(name_among(&all[..1], all[0]), name(all[0]));
    }

    #[test]
    fn a_model_that_does_what_it_should_has_headroom_and_phases_alone() {
        let found = found(&[own_model("real-time", 0)]);
        let [
            Finding::Capacity(Headroom { worst_ns, .. }),
            Finding::Model(StepPhases { shares, step_ns, .. }),
        ] = found.as_slice()
        else {
            panic!("{found:?}")
        };
        assert!(*worst_ns > 0);
        let shares = shares.iter().map(|(phase, share)| (*phase, (share * 100.0).round()));
        let expected = [(Phase::Call, 90.0), (Phase::Inputs, 4.0), (Phase::Outputs, 6.0)];
        assert_eq!((shares.collect::<Vec<_>>(), step_ns.round()), (expected.into(), 30_000.0));
    }

    #[test]
    fn what_a_model_should_not_do_is_counted() {
        let mut run = own_model("real-time", 0);
        run.rows[0].tell(&fact::NOT_MADE, 3);
        run.rows[0].tell(&fact::OWN_STEP_NS, 1_000_000);
        run.rows[0].tell(&fact::DISCARDED, 3);
        run.rows[0].tell(&fact::LOG_LINES, 1);
        run.rows[0].tell(&fact::MODEL_WARNINGS, 4);
        run.rows[0].tell(&fact::MODEL_THREADS, 2);
        let at = json!({"policy": "other", "cpus": "1", "threads": 2, "only_beside_steps": false});
        run.rows[0].tell(&fact::MODEL_THREADS_AT, json!([at]));
        let expected = Finding::Model(ModelMisbehaved(Misbehaved {
            steps: 2_000,
            not_made: 3,
            discarded: 3,
            early_returns: 0,
            other_times: 0,
            own_step_ns: Some(1e6),
            log_lines: 1,
            warnings: 4,
            texts_cut: 0,
            threads: 2,
            threads_at: vec![ThreadsAt {
                policy: "other".to_owned(),
                cpus: "1".to_owned(),
                threads: 2,
                only_beside_steps: false,
            }],
            switches_ns: None,
        }));
        assert_eq!(found(&[run])[0], expected);
    }

    #[test]
    fn steps_that_were_late_by_their_own_code_are_left_to_an_audit() {
        let found_of = |kind: &str, threshold_ns: i64| {
            let mut run = own_model("real-time", 0);
            let cause = json!({
                "cause": {"kind": kind}, "words": "", "main_of": 3, "part_of": 3, "time_ns": 9,
                "longest_ns": 3,
            });
            let blame = json!({
                "threshold_ns": threshold_ns, "late": 3, "traced": 3, "causes": [cause], "not_traced": null,
                "lost_events": 0, "windows_not_kept": 0, "cost": null, "late_samples": [], "worst": [],
            });
            run.rows[0].tell(&fact::BLAME, blame);
            found(&[run])
        };
        assert!(
            found_of("own_work", 100_000).contains(&Finding::Model(LateByOwnCode { steps: 3 }))
        );
        assert_eq!(found_of("page_fault", 100_000).len(), 2);
        let beyond = found_of("page_fault", 20_000);
        let is_too_long = |finding: &Finding| {
            matches!(finding, Finding::Model(CallTooLong { late_after_ns: 20_000, .. }))
        };
        assert!(beyond.iter().any(is_too_long), "{beyond:?}");
    }

    #[test]
    fn equal_runs_with_other_outputs_are_found_and_runs_of_other_lengths_are_not() {
        let run = own_model("real-time", 0);
        let mut other = run.clone();
        other.rows[0].tell(&fact::OUTPUT_HASH, "00000000000000aa");
        let differ = Finding::Model(OutputsDiffer { different: 2, runs: 2, steps: 2_000 });
        assert!(!found(&[run.clone(), run.clone()]).contains(&differ));
        assert!(found(&[run.clone(), other.clone()]).contains(&differ));
        other.rows[0].executed -= 1;
        let found = found(&[run, other]);
        assert!(
            !found.iter().any(|finding| matches!(finding, Finding::Model(OutputsDiffer { .. })))
        );
    }
}
