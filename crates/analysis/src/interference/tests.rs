//! Matrices of made-up runs, and of quiet runs that were recorded.

use base::Vicinity::{SameCpu, SharedCache};
use testing::Odd;
use testing::neighbours::{in_turns, matrix as made_up, run};

use super::*;
use crate::finding::AboutEffects::{
    self, Evidence, HarmBegins, Inconclusive, NoEffectDetected, WorstNeighbour,
};
use crate::finding::{AboutDeadlines, AboutMachine, Compared, Finding, Why};
use crate::survey::systems;
use record::Outcome;

fn of_runs(runs: &[Outcome]) -> Matrix {
    let mut all = system_matrices(&systems(runs)[0]);
    assert_eq!(all.len(), 1);
    all.remove(0)
}

/// Returns median and tail of quiet runs, with little noise.
fn noise() -> impl FnMut() -> [f64; 2] {
    let mut turn = 0.0;
    move || {
        turn += 1.0;
        [8_000.0, 40_000.0 + 10.0 * (turn % 7.0)]
    }
}

fn cell<'m>(matrix: &'m Matrix, name: &str) -> &'m Cell {
    let mut cells = matrix.cells.iter();
    cells.find(|cell| cell.name() == name).unwrap()
}

#[test]
fn a_neighbour_that_harms_is_reported_with_how_much_and_another_is_not() {
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
fn harm_is_reported_for_each_unit_of_work() {
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

fn found(runs: &[Outcome]) -> Vec<Finding> {
    findings(&system_matrices(&systems(runs)[0]))
}

fn effects(found: &[Finding]) -> impl Iterator<Item = &AboutEffects> {
    found.iter().filter_map(|finding| match finding {
        Finding::Effects(finding) => Some(finding),
        _ => None,
    })
}

#[test]
fn findings_name_the_worst_neighbour_where_harm_begins_and_what_has_no_effect() {
    let found = found(&made_up());
    let Finding::Effects(WorstNeighbour { neighbour, place, figure, ratio }) = &found[0] else {
        panic!("{found:?}")
    };
    assert_eq!((&**neighbour, *place, *figure), ("shootdown", SharedCache, Compared::P999));
    assert!((ratio / 3.1 - 1.0).abs() < 0.03, "{ratio}");
    let begins = effects(&found).find_map(|finding| match finding {
        HarmBegins { neighbour, harmful_per_s, harmless_per_s, .. } => {
            Some((neighbour.as_str(), *harmful_per_s > harmless_per_s.unwrap()))
        }
        _ => None,
    });
    assert_eq!(begins, Some(("memory", true)));
    let has = |is: fn(&AboutEffects) -> bool| effects(&found).any(is);
    assert!(has(|f| matches!(f, NoEffectDetected { neighbours } if neighbours[0] == "disk")));
    assert!(has(|f| matches!(f, Evidence { shams, .. } if !shams.is_empty())));
    assert!(found.iter().any(
        |f| matches!(f, Finding::Deadlines(AboutDeadlines::NotMeasured { what, .. }) if what == "log")
    ));
    assert!(found.contains(&Finding::Machine(AboutMachine::GuestTopology)));
}

#[test]
fn loads_that_work_on_different_things_are_not_intensities_of_one() {
    let harms = [
        ("memory:1", SharedCache, [1.0, 3.0]),
        ("memory%50:2", SharedCache, [1.0, 1.0]),
        ("cache", SharedCache, [1.0, 0.4]),
        ("sham", SharedCache, [1.0, 1.0]),
    ];
    let found = found(&in_turns(6, &harms, noise()));
    assert!(!effects(&found).any(|effect| matches!(effect, HarmBegins { .. })), "{found:?}");
    let none = NoEffectDetected { neighbours: vec!["memory%50:2".to_owned()] };
    // The cache shows an effect, if not harm.
    assert!(effects(&found).any(|effect| *effect == none), "{found:?}");
}

#[test]
fn where_the_sham_shows_something_nothing_is_claimed() {
    let harms = [("cache", SameCpu, [1.0, 3.0]), ("sham", SameCpu, [1.0, 2.0])];
    let found = found(&in_turns(6, &harms, noise()));
    let first = effects(&found).next().unwrap();
    assert!(matches!(first, Inconclusive { why: Why::ShamDiffers { .. } }), "{found:?}");
    let is_claim =
        |finding: &AboutEffects| matches!(finding, HarmBegins { .. } | NoEffectDetected { .. });
    assert!(!effects(&found).any(is_claim), "{found:?}");
}

#[test]
fn without_a_sham_or_a_quiet_run_nothing_is_claimed_either() {
    let harms = [("cache", SameCpu, [1.0, 3.0])];
    let no_sham = in_turns(4, &harms, || [8_000.0, 40_000.0]);
    let lonely = [run(Some(("cache", SameCpu)), [8_000, 40_000], 0)];
    for (runs, why) in [(&no_sham[..], Why::NoSham), (&lonely, Why::NothingToCompare)] {
        assert_eq!(found(runs)[0], Finding::Effects(Inconclusive { why }));
    }
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
    let mut odd = Odd::of(7, 0);
    let mut drawn = || *odd.one_of(&noise);
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
