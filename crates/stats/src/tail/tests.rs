//! Compares fits with scipy and intervals with known truths, and tests what must be refused.

use super::gpd::Excesses;
use super::level::Likely;
use super::*;
use crate::random::Random;

/// Excesses computed by a formula, so that another program can use the same ones.
fn formula(shape: f64) -> Excesses {
    let excess = |index: i32| {
        let share = 1.0 - (f64::from(index) - 0.5) / 200.0;
        let even = 1000.0 * (share.powf(-shape) - 1.0) / shape;
        even * (1.0 + 0.2 * f64::from(index).sin())
    };
    Excesses::new((1..=200).map(excess).collect())
}

fn near(one: f64, other: f64) -> bool {
    (one / other - 1.0).abs() < 1e-5
}

/// Golden values of scipy 1.17: `genpareto.fit(y, floc=0)` polished by `minimize` (Nelder-Mead,
/// tolerance 1e-10) for shape and scale; Anderson and Darling's distance from `genpareto.cdf`; the
/// level exceeded once in 50 and in 5000 excesses from `genpareto.ppf`. The upper end of its 95 %
/// interval is where `brentq` finds that the likelihood, at its largest over the shape for that
/// level, has lost `chi2.ppf(0.95, 1) / 2`.
#[test]
fn fits_and_intervals_are_those_of_scipy() {
    for (shape, fit, levels) in GOLDEN {
        let excesses = formula(shape);
        let place = excesses.most_likely_place().unwrap();
        let gpd = excesses.gpd(place);
        let found = [gpd.shape, gpd.scale, excesses.anderson_darling(gpd)];
        for (found, golden) in found.into_iter().zip(fit) {
            assert!(near(found, golden), "{shape}: {found} is not {golden}");
        }
        let likely = Likely::around(excesses, place, 1.0);
        for [often, level, upper] in levels {
            let found = [(likely.level(often), level), (likely.highest(often).unwrap(), upper)];
            for (found, golden) in found {
                assert!(near(found, golden), "{shape}, {often}: {found}, {golden}");
            }
        }
    }
}

/// Shape for the formula; shape, scale and distance of the fit; for two levels how often they are
/// exceeded, the level and its upper end.
type Golden = (f64, [f64; 3], [[f64; 3]; 2]);
const GOLDEN: [Golden; 2] = [
    (
        0.3,
        [0.290_829_006, 999.633_467_892, 0.039_068_927_5],
        [[50.0, 7_285.727_820, 10_992.365_845], [5000.0, 37_486.131_796, 123_777.895_393]],
    ),
    (
        -0.2,
        [-0.216_577_073, 1_012.205_325_402, 0.067_368_245_8],
        [[50.0, 2_670.569_979, 3_147.158_143], [5000.0, 3_934.820_298, 5_804.248_521]],
    ),
];

/// Judges 10 000 samples that are a millisecond apart.
fn judged(values: impl FnMut(usize) -> f64) -> Tail {
    let values: Vec<i64> = (0..10_000).map(values).map(|value| value as i64).collect();
    Tail::of_values(&values, 10_000_000_000)
}

fn refused(values: impl FnMut(usize) -> f64) -> Refusal {
    match judged(values) {
        Tail::Refused(refusal) => refusal,
        Tail::Fitted(fit) => panic!("{fit:?}"),
    }
}

fn fitted(tail: Tail) -> Fit {
    match tail {
        Tail::Fitted(fit) => fit,
        Tail::Refused(refusal) => panic!("{refusal:?}"),
    }
}

#[test]
fn a_steady_run_is_fitted() {
    let mut random = Random::new(3);
    let fit = fitted(judged(|_| 20_000.0 + 3_000.0 * random.pareto(0.1)));
    assert_eq!(fit.exceedances, 500);
    assert!(fit.extremal_index > 0.9, "{}", fit.extremal_index);
    // 10 s reach 1000 times as far: to an hour, but not to a day.
    assert_eq!(fit.levels.len(), 1);
    assert_eq!(fit.levels[0].once, Once::Hour);
    assert!((fit.levels[0].samples - 3.6e6).abs() < 1.0);
    let beyond: Vec<_> = fit.out_of_reach.iter().map(|level| (level.once, level.needed)).collect();
    assert_eq!(beyond, [(Once::Day, 86_400), (Once::BillionSamples, 1_000_000)]);
}

/// The largest of 10 000 samples is exceeded by about 1 in 10 000 samples, and the largest of 360
/// times as many is almost never smaller, whatever the distribution.
#[test]
fn the_lower_end_is_an_observed_time() {
    let mut random = Random::new(4);
    let values: Vec<i64> = (0..10_000).map(|_| (random.pareto(0.1) * 3e3) as i64).collect();
    let lower_ends = [10_000_000_000, 3_600_000_000_000]
        .map(|span_ns| fitted(Tail::of_values(&values, span_ns)).levels[0].lower_ns as i64);
    let mut sorted = values;
    sorted.sort_unstable_by(|one, other| other.cmp(one));
    assert_eq!(lower_ends[0], sorted[0]);
    // Exceeded once in the number of samples: five are above it with a chance of 0.4 %, four with
    // 1.9 %.
    assert_eq!(lower_ends[1], sorted[4]);
}

