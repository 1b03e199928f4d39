//! Matrices of made-up runs, and of quiet runs that were recorded.

use testing::neighbours::{in_turns, matrix as made_up, run};
use units::Vicinity::{SameCpu, SharedCache};

use super::*;
use crate::finding::{AboutDeadlines, AboutEffects, AboutMachine, Standing};
use crate::finding::{Compared, Finding, Why};
use crate::survey::systems;
use plan::Outcome;

fn of_runs(runs: &[Outcome]) -> Matrix {
    let mut all = of(&systems(runs)[0]);
    assert_eq!(all.len(), 1);
    all.remove(0)
}

fn cell<'m>(matrix: &'m Matrix, name: &str) -> &'m Cell {
    let mut cells = matrix.cells.iter();
    cells.find(|cell| cell.name() == name).unwrap()
}

#[test]
fn a_neighbour_that_harms_is_told_by_how_much_and_one_that_does_not_is_not() {
    let runs = made_up();
    let matrix = of_runs(&runs);
    assert_eq!((matrix.quiet_runs, matrix.cells.len()), (12, 9));
    assert_eq!((matrix.tail_share, matrix.tail()), (Some(0.999), Compared::P999));
    let shootdown = cell(&matrix, "shootdown, shared-cache");
    let tail = shootdown.tail.unwrap();
    assert!(tail.is_worse() && tail.times[0] < 3.1 && tail.times[2] > 3.1, "{tail:?}");
    assert!((tail.times[1] / 3.1 - 1.0).abs() < 0.03, "{tail:?}");
    assert!(!shootdown.median.unwrap().is_shown);
    for quiet in ["disk, shared-cache", "sham, same-cpu", "memory%25, shared-cache"] {
        assert!(!cell(&matrix, quiet).shows(), "{quiet}");
    }
    let names: Vec<String> = matrix.harmful().iter().map(|cell| cell.name()).collect();
    let worst = ["shootdown, shared-cache", "memory, shared-cache", "timers, same-cpu"];
    assert_eq!(names[..3], worst);
}

#[test]
fn harm_is_told_for_each_unit_of_work() {
    let matrix = of_runs(&made_up());
    let [half, full] = ["memory%50, shared-cache", "memory, shared-cache"].map(|name| {
        let cell = cell(&matrix, name);
        (cell.work_per_s.unwrap(), cell.harm_ns_per_work.unwrap(), cell.tail.unwrap())
    });
    assert!((full.0 / half.0 - 2.0).abs() < 1e-9);
    let (work, harm, tail) = full;
    assert!((harm * work - (tail.values[1] - tail.values[0])).abs() < 1e-6);
    assert!(harm > 0.0);
}

#[test]
fn findings_name_the_worst_neighbour_where_harm_begins_and_what_has_no_effect() {
    let runs = made_up();
    let found = findings(&of(&systems(&runs)[0]));
    assert_eq!(found[0].standing(), Standing::Bad);
    let Finding::Effects(AboutEffects::WorstNeighbour { neighbour, place, figure, ratio }) =
        &found[0]
    else {
        panic!("{found:?}")
    };
    assert_eq!((&**neighbour, *place, *figure), ("shootdown", SharedCache, Compared::P999));
    assert!((ratio / 3.1 - 1.0).abs() < 0.03, "{ratio}");
    let begins = found.iter().find_map(|finding| match finding {
        Finding::Effects(AboutEffects::HarmBegins {
            neighbour,
            harmful_per_s,
            harmless_per_s,
            ..
        }) => Some((neighbour.as_str(), *harmful_per_s > harmless_per_s.unwrap())),
        _ => None,
    });
    assert_eq!(begins, Some(("memory", true)));
    let has = |is: fn(&Finding) -> bool| found.iter().any(is);
    assert!(has(
        |f| matches!(f, Finding::Effects(AboutEffects::NoEffectDetected { neighbours }) if neighbours[0] == "disk")
    ));
    assert!(has(
        |f| matches!(f, Finding::Deadlines(AboutDeadlines::NotMeasured { what, .. }) if what == "log")
    ));
    assert!(has(
        |f| matches!(f, Finding::Effects(AboutEffects::Evidence { shams, .. }) if !shams.is_empty())
    ));
    assert!(has(|f| *f == Finding::Machine(AboutMachine::GuestTopology)));
}

