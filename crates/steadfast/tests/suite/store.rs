//! `steadfast store`, as a user would type it.

use std::fs;
use std::path::Path;

use crate::common::{MODEST, run, run_words};
use store::Store;
use tempfile::tempdir;

#[test]
fn stores_become_one_and_a_damaged_one_is_refused() {
    let directory = tempdir().unwrap();
    let place = |name: &str| directory.path().join(name).display().to_string();
    for (name, period) in [("a.db", "1ms"), ("b.db", "2ms")] {
        let line =
            format!("run wakeup --period {period} --seconds 0.02 {MODEST} --store {}", place(name));
        run(&line).succeeded();
    }
    let (out, a, b) = (place("out.db"), place("a.db"), place("b.db"));
    let merged = run(&format!("store merge {out} {a} {b}"));
    merged.succeeded();
    assert!(merged.stdout().ends_with("2 runs added, 0 already there.\n"));
    let again = run(&format!("store merge {out} {b}"));
    assert!(again.stdout().ends_with("0 runs added, 1 already there.\n"));
    let report = run(&format!("report {out} --json")).document();
    assert_eq!(report["runs"].as_array().map(Vec::len), Some(2));

    let before = fs::read(&out).unwrap();
    let mut bytes = fs::read(&b).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..].fill(0x55);
    fs::write(&b, bytes).unwrap();
    run(&format!("store merge {out} {a} {b}")).refuses("b.db");
    assert_eq!(fs::read(&out).unwrap(), before);
    let new = place("new.db");
    run(&format!("store merge {new} {a} {b}")).refuses("b.db");
    assert!(!directory.path().join("new.db").exists(), "nothing is created");
    run(&format!("store merge {new} {}", place("none.db"))).refuses("none.db");
    run("store merge out.db").refuses("STORE");
}

#[test]
fn the_same_samples_give_the_same_rows_and_other_rows_are_reported_and_fixed() {
    let directory = tempdir().unwrap();
    let store = directory.path().join("kept.db").display().to_string();
    for line in [
        "wakeup --seconds 0.2 --blame --threshold 1us --keep-samples",
        "tire --mode real-time --masses 40 --threads 1 --steps 120 --rate 1kHz --keep-samples",
        "clock_overhead",
    ] {
        run(&format!("run {line} {MODEST} --store {store}")).succeeded();
    }
    let recompute = |more: &str| run(&format!("store recompute {store} {more}"));
    let same = recompute("");
    same.succeeded();
    assert!(same.stdout().contains("2 unchanged, 0 changed, 0 not computed, 1 without samples"));

    // As an older program would have computed it.
    let mut older = Store::open(Path::new(&store)).unwrap();
    let run_id = older.run_ids(older.sessions().unwrap()[0].id).unwrap().remove(0);
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
    let mended = Store::open_existing(Path::new(&store)).unwrap();
    assert_eq!(mended.run(&run_id).unwrap().0, as_computed);

    let none = directory.path().join("none.db").display().to_string();
    run(&format!("run clock_overhead {MODEST} --store {none}"));
    run(&format!("store recompute {none}")).refuses("--keep-samples");
    run(&format!("store export {none} --samples --out {none}.d")).refuses("--keep-samples");
}

#[test]
fn samples_become_files_that_hold_every_value() {
    let directory = tempdir().unwrap();
    let place = |name: &str| directory.path().join(name).display().to_string();
    let store = place("kept.db");
    let line = "run wakeup --seconds 0.05 --keep-samples --beside";
    run(&format!("{line} {MODEST} --store {store}")).succeeded();
    for format in ["csv", "npy"] {
        let out = place(format);
        let line = format!("store export {store} --samples --format {format} --out {out}");
        run(&line).succeeded();
    }
    let kept = Store::open_existing(Path::new(&store)).unwrap();
    let run_id = kept.run_ids(kept.sessions().unwrap()[0].id).unwrap().remove(0);
    let (_, tracks) = kept.run(&run_id).unwrap();
    let (track, name) = (&tracks[0], tracks[0].name.replace(' ', "_"));
    let text = fs::read_to_string(place(&format!("csv/{run_id}.wakeup.0.{name}.csv"))).unwrap();
    let mut lines = text.lines();
    assert!(lines.next().unwrap().contains("\"t0_ns\""));
    assert_eq!(lines.next(), Some("period_index,woke_ns"));
    let woke: Vec<i64> = lines.map(|l| l.split(',').nth(1).unwrap().parse().unwrap()).collect();
    assert_eq!(woke, track.values("woke_ns"));
    let array = format!("npy/{run_id}.wakeup.0.{name}.woke_ns.npy");
    let array = fs::read(place(&array)).unwrap();
    let numbers = array[array.len() - 8 * woke.len()..].chunks(8);
    let numbers = numbers.map(|bytes| i64::from_le_bytes(bytes.try_into().unwrap()));
    assert_eq!(numbers.collect::<Vec<i64>>(), woke);
}

#[test]
fn a_title_and_a_note_go_from_the_command_line_to_the_page() {
    let directory = tempdir().unwrap();
    let place = |name: &str| directory.path().join(name).display().to_string();
    let (store, out) = (place("kept.db"), place("out"));
    let line = format!("run clock_overhead {MODEST} --beside --quiet --store {store}");
    let words = |words: &[&str]| run_words(&line, words);
    let made = words(&["--title", "Bench <tuned>", "--note", "With `isolcpus`."]);
    made.succeeded();
    assert!(made.stdout().contains("\nBench <tuned>: "), "{}", made.stdout());
    assert_eq!(made.stderr(), "", "no progress");

    let printed = run(&format!("store ls {store}")).stdout();
    assert!(printed.contains("Bench <tuned> (run)"), "{printed}");
    let printed = run(&format!("store show {store}")).stdout();
    assert!(printed.contains("\nWith `isolcpus`.\n"), "{printed}");

    let json = |line: &str| run(line).document();
    let listed = json(&format!("store ls {store} --json"));
    assert_eq!(listed["sessions"][0]["title"], "Bench <tuned>");
    let shown = json(&format!("store show {store} --json"));
    assert_eq!((&shown["session"], &shown["runs"][0]["valid"]), (&1.into(), &true.into()));

    let report = json(&format!("report {store} --json --out {out}"));
    assert_eq!(report["title"], "Bench <tuned>");
    assert_eq!(report["note"], "With `isolcpus`.");
    let page = fs::read_to_string(directory.path().join("out/report.html")).unwrap();
    assert!(page.contains("<h1>Bench &lt;tuned&gt;</h1>"), "{page}");
    assert!(page.contains("With `isolcpus`."));
    let later = run(&format!("report {store} --title later --out {out} --verbose --quiet"));
    later.refuses("--quiet");
    let later = run(&format!("report {store} --title later --out {out} --verbose"));
    assert!(later.stdout().ends_with(&format!("\nReport:  {out}/report.html\n")));
    let page = fs::read_to_string(directory.path().join("out/report.html")).unwrap();
    assert!(page.contains("<h1>later</h1>") && page.contains("With `isolcpus`."));

    words(&["--title", "two\nlines"]).refuses("--title");
    words(&["--note", &"a".repeat(1001)]).refuses("at most 1000 characters");
    words(&["--verbose"]).refuses("--verbose");
}