#[test]
fn a_level_shift_and_a_trend_are_refused() {
    for shift in [1.3, 2.0, 5.0, 100.0] {
        let mut random = Random::new(11);
        let reason = refused(|k| {
            let level = if k < 7_000 { 1.0 } else { shift };
            level * 5_000.0 * random.pareto(0.0)
        });
        assert!(matches!(reason, Refusal::RateChanges { .. }), "{reason:?}");
    }
    let mut random = Random::new(12);
    let reason = refused(|k| (5_000.0 + k as f64) * random.pareto(0.0));
    assert!(matches!(reason, Refusal::RateChanges { .. }), "{reason:?}");
    // As often as before, but larger.
    let mut random = Random::new(13);
    let reason = refused(|k| {
        let excess = if k < 5_000 { 1_000.0 } else { 3_000.0 };
        match k % 20 {
            7 => 50_000.0 + excess * random.pareto(0.0),
            _ => 1_000.0 * random.uniform(),
        }
    });
    assert!(matches!(reason, Refusal::SizesChange { .. }), "{reason:?}");
}

/// About 57 stalls, none of them early in the run: too few to show among the largest tenth.
#[test]
fn a_rare_cause_that_comes_late_is_not_steady() {
    let mut random = Random::new(14);
    let reason = refused(|k| match k > 3_500 && random.uniform() < 0.0088 {
        true => 1e6 + 1e5 * random.pareto(0.0),
        false => 1e3 * random.pareto(0.0),
    });
    assert!(matches!(reason, Refusal::RateChanges { .. }), "{reason:?}");
}

#[test]
fn heavy_dependence_is_refused() {
    for persistence in [0.98_f64, 0.995, 0.999] {
        let mut random = Random::new(21);
        let mut state = 0.0;
        let reason = refused(|_| {
            let new = (1.0 - persistence * persistence).sqrt() * random.normal();
            state = persistence * state + new;
            100_000.0 + 10_000.0 * state
        });
        use Refusal::{Clustered, Correlated, RateChanges, TooFewPeaks};
        let is_known = matches!(
            reason,
            Clustered { .. } | TooFewPeaks { .. } | RateChanges { .. } | Correlated { .. }
        );
        assert!(is_known, "{persistence}: {reason:?}");
    }
    // Every twentieth sample is large, and all of these follow a slow drift.
    let mut random = Random::new(22);
    let reason = refused(|k| match k % 20 {
        0 => 50_000.0 + 20_000.0 * (k as f64 / 100.0).sin() + 1_000.0 * random.uniform(),
        _ => 1_000.0 * random.uniform(),
    });
    assert!(matches!(reason, Refusal::Correlated { .. }), "{reason:?}");
}

/// A half without a peak has no sizes to compare: there is no distance, rather than an infinite
/// one, which JSON cannot hold.
#[test]
fn two_long_stalls_in_one_half_are_refused_as_clustered() {
    let reason = refused(|k| match k {
        1_000..1_400 | 3_000..3_400 => 1_000_000.0 - 1_000.0 * (k % 1_000) as f64,
        _ => 70.0,
    });
    assert!(matches!(reason, Refusal::Clustered { .. }), "{reason:?}");
}

#[test]
fn stalls_of_several_samples_are_one_peak_each() {
    let mut random = Random::new(31);
    let mut left = 0.0;
    let fit = fitted(judged(|_| {
        left -= 1_000.0;
        if left < 0.0 && random.uniform() < 0.02 {
            left = 2_000.0 + 1_500.0 * random.pareto(0.0);
        }
        left.max(0.0) + 100.0 * random.uniform()
    }));
    assert!(fit.peaks * 2 < fit.exceedances, "{fit:?}");
}

#[test]
fn few_coarse_and_strange_samples_are_refused_with_their_reason() {
    let mut random = Random::new(41);
    let few: Vec<i64> = (0..999).map(|_| (random.pareto(0.0) * 1e4) as i64).collect();
    let too_few = Refusal::TooFewSamples { samples: 999, needed: 1000 };
    assert_eq!(Tail::of_values(&few, 1), Tail::Refused(too_few));
    // A clock with a resolution of 1000 ns, and tails of about that length.
    let reason = refused(|_| (random.pareto(0.0) * 1.5).floor() * 1_000.0);
    assert!(matches!(reason, Refusal::Coarse { .. }), "{reason:?}");
    assert!(matches!(refused(|_| 70.0), Refusal::Coarse { .. }));
    // All samples are equal except a few: whatever happens, no figure is invented.
    for longest in [1, 30, 60, 400] {
        let tail = judged(|k| f64::from(u8::from(k >= 5_000 && k < 5_000 + longest)));
        assert!(matches!(tail, Tail::Refused(_)), "{longest}: {tail:?}");
    }
    // Two causes, one of them rare and far larger.
    let mut random = Random::new(42);
    let reason = refused(|_| match random.uniform() < 0.004 {
        true => 1e6 + 1e4 * random.normal(),
        false => 1e3 * random.pareto(0.0),
    });
    assert!(matches!(reason, Refusal::DoesNotFit { .. }), "{reason:?}");
    let reason = refused(|_| 1e6 * random.uniform().powf(0.2));
    assert!(matches!(reason, Refusal::EndsAbruptly), "{reason:?}");
    let reason = refused(|_| 1e3 * random.pareto(1.5));
    assert!(matches!(reason, Refusal::NoMean { .. }), "{reason:?}");
}
