//! `steadfast trace`: the worst cases of a store as a trace for Perfetto.

use std::fs;
use std::path::Path;

use crate::common::{Folder, MODEST};
use base::counted;
use record::{Machine, Outcome, Track};
use rt::clock::unix_time;
use serde_json::json;
use store::Store;

/// A switch, and the begin and end of an interrupt of the CPU, as they are kept.
const SWITCH: i64 = 0;
const ENTER: i64 = 3;
const LEAVE: i64 = 4;

/// Returns a trace with one switch and one interrupt between due and done of each late wake-up.
fn generated(run: &Outcome, wakeups: &Track) -> [Track; 2] {
    let [thread, t0, period] =
        ["thread_number", "t0_ns", "period_ns"].map(|name| wakeups.number(name));
    let limit = run.header.spec.blame_beyond.unwrap().0 as i64;
    let woken = wakeups.values("period_index").iter().zip(wakeups.values("woke_ns"));
    let late = woken.map(|(index, woke)| (t0 + index * period, *woke));
    let late: Vec<(i64, i64)> = late.filter(|(due, woke)| woke - due > limit).collect();
    let columns = |name: &str, names: &[&str], rows: Vec<Vec<i64>>| {
        let column = |place: usize| rows.iter().map(|row| row[place]).collect();
        let named = (0..).zip(names);
        named.fold(Track::new(name), |track, (place, name)| track.column(name, column(place)))
    };
    let events = (0..).zip(&late).flat_map(|(window, (due, _))| {
        [
            vec![window, *due, 1, ENTER, 2, 0, 0, 0],
            vec![window, *due, 1, LEAVE, 2, 0, 0, 0],
            vec![window, *due, 1, SWITCH, 7, 1, thread, -1],
        ]
    });
    let names = ["window", "at_ns", "cpu", "kind", "a", "b", "c", "d"];
    let trace = columns("trace", &names, events.collect())
        .with("tasks", json!({ "7": "hog" }))
        .with("lost", 0);
    let rows = late.iter().map(|(due, woke)| vec![thread, thread, 1, *due, *woke]);
    let names = ["thread", "task", "cpu", "due_ns", "end_ns"];
    [trace, columns("windows", &names, rows.collect())]
}

/// Saves a run of the store with a generated trace in a new store, and returns how much is late.
fn with_trace(kept: &Path, into: &Path) -> usize {
    let kept = Store::open_existing(kept).unwrap();
    let (run, mut tracks) = kept.run(&kept.all_run_ids().unwrap()[0]).unwrap();
    let [trace, windows] = generated(&run, &tracks[0]);
    let late = windows.values("due_ns").len();
    tracks.retain(|track| !["trace", "windows"].contains(&&*track.name));
    tracks.extend([trace, windows]);
    let machine: &Machine = &run.header.machine;
    let mut store = Store::open(into).unwrap();
    let spec = std::slice::from_ref(&run.header.spec);
    let session = store.begin_session("run", spec, machine, unix_time()).unwrap();
    store.save(&session, 0, &run, &tracks).unwrap();
    late
}

#[test]
fn a_trace_has_every_late_sample_and_kernel_event_of_the_store() {
    let folder = Folder::new();
    let line = format!("run wakeup --seconds 1 {MODEST} --blame --threshold 1us");
    let measured = folder.run(&format!("{line} --json --keep-samples --store kept.db"));
    let told = measured.succeeded().first_run()["blame"]["late"].clone();
    let late = with_trace(&folder.path("kept.db"), &folder.path("traced.db"));
    assert_eq!(told, late);
    assert!(late > 10, "{late}");

    let traced = |words: &str| folder.said(&format!("trace {words} --output worst.pftrace"));
    let [samples, switches, interrupts] =
        ["late sample", "switch", "interrupt"].map(|thing| counted(late, thing));
    let expected = format!(
        "worst.pftrace: {samples} of 1 run, {switches}, {interrupts}. Open it at \
         ui.perfetto.dev.\n"
    );
    assert_eq!(traced("traced.db --worst 1000000"), expected);
    let length = || fs::metadata(folder.path("worst.pftrace")).unwrap().len();
    let every = length();
    let worst = traced("traced.db");
    assert!(worst.contains(": 10 late samples of 1 run, 10 switches"), "{worst}");
    assert!(length() < every);
    // What is no plain file is written to, not replaced.
    let said = folder.said("trace traced.db --output /dev/null");
    assert!(said.starts_with("/dev/null: 10 late samples"), "{said}");
    assert!(!fs::metadata("/dev/null").unwrap().is_file());

    folder.run(&format!("{line} --store rows.db")).succeeded();
    let rows = traced("rows.db");
    assert!(rows.contains("10 of them without the kernel's events"), "{rows}");
}

#[test]
fn a_store_without_causes_is_refused() {
    let folder = Folder::new();
    folder.run(&format!("run clock_overhead {MODEST} --store none.db")).succeeded();
    folder.run("trace none.db -o none.pftrace").refuses("--blame --keep-samples");
    folder.run("trace none.db -o none.db/none/worst.pftrace").refuses("--output");
    folder
        .run("trace none.db -o none.pftrace --worst 0")
        .refuses("--worst <COUNT>': expected a whole number above 0");
}
