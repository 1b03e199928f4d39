use super::*;
use crate::Analysis;
use crate::finding::AboutCapacity::Headroom;
use crate::finding::AboutDeadlines::{
    CutOff, Deadlines, EndedEarly, InvalidRuns, MissRate, NoValidRun, NotJudged, OnlyResult,
    RareEvents, Unknown, WorstCpu as WorstCpuIs,
};
use crate::finding::AboutMachine::{
    FixFirst, HiddenBudget, HiddenQuota, Late, NoKnownCause, NotPermitted, ProbableCause,
};
use crate::finding::AboutModel::{self, ModelMisbehaved};
use crate::finding::{Compared, Finding, Fix, Job, Met, OnMachine, Periodic, Standing, WorstCpu};
use crate::fixture::{
    blamed, everything, frames, latencies, own_model, refused, scheduled, tire, two_machines,
    wakeup,
};
use crate::standards::{DEFAULT_STANDARDS, Standards};
use base::{Nanos, Observed, Policy};
use record::{Outcome, Right, Row, Warning, fact};
use serde_json::{Value, json};
use testing::Odd;

fn found(runs: &[Outcome]) -> Vec<Finding> {
    findings(&Analysis::of(runs, &DEFAULT_STANDARDS))
}

/// The work that the verdict is about, its standing, and how it met its deadlines.
fn judged(found: &[Finding]) -> (&Periodic, Standing, Met) {
    match &found[0] {
        Finding::Deadlines(Deadlines { of, met, standing, .. }) => (of, *standing, *met),
        other => panic!("{other:?}"),
    }
}

/// Standing, period in nanoseconds, missed and due deadlines of the verdict.
fn verdict(runs: &[Outcome]) -> (Standing, u64, u64, u64) {
    let found = found(runs);
    let (of, standing, met) = judged(&found);
    (standing, of.period_ns, met.missed, met.due)
}

fn clean() -> Outcome {
    wakeup(Policy::Fifo(80), None, 8e3, 6e4)
}

fn on_cpu(run: &Outcome, cpu: &str) -> Outcome {
    let mut run = run.clone();
    let mut machine = (*run.header.machine).clone();
    machine.cpu_model = cpu.to_owned();
    run.header.machine = machine.into();
    run
}

#[test]
fn one_miss_is_not_ready_and_none_is_not_yet_shown() {
    assert_eq!(verdict(&[clean()]), (Standing::Open, 1_000_000, 0, 20_000));
    let mut missed = clean();
    missed.rows[0].skipped = 3;
    assert_eq!(verdict(&[clean(), missed]), (Standing::Bad, 1_000_000, 3, 40_000));
    assert_eq!(verdict(&vec![clean(); 29]).0, Standing::Good);
}

#[test]
fn a_run_without_a_real_time_policy_is_judged_where_nothing_else_ran() {
    let mut usual = wakeup(Policy::OTHER, None, 8e3, 6e4);
    usual.rows[0].skipped = 1;
    assert_eq!(verdict(std::slice::from_ref(&usual)).0, Standing::Bad);
    assert_eq!(verdict(&[usual, clean()]).0, Standing::Open);
}

#[test]
fn work_that_is_not_judged_is_named_by_its_latest_and_counted() {
    let usual = |load, worst| wakeup(Policy::OTHER, load, 8e3, worst);
    let runs = [clean(), usual(None, 5e5), usual(Some("cpu"), 9.49e8), usual(Some("io"), 1e6)];
    let found = found(&runs);
    let Some(Finding::Deadlines(NotJudged { of, policy, latest_ns, others, .. })) =
        found.iter().find(|finding| matches!(finding, Finding::Deadlines(NotJudged { .. })))
    else {
        panic!("{found:?}")
    };
    assert_eq!((of.loads.as_deref(), policy.as_str(), *others), (Some("load cpu"), "other", 2));
    assert!(latest_ns.is_some_and(|ns| ns > 900_000_000), "{latest_ns:?}");
}

#[test]
fn the_printed_cases_have_the_latest_of_all() {
    let run = |load: &str, period_ms: u64, skipped: u64, worst: f64| {
        let mut run = wakeup(Policy::Fifo(80), Some(load), 8e3, worst);
        let period = record::Value::Time(Nanos(period_ms * 1_000_000));
        run.header.spec.parameters.set("period", period);
        run.rows[0].skipped = skipped;
        run
    };
    let runs = [run("cpu", 1, 0, 6e4), run("io", 10, 1, 2e7), run("ipc", 1, 900, 1e9)];
    let analysis = Analysis::of(&runs, &DEFAULT_STANDARDS);
    let cases = cases(&analysis).judged;
    let latest = telling(&cases).into_iter().filter_map(|case| case.latest_ns).max();
    assert_eq!(latest, cases.iter().filter_map(|case| case.latest_ns).max());
}

