use anyhow::anyhow;
use stats::frontier::{Edge, standings};
use testing::models::{self, Kind, Version};

use super::*;
use crate::command::frontier::map::tests as map;
use crate::command::frontier::tests as frontier;
use crate::session::driver::{self, fake};

/// The time for runs of the default budget.
const BUDGET: Duration = Duration::from_secs(285);
/// Time per run in addition to its steps.
const BESIDES: Duration = Duration::from_millis(300);
const EDGE: u64 = 18_000;

fn search(line: &str) -> FrontierSearch {
    frontier::searched(&frontier::parse(line).unwrap(), BUDGET).unwrap().0
}

/// Searches until the time is up. Returns which lines had runs, and how long it took.
fn tried(
    search: &mut FrontierSearch,
    known: &mut Known,
    budget: Duration,
) -> (Vec<usize>, Duration) {
    let (mut lines, mut now) = (Vec::new(), Duration::ZERO);
    loop {
        known.affords = Some(budget.saturating_sub(now + BESIDES));
        let Some(due) = search.next(known) else {
            return (lines, now);
        };
        let outcome = fake::outcome(&due.spec, due.ordinal, EDGE);
        known.add(Some(due.ordinal), outcome);
        now += Duration::from(due.spec.asked.duration) + BESIDES;
        lines.push(search.asked.unwrap().line);
        assert!(lines.len() < 200);
    }
}

fn ends(line: &SearchLine) -> (u64, u64) {
    let edge = Edge::shown(&standings(&line.known, Criterion::InDeadlines, &line.search.demand));
    (edge.held.unwrap_or(0), edge.missed.unwrap_or(u64::MAX))
}

#[test]
fn every_line_is_solved_within_the_budget() {
    let mut search = search("--rate 1kHz --threads 1,2");
    let (lines, took) = tried(&mut search, &mut Known::default(), BUDGET);
    assert_eq!(time_of(frontier::parse("").unwrap().budget).unwrap(), BUDGET);
    assert!(search.is_done() && took < BUDGET);
    let (runs, takes) = search.forecast();
    assert!(runs.abs_diff(lines.len()) <= 10, "{runs} of {}", lines.len());
    assert!(takes < took && took < takes + takes / 4, "{took:?} of {takes:?}");
    for line in &search.lines {
        let (held, missed) = ends(line);
        assert!(held <= EDGE && EDGE < missed);
        assert!((missed - held) as f64 <= 0.05 * missed as f64);
    }
    // The lines take turns.
    assert!(lines.windows(3).all(|turn| turn.iter().any(|line| *line != turn[0])));
}

#[test]
fn an_own_model_is_searched_over_whatever_it_has() {
    let fmu = models::fmu(Version::Two, Kind::CoSimulation, &[]);
    for (over, edge) in [("rate", 4650), ("instances", 37), ("k=1.0..20", 42)] {
        let mut search = search(&format!("model --fmu {} --over {over}", fmu.display()));
        let mut known = Known::default();
        known.affords = Some(BUDGET);
        fake::make_all(&mut search, &mut known, |due| {
            assert_eq!(due.spec.blame_beyond, Some(due.spec.parameters.rate_period()));
            fake::outcome(&due.spec, due.ordinal, edge)
        });
        assert!(search.is_done(), "{over}");
        let (held, missed) = ends(&search.lines[0]);
        assert!(held <= edge && edge < missed, "{over}: {held} .. {missed}");
        let gap = (missed - held) as f64;
        assert!(gap <= 1.0 || gap <= 0.05 * missed as f64, "{over}: {held} .. {missed}");
    }
}

#[test]
fn a_budget_that_is_spent_leaves_what_is_known() {
    let begin = || (search("--rate 1kHz --threads 1,2"), Known::default());
    let (mut all, mut known) = begin();
    let whole = tried(&mut all, &mut known, BUDGET).1;
    for part in 1..20 {
        let (mut search, mut known) = begin();
        let budget = whole * part / 20;
        let (_, took) = tried(&mut search, &mut known, budget);
        assert!(took <= budget && !search.is_done(), "{part}: {took:?} of {budget:?}");
        for line in &search.lines {
            let (held, missed) = ends(line);
            assert!(held <= EDGE && EDGE < missed);
        }
    }
}

#[test]
fn the_time_of_a_search_is_said_before_it_starts() {
    let said = |line: &str, seconds: u64| search(line).time_it_takes(Duration::from_secs(seconds));
    let enough = said("--rate 1kHz --threads 1,2", 285);
    assert!(enough.starts_with("2 lines of the search take 3 min on a machine"), "{enough}");
    assert!(!enough.contains("--budget"), "{enough}");
    let short = said("--rate 1kHz --threads 1 --held-for 1min", 285);
    assert!(short.starts_with("1 line of the search take"), "{short}");
    assert!(
        short.ends_with("--budget is shorter, so ends may stay unshown (marked ?)."),
        "{short}"
    );
}

#[test]
fn a_budget_without_a_run_is_refused_with_what_the_first_run_needs() {
    let why = |line: &str, seconds: u64| {
        let ended = Ended { outcomes: Vec::new(), trouble: None };
        let refused = search(line).expect_runs(&ended, Nanos(seconds * Nanos::SECOND.0));
        refused.unwrap_err().to_string()
    };
    let short = why("--rate 10s --threads 1 --budget 5s", 5);
    assert!(short.starts_with("--budget: 5s is too short for the first run: "), "{short}");
    assert!(short.ends_with(", or search fewer threads"), "{short}");
    let over = why("--rate 1kHz --threads 1", 600);
    assert_eq!(over, "--budget: 600s was over before a run could begin; give more");
}

