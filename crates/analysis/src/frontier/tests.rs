use std::rc::Rc;

use super::*;
use crate::capacity::{Grid, alike, grids};
use crate::fixture::{blamed, tire};
use crate::standards::{Standards, Strictness};
use crate::survey::{System, systems};
use plan::{Outcome, RunSpec, fact};
use serde_json::json as value;
use stats::frontier::Criterion;
use units::Nanos;

/// 50 runs of each size, of 80 deadlines each; so many missed of 2000 are spread over them.
fn runs(threads: u64, sizes: &[(u64, u64)]) -> Vec<Outcome> {
    const RUNS: u64 = 50;
    let mut runs = Vec::new();
    for run in 0..RUNS {
        for (masses, missed) in sizes {
            let of = 2 * missed;
            let missed = of * (run + 1) / RUNS - of * run / RUNS;
            let mut outcome = tire("real-time", *masses, threads, 80, missed);
            let number = runs.len();
            outcome.header.run_id.push_str(&format!("-{threads}-{number}"));
            runs.push(outcome);
        }
    }
    runs
}

fn standards(strictness: Strictness) -> Standards {
    Standards { strictness, ..Standards::default() }
}

fn of<'a>(systems: &[System<'a>], standards: &Standards) -> Vec<Frontier<'a>> {
    let grids: Vec<Rc<Grid>> = systems.iter().flat_map(grids).map(Rc::new).collect();
    super::of(&grids, standards.strictness, standards.limits)
}

fn told(runs: &[Outcome], standards: &Standards) -> Vec<String> {
    let systems = systems(runs);
    let frontiers = of(&systems, standards);
    let [frontier] = frontiers.as_slice() else {
        panic!("one rate, one frontier");
    };
    let lines = frontier.grid.lines.iter();
    lines
        .map(|line| interval(&frontier.grid.axis, &frontier.ends(line, Criterion::InDeadlines)))
        .collect()
}

#[test]
fn a_frontier_lies_between_what_is_shown_on_each_number_of_threads() {
    let mut all = runs(1, &[(400, 0), (800, 0), (1200, 1), (1600, 0)]);
    all.extend(runs(2, &[(800, 0), (1600, 900)]));
    assert_eq!(told(&all, &standards(Strictness::Hard)), ["800 .. 1 200", "800 .. 1 600"]);
    // 2 of 4000 are far below 1 %.
    assert_eq!(told(&all, &standards(Strictness::Soft)), ["1 600 .. ?", "800 .. 1 600"]);
}

#[test]
fn what_was_tried_once_or_for_too_short_only_seems_to_hold() {
    let once = [tire("real-time", 400, 1, 2000, 0), tire("real-time", 800, 1, 2000, 3)];
    let hard = standards(Strictness::Hard);
    assert_eq!(told(&once, &hard), ["400? .. 800"]);
    // Where 1 run in 10 is bad, two in a row are good in 4 of 5 cases.
    let twice = [once.clone(), once].concat();
    assert_eq!(told(&twice, &hard), ["400? .. 800"]);
    let often = runs(1, &[(400, 0), (800, 3)]);
    assert_eq!(told(&often, &hard), ["400 .. 800"]);
    let mut longer = hard;
    longer.limits.held_for = crate::standards::HeldFor(Nanos(60_000_000_000));
    assert_eq!(told(&often, &longer), ["400? .. 800"]);
}

#[test]
fn the_claim_shrinks_with_the_sizes_that_share_it() {
    let notes_of = |runs: &[Outcome]| {
        let systems = systems(runs);
        notes(&of(&systems, &Standards::default())[0])
    };
    let few = notes_of(&runs(1, &[(400, 0), (800, 3)]));
    // 1 - 0.025^(1/4000)
    assert!(few[0].contains("0 of 4 000 deadlines missed in 50 runs"), "{few:?}");
    assert!(few[0].contains("(shared by 2 sizes tried) fewer than 1 in 1 084"), "{few:?}");
    // 1 - 0.025^(1/50)
    assert!(
        few[0].contains("if misses come one by one, and fewer than 7.11 % of such runs miss any"),
        "{few:?}"
    );
    assert!(few[0].ends_with("800 masses missed 6 of 4 000."), "{few:?}");
}

