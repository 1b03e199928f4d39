//! Certificates that were altered at random, with hashes that fit again: each alteration is found, or is one that
//! nothing in a certificate can show.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use lab::sha256;
use record::{Outcome, Track, Warning};
use serde_json::{Value, json};
use stats::Distribution;
use tempfile::{TempDir, tempdir};
use testing::{Odd, try_odd};

use super::folder::{self, BADGE, JSON, PAGE, SIGNATURE, STORE, SUMS};
use super::stated::Stated;
use super::tests::{measured_by, store};
use super::verify::Checked;
use store::Store;

/// What can be altered without a contradiction: places of a run, where `*` is any element of a list, and the words of
/// the manual for them (`docs/certificate.md`).
const UNSEEN: [(&str, &str); 21] = [
    (".header.machine", "the machine and its settings"),
    (".found.system", "the machine and its settings"),
    (".found.cpus", "interrupts, stolen time and other counters"),
    (".found.threads", "interrupts, stolen time and other counters"),
    (".found.others", "interrupts, stolen time and other counters"),
    (".found.knobs", "the machine and its settings"),
    (".found.self_test", "the state of the self-test and of the audit"),
    (".found.audit", "the state of the self-test and of the audit"),
    (".header.started_unix_ns", "dates, names of runs, and the version of Steadfast"),
    (".header.run_id", "dates, names of runs, and the version of Steadfast"),
    (".header.tool_version", "dates, names of runs, and the version of Steadfast"),
    (".warnings", "warnings that do not follow from the conditions"),
    (".header.spec.parameters.timer", TRACELESS),
    (".header.spec.asked.duration_ns", "the requested duration, within a period"),
    (".header.spec.asked.beside", TRACELESS),
    (".header.spec.asked.cpu_dma_latency", TRACELESS),
    (".header.spec.asked.memory_lock", TRACELESS),
    (".header.spec.without", TRACELESS),
    (".header.spec.experiment", TRACELESS),
    (".samples", "samples from which the same figures follow"),
    ("text of results.db", "bytes of `results.db` that no table uses"),
];
const TRACELESS: &str = "requests that leave no trace in conditions and samples";

type Runs = Vec<(Outcome, Vec<Track>)>;

/// Alters the results or the folder; returns what was altered.
enum Alteration {
    Results(fn(&mut Odd, &mut Runs) -> String),
    Folder(fn(&mut Odd, &Path) -> String),
}

const ALTERATIONS: [Alteration; 6] = [
    Alteration::Results(conditions),
    Alteration::Results(figures),
    Alteration::Results(samples),
    Alteration::Folder(texts),
    Alteration::Folder(names),
    Alteration::Folder(list),
];

fn valid(line: &str, run_id: &str) -> (Outcome, Vec<Track>) {
    let (run, samples) = measured_by(line, run_id);
    (Outcome { warnings: vec![Warning::NiceInherited { nice: 5 }], ..run }, samples)
}

/// Makes the certificate of these runs as a forger would: with pages and hashes that follow from them.
fn forged(runs: &Runs) -> TempDir {
    let place = tempdir().unwrap();
    let from = store(place.path(), runs);
    fs::rename(from, place.path().join(STORE)).unwrap();
    let stated = Stated::of(&Store::open_existing(&place.path().join(STORE)).unwrap());
    folder::write(place.path(), &stated.unwrap()).unwrap();
    place
}

fn is_found(place: &Path) -> bool {
    Checked::of(place, None).map_or(true, |checked| checked.problem.is_some())
}

