//! Every exact solver gives the same bits, for every number of threads and every instruction set.

mod common;

use common::hash;
use tire::{BarrierKind, InstructionSet, Model, Precision, SOLVERS, Setup};

const PRECISIONS: [Precision; 2] = [Precision::F64, Precision::F32];

/// Number of steps that reaches beyond the first impact, where every rounding matters.
const STEPS: u64 = 70;

#[test]
fn all_exact_solvers_and_threads_give_the_same_bits() {
    for (model, masses) in [
        (Model::Balanced, 4),
        (Model::Balanced, 8),
        (Model::Balanced, 36),
        (Model::Balanced, 1204),
        (Model::Central, 4),
        (Model::Central, 52),
    ] {
        for precision in PRECISIONS {
            let setup = Setup { model, masses, precision, ..Setup::default() };
            let expected = hash(&setup, STEPS);
            for solver in SOLVERS {
                for threads in 1..=5 {
                    let setup = Setup { solver, threads, ..setup.clone() };
                    if solver.is_exact(threads) && setup.check().is_ok() {
                        assert_eq!(hash(&setup, STEPS), expected, "{setup:?}");
                    }
                }
            }
        }
    }
}

/// The bits do not depend on the processor, the compiler or the C library.
#[test]
fn the_bits_are_those_of_every_other_machine() {
    for (model, precision, expected) in [
        (Model::Balanced, Precision::F64, 0x8169_ccee_6860_dde5),
        (Model::Balanced, Precision::F32, 0x1324_5803_e388_0e6d),
        (Model::Central, Precision::F64, 0x6dbf_6168_c905_b578),
        (Model::Central, Precision::F32, 0xe782_fb28_b4fb_f614),
    ] {
        let setup = Setup { model, masses: 400, precision, ..Setup::default() };
        assert_eq!(hash(&setup, 600), expected, "{model:?} {precision:?}");
    }
}

#[test]
fn all_instruction_sets_give_the_same_bits() {
    for precision in PRECISIONS {
        for solver in ["simd", "fused"].map(|name| tire::solver(name).unwrap()) {
            let setup = Setup { masses: 1100, precision, solver, threads: 2, ..Setup::default() };
            let hash = |instructions| hash(&Setup { instructions, ..setup.clone() }, STEPS);
            let hashes: Vec<u64> = InstructionSet::available().map(hash).collect();
            assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:?}");
        }
    }
}

#[test]
fn a_state_that_is_touched_stays_as_it_is() {
    for solver in SOLVERS {
        let setup = Setup { masses: 1204, solver, ..Setup::default() };
        let mut workers = tire::prepare(&setup).unwrap();
        for worker in &mut workers {
            for _ in 0..STEPS {
                worker.touch();
                worker.step(&mut ()).unwrap();
                (0..30).for_each(|_| worker.touch());
            }
        }
        let touched = tire::State::gather(&workers).hash();
        assert_eq!(touched, hash(&setup, STEPS), "{}", solver.name());
    }
}

#[test]
fn all_barriers_give_the_same_bits() {
    for name in ["barrier", "two-phase", "semaphore-exact"] {
        let solver = tire::solver(name).unwrap();
        let setup = Setup { masses: 200, solver, threads: 3, ..Setup::default() };
        let expected = hash(&setup, STEPS);
        for barrier in BarrierKind::ALL {
            let setup = Setup { barrier, ..setup.clone() };
            assert_eq!(hash(&setup, STEPS), expected, "{barrier:?}");
        }
    }
}

#[test]
fn steps_in_one_go_sub_steps_and_single_steps_are_the_same() {
    let solver = tire::solver("fused").unwrap();
    let setup = Setup { masses: 4000, solver, threads: 2, ..Setup::default() };
    let expected = hash(&setup, 90);
    assert_eq!(common::hash_of_single_steps(&setup, 90), expected);
    let mut finer = setup.clone();
    finer.parameters.step *= 5.0;
    finer.substeps = 5;
    assert_eq!(hash(&finer, 18), expected);
}

#[test]
fn more_masses_than_a_tile_and_uneven_shares_are_exact() {
    let [fused, barrier] = ["fused", "barrier"].map(|name| tire::solver(name).unwrap());
    for precision in PRECISIONS {
        let setup = Setup { masses: 80_012, precision, solver: barrier, ..Setup::default() };
        let expected = hash(&setup, 66);
        for threads in [1, 3] {
            let setup = Setup { solver: fused, threads, ..setup.clone() };
            assert_eq!(hash(&setup, 66), expected, "{setup:?}");
        }
    }
}
