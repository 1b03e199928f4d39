use std::slice;

use base::Policy;
use record::{Outcome, Row, Track};
use stats::{Distribution, Sample};
use testing::outcomes::{in_lab, refused, wakeup};

use super::{Allowance, Exact, ExactAnswer, Sampled};
use crate::finding::GateAnswer;

/// Length of an instruction.
const NS: i64 = 4;

/// Returns a run on that kernel whose third wake-up takes some instructions more.
fn run(kernel: &str, instructions: i64) -> Sampled {
    let mut samples = vec![8_000; 100];
    samples[2] += NS * instructions;
    let indexed = (0..).zip(&samples);
    let sample = |(index, value): (u64, &i64)| Sample { value_ns: *value, index, at_ns: index };
    let latency = Distribution::of(indexed.map(sample));
    let mut run = wakeup(Policy::Fifo(80), None, 8e3, 6e4);
    run.rows = vec![Row::of("cpu 0", latency)];
    let mut outcome = in_lab(kernel, "rt", run);
    outcome.header.machine.command_line = kernel.to_owned();
    Sampled { outcome, tracks: vec![Track::new("cpu 0").column("latency_ns", samples)] }
}

fn gate(now: &[Option<Sampled>], allowances: &[Allowance]) -> Exact {
    let baseline: Vec<Sampled> = now.iter().map(|_| run("rt", 0)).collect();
    Exact::of("main", &baseline, now, "it was not made", allowances)
}

#[test]
fn each_of_a_hundred_runs_passes_beside_its_equal_and_no_other() {
    let mut now = [Some(run("rt", 0))];
    let answer = |now: &[Option<Sampled>], was: &Sampled| {
        Exact::of("main", slice::from_ref(was), now, "it was not made", &[]).answer
    };
    for instructions in 1..=100 {
        let baseline = run("rt", instructions);
        assert_eq!(answer(&now, &baseline), GateAnswer::Fails, "{instructions}");
        now = [Some(baseline.clone())];
        assert_eq!(answer(&now, &baseline), GateAnswer::Passes, "{instructions}");
    }
}

#[test]
fn one_instruction_more_fails_and_is_named_with_the_setup() {
    let exact = gate(&[Some(run("rt", 0)), Some(run("rt+threadirqs", 1))], &[]);
    assert_eq!(exact.answer, GateAnswer::Fails);
    assert_eq!(exact.runs[0].answer, ExactAnswer::Equal);
    let ExactAnswer::Differs(difference) = &exact.runs[1].answer else {
        panic!("{:?}", exact.runs[1])
    };
    let longest = difference.rows[0].figures.last().unwrap();
    assert_eq!((longest.figure, longest.now - longest.was), ("longest", 1));
    assert!(longest.is_in_instructions);
    let sentence = exact.findings()[0].sentence();
    assert!(sentence.contains("longest of one draw +1 instructions"), "{sentence}");
    let first = difference.first.as_ref().unwrap();
    assert_eq!((first.index, first.instructions), (2, Some(1)));
    let named = |name: &str| exact.setup.iter().any(|fact| fact.now.contains(name));
    assert!(named("threadirqs"), "{:?}", exact.setup);
}

#[test]
fn only_exactly_the_allowed_samples_may_differ() {
    let of = |run: &Outcome| run.found.lab.clone().unwrap().samples_sha256;
    let wanted = run("rt", 7);
    let reason = "one more check".to_owned();
    let allowed = Allowance { samples_sha256: of(&wanted.outcome), reason: reason.clone() };
    let exact = gate(&[Some(wanted)], slice::from_ref(&allowed));
    assert_eq!(exact.answer, GateAnswer::Passes);
    assert_eq!(exact.runs[0].answer, ExactAnswer::Allowed { reason });
    assert_eq!(gate(&[Some(run("rt", 8))], &[allowed]).answer, GateAnswer::Fails);
}

#[test]
fn what_was_not_made_or_is_invalid_does_not_pass() {
    let mut invalid = run("rt", 0);
    invalid.outcome.warnings = refused().warnings;
    for now in [None, Some(invalid)] {
        let exact = gate(&[Some(run("rt", 0)), now], &[]);
        assert_eq!(exact.answer, GateAnswer::NotMeasured);
        assert_eq!(exact.findings().len(), 1);
    }
}

/// Returns a run over several draws: the medians, in instructions.
fn drawn(medians: &[i64]) -> Vec<Sampled> {
    let draw = |median: &i64| {
        let sample = |index| Sample { value_ns: NS * median, index, at_ns: index };
        let mut drawn = run("rt", 0);
        drawn.outcome.rows = vec![Row::of("fifo", Distribution::of((0..9).map(sample)))];
        drawn
    };
    medians.iter().map(draw).collect()
}

fn over_draws(was: &[i64], now: &[i64]) -> Exact {
    let now: Vec<Option<Sampled>> = drawn(now).into_iter().map(Some).collect();
    Exact::over_draws("main", was.len(), &drawn(was), &now, "it was not made")
}

#[test]
fn over_draws_only_what_moves_by_more_than_chance_is_longer() {
    let was = [1_200, 1_203, 1_200, 1_201, 1_240];
    for (now, answer) in [
        ([1_200, 1_203, 1_200, 1_201, 1_240], GateAnswer::Passes),
        ([1_281, 1_282, 1_283, 1_281, 1_281], GateAnswer::Fails),
        ([1_281, 1_282, 1_239, 1_281, 1_281], GateAnswer::Passes),
        ([1_280, 1_280, 1_280, 1_280, 1_280], GateAnswer::Passes),
        ([1_281, 1_281, 1_281, 1_281, 1_330], GateAnswer::Passes),
        ([900, 901, 900, 900, 900], GateAnswer::Passes),
    ] {
        let exact = over_draws(&was, &now);
        assert_eq!(exact.answer, answer, "{now:?}");
        assert_eq!(exact.findings().len(), if now[0] == 900 { 2 } else { 1 }, "{now:?}");
    }
    let equal = [1_200; 5];
    let least = |more: i64| over_draws(&equal, &equal.map(|median| median + more)).answer;
    assert_eq!([least(25), least(26)], [GateAnswer::Passes, GateAnswer::Fails]);
}

#[test]
fn over_draws_a_longer_path_is_named_and_a_missing_draw_does_not_pass() {
    let exact = over_draws(&[1_200; 5], &[1_300, 1_300, 1_310, 1_300, 1_300]);
    let sentence = exact.findings()[0].sentence();
    let longer = ", fifo, on rt +100 instructions (1200 before, 1300 to 1310 now).";
    assert!(
        sentence.starts_with("FAILS: 1 path is longer: median of wakeup")
            && sentence.ends_with(longer),
        "{sentence}"
    );
    let mut now: Vec<Option<Sampled>> = drawn(&[1_200; 5]).into_iter().map(Some).collect();
    now[3] = None;
    let missing = Exact::over_draws("main", 5, &drawn(&[1_200; 5]), &now, "it was not made");
    assert_eq!(missing.answer, GateAnswer::NotMeasured);
}
