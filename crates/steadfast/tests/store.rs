//! `steadfast store merge`, as a person would type it.

mod common;

use std::fs;

use common::{MODEST, run};
use serde_json::Value;
use tempfile::tempdir;

#[test]
fn stores_become_one_and_a_damaged_one_is_refused() {
    let directory = tempdir().unwrap();
    let place = |name: &str| directory.path().join(name).display().to_string();
    for (name, period) in [("a.db", "1ms"), ("b.db", "2ms")] {
        let line = format!(
            "run wakeup --period {period} --seconds 0.02 {MODEST} --store {}",
            place(name)
        );
        assert_eq!(run(&line).code(), 0);
    }
    let (out, a, b) = (place("out.db"), place("a.db"), place("b.db"));
    let merged = run(&format!("store merge {out} {a} {b}"));
    assert_eq!(merged.code(), 0, "{}", merged.stderr());
    assert!(
        merged
            .stdout()
            .ends_with("2 runs added, 0 were there before.\n")
    );
    let again = run(&format!("store merge {out} {b}"));
    assert!(
        again
            .stdout()
            .ends_with("0 runs added, 1 were there before.\n")
    );
    let report: Value =
        serde_json::from_str(&run(&format!("report {out} --json")).stdout()).unwrap();
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
    assert!(
        !directory.path().join("new.db").exists(),
        "nothing is created"
    );
    run(&format!("store merge {new} {}", place("none.db"))).refuses("none.db");
    run("store merge out.db").refuses("STORE");
}