#[test]
fn a_model_is_shown_by_the_largest_size_that_missed_nothing() {
    let sizes = [(100, 0), (200, 0), (400, 11)];
    let runs = sizes.map(|(masses, missed)| tire("real-time", masses, 1, 200, missed));
    let found = found(&runs);
    let (of, standing, _) = judged(&found);
    let (measurement, size) = ("tire".to_owned(), Some("200 masses".to_owned()));
    assert_eq!((&of.job, standing), (&Job::Step { measurement, size, threads: 1 }, Standing::Open));
}

#[test]
fn a_users_own_model_is_judged_by_its_deadlines() {
    let runs = [own_model("real-time", 0)];
    assert_eq!(verdict(&runs).0, Standing::Open);
    let has_headroom = |finding: &Finding| matches!(finding, Finding::Capacity(Headroom { .. }));
    assert!(found(&runs).iter().any(has_headroom));
    assert_eq!(verdict(&[own_model("real-time", 2)]), (Standing::Bad, 1_000_000, 2, 2_000));
}

#[test]
fn the_clock_that_misses_is_judged_by_its_own_period() {
    assert_eq!(verdict(&[scheduled([0, 0])]).0, Standing::Open);
    assert_eq!(verdict(&[scheduled([0, 3])]), (Standing::Bad, 20_000_000, 3, 100));
}

fn clean_frames() -> Outcome {
    let mut run = frames("timer", 170_000);
    run.rows[2].tell(&fact::MISSED, 0);
    run
}

#[test]
fn the_processes_of_a_run_of_frames_are_one_run() {
    assert_eq!(verdict(&vec![clean_frames(); 15]), (Standing::Open, 10_000_000, 0, 30_000));
    assert_eq!(verdict(&vec![clean_frames(); 29]).0, Standing::Good);
}

/// Counts the deadlines that passed after the end of runs.
fn cut_off(runs: &[Outcome]) -> Option<u64> {
    found(runs).into_iter().find_map(|finding| match finding {
        Finding::Deadlines(CutOff { deadlines }) => Some(deadlines),
        _ => None,
    })
}

#[test]
fn frames_are_judged_by_their_end_and_not_by_their_phases() {
    let mut skipped = clean_frames();
    (skipped.rows[0].executed, skipped.rows[0].skipped) = (990, 10);
    skipped.rows[0].tell(&fact::MISSED, 10);
    let delay = &mut skipped.rows[1];
    (delay.due, delay.executed) = (990, 990);
    delay.latency.as_mut().unwrap().max.index = 999;
    assert_eq!(cut_off(&[skipped]), None);
    let mut late = clean_frames();
    let max = &mut late.rows[0].latency.as_mut().unwrap().max;
    (max.index, max.value_ns) = (999, 35_000_000);
    assert_eq!(cut_off(&[late]), Some(3));
}

#[test]
fn a_model_is_judged_under_a_real_time_policy_and_with_its_load() {
    let of = |policy: Policy, loads: &[&str], missed: u64| {
        let mut run = tire("real-time", 100, 1, 200, missed);
        run.header.spec.asked.policy = policy;
        run.header.spec.asked.loads = loads.iter().map(|load| load.parse().unwrap()).collect();
        run
    };
    let runs = [
        of(Policy::Fifo(80), &[], 0),
        of(Policy::Fifo(80), &["cpu"], 3),
        of(Policy::OTHER, &[], 9),
    ];
    assert_eq!(verdict(&runs), (Standing::Bad, 10_000_000, 3, 200));
    assert_eq!(judged(&found(&runs)).0.loads.as_deref(), Some("load cpu"));
}

#[test]
fn a_users_own_model_without_deadlines_is_shown_by_its_speed() {
    let fast = found(&[own_model("real-fast", 0)]);
    let Finding::Deadlines(OnlyResult { run, speed: Some(speed) }) = &fast[0] else {
        panic!("{fast:?}")
    };
    assert!(run == "plant, fifo:80" && speed.steps_per_s.is_some(), "{fast:?}");
}

#[test]
fn of_several_models_only_what_one_should_not_do_is_noted() {
    let mut odd = own_model("real-time", 0);
    odd.rows[0].label = "other".to_owned();
    odd.rows[0].tell(&fact::LOG_LINES, 7);
    let found = found(&[own_model("real-time", 0), odd]);
    let of_model = found.iter().find_map(|finding| match finding {
        Finding::OnMachine(OnMachine { machine, finding }) => Some((machine.as_str(), finding)),
        _ => None,
    });
    let (model, finding) = of_model.unwrap();
    assert!(
        model == "other" && matches!(**finding, Finding::Model(ModelMisbehaved { .. })),
        "{found:?}"
    );
}

