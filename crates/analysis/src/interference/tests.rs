//! Matrices of made-up runs, and of quiet runs that were recorded.

use testing::neighbours::{in_turns, matrix as made_up, run};
use units::Vicinity::{SameCpu, SharedCache};

use super::*;
use crate::answer::Standing;
use crate::survey::systems;
use plan::Outcome;

/// The only matrix of these runs.
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
    assert_eq!((matrix.tail_share, matrix.tail()), (Some(0.999), "p99.9"));
    let shootdown = cell(&matrix, "shootdown, shared-cache");
    let tail = shootdown.tail.unwrap();
    assert!(tail.is_worse() && tail.lower < 3.1 && tail.upper > 3.1, "{tail:?}");
    assert!((tail.ratio / 3.1 - 1.0).abs() < 0.03, "{tail:?}");
    assert!(!shootdown.median.unwrap().shown);
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
    assert!((harm * work - (tail.beside - tail.quiet)).abs() < 1e-6);
    assert!(harm > 0.0);
}

#[test]
fn the_answer_names_whom_to_fear_from_where_on_and_what_does_not_show() {
    let runs = made_up();
    let systems = systems(&runs);
    let answer = glance(&systems, &of(&systems[0]));
    assert_eq!(answer.standing, Standing::Bad);
    let verdict = "Fear shootdown on a neighbour of the same cache (3.10 times at p99.9).";
    assert!(answer.verdict.starts_with(&verdict[..50]), "{}", answer.verdict);
    let told = |name: &str| {
        let mut remarks = answer.remarks.iter();
        let found = remarks.find(|remark| remark.name == name);
        found.map_or("", |remark| &remark.words)
    };
    assert!(told("Steps").starts_with("memory on a neighbour of the same cache matters at"));
    assert!(told("Steps").contains("and does not show at"), "{}", told("Steps"));
    assert!(told("No harm").contains("disk"), "{}", told("No harm"));
    assert!(told("Left out").contains("log (shared-cache)"), "{}", told("Left out"));
    assert!(told("Sure?").contains("the sham is"), "{}", told("Sure?"));
    assert!(told("Places").contains("virtual machine"));
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
    let systems = systems(&runs);
    let answer = glance(&systems, &of(&systems[0]));
    assert!(answer.verdict.starts_with("Nothing can be claimed"), "{}", answer.verdict);
    assert!(answer.remarks.iter().all(|remark| !["Steps", "No harm"].contains(&remark.name)));
    assert_eq!(answer.standing, Standing::Open);
}

#[test]
fn without_a_sham_or_a_quiet_run_nothing_is_claimed_either() {
    let harms = [("cache", SameCpu, [1.0, 3.0])];
    let runs = in_turns(4, &harms, || [8_000.0, 40_000.0]);
    let all = systems(&runs);
    assert!(glance(&all, &of(&all[0])).verdict.contains("no sham"));
    let lonely = [run(Some(("cache", SameCpu)), [8_000, 40_000], 0)];
    let all = systems(&lonely);
    assert!(of(&all[0]).is_empty());
    assert!(glance(&all, &[]).verdict.starts_with("Nothing can be said"));
}

/// Median and p99.9 in nanoseconds of 120 quiet runs of `wakeup --period 1ms --seconds 2`, as they
/// followed each other on a virtual machine of two CPUs whose other users compiled meanwhile.
const NOISE: &str = include_str!("noise.csv");

/// What a matrix of shams on recorded noise says: in so many of a hundred draws its ratio is 1 within
/// its interval, and in so few anything is claimed.
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
        within += u32::from(tail.lower <= 1.0 && 1.0 <= tail.upper);
        silent += u32::from(!matrix.sham_shows);
    }
    assert!(within >= 95 && silent >= 95, "{within} {silent}");
}
