//! Tests with the oscillator of `testing::models`, through both versions of FMI.

use std::path::Path;

use testing::models::{self, IDENTIFIER, TOKEN};
use testing::within_tries;

use super::*;
use crate::counters::ThreadCounts;
use crate::library::Library;

/// Value references of the oscillator's description.
const X: u32 = 1;
const K: u32 = 5;
const U: u32 = 7;
const Y: u32 = 8;
const STEPS: u32 = 9;
const MOVING: u32 = 10;
const LABEL: u32 = 11;
const BLOB: u32 = 14;

const H_S: f64 = 0.001;
const SUBSTEPS: u32 = 10;

const BOTH: [Version; 2] = [Version::Two, Version::Three];

fn library(version: Version, defines: &models::Defines) -> Library {
    let version = match version {
        Version::Two => models::Version::Two,
        Version::Three => models::Version::Three,
    };
    Library::open(&models::fmu_library(version, defines)).unwrap()
}

fn asked(version: Version, kind: Kind) -> Asked<'static> {
    Asked {
        version,
        kind,
        identifier: IDENTIFIER,
        name: "the oscillator",
        token: TOKEN,
        resources: Path::new("/tmp/a folder"),
        logging: true,
        early_return: true,
    }
}

fn started(version: Version, kind: Kind, defines: &models::Defines) -> Instance {
    let instance = Instance::new(&library(version, defines), &asked(version, kind)).unwrap();
    instance.enter_initialization(0.0, None).unwrap();
    instance.variables().set(&[K, U], &[400.0, 0.5]).unwrap();
    instance.exit_initialization().unwrap();
    instance
}

fn value(instance: &Instance, variable: u32) -> f64 {
    let mut values = [f64::NAN];
    instance.variables().get(&[variable], &mut values).unwrap();
    values[0]
}

/// The same calculation here: explicit Euler as in `oscillator.c`.
struct Ours {
    x: f64,
    v: f64,
}

impl Ours {
    fn step(&mut self) {
        let part_s = H_S / f64::from(SUBSTEPS);
        for _ in 0..SUBSTEPS {
            let a = 0.5 - self.v - 400.0 * self.x;
            self.x += part_s * self.v;
            self.v += part_s * a;
        }
    }
}

fn at(step: u32) -> f64 {
    f64::from(step) * H_S
}

#[test]
fn both_versions_step_as_we_do_to_the_last_bit() {
    for version in BOTH {
        let model = started(version, Kind::CoSimulation, &[]);
        let mut ours = Ours { x: 1.0, v: 0.0 };
        for step in 0..2000 {
            let stepped = model.do_step(at(step), H_S).unwrap();
            assert_eq!(stepped.status, Status::Ok);
            assert_eq!(stepped.last_successful_time_s, at(step) + H_S);
            ours.step();
            assert_eq!(value(&model, Y).to_bits(), ours.x.to_bits(), "{version:?} {step}");
        }
        model.terminate().unwrap();
        assert_eq!((model.warnings(), model.log_lines()), (0, 0));
    }
}

/// The closed form is that of x'' + c x' + k x = u from x = 1 and v = 0, near which a first-order
/// solver stays.
#[test]
fn a_step_comes_near_the_closed_form() {
    let model = started(Version::Two, Kind::CoSimulation, &[]);
    let (end, k, u) = (500, 400.0_f64, 0.5);
    for step in 0..end {
        model.do_step(at(step), H_S).unwrap();
    }
    let (decay, omega) = (0.5, (k - 0.25).sqrt());
    let angle = omega * at(end);
    let swing = angle.cos() + decay / omega * angle.sin();
    let exact = u / k + (1.0 - u / k) * (-decay * at(end)).exp() * swing;
    assert!((value(&model, Y) - exact).abs() < 0.02);
}

