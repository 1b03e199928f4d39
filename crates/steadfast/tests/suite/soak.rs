//! Soaks with short intervals: what is due is conserved, also across kills, and gaps are reported.

use std::collections::BTreeSet;
use std::process::Command;

use crate::common::{
    Done, Folder, MODEST, eventually, kill, pid, run, run_words, runner_of, start_unheard,
    steadfast,
};
use base::CpuSet;
use record::{IntervalFound, Warning};
use rt::claim::{Claimant, claimants};
use serde_json::Value;
use testing::{measure_alone, models};
use testing_schema::Schema;

fn soak(measurement: &str, folder: &Folder, more: &str) -> Command {
    let mut command = folder.command(&format!("soak --out out --interval 200ms {more}"));
    command.args(["--of", &format!("{measurement} --cpus 0 {MODEST} --beside")]);
    command
}

fn sum(intervals: &Value, name: &str) -> u64 {
    intervals.as_array().unwrap().iter().filter_map(|interval| interval[name].as_u64()).sum()
}

fn places(folder: &Folder) -> Vec<IntervalFound> {
    let outcomes = folder.results().all_outcomes().unwrap();
    outcomes.into_iter().filter_map(|outcome| outcome.found.interval).collect()
}

#[test]
fn intervals_of_a_soak_conserve_what_is_due() {
    let library = models::library(&[]);
    let own = format!("model --library {} --step plant_step --rate 1kHz", library.display());
    let tire = "tire --mode real-time --masses 40 --rate 1kHz --threads 2 --overrun catch-up";
    for measurement in ["wakeup --period 1ms", "frame --rate 1kHz --fill 5%", tire, &own] {
        let folder = Folder::new();
        let done = Done::of(soak(measurement, &folder, "--for 1s --json"));
        // A busy host may make intervals INVALID.
        assert!(done.code() <= 1, "{}", done.stderr());
        let intervals = &done.document()["intervals"];
        let watched = places(&folder).iter().map(|place| 1 + place.stalled_before).sum::<u64>();
        assert!(watched >= 5, "{measurement}");
        assert_eq!(done.document()["total"]["intervals"], watched);
        assert!(sum(intervals, "due") >= 5 * 200);
        assert_eq!(sum(intervals, "due"), sum(intervals, "executed") + sum(intervals, "skipped"));
        assert!(folder.path("out/soak.html").exists());
        // The same command has nothing left to do.
        let again = Done::of(soak(measurement, &folder, "--for 1s --json"));
        assert_eq!(again.stdout(), done.stdout());
    }
}

#[test]
fn the_report_of_a_soak_has_the_form_of_its_schema_and_says_when_each_interval_began() {
    let folder = Folder::new();
    assert!(Done::of(soak("wakeup --period 1ms", &folder, "--for 600ms")).code() <= 1);
    let report = folder.run("report out/results.db --json").document();
    Schema::named("report-2").assert(&report);
    let runs = report["runs"].as_array().unwrap();
    let began = |run: &Value| {
        run["conditions"]["found"]["interval"]["began_since_boot_ns"].as_u64().unwrap()
    };
    let began: Vec<u64> = runs.iter().map(began).collect();
    assert!(began.len() >= 2 && began.is_sorted(), "{began:?}");
}

#[test]
fn every_interval_names_what_measures_beside_it() {
    // Before the other run starts, which would end while the soak waits for its turn.
    measure_alone();
    let folder = Folder::new();
    let line = format!("run wakeup --cpus 0 {MODEST} --beside --seconds 60");
    let mut other = start_unheard(steadfast(&line));
    let runner = runner_of(other.id());
    let is_other = |claimant: &Claimant| claimant.process == Some(pid(runner));
    let claims = || claimants(&CpuSet::one(0)).unwrap();
    eventually("the other's claim", || claims().iter().any(is_other));
    let done = Done::of(soak("wakeup --period 1ms", &folder, "--for 600ms"));
    kill(&mut other);
    assert!(done.code() <= 1, "{}", done.stderr());
    let intervals = folder.results().all_outcomes().unwrap();
    assert_eq!(intervals.len(), 3);
    for interval in intervals {
        let causes = interval.warnings.iter().map(Warning::cause);
        let named = causes.filter(|cause| cause.contains(&format!("process {runner}")));
        assert_eq!(named.count(), 1, "{:?}", interval.warnings);
    }
}

