//! Arguments of `steadfast interfere`, for the tests of its parts and of the driver.

use base::CpuSet;
use record::RunSpec;

use super::*;
use crate::options::after;
use crate::session::driver::{Known, Plan, fake};
use crate::session::rounds::Rounds;
use rt::neighbours::Neighbours;

const WAKEUP: &str = "wakeup --period 1ms --policy other --cpus 1";

/// Returns arguments with that run line, and whatever else is typed.
fn parse(line: &str, more: &str) -> InterfereArgs {
    let args = after::<InterfereArgs>(&format!("--of LINE {more}")).unwrap();
    InterfereArgs { of: line.to_owned(), ..args }
}

/// Returns the runs to try on a machine of two cores with two threads each, under one cache.
fn cells(line: &str, more: &str) -> Result<Rounds> {
    let sets = |all: &[&str]| all.iter().map(|text| text.parse().unwrap()).collect();
    let machine = Neighbours {
        cores: sets(&["0,2", "1,3"]),
        caches: sets(&["0-3"]),
        sockets: sets(&["0-3"]),
    };
    let usable: CpuSet = "0-3".parse().unwrap();
    among(&parse(line, more), &machine, &usable)
}

/// Returns the plan of such a line, and the specifications by which its session is found.
pub(crate) fn asked(more: &str) -> (Box<dyn Plan>, Vec<RunSpec>) {
    let line = "wakeup --period 1ms --policy other --cpus 1 --seconds 1";
    let cells = cells(line, more).unwrap();
    let specs = cells.specs();
    (Box::new(cells.plan()), specs)
}

#[test]
fn every_aggressor_is_tried_in_every_place_with_a_sham_and_quiet_runs_between() {
    let cells = cells(WAKEUP, "--aggressors cache+memory%50 --budget 5min").unwrap();
    let loads = |spec: &RunSpec| {
        let loads = spec.asked.loads.iter().map(ToString::to_string);
        (loads.collect::<Vec<_>>().join("+"), spec.vicinity.map(|place| place.to_string()))
    };
    let all: Vec<(String, Option<String>)> = cells.specs().iter().map(loads).collect();
    let place = |name: &str| Some(name.to_owned());
    let expected = [
        ("", None),
        ("cache@1", place("same-cpu")),
        ("memory%50@1", place("same-cpu")),
        ("sham@1", place("same-cpu")),
        ("cache@3", place("sibling")),
        ("memory%50@3", place("sibling")),
        ("sham@3", place("sibling")),
        ("cache@0", place("shared-cache")),
        ("memory%50@0", place("shared-cache")),
        ("sham@0", place("shared-cache")),
    ];
    assert_eq!(all, expected.map(|(load, place)| (load.to_owned(), place)));
    let turns = cells.turns();
    let rounds: Vec<&[RunSpec]> = turns.chunks(12).collect();
    assert!(rounds.len() >= 3, "{}", rounds.len());
    for round in &rounds {
        for group in round.chunks(4) {
            assert!(group[0].asked.loads.is_empty(), "quiet comes first");
            assert!(group[1..].iter().all(|spec| spec.vicinity.is_some()));
        }
        assert!(cells.specs().iter().all(|spec| round.contains(spec)));
    }
    assert_ne!(rounds[0], rounds[1], "each round has its own order");
}

#[test]
fn runs_are_as_long_as_the_line_says_or_as_the_budget_allows() {
    let length = |line: &str, budget: &str| {
        let more = format!("--aggressors cache --places sibling --budget {budget}");
        cells(line, &more).unwrap().specs()[0].asked.duration.0 / 1_000_000
    };
    assert_eq!(length(&format!("{WAKEUP} --seconds 3"), "10min"), 3_000);
    assert_eq!(length(WAKEUP, "10min"), 10_000);
    assert_eq!(length(WAKEUP, "40s"), 2_000);
}

#[test]
fn nonsense_is_refused_with_its_flag() {
    for (line, more, reason) in [
        ("nonsense", "", "--of 'nonsense': there is no measurement"),
        (&*format!("{WAKEUP} --load cpu"), "", "--of: --load"),
        (WAKEUP, "--aggressors cache@1", "which --places sets"),
        (WAKEUP, "--places other-socket", "--places: this process may use no CPU"),
        (WAKEUP, "--budget 8s", "--budget: 8s is too short"),
    ] {
        let why = cells(line, more).err().unwrap();
        let why = format!("{why:#}");
        assert!(why.contains(reason) && !why.contains('\n'), "{more}: {why}");
    }
    for more in
        ["--places nowhere", "--aggressors nonsense", "--aggressors disk:/no/such", "--budget soon"]
    {
        assert!(after::<InterfereArgs>(&format!("--of LINE {more}")).is_err());
    }
}

#[test]
fn an_impossible_neighbour_is_left_out_and_the_others_continue() {
    let cells = cells(WAKEUP, "--aggressors cache+fork --places sibling").unwrap();
    let mut plan = cells.plan();
    let mut made = [0; 2];
    fake::make_all(&mut plan, &mut Known::default(), |due| {
        let mut outcome = fake::outcome(&due.spec, due.ordinal, 1);
        let is_cache = due.spec.asked.loads.iter().any(|load| load.name == "cache");
        made[usize::from(is_cache)] += 1;
        if is_cache {
            outcome.warnings = vec![record::Warning::LoadIdle { load: "cache".to_owned() }];
        }
        outcome
    });
    assert!(plan.is_done());
    assert!(made[0] > 20 && made[1] == 2, "{made:?}");
}
