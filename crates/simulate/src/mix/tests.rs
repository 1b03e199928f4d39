use base::Policy;
use bench::made_run::recording;
use record::{Link, Transform};
use testing::models::{self, Kind, Version};
use testing::{refuses, within_tries};

use super::*;
use crate::test_runs::{self as tests, spec, spec_with};

const LENGTH: Nanos = Nanos(400_000_000);

/// A member as a user would request it, on one CPU.
fn member(name: &str, measurement: &str, parameters: &[(&str, &str)]) -> Member {
    let mut run = spec_with(measurement, parameters);
    run.asked.duration = LENGTH;
    Member {
        name: name.to_owned(),
        run,
        inputs: Vec::new(),
        best_effort: false,
        limit_percent: None,
    }
}

fn wait(name: &str, rate: &str, spin: &str) -> Member {
    let overrun = ("overrun", "catch-up");
    member(name, "wait", &[("rate", rate), ("spin", spin), overrun])
}

fn link(input: &str, from: &str, output: &str) -> Link {
    let [input, from, output] = [input, from, output].map(str::to_owned);
    Link { input, from, output, transform: None, delay: false }
}

fn mix(members: Vec<Member>) -> RunSpec {
    let mut mix = spec(NAME);
    mix.asked.duration = LENGTH;
    mix.members = members;
    mix
}

#[test]
fn a_library_is_one_member() {
    let folder = tempfile::tempdir().unwrap();
    let first = models::of_code(folder.path(), "void own_step(void) {}");
    let copy = folder.path().join("copy.so");
    std::fs::copy(&first, &copy).unwrap();
    let of = |name: &str, file: &std::path::Path| {
        member(name, "model", &[("library", file.to_str().unwrap()), ("rate", "100Hz")])
    };
    Mix.examine(&mut mix(vec![of("a", &first), of("b", &copy)])).unwrap();
    let twice = Mix.examine(&mut mix(vec![of("a", &first), of("b", &first)]));
    refuses(twice, "is also the library of a, and both would share its variables");
}

#[test]
fn counts_for_causes_have_separate_columns() {
    let (mut one, mut other) = (wait("one", "1kHz", "20us"), wait("other", "100Hz", "20us"));
    one.inputs = vec![link("u", "other", "y")];
    let limit = Some(Nanos(1_000_000));
    (one.run.blame_beyond, other.run.blame_beyond) = (limit, limit);
    let mut spec = mix(vec![one, other]);
    spec.blame_beyond = limit;
    assert_eq!(measured(spec).len(), 2);
}

fn measured(mut spec: RunSpec) -> Vec<Row> {
    Mix.examine(&mut spec).unwrap();
    let tracks = Mix.run(&Bench::new(spec.clone())).unwrap();
    bench::shape::check(&tracks, &Mix.tracks(&spec), 60_000_000_000).unwrap();
    Mix.rows(&recording(spec, tracks))
}

fn number(row: &Row, fact: &record::Fact) -> u64 {
    row.fact(fact).unwrap().as_u64().unwrap()
}

/// The hash that a member computes when it runs alone.
fn alone(member: &Member, fact: &record::Fact) -> serde_json::Value {
    tests::measured(member.run.clone())[0].fact(fact).unwrap().clone()
}