/// Returns where two values differ first, and how.
fn difference(before: &Value, now: &Value) -> Option<String> {
    let at = |name: &str, rest: String| Some(format!(".{name}{rest}"));
    match (before, now) {
        (Value::Object(before), Value::Object(now)) => {
            let names = before.keys().chain(now.keys());
            let mut differing = names.filter_map(|name| {
                let [before, now] = [before, now].map(|fields| fields.get(name));
                let [before, now] = [before, now].map(|value| value.unwrap_or(&Value::Null));
                at(name, difference(before, now)?)
            });
            differing.next()
        }
        (Value::Array(before), Value::Array(now)) if before.len() == now.len() => {
            let mut differing = before.iter().zip(now).filter_map(|(b, n)| difference(b, n));
            at("*", differing.next()?)
        }
        _ => (before != now).then(|| format!(": {before}, now {now}")),
    }
}

fn conditions(odd: &mut Odd, runs: &mut Runs) -> String {
    let place = odd.below(runs.len());
    let run = &mut runs[place].0;
    let parts = |run: &Outcome| json!({ "header": run.header, "found": run.found, "warnings": run.warnings });
    let before = parts(run);
    loop {
        match odd.below(6) {
            0..=2 => odd.part(&mut run.header.spec),
            3 => odd.part(&mut run.header),
            4 => odd.part(&mut run.found),
            _ => odd.part(&mut run.warnings),
        }
        if let Some(place) = difference(&before, &parts(run)) {
            return place;
        }
    }
}

fn figures(odd: &mut Odd, runs: &mut Runs) -> String {
    let place = odd.below(runs.len());
    let rows = &mut runs[place].0.rows;
    let at = odd.below(rows.len());
    let before = rows.clone();
    loop {
        let row = &mut rows[at];
        match odd.below(7) {
            0 => row.label = odd.text(&row.label),
            1 => row.unavailable = Some(odd.text("needs")),
            2 => row.due = odd.number(row.due as i64) as u64,
            3 => row.executed = odd.number(row.executed as i64) as u64,
            4 => row.skipped = odd.number(row.skipped as i64) as u64,
            5 => row.latency = Distribution::of(row.latency.iter().map(|known| known.max)),
            _ => odd.part(&mut row.facts),
        }
        if *rows != before {
            return ".rows".to_owned();
        }
    }
}

fn samples(odd: &mut Odd, runs: &mut Runs) -> String {
    let place = odd.below(runs.len());
    let tracks = &mut runs[place].1;
    let before = tracks.clone();
    loop {
        let at = odd.below(tracks.len());
        let track = &mut tracks[at];
        let column = odd.below(track.columns.len());
        match odd.below(4) {
            0 => odd.part(&mut track.attributes),
            1 => track.name = odd.text(&track.name),
            2 => drop(track.columns[column].values.pop()),
            _ => {
                let values = &mut track.columns[column].values;
                let at = odd.below(values.len());
                values[at] = odd.number(values[at]);
            }
        }
        if *tracks != before {
            return ".samples".to_owned();
        }
    }
}

/// Writes the list of the files that are there now, as `sha256sum` would.
fn list_again(place: &Path) {
    let names = fs::read_dir(place).unwrap().map(|entry| entry.unwrap().file_name());
    let names = names.map(|name| name.into_string().unwrap());
    let hash = |name: String| Some((sha256(&fs::read(place.join(&name)).ok()?), name));
    let listed: BTreeMap<String, String> = names
        .filter(|name| name != SUMS && name != SIGNATURE)
        .filter_map(|name| hash(name).map(|(hash, name)| (name, hash)))
        .collect();
    let lines: String = listed.iter().map(|(name, hash)| format!("{hash}  {name}\n")).collect();
    fs::write(place.join(SUMS), lines).unwrap();
}

fn texts(odd: &mut Odd, place: &Path) -> String {
    let file = *odd.one_of(&[PAGE, BADGE, JSON, STORE]);
    let before = fs::read(place.join(file)).unwrap();
    let now = changed(odd, &before);
    fs::write(place.join(file), now).unwrap();
    list_again(place);
    format!("text of {file}")
}

fn changed(odd: &mut Odd, before: &[u8]) -> Vec<u8> {
    loop {
        let now = odd.input(&[before.to_vec()], 2 * before.len());
        if now != before {
            return now;
        }
    }
}

