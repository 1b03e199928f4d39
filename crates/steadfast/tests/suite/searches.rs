//! What is measured within a budget or over a grid: the largest tire that holds, maps, neighbours
//! in turns with quiet runs, and the findings of published studies.

use std::collections::BTreeSet;

use crate::common::{Done, Folder, MODEST, eventually, piped, run, send, start_unheard, unwrapped};
use base::counted;
use rustix::process::Signal;
use serde_json::Value;
use testing::models::{self, Kind, Version};
use testing::{measure_alone, within_tries};
use testing_schema::Schema;

/// A search at a rate that every machine holds with some size.
const SEARCH: &str = "frontier --rate 200Hz --threads 1,2 --solver simd";

/// Returns a line. Budgets are short here, so no other test measures meanwhile.
fn line(more: &str) -> String {
    measure_alone();
    format!("{SEARCH} {MODEST} --beside --out out {more}")
}

fn runs(folder: &Folder) -> Vec<usize> {
    folder.results().sessions().unwrap().iter().map(|session| session.done).collect()
}

fn frontiers(folder: &Folder) -> Vec<Value> {
    folder.report("out")["frontiers"].as_array().unwrap().clone()
}

#[test]
fn a_search_ends_with_an_interval_for_each_number_of_threads_and_goes_on() {
    let folder = Folder::new();
    let typed = line("--soft --held-for 500ms --budget 5s");
    let searched = || {
        let printed = folder.said(&format!("{typed} --verbose"));
        assert!(printed.contains("The search"), "{printed}");
        (frontiers(&folder), printed)
    };
    // The time is for a few runs, after a slow start for one number of threads only; the same
    // command continues.
    let has_both = |(frontiers, _): &(Vec<Value>, String)| {
        assert!(frontiers.len() <= 1, "one rate, one frontier: {frontiers:?}");
        let lines = frontiers.iter().flat_map(|frontier| frontier["lines"].as_array().unwrap());
        lines.map(|line| line["threads"].as_u64()).eq([Some(1), Some(2)])
    };
    let (found, stdout) = within_tries(9, searched, has_both);
    assert!(stdout.contains("The frontier of soft real time"), "{stdout}");
    assert_eq!(found[0]["strictness"], "soft");
    let before = runs(&folder);
    let done = folder.run(&typed);
    let expected = format!("Resuming the last session: {} done", counted(before[0], "run"));
    assert!(done.stderr().contains(&expected), "{}", done.stderr());
    let after = runs(&folder);
    assert!(after.len() == 1 && after[0] > before[0], "{before:?} {after:?}");
}

#[test]
fn an_interrupted_search_reports_what_it_knows() {
    let folder = Folder::new();
    let child = piped(folder.command(&line("--held-for 500ms --budget 5min --verbose")));
    // Both lines had a run, and one of them another.
    eventually("three runs", || folder.saved("out/results.db") > 2);
    send(Signal::INT, child.id());
    let done = Done::at_end(child).ended_with(130);
    assert!(done.stdout().contains("The frontier of hard real time"), "{}", done.stdout());
    assert!(!frontiers(&folder).is_empty());
}

#[test]
fn the_headroom_of_one_size_is_measured() {
    let folder = Folder::new();
    // A step that is skipped says nothing about headroom: 200 are due, and 100 are enough. A busy
    // host can have fewer; the same command continues.
    let line = line("--size 4000 --held-for 1s --budget 8s");
    let searched = || unwrapped(&folder.said(&line));
    let has_both = |printed: &String| {
        let told = |threads| format!("Headroom: 4 000 masses on {threads}: ");
        ["1 thread", "2 threads"].iter().all(|threads| printed.contains(&told(threads)))
    };
    within_tries(5, searched, has_both);
    // As many runs as show that the size holds, or as the budget has room for.
    assert!(matches!(*runs(&folder), [made] if made > 1), "{:?}", runs(&folder));
}

#[test]
fn a_model_that_spins_has_as_many_instances_as_its_period_has_room_for() {
    let fmu = models::fmu(Version::Two, Kind::CoSimulation, &[("SPIN_US", "4000")]);
    assert_fits_twelve_times(&format!("--fmu {} --over instances", fmu.display()), "instances");
}

