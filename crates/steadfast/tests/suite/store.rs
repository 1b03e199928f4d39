//! `steadfast store`, as a user would type it.

use std::fs;

use crate::common::{Done, Folder, MODEST, PROGRAM, at_home, run, wakeups};
use record::Machine;
use store::Store;
use testing::{Refused, refusing};

#[test]
fn stores_become_one_and_a_damaged_one_is_refused() {
    let folder = Folder::new();
    for (name, period) in [("a.db", "1ms"), ("b.db", "2ms")] {
        let line = format!("run wakeup --period {period} --seconds 0.02 --store {name}");
        folder.run(&format!("{line} {MODEST}")).succeeded();
    }
    let merged = folder.said("store merge out.db a.db b.db");
    assert!(merged.ends_with("2 runs added, 0 already there.\n"));
    let again = folder.said("store merge out.db b.db");
    assert!(again.ends_with("0 runs added, 1 already there.\n"));
    let report = folder.run("report out.db --json").document();
    assert_eq!(report["runs"].as_array().map(Vec::len), Some(2));

    let before = fs::read(folder.path("out.db")).unwrap();
    let mut bytes = fs::read(folder.path("b.db")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..].fill(0x55);
    folder.write("b.db", bytes);
    for line in [
        "report b.db",
        &format!("run wakeup {MODEST} --store b.db"),
        "store merge out.db a.db b.db",
    ] {
        folder.run(line).refuses("b.db");
    }
    assert_eq!(fs::read(folder.path("out.db")).unwrap(), before);
    folder.run("store merge new.db a.db b.db").refuses("b.db");
    assert!(!folder.path("new.db").exists(), "nothing is created");
    folder.run("store merge new.db none.db").refuses("none.db");
    run("store merge out.db").refuses("STORE");
}

#[test]
fn the_same_samples_give_the_same_rows_and_other_rows_are_reported_and_fixed() {
    let folder = Folder::new();
    for line in [
        "wakeup --seconds 0.2 --blame --threshold 1us --keep-samples",
        "tire --mode real-time --masses 40 --threads 1 --steps 120 --rate 1kHz --keep-samples",
        "clock_overhead",
    ] {
        folder.run(&format!("run {line} {MODEST} --store kept.db")).succeeded();
    }
    let recompute = |more: &str| folder.run(&format!("store recompute kept.db {more}"));
    let same = recompute("").succeeded().stdout();
    assert!(same.contains("2 unchanged, 0 changed, 0 not computed, 1 without samples"), "{same}");

    // As an older program would have computed it.
    let mut older = Store::open(&folder.path("kept.db")).unwrap();
    let run_id = older.all_run_ids().unwrap().remove(0);
    let (mut stored, _) = older.run(&run_id).unwrap();
    let as_computed = stored.clone();
    stored.rows[0].due += 1;
    stored.rows[0].latency = None;
    older.recompute(&[stored]).unwrap();
    drop(older);

    let printed = recompute("--json").document();
    assert_eq!(printed["changed"][0]["run_id"], run_id);
    let figures = printed["changed"][0]["changes"].as_array().unwrap().iter();
    let figures: Vec<&str> = figures.filter_map(|change| change["figure"].as_str()).collect();
    assert!(figures.contains(&"due") && figures.contains(&"histogram"), "{figures:?}");
    assert_eq!(recompute("").code(), 1, "rows differ, and were left");
    recompute("--write").succeeded();
    recompute("").succeeded();
    let mended = Store::open_existing(&folder.path("kept.db")).unwrap();
    assert_eq!(mended.run(&run_id).unwrap().0, as_computed);

    folder.run(&format!("run clock_overhead {MODEST} --store none.db"));
    folder.run("store recompute none.db").refuses("--keep-samples");
    folder.run("store export none.db --samples --out none").refuses("--keep-samples");
}