#[test]
fn three_rates_have_exact_accounts_and_ages_within_their_bounds() {
    let mut fast = wait("fast", "1kHz", "20us");
    let mut medium = wait("medium", "100Hz", "50us");
    fast.inputs = vec![link("u", "medium", "y")];
    medium.inputs = vec![link("u", "slow", "y")];
    let spec = mix(vec![fast, medium, wait("slow", "10Hz", "100us")]);
    let ages = |row: &Row| row.fact(&fact::AGES).unwrap().clone();
    // A host that stops a thread between the exchange and its stamp makes single values older.
    let is_fresh = |rows: &Vec<Row>| rows[..2].iter().all(|row| ages(row)[0]["beyond"] == 0);
    let rows = within_tries(10, || measured(spec.clone()), is_fresh);
    let dues: Vec<u64> = rows.iter().map(|row| row.due).collect();
    assert_eq!(dues, [400, 40, 4]);
    for row in &rows {
        assert_eq!(row.due, row.executed + row.skipped, "{}", row.label);
        assert!(number(row, &fact::STEP_COST_MAX_NS) >= number(row, &fact::STEP_COST_NS));
    }
    for (row, source) in rows.iter().zip(["medium", "slow"]) {
        let age = &ages(row)[0];
        assert_eq!((&age["from"], &age["uses"]), (&source.into(), &row.executed.into()));
        assert!(age["p50_ns"].as_u64() <= age["bound_ns"].as_u64(), "{age}");
    }
    assert!(ages(&rows[2]).as_array().unwrap().is_empty());
}

#[test]
fn values_of_a_source_that_has_ended_are_not_too_old() {
    let mut user = wait("user", "1kHz", "20us");
    user.inputs = vec![link("u", "source", "y")];
    let spec = mix(vec![user, wait("source", "100Hz", "20us")]);
    let thread = |stamps: [Vec<i64>; 3]| {
        let costs = vec![1; stamps[0].len()];
        let [due, start, end] = stamps;
        let track = Track::new("").column("due_ns", due).column("start_ns", start);
        track.column("end_ns", end).column("cost_ns", costs)
    };
    // Its bound is 12, and its steps are over at 122.
    let schedule = |period: i64, periods: i64| {
        Track::new("").with("t0_ns", 100).with("period_ns", period).with("periods", periods)
    };
    let uses = thread([vec![120, 130], vec![120, 130], vec![121, 131]])
        .column("source", vec![0, 0])
        .column("taken_ns", vec![121, 131])
        .column("made_ns", vec![102, 112]);
    let source = thread([vec![100, 110], vec![100, 110], vec![102, 112]]);
    let tracks = vec![uses, source, Track::new("state"), schedule(1, 40), schedule(10, 2)];
    let rows = Mix.rows(&recording(spec, tracks));
    let age = &rows[0].fact(&fact::AGES).unwrap()[0];
    assert_eq!(
        (&age["bound_ns"], &age["max_ns"], &age["beyond"]),
        (&12.into(), &19.into(), &1.into())
    );
}

#[test]
fn a_member_computes_what_it_computes_alone() {
    let tire = [
        ("mode", "real-time"),
        ("masses", "400"),
        ("threads", "1"),
        ("rate", "100Hz"),
        ("steps", "40"),
        ("overrun", "catch-up"),
    ];
    let tire = member("tire", "tire", &tire);
    let wait = wait("wait", "1kHz", "20us");
    let fmu = models::fmu(Version::Three, Kind::CoSimulation, &[]);
    let own = [("fmu", fmu.to_str().unwrap()), ("rate", "1kHz"), ("overrun", "catch-up")];
    let own = member("own", "model", &own);
    let of_tire = alone(&tire, &fact::STATE_HASH);
    let of_wait = alone(&wait, &fact::OUTPUT_HASH);
    let of_own = alone(&own, &fact::OUTPUT_HASH);
    // Whatever the pace, if no step is left out.
    let mut fast = own.clone();
    tests::set(&mut fast.run, &[("mode", "real-fast")]);
    assert!(of_own.is_string());
    assert_eq!(alone(&fast, &fact::OUTPUT_HASH), of_own);
    let rows = measured(mix(vec![wait, tire, own]));
    assert_eq!(rows[0].executed, rows[0].due);
    assert_eq!(*rows[0].fact(&fact::OUTPUT_HASH).unwrap(), of_wait);
    assert_eq!(*rows[1].fact(&fact::STATE_HASH).unwrap(), of_tire);
    assert_eq!(*rows[2].fact(&fact::OUTPUT_HASH).unwrap(), of_own);
}