#[test]
fn a_difference_from_the_reference_comes_before_the_speed() {
    let difference = json!({
        "time_s": 0.3, "row": 301, "reference_row": 31, "output": "h", "value": "1.0",
        "reference": "1.25", "difference": -0.25, "allowed": 2e-4,
    });
    let compared = |first: Value| {
        let mut run = own_model("real-time", 0);
        run.rows[0].tell(&fact::LOG_LINES, 7);
        let checked = json!({
            "reference": "ref.csv", "tolerance": "1e-4", "outputs": 1, "not_compared": [],
            "rows": 101, "recorded_rows": 101, "reference_rows": 101, "values": 101,
            "differing": 1, "first": first,
        });
        run.rows[0].tell(&fact::CHECKED, checked);
        run
    };
    let [other, equal] = [compared(difference), compared(Value::Null)];
    let is_check = |found: &Finding| matches!(found, Finding::Model(AboutModel::Checked(_)));
    assert!(is_check(&found(std::slice::from_ref(&other))[0]));
    let only = found(&[equal]);
    assert!(!is_check(&only[0]) && only.iter().any(is_check));
    let mut plain = own_model("real-time", 0);
    plain.rows[0].label = "other".to_owned();
    let two = found(&[plain, other]);
    let Finding::OnMachine(OnMachine { finding, .. }) = &two[0] else { panic!("{two:?}") };
    assert!(is_check(finding));
}

#[test]
fn invalid_runs_have_a_cause_and_a_remedy() {
    let found = found(&[refused()]);
    assert_eq!(found[0], Finding::Deadlines(NoValidRun));
    assert!(
        matches!(found[1], Finding::Deadlines(InvalidRuns { invalid: 1, runs: 1, .. })),
        "{found:?}"
    );
}

#[test]
fn a_machine_without_a_real_time_policy_is_judged_next_to_one_with_it() {
    let mut usual = wakeup(Policy::OTHER, None, 8e3, 6e4);
    usual.rows[0].skipped = 1;
    let usual = on_cpu(&usual, "Intel(R) Core(TM) i7-9700K CPU @ 3.60GHz");
    let found = found(&[clean(), usual, on_cpu(&refused(), "third")]);
    let (of, standing, _) = judged(&found);
    let machine = of.machine.as_deref();
    assert_eq!((machine, standing), (Some("Intel Core i7-9700K"), Standing::Bad));
    let named = |finding: &Finding| matches!(finding, Finding::Deadlines(RareEvents { of: Some(this), .. }) if this == of);
    assert!(found.iter().any(named), "{found:?}");
}

#[test]
fn whatever_was_measured_has_a_verdict() {
    for runs in [everything(), two_machines(), vec![]] {
        assert!(!found(&runs).is_empty());
    }
}

#[test]
fn of_what_nothing_is_known_follows_the_verdict_and_whom_to_wait_for() {
    let mut spoilt = refused();
    spoilt.warnings = vec![Warning::MeasuredBeside {
        who: "process 71 had measured on CPU 1 for 3 s (`steadfast`)".to_owned(),
        asked: false,
    }];
    let found = found(&[clean(), spoilt]);
    let Finding::Deadlines(Unknown { of, others: 0 }) = &found[1] else { panic!("{found:?}") };
    assert_eq!((&of.job, of.period_ns), (&Job::Thread, 100_000));
    let fixes = fixes_of(&found);
    let Fix::Remedy { remedy } = &fixes[0] else { panic!("{fixes:?}") };
    assert!(remedy.ends_with("once process 71 has ended"), "{remedy}");
}

fn fixes_of(found: &[Finding]) -> &[Fix] {
    let fixes = found.iter().find_map(|finding| match finding {
        Finding::Machine(FixFirst { fixes, .. }) => Some(fixes),
        _ => None,
    });
    fixes.unwrap_or_else(|| panic!("{found:?}"))
}

#[test]
fn the_task_that_was_blamed_most_is_kept_off_first() {
    let mut run = blamed("hog");
    let is_fixed = |found: &Finding| matches!(found, Finding::Machine(FixFirst { .. }));
    assert!(!found(&[run.clone()]).iter().any(is_fixed), "nothing was missed");
    run.rows[0].skipped = 3;
    let found = found(&[run]);
    let first = &fixes_of(&found)[0];
    assert!(
        matches!(first, Fix::MoveTask { task, pid: Some(4711), .. } if task == "hog"),
        "{first:?}"
    );
}

/// Returns a run with one row, of CPU 1.
fn on_one_cpu(worst: f64, missed: u64) -> Outcome {
    let mut run = wakeup(Policy::Fifo(80), None, 8e3, worst);
    run.rows.truncate(1);
    run.rows[0].label = "CPU 1".to_owned();
    run.rows[0].skipped = missed;
    run
}