#[test]
fn samples_become_files_that_hold_every_value() {
    let folder = Folder::new();
    let line = "run wakeup --seconds 0.05 --keep-samples --beside --store kept.db";
    folder.run(&format!("{line} {MODEST}")).succeeded();
    folder.run("store export kept.db --samples --out samples").succeeded();
    let kept = Store::open_existing(&folder.path("kept.db")).unwrap();
    let run_id = kept.all_run_ids().unwrap().remove(0);
    let (_, tracks) = kept.run(&run_id).unwrap();
    let (track, name) = (&tracks[0], tracks[0].name.replace(' ', "_"));
    let file = |extension| folder.read(&format!("samples/{run_id}.wakeup.0.{name}.{extension}"));
    let about: serde_json::Value = serde_json::from_str(&file("json")).unwrap();
    assert_eq!((&about["track"], &about["valid"]), (&(*track.name).into(), &true.into()));
    assert!(about["attributes"]["t0_ns"].is_number(), "{about}");
    let text = file("csv");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("period_index,woke_ns"));
    let woke: Vec<i64> = lines.map(|l| l.split(',').nth(1).unwrap().parse().unwrap()).collect();
    assert_eq!(woke, track.values("woke_ns"));
}

#[test]
fn a_title_and_a_note_go_from_the_command_line_to_the_page() {
    let folder = Folder::new();
    let line = format!("run clock_overhead {MODEST} --beside --quiet --store kept.db");
    let words = |words: &[&str]| folder.run_words(&line, words);
    let made = words(&["--title", "Bench <tuned>", "--note", "With `isolcpus`."]).succeeded();
    assert!(made.stdout().contains("\nBench <tuned>: "), "{}", made.stdout());
    assert_eq!(made.stderr(), "", "no progress");

    let printed = folder.said("store ls kept.db");
    assert!(printed.contains("Bench <tuned> (run)"), "{printed}");
    let printed = folder.said("store show kept.db");
    assert!(printed.contains("\nWith `isolcpus`.\n"), "{printed}");

    let listed = folder.run("store ls kept.db --json").document();
    assert_eq!(listed["sessions"][0]["title"], "Bench <tuned>");
    let shown = folder.run("store show kept.db --json").document();
    assert_eq!((&shown["session"], &shown["runs"][0]["valid"]), (&1.into(), &true.into()));
    assert_eq!(shown["started_unix_ns"], shown["runs"][0]["started_unix_ns"]);

    let report = folder.run("report kept.db --json --out out").document();
    assert_eq!(report["title"], "Bench <tuned>");
    assert_eq!(report["note"], "With `isolcpus`.");
    let page = folder.read("out/report.html");
    assert!(page.contains("<h1>Bench &lt;tuned&gt;</h1>"), "{page}");
    assert!(page.contains("With `isolcpus`."));
    let later = "report kept.db --title later --out out --verbose";
    for line in [later, &format!("{later} --quiet")] {
        assert!(folder.said(line).ends_with("\nReport:  out/report.html\n"), "{line}");
    }
    let page = folder.read("out/report.html");
    assert!(page.contains("<h1>later</h1>") && page.contains("With `isolcpus`."));

    words(&["--title", "two\nlines"]).refuses("--title");
    words(&["--note", &"a".repeat(1001)]).refuses("at most 1000 characters");
    assert_eq!(words(&["--verbose"]).succeeded().stderr(), "", "no progress");
}

#[test]
fn a_store_without_shared_memory_is_read_and_written_and_without_locks_that_is_named() {
    let folder = Folder::new();
    folder.store("moved", wakeups(6e4));
    let lacking = |what: Refused, line: &str| {
        let place = folder.path("");
        let mut command = refusing(&place, what, PROGRAM);
        at_home(&mut command);
        command.args(line.split(' ')).current_dir(&place);
        Done::of(command)
    };
    let reads = |name: &str| lacking(Refused::SharedMemory, &format!("report {name}")).succeeded();
    reads("moved.db");

    // What a killed process has left in its log is merged.
    let mut open = Store::open(&folder.path("moved.db")).unwrap();
    open.begin_session("t", &[], &Machine::default(), 1).unwrap();
    for end in ["", "-wal"] {
        let [from, to] = ["moved", "killed"].map(|name| folder.path(&format!("{name}.db{end}")));
        fs::copy(from, to).unwrap();
    }
    drop(open);
    reads("killed.db");
    let sessions = |name: &str| Store::open_existing(&folder.path(name)).unwrap().sessions();
    assert_eq!(sessions("killed.db").unwrap().len(), 2);

    for store in ["new.db", "moved.db"] {
        lacking(Refused::SharedMemory, &format!("store merge {store} killed.db")).succeeded();
        reads(store);
    }
    for line in ["report moved.db", "store merge other.db moved.db"] {
        lacking(Refused::Locks, line).refuses("on a file system that refuses locks");
    }
}