fn names(odd: &mut Odd, place: &Path) -> String {
    let file = *odd.one_of(&[PAGE, BADGE, JSON, STORE, SUMS]);
    let (from, other) = (place.join(file), place.join(other_name(odd, file)));
    match odd.below(5) {
        0 => fs::rename(&from, &other).unwrap(),
        1 => drop(fs::copy(&from, &other).unwrap()),
        2 => fs::remove_file(&from).unwrap(),
        3 => {
            fs::rename(&from, &other).unwrap();
            symlink(&other, &from).unwrap();
        }
        _ => fs::create_dir(&other).unwrap(),
    }
    if file != SUMS {
        list_again(place);
    }
    format!("name of {file}")
}

/// Returns a name that no file of a certificate has, beside or below its folder.
fn other_name(odd: &mut Odd, file: &str) -> String {
    match odd.below(6) {
        0 => file.to_lowercase() + "~",
        1 => format!("{file} "),
        2 => format!(".{file}"),
        3 => "results.db-wal".to_owned(),
        4 => "index.html".to_owned(),
        _ => format!("{}{file}", odd.below(1000)),
    }
}

fn list(odd: &mut Odd, place: &Path) -> String {
    let path = place.join(SUMS);
    let text = fs::read_to_string(&path).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = odd.below(lines.len());
    match odd.below(8) {
        0 => lines.swap(at, (at + 1) % text.lines().count()),
        1 => lines.push(lines[at].clone()),
        2 => drop(lines.remove(at)),
        3 => lines[at] = lines[at].replacen("  ", " *", 1),
        4 => lines[at] = lines[at].replacen("  ", "  ./", 1),
        5 => lines[at].push('\r'),
        6 => lines.insert(at, "# sums".to_owned()),
        _ => {
            let changed = changed(odd, text.as_bytes());
            fs::write(path, changed).unwrap();
            return "list".to_owned();
        }
    }
    fs::write(path, lines.join("\n") + "\n").unwrap();
    "list".to_owned()
}

/// Makes a copy of a certificate.
fn copied(from: &Path) -> TempDir {
    let to = tempdir().unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.path().join(entry.file_name())).unwrap();
    }
    to
}

#[test]
fn what_is_altered_is_found_or_is_known_to_be_unseen() {
    let runs = vec![
        valid("clock_overhead --seconds 0.02", "one"),
        valid("wakeup --seconds 0.05 --period 1ms", "two"),
    ];
    assert!(runs.iter().all(|(run, _)| run.is_valid()), "the conditions of others are not checked");
    let whole = forged(&runs);
    assert!(!is_found(whole.path()), "nothing was altered");
    let mut unseen: BTreeMap<String, usize> = BTreeMap::new();
    let mut tried = 0;
    try_odd(60, |odd| {
        tried += 1;
        let (place, what) = match odd.one_of(&ALTERATIONS) {
            Alteration::Results(alter) => {
                let mut runs = runs.clone();
                let what = alter(odd, &mut runs);
                (forged(&runs), what)
            }
            Alteration::Folder(alter) => {
                let place = copied(whole.path());
                let what = alter(odd, place.path());
                (place, what)
            }
        };
        if !is_found(place.path()) {
            *unseen.entry(what).or_default() += 1;
        }
    });
    println!("{tried} altered, {} unseen: {unseen:?}", unseen.values().sum::<usize>());
    let is_known = |what: &&String| UNSEEN.iter().any(|(place, _)| what.starts_with(place));
    let strange: Vec<&String> = unseen.keys().filter(|what| !is_known(what)).collect();
    assert!(strange.is_empty(), "{strange:?}");
}

#[test]
fn the_manual_lists_what_cannot_be_found() {
    let manual = fs::read_to_string(testing::manual::project().join("docs/certificate.md"));
    let manual = manual.unwrap();
    for (place, words) in UNSEEN {
        assert!(manual.contains(&format!("- {words}")), "{place}: {words}");
    }
}