#[test]
fn a_limit_that_cannot_be_seen_is_a_possible_reason_of_the_tasks_that_it_holds_back() {
    let hides = |policy, name: &str, limit: Observed<String>, about| {
        let mut run = wakeup(policy, None, 8e3, 60e6);
        run.rows[0].skipped = 3;
        run.found.system.machine = [(name.to_owned(), limit)].into();
        found(&[run]).contains(&Finding::Machine(about))
    };
    let is_named = |policy, quota| hides(policy, "cpu_max", quota, HiddenQuota);
    let is_budget = |policy, budget| hides(policy, "rt_runtime_us", budget, HiddenBudget);
    let hidden = || Observed::Hidden("they are not mounted".to_owned());
    let seen = |quota: &str| Observed::Seen(quota.to_owned());
    let other = Policy::OTHER;
    assert!(is_named(other, hidden()));
    assert!(is_named(other, seen("max 100000 in groups that cannot be seen")));
    assert!(!is_named(other, seen("max 100000 in max 100000")));
    assert!(!is_named(Policy::Fifo(80), hidden()));
    assert!(is_budget(Policy::Fifo(80), hidden()));
    assert!(!is_budget(Policy::Fifo(80), Observed::Absent) && !is_budget(other, hidden()));
}

/// Whether the answer says that the cause is unknown, and names first the command that looks for it.
fn is_unknown(found: &[Finding]) -> bool {
    let unknown = |finding: &Finding| matches!(finding, Finding::Machine(NoKnownCause { .. }));
    found.iter().any(unknown) && matches!(fixes_of(found)[0], Fix::LookForCause { .. })
}

#[test]
fn a_cause_is_large_enough_for_the_figure_and_of_its_run_or_none_is_known() {
    let mut missed = on_one_cpu(60e6, 3);
    let mut fine = wakeup(Policy::Fifo(80), Some("cpu"), 8e3, 6e4);
    fine.found.cpus[0].steal_ns = Some(300_000_000);
    missed.found.cpus[0].steal_ns = Some(10_000_000);
    assert!(is_unknown(&found(&[missed.clone(), fine.clone()])));
    // Of two equal runs, only the one that missed counts.
    let mut again = on_one_cpu(6e4, 0);
    again.found.cpus[0].steal_ns = Some(300_000_000);
    assert!(is_unknown(&found(&[missed.clone(), again])));
    missed.found.cpus[0].steal_ns = Some(50_000_000);
    let mut elsewhere = missed.clone();
    elsewhere.found.cpus[0].cpu = 7;
    assert!(is_unknown(&found(&[elsewhere])), "another CPU was taken away");
    let found = found(&[missed, fine, tire("real-time", 400, 1, 10, 0)]);
    let is_host = |finding: &Finding| matches!(finding, Finding::Machine(ProbableCause { found, .. }) if found.starts_with("the hypervisor (KVM)"));
    assert!(found.iter().any(is_host), "{found:?}");
    let Fix::Advice { check, .. } = &fixes_of(&found)[0] else { panic!("{found:?}") };
    assert_eq!(check, "hypervisor");
}

#[test]
fn the_search_for_a_cause_covers_all_that_is_later_than_allowed() {
    let command = |latest| {
        let standards = Standards { latest, ..Standards::default() };
        let found = findings(&Analysis::of(&[on_one_cpu(60e3, 3)], &standards));
        let Fix::LookForCause { command } = &fixes_of(&found)[0] else { panic!("{found:?}") };
        command.clone()
    };
    assert!(command(None).ends_with(" --blame"));
    let typed = Some("steadfast check --rate 1kHz".to_owned());
    let standards = Standards { command: typed, ..Standards::default() };
    let found = findings(&Analysis::of(&[on_one_cpu(60e3, 3)], &standards));
    let Fix::LookForCause { command: again } = &fixes_of(&found)[0] else { panic!("{found:?}") };
    assert_eq!(again, "steadfast check --rate 1kHz --blame");
    assert!(command(Some(Nanos(50_000))).ends_with(" --blame --threshold 50us"));
    assert!(command(Some(Nanos(9_000_000))).ends_with(" --blame --threshold 1ms"));
}

#[test]
fn page_faults_without_a_time_explain_nothing() {
    let mut missed = wakeup(Policy::Fifo(80), None, 8e3, 1.02e9);
    missed.rows[0].skipped = 903;
    let mut fine = wakeup(Policy::Fifo(80), Some("cpu"), 8e3, 6e4);
    fine.warnings = vec![Warning::PageFaults { thread: "solver 1".into(), count: 1 }];
    assert!(is_unknown(&found(&[missed.clone(), fine.clone()])));
    std::mem::swap(&mut missed.warnings, &mut fine.warnings);
    assert!(is_unknown(&found(&[missed, fine])));
}