#[test]
fn model_exchange_by_euler_equals_co_simulation() {
    for version in BOTH {
        let model = started(version, Kind::ModelExchange, &[("EVENT_ROUNDS", "3")]);
        let rounds = (1..10).find(|_| !model.new_discrete_states().unwrap().again);
        assert_eq!(rounds, Some(4));
        model.enter_continuous_time_mode().unwrap();
        let (mut states, mut derivatives, mut indicator) = ([0.0; 2], [0.0; 2], [0.0]);
        model.get_states(&mut states).unwrap();
        let mut ours = Ours { x: 1.0, v: 0.0 };
        let part_s = H_S / f64::from(SUBSTEPS);
        for step in 0..200 {
            for _ in 0..SUBSTEPS {
                model.get_derivatives(&mut derivatives).unwrap();
                for (state, derivative) in states.iter_mut().zip(derivatives) {
                    *state += part_s * derivative;
                }
                model.set_states(&states).unwrap();
                assert_eq!(model.completed_integrator_step(), Ok((false, false)));
            }
            model.set_time(at(step + 1)).unwrap();
            ours.step();
            assert_eq!(states, [ours.x, ours.v], "{version:?} {step}");
        }
        model.get_event_indicators(&mut indicator).unwrap();
        assert_eq!(indicator, [ours.x]);
        model.enter_event_mode().unwrap();
        let next = model.new_discrete_states().unwrap().next_event_s;
        assert_eq!(next, Some(at(200) + 0.5));
        assert!(model.get_states(&mut [0.0; 3]).is_err(), "it has two states");
        assert_eq!(model.get_event_indicators(&mut []), Ok(()));
    }
    let model = started(Version::Three, Kind::ModelExchange, &[]);
    assert_eq!(model.sizes(), Some((2, 1)));
}

#[test]
fn values_of_every_kind_go_in_and_out() {
    for version in BOTH {
        let model = started(version, Kind::CoSimulation, &[]);
        model.variables().set(&[STEPS], &[41]).unwrap();
        model.do_step(0.0, H_S).unwrap();
        let (mut steps, mut moving) = ([0_i32], [false]);
        model.variables().get(&[STEPS], &mut steps).unwrap();
        model.variables().get_booleans(&[MOVING], &mut moving).unwrap();
        assert_eq!((steps, moving), ([42], [true]));
        model.variables().set_booleans(&[MOVING], &[false]).unwrap();
        model.variables().get_booleans(&[MOVING], &mut moving).unwrap();
        assert_eq!(moving, [false]);
        model.variables().set_text(LABEL, "steel").unwrap();
        assert_eq!(first_bytes(&model, 4), b"stee");
        assert_eq!(first_bytes(&model, 64), b"steel");
        assert_eq!(model.variables().set_text(LABEL, "a\0b"), Err(Failed::ZeroByte));
    }
    let model = started(Version::Three, Kind::CoSimulation, &[("MULTIPLY", "1")]);
    model.do_step(0.0, H_S).unwrap();
    let (mut y, mut steps) = ([0_f32], [0_i64]);
    model.variables().get(&[12], &mut y).unwrap();
    model.variables().get(&[13], &mut steps).unwrap();
    assert_eq!((y, steps), ([value(&model, Y) as f32], [1]));
    model.variables().set_binary(BLOB, b"\0\xff2").unwrap();
    let (mut room, mut kept) = (Room::for_values(1), Vec::new());
    let read = model.variables().get_binaries(&[BLOB], &mut room, 2, |_, data| kept.extend(data));
    assert_eq!((read, &kept[..]), (Ok(()), &b"\0\xff"[..]));
}

/// Returns the text of the model's label, at most `most` bytes of it.
fn first_bytes(model: &Instance, most: usize) -> Vec<u8> {
    let (mut room, mut kept) = (Room::for_values(1), Vec::new());
    let mut keep = |number: usize, text: &[u8]| {
        assert_eq!(number, 0);
        kept.extend(text);
    };
    model.variables().get_texts(&[LABEL], &mut room, most, &mut keep).unwrap();
    kept
}