#[test]
fn what_another_machine_did_is_forgotten() {
    let (mut search, mut known) = (search("--rate 1kHz --threads 1"), Known::default());
    tried(&mut search, &mut known, BUDGET);
    let spec = search.spec(&search.lines[0], 400, 100);
    let mut elsewhere = fake::outcome(&spec, known.next_ordinal(), EDGE);
    elsewhere.header.machine.kernel_release = "another".to_owned();
    known.add(Some(known.next_ordinal()), elsewhere);
    search.learn(&known);
    assert_eq!(search.lines[0].known.len(), 1);
    assert!(!search.is_done());
}

#[test]
fn a_size_that_cannot_be_run_ends_its_line() {
    let (mut search, mut known) = (search("--rate 1kHz --threads 1"), Known::default());
    let refusal = || anyhow!("no memory");
    let due = search.next(&known).unwrap();
    assert!(search.refused(&due, refusal()).is_err(), "nothing is known");
    while let Some(due) = search.next(&known) {
        if Axis::Masses.place(&due.spec) > 9000 {
            search.refused(&due, refusal()).unwrap();
        } else {
            known.add(Some(due.ordinal), fake::outcome(&due.spec, due.ordinal, EDGE));
        }
    }
    let (held, missed) = ends(&search.lines[0]);
    assert!(held <= 9000 && held > 0);
    assert_eq!(missed, u64::MAX);
}

#[test]
fn one_size_is_tried_as_long_as_it_takes_to_count_as_held() {
    let mut search = search("--rate 1kHz --threads 1,2 --size 4000 --held-for 3s");
    let (lines, _) = tried(&mut search, &mut Known::default(), BUDGET);
    assert_eq!(lines[..4], [0, 1, 0, 1]);
    for line in &search.lines {
        let tries = line.known[&4000].deadlines;
        assert!(tries.due >= 3000);
        // 1 - 0.05^(1/29) is below 1 in 10.
        assert_eq!(tries.runs, 29);
    }
}

#[test]
fn a_run_is_as_long_as_its_steps() {
    let search = search("--rate 1kHz --threads 2 --solver simd");
    let spec = search.spec(&search.lines[0], 4000, 1500);
    assert_eq!(spec.parameters.masses(), 4000);
    assert_eq!(spec.asked.duration, Nanos(1_500_000_000));
    assert_eq!(spec.parameters.solver(), "simd");
}

#[test]
fn the_search_is_compared_with_a_grid_and_says_what_is_left() {
    let mut search = search("--rate 1kHz --threads 1 --held-for 2s --budget 60s");
    let mut known = Known::default();
    while let Some(due) = search.next(&known) {
        known.add(Some(due.ordinal), fake::outcome(&due.spec, due.ordinal, 8100));
        let found = search.findings(&[]);
        let is_left = |one: &Finding| {
            matches!(
                one,
                Finding::Capacity(AboutCapacity::Unfinished { rate_hz: Some(1e3), threads: 1, .. })
            )
        };
        assert!(is_left(&found[2]), "{found:?}");
    }
    let found = search.findings(&[]);
    assert!(
        matches!(found[1], Finding::Capacity(AboutCapacity::FullGrid { places: 20, .. })),
        "{found:?}"
    );
    assert_eq!(found[2], Finding::Capacity(AboutCapacity::Finished));
}

#[test]
fn a_cell_that_something_disturbed_is_tried_again_a_few_times() {
    let ended = |disturbed: usize| {
        let mut map =
            map::search_of("--threads 1 --full-grid --to 1600 --resolution 400 --rate 1kHz");
        let mut known = Known::default();
        fake::make_all(&mut map, &mut known, |due| {
            let mut outcome = fake::outcome(&due.spec, due.ordinal, 800);
            if due.ordinal < disturbed {
                outcome.warnings = vec![driver::disturbed()];
            }
            outcome
        });
        (map.is_done(), map.own(known.since(0).cloned().collect()))
    };
    let (is_done, own) = ended(3);
    assert!(is_done && own.len() == 4);
    assert!(own.iter().all(Outcome::is_valid));
    let (is_done, own) = ended(usize::MAX);
    assert!(!is_done && own.len() == MOST_REPEATS);
}

#[test]
fn the_runs_of_a_map_come_before_those_of_its_pretest() {
    let mut map = map::search_of("--rate 1kHz --from 400 --resolution 20%");
    let mut known = Known::default();
    fake::make_all(&mut map, &mut known, |due| fake::outcome(&due.spec, due.ordinal, 10_000));
    let outcomes: Vec<Outcome> = known.since(0).cloned().collect();
    let period = |outcome: &Outcome| outcome.header.spec.parameters.rate_period().0;
    assert_eq!(period(&outcomes[0]), 500_000);
    let own: Vec<u64> = map.own(outcomes.clone()).iter().map(period).collect();
    assert_eq!(own.len(), outcomes.len());
    assert!(own.is_sorted_by(|one, other| one >= other) && own[0] == 1_000_000);
    assert!(
        !map.findings(&outcomes).contains(&Finding::Capacity(AboutCapacity::Finished)),
        "no end was repeated"
    );
}