#[test]
fn a_load_explains_what_was_late_under_it_repeatedly() {
    let late = |policy, load, worst, missed| {
        let mut run = wakeup(policy, load, 8e3, worst);
        run.rows[0].skipped = missed;
        run
    };
    let loaded = |policy, missed| vec![late(policy, Some("cpu"), 9e6, missed); 5];
    let quiet = |policy, worst, missed| vec![late(policy, None, worst, missed); 5];
    let idle = [quiet(Policy::OTHER, 6e4, 0), quiet(Policy::Fifo(80), 2e6, 3)].concat();
    let found = |runs: Vec<Outcome>| found(&[idle.clone(), runs].concat());
    assert!(is_unknown(&found(loaded(Policy::OTHER, 0))));
    let once = vec![late(Policy::Fifo(80), Some("cpu"), 1.02e9, 903)];
    assert!(is_unknown(&found(once.clone())), "one stall is no evidence");
    // Four runs that were late by 9 ms do not explain a stall of 1 s.
    let among = [once, vec![late(Policy::Fifo(80), Some("cpu"), 9e6, 9); 4]].concat();
    assert!(is_unknown(&found(among)));
    let found = found(loaded(Policy::Fifo(80), 9));
    let is_load = |finding: &Finding| matches!(finding, Finding::Machine(ProbableCause { found, .. }) if found.starts_with("with load cpu, "));
    assert!(found.iter().any(is_load), "{found:?}");
}

fn counted(cause: Value, took_ns: i64) -> Value {
    let share = (cause, took_ns - 10_000);
    serde_json::json!([{
        "thread": "CPU 1", "cpu": 1, "due_ns": 5, "took_ns": took_ns, "shares": [share],
    }])
}

#[test]
fn what_the_kernel_counted_is_a_cause_whose_name_needs_a_search() {
    let mut run = on_one_cpu(1.2e9, 1_200);
    run.rows[0].tell(
        &fact::COUNTED,
        counted(serde_json::json!({ "kind": "unknown_task" }), 1_200_000_000),
    );
    let found = found(&[run.clone()]);
    let late = found.iter().find_map(|finding| match finding {
        Finding::Machine(Late { causes, missed, .. }) => Some((causes, *missed)),
        _ => None,
    });
    let (causes, missed) = late.unwrap_or_else(|| panic!("{found:?}"));
    assert_eq!((causes[0].late, causes[0].missed, missed), (1, 1_200, 1_200));
    assert!(causes[0].is_unnamed);
    assert!(matches!(fixes_of(&found)[0], Fix::LookForCause { .. }), "{found:?}");
    // Nearly all deadlines came later than a user allows: not because of that stall.
    let standards = Standards { latest: Some(Nanos(1_000)), ..Standards::default() };
    assert!(is_unknown(&findings(&Analysis::of(&[run.clone()], &standards))));
    // A sample of which 3 of 1 200 missed deadlines follow explains nothing.
    run.rows[0].tell(&fact::COUNTED, counted(serde_json::json!({ "kind": "steal" }), 3_000_000));
    assert!(is_unknown(&self::found(&[run])));
}

#[test]
fn throttling_by_a_control_group_is_fixed_by_its_budget_and_not_by_the_kernels() {
    let first_fix = |group: Option<&str>| {
        let mut run = on_one_cpu(1.2e9, 1_200);
        let throttling = serde_json::json!({ "kind": "throttling" });
        run.rows[0].tell(&fact::COUNTED, counted(throttling, 1_200_000_000));
        run.warnings = vec![Warning::ThrottlingReached {
            cpu: 1,
            used_percent: 2,
            granted_percent: 2,
            gaps: 0,
            group: group.map(str::to_owned),
            is_usual: false,
        }];
        format!("{:?}", fixes_of(&found(&[run])).first())
    };
    let of_group = first_fix(Some("/sys/fs/cgroup/cpu/box/cpu.rt_runtime_us"));
    assert!(of_group.contains("echo 950000 | sudo tee /sys/fs/cgroup/cpu/box/"), "{of_group}");
    assert!(!first_fix(None).contains("cgroup"));
}

#[test]
fn steps_that_a_model_did_not_make_are_the_cause_and_the_rate_that_fits_is_the_fix() {
    let mut run = own_model("real-time", 300);
    run.rows[0].tell(&fact::NOT_MADE, 300);
    let reason = |run: &Outcome| {
        let found = found(std::slice::from_ref(run));
        let why = found.iter().find_map(|finding| match finding {
            Finding::Machine(ProbableCause { found, .. }) => Some(found.clone()),
            _ => None,
        });
        (why.unwrap_or_default(), fixes_of(&found).to_vec())
    };
    let (why, fixes) = reason(&run);
    assert_eq!(why, "the model did not make 300 steps as requested");
    assert!(
        matches!(&fixes[..], [Fix::Remedy { remedy }] if remedy.contains("--log on")),
        "{fixes:?}"
    );
    run.warnings.push(Warning::StepSizeUnfit {
        model: "fis".to_owned(),
        asked: "300Hz".to_owned(),
        own: "1ms".to_owned(),
        takes_multiples: true,
        fitting: "250Hz".to_owned(),
    });
    let (why, fixes) = reason(&run);
    assert!(why.contains("fis steps in multiples of 1ms"), "{why}");
    assert!(
        matches!(&fixes[..], [Fix::Remedy { remedy }] if remedy == "use `--rate 250Hz`"),
        "{fixes:?}"
    );
    // A few steps do not explain many misses.
    run.rows[0].tell(&fact::NOT_MADE, 3);
    assert_eq!(reason(&run).0, "");
}

