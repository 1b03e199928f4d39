use std::net::UdpSocket;
use std::time::Duration;

use bench::Bench;
use record::live::{Datagram, News, Shape, Totals};
use record::{NOWHERE, Row, RunSpec};

use super::stage::PLACES;
use crate::test_runs::{self as tests, set, spec_with};
use testing::{measure_alone, within_tries};

const STEPS: u64 = 300;

/// A small paced tire with two threads, watched at the given address.
fn watched(at: &str) -> RunSpec {
    let mut spec = spec_with("tire", &[("mode", "real-time"), ("rate", "500Hz"), ("watch", at)]);
    set(&mut spec, &[("masses", "400"), ("threads", "2"), ("steps", &STEPS.to_string())]);
    spec
}

fn measured(spec: RunSpec) -> Row {
    crate::test_runs::find("tire").unwrap().check(&spec).unwrap();
    tests::measured(spec).remove(0)
}

fn count(row: &Row, name: &str) -> u64 {
    row.facts[name].as_u64().unwrap()
}

fn conserves(row: &Row) {
    assert_eq!(row.due, STEPS);
    assert_eq!(row.due, row.executed + row.skipped);
    let frames = ["frames_sent", "frames_refused", "frames_dropped"].map(|f| count(row, f));
    assert_eq!(count(row, "frames_due"), frames.iter().sum::<u64>());
}

fn viewer() -> (UdpSocket, String) {
    let viewer = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = viewer.local_addr().unwrap().to_string();
    (viewer, address)
}

/// Returns the shapes of the first 40 steps; asserts that a viewer gets every step and every total.
fn seen_falling() -> Vec<Shape> {
    let (viewer, address) = viewer();
    let row = measured(watched(&address));
    conserves(&row);
    viewer.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
    let (mut steps, mut shapes, mut ends, mut about) = (0, Vec::new(), Vec::new(), None);
    let mut bytes = [0; 2000];
    while let Ok(length) = viewer.recv(&mut bytes) {
        match Datagram::decode(&bytes[..length]).unwrap().news {
            News::About(news) => about = Some(news),
            News::Shape(shape) => shapes.push(shape),
            News::Steps(steps_sent) => {
                assert!(steps_sent.first <= steps, "no step is left out");
                steps = steps.max(steps_sent.first + steps_sent.times.len() as u64);
            }
            News::End(totals) => ends.push(totals),
        }
    }
    assert_eq!((about.unwrap().period_ns, steps), (2_000_000, row.executed));
    assert_eq!(shapes.len() as u64, count(&row, "frames_sent"));
    assert!(shapes.iter().all(|shape| shape.places.len() == PLACES));
    let totals = Totals {
        executed: row.executed,
        missed: count(&row, "missed"),
        skipped: row.skipped,
        untold: 0,
        frames_due: count(&row, "frames_due"),
        frames_sent: count(&row, "frames_sent"),
    };
    assert!(ends.len() > 1 && ends.iter().all(|end| *end == totals), "{ends:?}");
    shapes.retain(|shape| shape.step <= 40);
    shapes
}

#[test]
fn a_viewer_gets_every_step_and_sees_the_tire_fall() {
    // Where the show gets no CPU, some shapes are left out.
    let shapes = within_tries(10, seen_falling, |shapes| shapes.len() >= 3);
    let heights: Vec<f32> = shapes.iter().map(|shape| shape.places[0].position[1]).collect();
    assert!(heights.is_sorted_by(|high, low| high > low), "{heights:?}");
}

#[test]
fn a_viewer_that_has_ended_or_never_reads_costs_no_step() {
    let (viewer, address) = viewer();
    conserves(&measured(watched(&address)));
    drop(viewer);
    let is_reported = |row: &Row| count(row, "frames_refused") > 0;
    conserves(&within_tries(3, || measured(watched(&address)), is_reported));
}

#[test]
fn without_a_viewer_there_are_no_frames() {
    let row = measured(watched(NOWHERE));
    assert_eq!((row.due, row.executed + row.skipped), (STEPS, STEPS));
    assert!(!row.facts.contains_key("frames_due"));
}

/// Returns the run times of the steps of one thread.
fn run_times(at: &str) -> Vec<i64> {
    let tracks = crate::test_runs::find("tire").unwrap().run(&Bench::new(watched(at))).unwrap();
    let [starts, ends] = ["start_ns", "end_ns"].map(|name| tracks[0].values(name));
    starts.iter().zip(ends).map(|(start, end)| end - start).collect()
}

/// Prints how long steps take with and without a viewer. Other load on the machine affects both, so
/// the margin is wide, and the shortest tenth counts.
#[test]
fn steps_take_as_long_with_a_viewer_as_without() {
    measure_alone();
    let (_viewer, address) = viewer();
    // Alternately, so that a busy moment of the machine affects both.
    let runs: Vec<_> = (0..3).map(|_| [run_times(&address), run_times(NOWHERE)]).collect();
    let shortest = |which: usize| {
        let mut all: Vec<i64> = runs.iter().flat_map(|run| run[which].clone()).collect();
        all.sort_unstable();
        all[all.len() / 10] as f64
    };
    let (with, without) = (shortest(0), shortest(1));
    let ratio = with / without;
    println!("step: {with} ns with a viewer, {without} ns without, {ratio:.2} times");
    assert!(ratio < 5.0, "{ratio}");
}