#[test]
fn what_a_model_lacks_is_an_error_of_one_line() {
    let two = started(Version::Two, Kind::CoSimulation, &[]);
    let three = started(Version::Three, Kind::CoSimulation, &[]);
    let errors = [
        two.variables().get(&[12], &mut [0_f32]).unwrap_err(),
        two.variables().get(&[X, Y], &mut [0.0]).unwrap_err(),
        three.variables().get(&[1], &mut [0_u16]).unwrap_err(),
        three.variables().get(&[99], &mut [0.0]).unwrap_err(),
    ];
    assert_eq!(
        errors.map(|failed| failed.to_string()),
        [
            "this version of FMI has no Float32",
            "1 values for 2 variables",
            "the model's library has no fmi3GetUInt16",
            "fmi3GetFloat64 of the model returned Error",
        ]
    );
    assert!(two.task().is_none() && three.task().is_none());
}

#[test]
fn a_library_that_is_not_such_a_model_names_what_it_lacks() {
    let plant = Library::open(&models::library(&[])).unwrap();
    let refused = |version, kind| {
        let failed = Instance::new(&plant, &asked(version, kind)).unwrap_err();
        failed.to_string()
    };
    let error = refused(Version::Two, Kind::CoSimulation);
    assert!(error.starts_with("the model's library lacks fmi2Instantiate, "), "{error}");
    assert!(error.ends_with(", fmi2DoStep"), "{error}");
    let error = refused(Version::Two, Kind::ScheduledExecution);
    assert_eq!(error, "this version of FMI has no Scheduled Execution");
    let three = library(Version::Three, &[]);
    let strange = Asked { token: "another", ..asked(Version::Three, Kind::CoSimulation) };
    let failed = Instance::new(&three, &strange).unwrap_err();
    assert_eq!(failed, Failed::NotInstantiated(None));
}

/// Returns the result of step 3, which has a fault; the steps before it succeed.
fn third(version: Version, fault: &str) -> (Instance, Stepped) {
    let model = started(version, Kind::CoSimulation, &[(fault, "3")]);
    for step in 0..3 {
        assert_eq!(model.do_step(at(step), H_S).unwrap().status, Status::Ok);
    }
    let stepped = model.do_step(at(3), H_S).unwrap();
    (model, stepped)
}

#[test]
fn the_end_of_a_step_is_reported() {
    for version in BOTH {
        let (model, warned) = third(version, "WARNING_AT");
        assert_eq!((warned.status, model.warnings()), (Status::Warning, 1));
        let (_, discarded) = third(version, "DISCARD_AT");
        assert_eq!(discarded.status, Status::Discard);
        assert_eq!(discarded.last_successful_time_s, at(3) + H_S / 2.0);
        assert!(!discarded.terminate);
        let (_, ended) = third(version, "TERMINATE_AT");
        assert!(ended.terminate);
        let (model, failed) = third(version, "ERROR_AT");
        assert_eq!(failed.status, Status::Error);
        assert_eq!(failed.last_successful_time_s, at(3));
        assert_eq!(model.log()[0].status, Status::Error);
        let (model, dead) = third(version, "FATAL_AT");
        assert_eq!(dead.status, Status::Fatal);
        assert_eq!(model.do_step(at(4), H_S), Err(Failed::Dead));
        let (model, _) = third(version, "NAN_FROM");
        assert!(value(&model, Y).is_nan());
    }
    let (_, early) = third(Version::Three, "EARLY_AT");
    assert!(early.early_return);
    assert_eq!(early.last_successful_time_s, at(3) + H_S / 2.0);
}

