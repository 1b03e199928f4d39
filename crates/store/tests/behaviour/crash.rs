//! What a store contains after a process was killed while it saved.

use rt::clock::unix_time;
use std::io::{BufRead, BufReader, Write, stdout};
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use store::Store;

use crate::other_process::{given_store, playing};
use crate::sample_data::{machine, outcome, place, plan, run_id, tracks};

const TEST: &str = "crash::a_killed_process_loses_no_saved_run";
const RUNS: usize = 2000;
const KILLS: u64 = 15;
const SAMPLES: usize = 3000;

#[test]
fn a_killed_process_loses_no_saved_run() {
    if let Some(path) = given_store() {
        return save_until_killed(&path);
    }
    let (_folder, path) = place();
    let mut saved = 0;
    for kill in 0..KILLS {
        // From before the first save into the fourth.
        let (saves, time) = (kill % 4, Duration::from_millis(kill * 37 % 50));
        saved = killed_after(&path, saves as usize, time).unwrap_or(saved);
        everything_is_there(&path, saved);
    }
    assert!(saved > 0, "no run was saved before a kill");
}

/// Continues a session in the other process, and prints which runs it has saved.
fn save_until_killed(path: &Path) {
    let mut store = Store::open(path).unwrap();
    let (plan, machine) = (plan(RUNS), machine());
    let resumed = store.resumable("crash", &plan, &machine).unwrap();
    let session = resumed
        .unwrap_or_else(|| store.begin_session("crash", &plan, &machine, unix_time()).unwrap());
    for ordinal in session.done.len()..RUNS {
        store.save(&session, ordinal, &outcome(ordinal), &tracks(ordinal, SAMPLES)).unwrap();
        println!("\nsaved {}", ordinal + 1);
        stdout().flush().unwrap();
    }
}

/// Lets the other process work for some time after its first `saves`; returns the number of runs
/// that it reported as saved in total.
fn killed_after(path: &Path, saves: usize, time: Duration) -> Option<usize> {
    let mut child = playing(TEST, path).stdout(Stdio::piped()).spawn().unwrap();
    let mut saved = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .filter_map(|line| line.unwrap().strip_prefix("saved ")?.parse().ok());
    let before = saved.by_ref().take(saves).last();
    thread::sleep(time);
    child.kill().unwrap();
    child.wait().unwrap();
    saved.last().or(before)
}

fn everything_is_there(path: &Path, acknowledged: usize) {
    let store = Store::open(path).unwrap();
    let sessions = store.sessions().unwrap();
    let Some(session) = sessions.last() else {
        return assert_eq!(acknowledged, 0);
    };
    assert_eq!(sessions.len(), 1);
    let outcomes = store.outcomes(session.id).unwrap();
    assert!(outcomes.len() >= acknowledged);
    for (ordinal, read) in outcomes.iter().enumerate() {
        assert_eq!(*read, outcome(ordinal));
        let samples = store.run(&run_id(ordinal)).unwrap().1;
        assert_eq!(samples, tracks(ordinal, SAMPLES));
    }
}