#[test]
fn loads_that_work_on_different_things_are_not_intensities_of_one() {
    let mut turn = 0.0;
    let noise = || {
        turn += 1.0;
        [8_000.0, 40_000.0 + 10.0 * (turn % 7.0)]
    };
    let harms = [
        ("memory:1", SharedCache, [1.0, 3.0]),
        ("memory%50:2", SharedCache, [1.0, 1.0]),
        ("cache", SharedCache, [1.0, 0.4]),
        ("sham", SharedCache, [1.0, 1.0]),
    ];
    let found = findings(&of(&systems(&in_turns(6, &harms, noise))[0]));
    let is_onset = |one: &Finding| matches!(one, Finding::Effects(AboutEffects::HarmBegins { .. }));
    assert!(!found.iter().any(is_onset), "{found:?}");
    let neighbours = vec!["memory%50:2".to_owned()];
    let none = Finding::Effects(AboutEffects::NoEffectDetected { neighbours });
    // The cache shows an effect, if not harm.
    assert!(found.contains(&none), "{found:?}");
}

#[test]
fn where_the_sham_shows_something_nothing_is_claimed() {
    let mut turn = 0.0;
    let noise = || {
        turn += 1.0;
        [8_000.0, 40_000.0 + 10.0 * (turn % 7.0)]
    };
    let harms = [("cache", SameCpu, [1.0, 3.0]), ("sham", SameCpu, [1.0, 2.0])];
    let runs = in_turns(6, &harms, noise);
    let found = findings(&of(&systems(&runs)[0]));
    assert!(
        matches!(
            found[0],
            Finding::Effects(AboutEffects::Inconclusive { why: Why::ShamDiffers { .. } })
        ),
        "{found:?}"
    );
    let is_claim = |f: &Finding| {
        matches!(
            f,
            Finding::Effects(AboutEffects::HarmBegins { .. })
                | Finding::Effects(AboutEffects::NoEffectDetected { .. })
        )
    };
    assert!(!found.iter().any(is_claim), "{found:?}");
    assert_eq!(found[0].standing(), Standing::Open);
}

#[test]
fn without_a_sham_or_a_quiet_run_nothing_is_claimed_either() {
    let harms = [("cache", SameCpu, [1.0, 3.0])];
    let runs = in_turns(4, &harms, || [8_000.0, 40_000.0]);
    let first = |runs: &[Outcome]| findings(&of(&systems(runs)[0])).remove(0);
    assert_eq!(first(&runs), Finding::Effects(AboutEffects::Inconclusive { why: Why::NoSham }));
    let lonely = [run(Some(("cache", SameCpu)), [8_000, 40_000], 0)];
    assert_eq!(
        first(&lonely),
        Finding::Effects(AboutEffects::Inconclusive { why: Why::NothingToCompare })
    );
}

/// Median and p99.9 in nanoseconds of 120 successive quiet runs of `wakeup --period 1ms --seconds
/// 2` on a virtual machine of two CPUs, while other users of its host compiled.
const NOISE: &str = include_str!("noise.csv");

/// In this many of a hundred draws from recorded noise, the interval of a sham's ratio contains 1,
/// and in this few anything is claimed.
#[test]
fn a_sham_on_recorded_noise_is_nothing_in_95_of_100() {
    let read = |line: &str| -> [f64; 2] {
        let (median, tail) = line.split_once(',').unwrap();
        [median, tail].map(|text| text.parse().unwrap())
    };
    let noise: Vec<[f64; 2]> = NOISE.lines().skip(1).map(read).collect();
    assert!(noise.len() >= 100, "{}", noise.len());
    let mut random = 7_u64;
    let mut drawn = || {
        // Knuth, The Art of Computer Programming, volume 2: MMIX.
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        noise[(random >> 33) as usize % noise.len()]
    };
    let harms = [
        ("shootdown", SharedCache, [1.0, 3.0]),
        ("memory", SharedCache, [1.3, 1.5]),
        ("disk", SharedCache, [1.0, 1.0]),
        ("fork", SharedCache, [1.0, 1.0]),
        ("sham", SharedCache, [1.0, 1.0]),
    ];
    let (mut within, mut silent) = (0, 0);
    for _ in 0..100 {
        let matrix = of_runs(&in_turns(4, &harms, &mut drawn));
        let sham = cell(&matrix, "sham, shared-cache");
        let tail = sham.tail.unwrap();
        within += u32::from(tail.times[0] <= 1.0 && 1.0 <= tail.times[2]);
        silent += u32::from(!matrix.sham_shows);
    }
    assert!(within >= 95 && silent >= 95, "{within} {silent}");
}