#[test]
fn log_lines_are_counted_and_the_last_are_kept() {
    for version in BOTH {
        let model = started(version, Kind::CoSimulation, &[("LOG_EVERY", "2")]);
        for step in 0..100 {
            model.do_step(at(step), H_S).unwrap();
        }
        let (lines, kept) = (model.log_lines(), model.log());
        let numbers: Vec<u64> = kept.iter().map(|line| line.number).collect();
        assert_eq!((lines, numbers), (50, (35..=50).collect()));
        let text = match version {
            Version::Two => "step 68",
            Version::Three => "a step",
        };
        assert_eq!((kept[0].status, kept[0].text.as_str()), (Status::Ok, text));
    }
}

#[test]
fn memory_requests_of_fmi_2_are_counted() {
    let before = allocations();
    drop(started(Version::Two, Kind::CoSimulation, &[]));
    let after = allocations();
    // Other tests of this process have instances too.
    assert!(after.allocated > before.allocated && after.freed > before.freed);
}

#[test]
fn partitions_are_activated_by_the_threads_of_their_clocks() {
    let model = started(Version::Three, Kind::ScheduledExecution, &[]);
    let task = model.task().unwrap();
    assert_eq!(task.interval(21), Ok(Interval::Changed(0.01)));
    assert_eq!(task.interval(22), Ok(Interval::Changed(0.1)));
    std::thread::scope(|scope| {
        for (clock, count) in [(21, 500), (22, 100)] {
            scope.spawn(move || {
                for activation in 0..count {
                    task.activate(clock, f64::from(activation) * 0.01).unwrap();
                }
            });
        }
    });
    let mut ticks = [0; 2];
    task.variables().get(&[31, 32], &mut ticks).unwrap();
    assert_eq!((ticks, task.clock_updates()), ([500, 100], 600));
    assert!(task.activate(23, 0.0).is_err(), "it has two clocks");
}

/// Returns what `count` reads for each of the steps 3 to 7 of a model with faults in step 5.
fn around_step_5(faults: &models::Defines, count: impl Fn(&ThreadCounts) -> u64) -> Vec<u64> {
    let model = started(Version::Three, Kind::CoSimulation, faults);
    let step = |step| {
        let before = ThreadCounts::usage();
        model.do_step(at(step), H_S).unwrap();
        count(&(ThreadCounts::usage() - before))
    };
    (0..8).map(step).skip(3).collect()
}

/// Asserts what is counted around step 5. The kernel also counts what it does for other threads of
/// this process, but not each time.
#[track_caller]
fn counts_around_step_5(
    faults: &models::Defines,
    count: fn(&ThreadCounts) -> u64,
    is_expected: fn(&[u64]) -> bool,
) {
    within_tries(10, || around_step_5(faults, count), |counts| is_expected(counts));
}

#[test]
fn faults_happen_only_in_their_step() {
    let faults = |counts: &ThreadCounts| counts.minor_faults;
    let waits = |counts: &ThreadCounts| counts.voluntary_switches;
    let once = |counts: &[u64]| counts == [0, 0, 1, 0, 0];
    counts_around_step_5(&[], faults, |counts| counts == [0; 5]);
    counts_around_step_5(&[("PAGE_FAULT_AT", "5")], faults, once);
    counts_around_step_5(&[("MAP_AT", "5")], faults, once);
    counts_around_step_5(&[("SLEEP_EVERY", "5")], waits, once);
    counts_around_step_5(
        &[("LOCK_AT", "5")],
        waits,
        |counts| matches!(counts, [_, 0, locked, 0, _] if *locked > 0),
    );
    let spun = around_step_5(&[("SPIN_US", "100")], |counts| counts.cpu_time_ns);
    assert!(spun.iter().all(|&spun_ns| spun_ns >= 100_000), "{spun:?}");
}

#[test]
fn a_model_may_leave_another_rounding_mode() {
    let model = started(Version::Two, Kind::CoSimulation, &[("ROUND_AT", "1")]);
    let rounds_up = |step| {
        model.do_step(at(step), H_S).unwrap();
        let [one, little] = [1.0, 1e-20].map(std::hint::black_box);
        one + little > one
    };
    assert_eq!([0, 1, 2].map(rounds_up), [false, true, true]);
}
