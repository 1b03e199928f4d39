//! Compares the tire with solutions in closed form.

#![allow(clippy::disallowed_methods, reason = "a test may end where no thread can be started")]

mod common;

use common::run;
use tire::{Error, Mass, Model, Parameters, Precision, Setup, State, Stopped};

const MODELS: [Model; 2] = [Model::Balanced, Model::Central];

fn setup(model: Model, masses: usize) -> Setup {
    Setup { model, masses, ..Setup::default() }
}

/// Explicit Euler in free fall: after k steps of h, v = -g h k and the height has decreased by g h²
/// k (k - 1) / 2. The springs stay at rest length.
#[test]
fn free_fall_is_as_in_closed_form() {
    for model in MODELS {
        let mut setup = setup(model, 400);
        setup.parameters.drop = 100.0;
        let Parameters { gravity, step, .. } = setup.parameters;
        let [start, end] = [0, 400].map(|steps| run(&setup, steps));
        let fallen = gravity * step * step * (400.0 * 399.0) / 2.0;
        for (a, b) in start.masses().zip(end.masses()) {
            assert!((a.position[0] - b.position[0]).abs() < 1e-9);
            assert!((a.position[1] - b.position[1] - fallen).abs() < 1e-9);
            assert!(b.velocity[0].abs() < 1e-9);
            assert!((b.velocity[1] + gravity * step * 400.0).abs() < 1e-9);
        }
    }
}

#[test]
fn the_fall_to_the_floor_takes_as_long_as_in_closed_form() {
    let setup = setup(Model::Central, 400);
    let Parameters { gravity, step, drop, .. } = setup.parameters;
    let fallen = |k: u64| gravity * step * step * (k * k.saturating_sub(1)) as f64 / 2.0;
    let impact = (0..).find(|k| fallen(*k) > drop).unwrap();
    let lowest = |steps| {
        let state = run(&setup, steps);
        state.masses().map(|mass| mass.position[1]).fold(f64::INFINITY, f64::min)
    };
    assert!(lowest(impact - 1) > 0.0);
    assert!(lowest(impact - 1) < 0.05);
    assert_eq!(lowest(impact), 0.0);
}

#[test]
fn left_and_right_stay_mirror_images_to_the_last_bit() {
    for model in MODELS {
        for precision in [Precision::F64, Precision::F32] {
            let n = 60;
            let setup = Setup { precision, ..setup(model, n) };
            let masses: Vec<Mass> = run(&setup, 3000).masses().collect();
            for i in 0..n {
                let (here, mirrored) = (masses[i], masses[(n + n / 2 - i) % n]);
                assert_eq!(here.position, [-mirrored.position[0], mirrored.position[1]]);
                assert_eq!(here.velocity, [-mirrored.velocity[0], mirrored.velocity[1]]);
            }
        }
    }
}

/// The floor returns less energy than it takes, and the dampers take the rest. In free fall
/// explicit Euler gains (g h)² / 2 per kilogram and step, which the test allows for.
#[test]
fn no_energy_is_gained() {
    for model in MODELS {
        let setup = setup(model, 400);
        let Parameters { gravity, step, mass, .. } = setup.parameters;
        let weight = if model == Model::Balanced { 400.0 * mass } else { 500.0 * mass };
        let gain_a_step = weight * (gravity * step).powi(2) / 2.0;
        let mut workers = tire::prepare(&setup).unwrap();
        let start = State::gather(&workers).energy();
        let mut before_impact = start;
        for steps in 1..=6000 {
            workers[0].step(&mut ()).unwrap();
            let energy = State::gather(&workers).energy();
            if steps <= 40 {
                let gain = energy - before_impact;
                assert!((gain / gain_a_step - 1.0).abs() < 1e-6, "{gain} J, {gain_a_step} J");
                before_impact = energy;
            }
            assert!(energy < start + 46.0 * gain_a_step, "step {steps}: {energy} J");
            assert!(steps < 1000 || energy < start / 4.0, "step {steps}: {energy} J");
        }
    }
}

#[test]
fn the_defaults_stay_finite_and_normal_for_a_minute() {
    for model in MODELS {
        for precision in [Precision::F64, Precision::F32] {
            for masses in [4, 8, 12, 400, 5900] {
                let solver = if model == Model::Balanced { "fused" } else { "barrier" };
                let solver = tire::solver(solver).unwrap();
                // The state is checked every fifth second.
                let setup = Setup { precision, solver, ..setup(model, masses) };
                let mut workers = tire::prepare(&setup).unwrap();
                for _ in 0..12 {
                    workers[0].run(500).unwrap();
                    State::gather(&workers).check().unwrap();
                }
            }
        }
    }
}