#[test]
fn a_variable_of_a_library_can_be_varied() {
    let library = models::library(&[("SPIN_US", "4000")]);
    let library = format!("--library {} --step plant_step", library.display());
    let over = "plant_repeats=1..30";
    assert_fits_twelve_times(&format!("{library} --over {over}"), "plant_repeats");
    for (setting, why) in [
        (
            "nosuch=1",
            "exports no variable `nosuch` (variables: plant_U (a structure), plant_Y (a structure), plant_repeats (int32)",
        ),
        (
            "plant_repeats=1.5",
            "`plant_repeats` is of type int32 and takes a whole number that fits, not `1.5`",
        ),
        ("plant_Y=1", "`plant_Y` is a structure"),
    ] {
        run(&format!("run model {library} --set {setting}")).refuses(why);
    }
    run(&format!("frontier model {library} --over instances")).refuses("share one state");
    for command in ["frontier", "map"] {
        let ends = "plant_repeats=0..99999999999";
        let done = run(&format!("{command} model {library} --rate 100Hz --over {ends}"));
        done.refuses("takes a whole number that fits, not `9.9999999999e10`");
    }
}

#[test]
fn a_large_whole_number_of_a_library_can_be_varied() {
    let library = models::library(&[]);
    let folder = Folder::new();
    // With fewer than one repetition a step does nothing.
    let over =
        "--over plant_repeats=-2000000000..1 --rate 20Hz --soft --held-for 200ms --budget 5s";
    let typed = format!(
        "frontier model --library {} --step plant_step {over} {MODEST} --beside --out out",
        library.display()
    );
    let done = folder.run(&typed);
    assert!(done.code() < 2, "{}", done.stderr());
    let outcomes = folder.results().all_outcomes().unwrap();
    let settings = outcomes.iter().map(|run| run.header.spec.parameters.settings());
    assert!(settings.clone().any(|set| set.contains('e')), "{:?}", settings.collect::<Vec<_>>());
}

/// Searches the largest place at 20 Hz, where each place takes 4 ms more: 50 ms have room for 12, of
/// which other work on the CPU takes some.
fn assert_fits_twelve_times(model: &str, over: &str) {
    let folder = Folder::new();
    let search = "--rate 20Hz --soft --held-for 500ms --budget 10s";
    let typed = format!("frontier model {model} {search} {MODEST} --beside --out out");
    // A busy host can leave the search unfinished: with one size only, without a miss, or with one only at a much
    // larger size. The same command continues it.
    let searched = || {
        folder.run(&typed).succeeded();
        let all = frontiers(&folder);
        assert!(all.len() <= 1, "{all:?}");
        let frontier = all.first()?;
        assert!(frontier["over"].to_string().contains(&format!("\"{over}\"")), "{frontier}");
        frontier["lines"][0]["steps_fit"]["missed"]["value"].as_f64()
    };
    let missed = (0..24).filter_map(|_| searched()).find(|missed| *missed <= 13.0);
    assert!(missed >= Some(1.0), "no end within 13: {:?}", frontiers(&folder));
}

/// Four sizes on one and on two threads, each measured for an instant.
const GRID: &str = "--full-grid --from 400 --to 1600 --resolution 400 --threads 1,2 --rate 1kHz";
const CELLS: usize = 8;

/// Returns the sizes and threads of every run.
fn cells(folder: &Folder) -> Vec<(u64, u64)> {
    let outcomes = folder.results().all_outcomes().unwrap().into_iter();
    let parameters = outcomes.map(|outcome| outcome.header.spec.parameters);
    parameters.map(|all| (all.masses(), all.threads())).collect()
}

#[test]
fn a_full_grid_has_every_cell_and_is_not_measured_again() {
    let folder = Folder::new();
    let line = format!("map {GRID} --steps 30 {MODEST} --out out");
    let printed = folder.said(&format!("{line} --verbose"));
    let report = folder.report("out");
    let map = &report["maps"][0];
    assert_eq!(map["cells"].as_array().unwrap().len(), CELLS);
    let rows = map["thresholds"].as_array().unwrap();
    let threads: Vec<&Value> = rows.iter().map(|row| &row["threads"]).collect();
    assert_eq!(threads, [&Value::from(1), &Value::from(2), &Value::Null]);
    assert!(!printed.contains("As published"), "no published size is of 1 kHz: {printed}");

    let reported = folder.run(&line).succeeded().stderr();
    assert!(!reported.contains("round"), "{reported}");
    assert_eq!(cells(&folder).len(), CELLS);
}

