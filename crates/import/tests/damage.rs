//! Damaged and unknown files: one line, or a valid run.

use std::fs;
use std::path::PathBuf;

use import::{Origin, Unit};
use record::Outcome;
use testing::Odd;

/// How often each file is damaged.
const TIMES: u64 = 500;

fn files() -> Vec<PathBuf> {
    let folder = format!("{}/tests/files", env!("CARGO_MANIFEST_DIR"));
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_none_or(|kind| kind != "md")).collect();
    files.sort();
    files
}

fn import(bytes: &[u8]) -> Result<Outcome, String> {
    let origin = Origin {
        file: "file".to_owned(),
        machine: None,
        unit: Unit::Microseconds,
        now_unix_ns: 1,
        program_version: "0".to_owned(),
    };
    import::outcome(bytes, &origin).map_err(|flaw| flaw.to_string())
}

#[test]
fn a_damaged_file_gives_one_line_or_a_run() {
    for path in files() {
        let whole = fs::read(&path).unwrap();
        for case in 0..TIMES {
            let mut bytes = whole.clone();
            Odd::of(62, case).bytes(&mut bytes);
            let place = format!("{}, case {case}", path.display());
            match import(&bytes) {
                Ok(run) => assert!(!run.rows.is_empty() && run.is_valid(), "{place}"),
                Err(why) => {
                    let is_line = !why.contains(|sign: char| sign.is_control());
                    assert!(is_line && why.len() < 300, "{place}: {why}");
                }
            }
        }
    }
}

#[test]
fn an_unknown_file_is_described_with_the_known_tools() {
    for (bytes, found) in [
        (&b""[..], "it is empty"),
        (b" \n", "it is empty"),
        (b"\xff\xfe", "it is not text"),
        (b"hello\nworld", "text that begins with `hello`"),
        (b"{\"runs\": [], \"b\": 1}", "JSON with"),
        (b"{\"runs\"", "not valid JSON"),
        (b"{\"file_version\": 1, \"cmdline:\": \"pmqtest -q\"}", "JSON with"),
    ] {
        let why = import(bytes).unwrap_err();
        assert!(why.contains(found), "{why}");
        let is_unknown = why.contains("known tools");
        assert_eq!(is_unknown, !why.contains("it is empty") && !why.contains("not "), "{why}");
    }
    let why = import(b"text").unwrap_err();
    assert!(why.ends_with("cyclictest") || why.contains("cyclictest, "), "{why}");
}

#[test]
fn every_format_has_a_file() {
    let runs: Vec<Outcome> =
        files().iter().filter_map(|path| import(&fs::read(path).unwrap()).ok()).collect();
    assert_eq!(runs.len(), files().len());
    for format in import::FORMATS {
        let is_of = |run: &Outcome| {
            run.header.spec.imported.as_ref().unwrap().tool.starts_with(format.tool)
        };
        assert!(runs.iter().any(is_of), "{}", format.tool);
    }
}