#[test]
fn a_killed_soak_is_continued_with_a_gap_and_no_interval_twice() {
    let folder = Folder::new();
    let mut kept = 0;
    for _ in 0..2 {
        let mut child = start_unheard(soak("wakeup --period 1ms", &folder, "--for 1h"));
        eventually("intervals are stored", || folder.saved("out/results.db") >= kept + 2);
        kill(&mut child);
        kept = places(&folder).len();
    }
    let more = format!("--for {}ms --json", (kept + 2) * 200);
    let json = Done::of(soak("wakeup --period 1ms", &folder, &more)).document();
    assert!(json["total"]["intervals"].as_u64().unwrap() >= kept as u64 + 2);
    let places = places(&folder);
    assert_eq!(json["intervals"].as_array().unwrap().len(), places.len());
    // A stall of the host at the end of a watch begins another one.
    let watches: BTreeSet<&str> = places.iter().map(|place| &*place.watch).collect();
    let gaps = json["gaps"].as_array().unwrap();
    let of = |reason: &str| gaps.iter().filter(|gap| gap["reason"] == reason).count();
    assert_eq!((of("stopped"), of("watch_began")), (2, watches.len() - 3), "{gaps:?}");
    let distinct: BTreeSet<(&str, u64)> =
        places.iter().map(|place| (&*place.watch, place.number)).collect();
    assert_eq!(distinct.len(), places.len());
}

#[test]
fn what_cannot_go_on_for_days_is_refused_in_one_line() {
    run("soak").refuses("--of");
    for (line, reason) in [
        ("clock_overhead", "cannot go on without a pause; use one of wakeup, frame, tire, model"),
        ("wakeup --seconds 3", "leave out --seconds and --steps"),
        ("frame --overrun slip", "use skip or catch-up"),
        ("tire", "use --mode real-time"),
        ("tire --mode real-time --threads 1 --steps 600", "leave out --seconds and --steps"),
        ("model --program sleep --steps 600", "leave out --seconds and --steps"),
        ("tire --mode real-time --threads 1 --rate 0.1Hz", "shorter than a period"),
        ("tire --mode real-time --threads 2", "use catch-up, or --threads 1"),
        ("tire --mode real-time --threads 1 --overrun stop", "use skip or catch-up"),
    ] {
        run_words("soak --for 1s --interval 1s", ["--of", line]).refuses(reason);
    }
}

#[test]
fn a_model_that_fails_ends_its_soak_with_the_step_and_keeps_what_is_stored() {
    let folder = Folder::new();
    let library = models::library(&[("CRASH_AT", "2000")]);
    let line = format!("model --library {} --step plant_step --rate 1kHz", library.display());
    Done::of(soak(&line, &folder, "--for 10s --quiet")).refuses("the model failed in step 2000");
    assert!(!places(&folder).is_empty());
    let other = soak("wakeup", &folder, "--for 1s --quiet");
    Done::of(other).refuses("has a soak of another run");
}

#[test]
fn a_unit_continues_the_same_soak() {
    let words = ["--of", "wakeup --cpus 0 --policy other"];
    let unit = run_words("soak --unit --out /var/soak --interval 1s", words).stdout();
    let line = unit.lines().find(|line| line.starts_with("ExecStart=")).unwrap();
    let expected = "soak --quiet --of \"wakeup --cpus 0 --policy other\" --for 604800s --interval 1s \
                    --out /var/soak";
    assert!(line.ends_with(expected), "{line}");
    assert!(unit.contains("WantedBy=multi-user.target"));
}