#[test]
fn another_measurement_on_the_same_cpu_is_no_cause_without_evidence_but_can_be_avoided() {
    let mut late = wakeup(Policy::Fifo(80), None, 8e3, 2e6);
    late.rows[0].skipped = 53;
    let who = "process 71 measured on CPU 1".to_owned();
    late.warnings = vec![Warning::MeasuredBeside { who, asked: true }];
    let mut other = wakeup(Policy::Fifo(80), Some("cpu"), 8e3, 9e7);
    std::mem::swap(&mut late.warnings, &mut other.warnings);
    let is_alone =
        |fix: &Fix| matches!(fix, Fix::Remedy { remedy } if remedy.starts_with("measure alone"));
    let elsewhere = found(&[late.clone(), other.clone()]);
    assert!(!fixes_of(&elsewhere).iter().any(is_alone), "that run missed nothing: {elsewhere:?}");
    std::mem::swap(&mut late.warnings, &mut other.warnings);
    let found = found(&[late, other]);
    assert!(is_unknown(&found), "{found:?}");
    let fixes = fixes_of(&found);
    assert!(matches!(fixes[0], Fix::LookForCause { .. }) && is_alone(&fixes[1]), "{found:?}");
}

#[test]
fn the_verdict_is_about_the_lowest_rate_that_missed() {
    let mut slow = wakeup(Policy::Fifo(80), None, 8e3, 2e6);
    let mut fast = slow.clone();
    fast.header.spec.parameters.set("period", record::Value::Time(Nanos(100_000)));
    fast.rows[0].skipped = 638;
    slow.rows[0].skipped = 53;
    fast.rows[0].latency.as_mut().unwrap().max.value_ns = 90_000_000;
    assert_eq!(verdict(&[fast, slow]), (Standing::Bad, 1_000_000, 53, 20_000));
}

#[test]
fn of_two_runs_that_differ_only_in_the_search_the_one_that_missed_more_is_the_verdict() {
    let mut plain = on_one_cpu(5e6, 3);
    let mut searched = on_one_cpu(4e6, 700);
    searched.header.spec.blame_beyond = Some(Nanos(1_000_000));
    let both = found(&[plain.clone(), searched.clone()]);
    let (of, _, met) = judged(&both);
    assert_eq!((of.is_searched, met.missed), (true, 700));
    let alone = found(std::slice::from_ref(&searched));
    assert!(!judged(&alone).0.is_searched, "there is nothing to tell it from");
    std::mem::swap(&mut plain.rows, &mut searched.rows);
    assert!(!judged(&found(&[plain, searched])).0.is_searched);
}

#[test]
fn the_largest_cause_is_named_as_a_part_if_no_two_explain_half() {
    let mut run = blamed("hog");
    run.rows[0].skipped = 3;
    let mut summary = crate::causes::summary(&run.rows[0]).unwrap();
    summary.causes.retain(|total| total.main_of > 0);
    summary.causes.truncate(1);
    (summary.missed, summary.causes[0].missed) = (3, 1);
    let fact = serde_json::to_value(&summary).unwrap();
    run.rows[0].facts.insert(fact::BLAME.name.to_owned(), fact);
    let found = found(&[run]);
    let part = found.iter().find_map(|finding| match finding {
        Finding::Machine(NoKnownCause { is_searched: true, largest, .. }) => largest.as_ref(),
        _ => None,
    });
    let part = part.unwrap_or_else(|| panic!("{found:?}"));
    assert!(part.cause.cause.contains("hog") && part.missed == 3 && part.cause.missed == 1);
}

#[test]
fn deadlines_that_pass_after_the_end_of_a_run_are_counted() {
    let mut late = clean();
    late.rows.truncate(1);
    late.header.spec.asked.cpus = base::CpuSet::one(1);
    let row = &mut late.rows[0];
    row.skipped = 6;
    let max = &mut row.latency.as_mut().unwrap().max;
    (max.index, max.value_ns) = (row.due - 7, 79_600_000);
    assert_eq!(cut_off(std::slice::from_ref(&late)), Some(73));
    late.found.interval = Some(record::IntervalFound {
        watch: String::new(),
        number: 0,
        stalled_before: 0,
        is_same_program: false,
        boot: String::new(),
        suspended_ns: 0,
        began_since_boot_ns: None,
    });
    assert_eq!(cut_off(&[late]), None, "the next interval of a soak counts them");
    assert_eq!(cut_off(&[wakeup(Policy::Fifo(80), None, 8e3, 2e6)]), None);
}