#[test]
fn a_larger_size_that_held_is_told_and_does_not_count() {
    let all = runs(1, &[(400, 0), (800, 1), (1200, 0)]);
    let systems = systems(&all);
    let notes = notes(&of(&systems, &Standards::default())[0]);
    assert!(notes.iter().any(|note| note.contains("1 200 masses hold although")), "{notes:?}");
}

/// A run whose step 7 ended 300 us late, and took two periods, after the platform had stood
/// still for so long.
fn stood_still(gap_ns: i64) -> Outcome {
    let mut run = tire("real-time", 400, 1, 2000, 2);
    let row = &mut run.rows[0];
    row.executed = 1998;
    row.skipped = 2;
    row.tell(&fact::OVERRUNS, 1);
    row.facts.insert(
        "misses".to_owned(),
        value!([{ "step": 7, "at_ns": 70_000_000, "late_ns": 300_000, "skipped": 2 }]),
    );
    let mut summary = blamed("hog").rows[0].facts[&*fact::BLAME].clone();
    summary["threshold_ns"] = value!(10_000_000);
    summary["told"] = value!([{
        "thread": "solver 0", "index": 7, "due_ns": 0, "took_ns": 10_300_000,
        "shares": [[{ "kind": "platform_gap" }, gap_ns]],
    }]);
    row.tell(&fact::BLAME, summary);
    run
}

#[test]
fn a_miss_is_the_platforms_where_it_alone_made_the_step_too_long() {
    for (gap_ns, own) in [(400_000, "400? .. 800"), (200_000, "none .. 400")] {
        let all = [stood_still(gap_ns), tire("real-time", 800, 1, 2000, 1900)];
        let systems = systems(&all);
        let frontiers = of(&systems, &Standards::default());
        let ends = |criterion| {
            interval(
                &plan::Axis::Masses,
                &frontiers[0].ends(&frontiers[0].grid.lines[0], criterion),
            )
        };
        assert_eq!(ends(Criterion::InDeadlines), "none .. 400");
        assert_eq!(ends(Criterion::ButForPlatform), own);
        // One step of 1998.
        assert_eq!(ends(Criterion::InSteps), "400 .. 800");
    }
    let systems = [stood_still(400_000), tire("real-time", 800, 1, 2000, 1900)];
    let systems = survey_of(&systems);
    assert!(systems.contains("2 of these would have been met"), "{systems}");
}

fn survey_of(runs: &[Outcome]) -> String {
    let systems = systems(runs);
    notes(&of(&systems, &Standards::default())[0]).join(" ")
}

#[test]
fn headroom_is_what_is_left_of_the_period() {
    let all = [tire("real-time", 400, 1, 2000, 0), tire("real-time", 800, 1, 2000, 3)];
    let systems = systems(&all);
    let frontiers = of(&systems, &Standards::default());
    let size = &frontiers[0].grid.lines[0].sizes[&400];
    let latency = size.latency().unwrap();
    let [p99, worst] = size.headroom_ns(frontiers[0].grid.period(400)).map(Option::unwrap);
    assert_eq!(worst, 10_000_000 - latency.max.value_ns);
    assert_eq!(p99, 10_000_000 - latency.quantile_ns(0.99));
    assert!(worst < p99);
    let line = &frontiers[0].grid.lines[0];
    let text = room(&frontiers[0], line, 400).unwrap();
    assert!(text.starts_with("Headroom of 400 masses on 1 thread"), "{text}");
}

#[test]
fn sizes_are_those_of_one_machine_and_its_conditions_alone() {
    let mut all = runs(1, &[(400, 0), (800, 3)]);
    let mut newest = tire("real-time", 1200, 1, 2000, 0);
    newest.header.machine.kernel_release = "another".to_owned();
    all.push(newest);
    let systems = systems(&all);
    let sizes = |system: usize, spec: &RunSpec| -> Vec<u64> {
        let grids = grids(&systems[system]);
        let own = grids.iter().filter(|grid| alike(grid.spec, spec));
        own.flat_map(|grid| &grid.lines).flat_map(|line| line.sizes.keys()).copied().collect()
    };
    let spec = &all[0].header.spec;
    assert_eq!((sizes(0, spec), sizes(1, spec)), (vec![400, 800], vec![1200]));
    let mut loaded = spec.clone();
    loaded.asked.loads = vec!["cpu".parse().unwrap()];
    assert!(sizes(0, &loaded).is_empty());
}