#[test]
fn best_effort_work_is_counted_and_keeps_within_its_limit() {
    let fast = [("mode", "real-fast"), ("masses", "400"), ("threads", "1"), ("solver", "simd")];
    let mut fast = member("fast", "tire", &fast);
    fast.best_effort = true;
    fast.limit_percent = Some(20);
    fast.run.asked.policy = Policy::Idle;
    // A CPU that is never idle leaves it no step.
    let mixed = || measured(mix(vec![wait("slow", "100Hz", "100us"), fast.clone()]));
    let rows = within_tries(10, mixed, |rows| rows[1].executed > 0);
    assert_eq!(rows[1].skipped, 0);
    let per_second = rows[1].fact(&fact::STEPS_PER_S).unwrap().as_f64().unwrap();
    assert!(per_second > 0.0);
    let share = rows[1].fact(&fact::CPU_SHARE).unwrap().as_f64().unwrap();
    assert!(share > 0.0 && share < 0.25, "{share}");
}

#[test]
fn impossible_mixes_are_refused_with_the_member() {
    let refused = |change: fn(&mut Vec<Member>), why: &str| {
        let mut members = vec![wait("a", "1kHz", "1us"), wait("b", "100Hz", "1us")];
        change(&mut members);
        refuses(Mix.examine(&mut mix(members)), why);
    };
    refused(|all| all[1].name = "a".to_owned(), "two members have the same name");
    refused(Vec::clear, "no plan given");
    refused(|all| all[0].inputs = vec![link("u", "c", "y")], "a: no member is named `c`");
    refused(|all| all[0].inputs = vec![link("v", "b", "y")], "a: it has one input, `u`");
    refused(|all| all[0].inputs = vec![link("u", "b", "x")], "a: b: it has no output `x`");
    let from_best_effort = |all: &mut Vec<Member>| {
        all[0].inputs = vec![link("u", "b", "y")];
        all[1].best_effort = true;
    };
    refused(from_best_effort, "a: inputs: b is best-effort");
    refused(|all| all.iter_mut().for_each(|one| one.best_effort = true), "no member has a rate");
    let recorded = |all: &mut Vec<Member>| all[0].run.record = true;
    refused(recorded, "a: a member cannot be recorded, checked or watched");
    let paced = |all: &mut Vec<Member>| {
        all.push(member("t", "tire", &[("threads", "1"), ("mode", "real-fast")]));
    };
    refused(paced, "t: a member cannot be");
}

#[test]
fn a_member_gets_changed_values_as_if_they_came_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("u.csv");
    std::fs::write(&file, "time,u\n0,7\n").unwrap();
    let fmu = models::fmu(Version::Three, Kind::CoSimulation, &[]);
    let own = |name: &str, more: &[(&str, &str)]| {
        let usual = [("fmu", fmu.to_str().unwrap()), ("rate", "1kHz"), ("overrun", "catch-up")];
        member(name, "model", &[&usual[..], more].concat())
    };
    // Without spring and damper, it stays at 1.
    let source = own("source", &[("set", "k=0;c=0")]);
    let expected = alone(&own("user", &[("input", file.to_str().unwrap())]), &fact::OUTPUT_HASH);
    let number = |text: &str| text.parse().unwrap();
    let linear = Transform::Linear { factor: number("2"), offset: number("5") };
    let of = |transform| {
        let mut user = own("user", &[]);
        user.inputs = vec![Link { transform: Some(transform), ..link("u", "source", "y") }];
        mix(vec![user, source.clone()])
    };
    let map = Transform::Map(vec![(number("0"), number("3")), (number("1"), number("7"))]);
    for transform in [linear, map] {
        assert_eq!(*measured(of(transform))[0].fact(&fact::OUTPUT_HASH).unwrap(), expected);
    }
    let lacking = of(Transform::Map(vec![(number("0"), number("3"))]));
    let bench = Bench::new(lacking);
    assert!(Mix.run(&bench).is_err());
    let (_, warnings) = bench.into_findings();
    let causes: Vec<String> = warnings.iter().map(Warning::cause).collect();
    assert!(
        causes.iter().any(|cause| cause.contains("user: an input gets 1, which its map lacks")),
        "{causes:?}"
    );
}