#[test]
fn an_invalid_run_that_never_measured_adds_no_time() {
    let mut ended = refused();
    ended.found.threads.clear();
    let effort = |runs: &[Outcome]| crate::subject::effort(runs);
    assert_eq!(effort(&[clean(), ended.clone()]), "2 runs, 1 INVALID, 10 s");
    assert_eq!(effort(&[ended]), "1 run, INVALID");
}

#[test]
fn a_real_fast_run_measured_as_long_as_its_steps_took() {
    // 2000 steps of 36 us; the requested 2 s are model time.
    assert_eq!(crate::subject::effort(&[own_model("real-fast", 0)]), "1 run, valid, 72 ms");
}

#[test]
fn what_was_not_permitted_follows_the_verdict() {
    let mut run = wakeup(Policy::OTHER, None, 8e3, 6e4);
    run.warnings = vec![Warning::NotPermitted {
        rights: vec![Right::RealTimePriority, Right::LockedMemory],
        barrier: None,
    }];
    let found = found(std::slice::from_ref(&run));
    assert!(run.is_valid() && matches!(found[0], Finding::Deadlines(Deadlines { .. })));
    assert!(matches!(found[1], Finding::Machine(NotPermitted { .. })), "{found:?}");
}

#[test]
fn the_bound_of_few_clean_runs_comes_with_what_it_takes_to_show_more() {
    let found = found(&[clean()]);
    let rate = found.iter().find_map(|finding| match finding {
        Finding::Deadlines(MissRate { of: None, upper, to_show: Some(needed), .. }) => {
            Some((*upper, *needed))
        }
        _ => None,
    });
    let upper = judged(&found).2.upper;
    assert_eq!(rate, Some((upper, DEFAULT_STANDARDS.limits.proof())));
}

/// Runs of four CPUs whose figures are these times the typical ones, each run up to 20 % from the next.
fn on_four_cpus(runs: u64, times: [f64; 4], odd: &mut Odd) -> Vec<Outcome> {
    let run = |number: u64| {
        let mut run = clean();
        run.header.started_unix_ns += number * 1_000_000_000;
        run.rows.truncate(1);
        run.rows.extend(times.iter().enumerate().map(|(cpu, times)| {
            let times = times * (0.8 + 0.4 * odd.uniform());
            let latency = latencies(2_000, 8e3 * times, 400, 6e4 * times);
            Row { due: 2_000, executed: 2_000, ..Row::of(format!("CPU {cpu}"), latency) }
        }));
        run
    };
    (0..runs).map(run).collect()
}

fn worst_cpu_of(runs: &[Outcome]) -> Option<WorstCpu> {
    found(runs).into_iter().find_map(|finding| match finding {
        Finding::Deadlines(WorstCpuIs(worst)) => Some(worst),
        _ => None,
    })
}

#[test]
fn a_cpu_that_is_shown_to_be_worse_is_named_beside_the_others() {
    let runs = on_four_cpus(6, [1.0, 1.0, 4.0, 1.0], &mut Odd::of(1, 0));
    let worst = worst_cpu_of(&runs).unwrap();
    assert_eq!((worst.cpu.as_str(), worst.figure), ("CPU 2", Compared::P99));
    assert!(worst.value > 2.0 * worst.others && worst.times[0] > 2.0, "{worst:?}");
    let words = Finding::Deadlines(WorstCpuIs(worst)).named();
    assert!(words.starts_with("Worst CPU: CPU 2, p99 "), "{words}");
}

#[test]
fn a_cpu_that_missed_more_is_named_by_its_misses() {
    let mut runs = on_four_cpus(9, [1.0; 4], &mut Odd::of(1, 0));
    for run in &mut runs {
        run.rows[4].skipped = 40;
        run.rows[4].executed -= 40;
    }
    let worst = worst_cpu_of(&runs).unwrap();
    assert_eq!((worst.cpu.as_str(), worst.figure), ("CPU 3", Compared::MissOdds));
    assert_eq!((worst.value, worst.others), (0.02, 0.0));
}

#[test]
fn a_cpu_that_missed_fewer_than_another_is_not_the_worst_by_its_times() {
    let mut runs = on_four_cpus(6, [1.0, 1.0, 4.0, 1.0], &mut Odd::of(1, 0));
    for (run, missed) in runs.iter_mut().zip([9, 0, 0, 0, 0, 0]) {
        run.rows[2].skipped = missed;
        run.rows[2].executed -= missed;
    }
    assert_eq!(worst_cpu_of(&runs), None);
    // Of equal misses, the times decide.
    runs[1].rows[3].skipped = 9;
    runs[1].rows[3].executed -= 9;
    let worst = worst_cpu_of(&runs).unwrap();
    assert_eq!((worst.cpu.as_str(), worst.figure), ("CPU 2", Compared::P99));
}

