use record::{GateSide, Outcome, Row};
use testing::Odd;
use testing::gates::{rounds, run};
use testing::outcomes::refused;

use super::Gate;
use crate::Analysis;
use crate::finding::{AboutGate, Finding, GateAnswer, NotMeasured, RowAnswer};
use crate::standards::DEFAULT_STANDARDS;

/// The median step of 60 equal runs of a tire on a busy machine with two CPUs, each divided by their
/// geometric mean.
const NOISE: [f64; 60] = [
    0.9985, 1.0001, 0.9965, 0.9985, 0.9985, 0.9985, 0.9991, 1.0017, 0.9991, 1.0011, 1.0069, 0.9975,
    0.9975, 0.9975, 0.9985, 0.9975, 0.9959, 0.9985, 0.9985, 0.9985, 0.9985, 0.9965, 0.9985, 0.9975,
    1.0001, 1.0001, 0.9975, 0.9975, 1.0001, 0.9991, 1.0131, 0.9985, 0.9991, 1.0001, 0.9991, 0.9975,
    1.0063, 1.0069, 0.9991, 0.9991, 0.9985, 0.9991, 0.9985, 0.9975, 1.0198, 0.9991, 0.9985, 0.9991,
    1.0011, 0.9991, 0.9991, 0.9975, 0.9985, 0.9975, 1.0001, 1.0167, 0.9985, 1.0001, 0.9991, 1.0001,
];

/// Draws noise of the machine, the same in every test.
fn resampled(seed: u64) -> impl FnMut() -> f64 {
    let mut odd = Odd::of(seed, 0);
    move || *odd.one_of(&NOISE)
}

fn gate(runs: &[Outcome]) -> Gate {
    Analysis::of(runs, &DEFAULT_STANDARDS).gates.remove(0)
}

/// Returns the answers of 100 gates of 12 rounds.
fn answers(ratio: f64) -> Vec<Gate> {
    let mut noise = resampled(5);
    (0..100).map(|_| gate(&rounds(12, ratio, &mut noise))).collect()
}

fn of_b(runs: &mut [Outcome]) -> impl Iterator<Item = &mut Outcome> {
    runs.iter_mut().filter(|run| run.header.spec.gate.as_ref().unwrap().side == GateSide::B)
}

fn count(gates: &[Gate], answer: GateAnswer) -> usize {
    gates.iter().filter(|gate| gate.answer == answer).count()
}

#[test]
fn a_model_against_itself_fails_at_most_as_often_as_stated() {
    let equal = answers(1.0);
    assert_eq!(count(&equal, GateAnswer::Fails), 0);
    assert_eq!(count(&equal, GateAnswer::NotMeasured), 0);
    let at_the_margin = answers(1.05);
    // 5 % of 100, and three standard deviations of a binomial count.
    assert!(count(&at_the_margin, GateAnswer::Fails) <= 11);
    assert!(count(&at_the_margin, GateAnswer::Passes) <= 11);
}

#[test]
fn a_little_more_work_passes_and_much_more_fails() {
    assert_eq!(count(&answers(1.01), GateAnswer::Passes), 100);
    let slower = answers(1.2);
    assert!(slower.iter().all(|gate| gate.rows[0].compared.unwrap().detectable < 1.2));
    assert_eq!(count(&slower, GateAnswer::Fails), 100);
}

#[test]
fn a_gate_that_finds_only_large_ratios_fails_for_those_alone() {
    let wild = |ratio: f64| {
        let mut odd = Odd::of(3, 0);
        let mut noise = || *odd.one_of(&[0.1, 0.3, 1.0, 1.0, 3.0, 10.0]);
        (0..60).map(|_| gate(&rounds(12, ratio, &mut noise))).collect::<Vec<Gate>>()
    };
    let slower = wild(6.0);
    let is_beyond = |gate: &&Gate| {
        let compared = gate.rows[0].compared.unwrap();
        compared.effect.times[0] > 1.05 && compared.detectable > 2.1
    };
    assert!(slower.iter().filter(is_beyond).count() > 3);
    assert!(slower.iter().filter(is_beyond).all(|gate| {
        let compared = gate.rows[0].compared.unwrap();
        gate.answer != GateAnswer::Fails || compared.effect.times[0] > compared.detectable
    }));
    assert!(count(&wild(1e4), GateAnswer::Fails) > 50);
}

#[test]
fn rounds_with_an_invalid_run_are_left_out_and_too_few_are_not_measured() {
    let mut runs = rounds(8, 1.0, resampled(1));
    runs[4].warnings = refused().warnings;
    runs.truncate(23);
    let judged = gate(&runs);
    assert_eq!((judged.rounds, judged.left_out), (6, 4));
    assert_eq!(judged.answer, GateAnswer::Passes);
    let single = gate(&runs[..3]);
    assert_eq!(single.answer, GateAnswer::NotMeasured, "{single:?}");
}

#[test]
fn what_only_one_side_has_is_not_measured() {
    let mut runs = rounds(8, 1.0, resampled(1));
    let alone = Row { label: "thread 2".to_owned(), ..runs[0].rows[0].clone() };
    of_b(&mut runs).for_each(|run| run.rows.push(alone.clone()));
    let judged = gate(&runs);
    assert_eq!(judged.answer, GateAnswer::NotMeasured);
    let why = NotMeasured::OnOneSide;
    assert_eq!(judged.rows[0].answer, RowAnswer::NotMeasured { why });
    assert_eq!(judged.rows[1].answer, RowAnswer::Passes);
}

#[test]
fn the_only_rows_are_compared_whatever_their_names() {
    let mut runs = rounds(8, 1.2, resampled(1));
    of_b(&mut runs).for_each(|run| run.rows[0].label = "1800 masses".to_owned());
    let judged = gate(&runs);
    assert_eq!((judged.answer, judged.rows.len()), (GateAnswer::Fails, 1));
}

#[test]
fn undecided_says_how_much_more_time_would_decide() {
    let steps = [0.97, 1.0, 1.03, 1.01];
    let noisy = |ratio: f64| {
        let mut turn = 0;
        let noise = || {
            turn += 1;
            steps[turn * 7 % 4] * NOISE[turn % NOISE.len()]
        };
        gate(&rounds(6, ratio, noise))
    };
    let Finding::Gate(AboutGate::Undecided { more_ns, .. }) = &noisy(1.07).findings()[0] else {
        panic!("{:?}", noisy(1.07))
    };
    assert!(more_ns.is_some_and(|more| more > 0));
    let same = run(GateSide::A, 1e6, 0);
    assert!(same.header.spec.title().ends_with("side A"));
}