#[test]
fn an_interrupted_map_keeps_what_is_done_and_goes_on() {
    let folder = Folder::new();
    let line = format!("map {GRID} --steps 800 {MODEST} --out out");
    let mut child = start_unheard(folder.command(&line));
    eventually("two cells", || folder.saved("out/results.db") > 1);
    send(Signal::INT, child.id());
    let code = child.wait().unwrap().code();
    let kept = cells(&folder).len();
    assert!((2..CELLS).contains(&kept), "{kept} cells");
    assert_eq!(code, Some(130));

    folder.run(&line).succeeded();
    let all = cells(&folder);
    assert_eq!(all.len(), CELLS, "none twice");
    assert_eq!(BTreeSet::from_iter(all).len(), CELLS);
    assert_eq!(folder.report("out")["maps"][0]["cells"].as_array().unwrap().len(), CELLS);
}

#[test]
fn every_neighbour_does_work_in_turns_with_quiet_runs() {
    let folder = Folder::new();
    // Runs of a second that do not wait while others measure.
    let of = format!("wakeup --period 1ms --cpus 0 --seconds 1 {MODEST} --beside");
    let typed = "interfere --aggressors fork+timers --places same-cpu --budget 45s --out out";
    let reported = || {
        let done = folder.run_words(typed, ["--of", &of]);
        assert!(done.code() <= 1, "{}", done.stderr());
        assert!(done.stdout().contains("wakeup other"), "{}", done.stdout());
        folder.report("out")
    };
    // Starts that take seconds leave time for fewer than two rounds; the same command continues.
    let has_two_rounds = |report: &Value| report["runs"].as_array().unwrap().len() >= 8;
    let report = within_tries(3, reported, has_two_rounds);
    let matrix = &report["interference"][0];
    assert!(matrix["quiet_runs"].as_u64() > Some(0), "{matrix}");
    let cells = matrix["cells"].as_array().unwrap();
    let names: Vec<&str> = cells.iter().filter_map(|cell| cell["aggressor"].as_str()).collect();
    assert_eq!(names, ["fork", "sham", "timers"]);
    for cell in cells.iter().filter(|cell| cell["runs"] != 0) {
        assert!(cell["work_per_s"].as_f64() > Some(0.0), "{cell}");
        assert_eq!(cell["place"], "same-cpu");
    }
}

fn count(document: &Value, verdict: &str) -> usize {
    let findings = document["findings"].as_array().unwrap().iter();
    findings.filter(|finding| finding["verdict"] == verdict).count()
}

#[test]
fn a_budget_ends_with_verdicts_and_the_same_command_continues() {
    measure_alone();
    let folder = Folder::new();
    let typed = "studies tel --budget 5s --seconds 1 --out out";
    let first = folder.run(typed);
    assert!(first.code() <= 1, "{}", first.stderr());
    let stdout = first.stdout();
    assert!(stdout.starts_with("Of 15 findings: "), "{stdout}");
    assert!(stdout.contains("the same command continues."), "{stdout}");
    let page = folder.read("out/report.html");
    assert!(page.contains("id=\"study-tel\"") && !page.contains("id=\"study-sae\""));
    let open = folder.read("out/report.json");
    assert!(open.contains("a side has no valid run yet; the same command continues"), "{open}");
    let before = folder.saved("out/results.db");
    let second = folder.run(&format!("{typed} --json"));
    let resumed = format!("Resuming the last session: {} done.", counted(before, "run"));
    assert!(second.stderr().contains(&resumed), "{}", second.stderr());
    let document = second.document();
    Schema::named("studies-1").assert(&document);
    assert!(count(&document, "not testable here") < 15, "{document}");
    assert!(folder.saved("out/results.db") > before);
}