#[test]
fn of_equal_cpus_one_is_named_in_at_most_5_of_100_experiments() {
    let mut odd = Odd::of(5, 0);
    let mut named = |runs: u64| {
        let is_named = |_: &u64| worst_cpu_of(&on_four_cpus(runs, [1.0; 4], &mut odd)).is_some();
        (0..100).filter(is_named).count()
    };
    let named = [1, 2, 4].map(&mut named);
    assert!(named.iter().all(|count| *count <= 5), "{named:?}");
}

#[test]
fn one_run_of_two_cpus_shows_no_difference() {
    let mut runs = on_four_cpus(1, [1.0, 4.0, 1.0, 1.0], &mut Odd::of(1, 0));
    runs[0].rows.truncate(3);
    assert_eq!(worst_cpu_of(&runs), None);
}

#[test]
fn work_that_differs_only_in_when_it_stops_is_told_apart() {
    let stopped = |stop_at: Option<u64>| {
        let mut run = clean();
        run.header.spec.stop_at = stop_at.map(Nanos);
        run
    };
    let runs = [None, Some(200_000), Some(900_000)].map(stopped);
    let analysis = Analysis::of(&runs, &DEFAULT_STANDARDS);
    let words: Vec<String> = cases(&analysis).judged.iter().map(|case| case.of.words()).collect();
    let thread = "1 kHz thread";
    assert_eq!(
        words,
        ["", ", stop at 200 µs", ", stop at 900 µs"].map(|end| format!("{thread}{end}"))
    );
}

#[test]
fn a_run_that_a_late_sample_ended_says_so_and_how_to_look_for_the_cause() {
    let mut run = clean();
    run.header.spec.stop_at = Some(Nanos(30_000));
    run.warnings.push(Warning::StoppedAt {
        thread: "CPU 1".to_owned(),
        limit_ns: 30_000,
        late_ns: 59_123,
        at_ns: 1_234_567_890,
        planned_ns: 600_000_000_000,
    });
    assert_eq!(run.planned().asked.duration, Nanos(600_000_000_000));
    let found = found(&[run, clean()]);
    assert!(matches!(found[0], Finding::Deadlines(EndedEarly { .. })), "{found:?}");
    let early = found.iter().find(|one| matches!(one, Finding::Deadlines(EndedEarly { .. })));
    assert_eq!(
        early.unwrap().named(),
        "Answer: ENDED EARLY: 1 of 2 runs: `CPU 1` woke 59.1 µs late, 1.23 s after the start, so --stop-at 30us ended \
         the run, which was planned for 600 s."
    );
    let is_unknown = |one: &Finding| matches!(one, Finding::Machine(NoKnownCause { .. }));
    assert!(found.iter().any(is_unknown), "{found:?}");
    let fix = found.iter().find(|one| matches!(one, Finding::Machine(FixFirst { .. }))).unwrap();
    let words = fix.sentence();
    assert!(
        words.contains("--seconds 600s --stop-at 30us") && words.ends_with("--blame`"),
        "{words}"
    );
}

#[test]
fn of_several_runs_that_ended_early_the_latest_sample_is_named_first_and_no_proof_is_asked_for() {
    let early = |late_ns| {
        let mut run = clean();
        run.header.spec.stop_at = Some(Nanos(20_000));
        run.warnings.push(Warning::StoppedAt {
            thread: "CPU 1".to_owned(),
            limit_ns: 20_000,
            late_ns,
            at_ns: 17_000_000,
            planned_ns: 30_000_000_000,
        });
        run
    };
    let found = found(&[early(20_001), early(167_649), clean(), early(71_700)]);
    assert_eq!(
        found[0].sentence(),
        "ENDED EARLY: 3 of 4 runs; in one, `CPU 1` woke 167 µs late, 17 ms after the start, so --stop-at 20us ended \
         the run, which was planned for 30 s."
    );
    assert!(matches!(found[1], Finding::Deadlines(Deadlines { .. })), "{found:?}");
    let asks = |one: &Finding| matches!(one, Finding::Deadlines(MissRate { to_show: Some(_), .. }));
    assert!(!found.iter().any(asks), "{found:?}");
    // Rounding never hides that the sample was beyond the limit.
    let barely = early(20_001).warnings.remove(0).cause();
    assert!(barely.contains("woke 20.001 µs late"), "{barely}");
}

#[test]
fn one_deadline_is_counted_in_the_singular() {
    let mut run = clean();
    run.rows.truncate(1);
    (run.rows[0].due, run.rows[0].executed) = (1, 1);
    let words = found(&[run])[0].sentence();
    assert!(words.contains("in 1 wake-up;"), "{words}");
}