#[test]
#[ignore = "takes minutes; run it in release mode"]
fn the_defaults_stay_finite_and_normal_at_every_size() {
    for precision in [Precision::F64, Precision::F32] {
        for masses in [57_000, 1_000_000, 10_000_000] {
            let solver = tire::solver("fused").unwrap();
            let threads = std::thread::available_parallelism().map_or(1, usize::from);
            run(&Setup { precision, solver, threads, ..setup(Model::Balanced, masses) }, 6000);
        }
        let solver = tire::solver("barrier").unwrap();
        run(&Setup { precision, solver, threads: 2, ..setup(Model::Central, 57_000) }, 6000);
    }
}

/// As stated in `docs/tire.md`: the finer a balanced tire, the flatter it lies.
#[test]
fn fine_balanced_tires_lie_flat() {
    let solver = tire::solver("fused").unwrap();
    for (masses, mean) in [(40, 0.12..0.13), (400, 0.014..0.016), (5900, 0.0014..0.0016)] {
        let state = run(&Setup { solver, ..setup(Model::Balanced, masses) }, 6000);
        let heights = state.masses().map(|mass| mass.position[1]).sum::<f64>();
        assert!(mean.contains(&(heights / masses as f64)), "{masses}: {heights}");
    }
}

#[test]
fn a_coarse_central_tire_stays_up() {
    let hub = run(&setup(Model::Central, 40), 6000).masses().last().unwrap();
    assert!((0.2..0.3).contains(&hub.position[1]), "{hub:?}");
}

#[test]
fn setups_that_cannot_be_solved_say_why() {
    type Change = fn(&mut Setup);
    let changes: [(Change, &str); 8] = [
        (|setup| setup.masses = 0, "multiple of 4"),
        (|setup| setup.masses = 6, "multiple of 4"),
        (|setup| setup.threads = 9, "9 threads: the semaphore solver uses at most 8"),
        (|setup| setup.threads = 0, "0 threads"),
        (|setup| setup.substeps = 0, "substeps 0"),
        (|setup| setup.parameters.stiffness = 10.0, "largest stable value"),
        (
            |setup| (setup.solver, setup.threads) = (tire::solver("simd").unwrap(), 5),
            "5 threads: the simd solver uses at most 4",
        ),
        (
            |setup| (setup.solver, setup.model) = (tire::solver("fused").unwrap(), Model::Central),
            "balanced model only",
        ),
    ];
    for (change, reason) in changes {
        let mut setup = setup(Model::Balanced, 8);
        change(&mut setup);
        let message = tire::prepare(&setup).unwrap_err().to_string();
        assert!(message.contains(reason), "{message}");
    }
    let message = tire::solver("magic").unwrap_err().to_string();
    assert!(message.contains("`magic` is not a solver; expected semaphore, "), "{message}");
}

#[test]
fn no_worker_waits_for_one_that_left() {
    for name in ["semaphore-exact", "two-phase", "barrier", "simd", "fused"] {
        let solver = tire::solver(name).unwrap();
        let setup = Setup { solver, threads: 3, ..setup(Model::Balanced, 400) };
        let mut workers = tire::prepare(&setup).unwrap();
        let leaver = workers.pop().unwrap();
        let ends: Vec<Result<(), Stopped>> = std::thread::scope(|scope| {
            let wait = |mut worker: tire::Worker| scope.spawn(move || worker.run(10_000));
            let threads: Vec<_> = workers.into_iter().map(wait).collect();
            let panicked = scope.spawn(move || {
                let _leaver = leaver;
                panic!("expected");
            });
            assert!(panicked.join().is_err());
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(ends, [Err(Stopped); 2], "{name}");
    }
}

#[test]
fn a_state_with_a_missing_part_is_an_error() {
    let setup = Setup { threads: 2, ..setup(Model::Balanced, 8) };
    let mut workers = tire::prepare(&setup).unwrap();
    workers.pop();
    let error = State::gather(&workers).check().unwrap_err();
    assert!(matches!(error, Error::State { mass: 4, .. }), "{error}");
}
