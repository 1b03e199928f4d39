//! Stores of simulated runs, so that nothing is measured.

use std::path::{Path, PathBuf};

use plan::{Outcome, RunSpec};
use store::Store;
use testing::outcomes;

use super::{Done, steadfast};

/// Creates a store with that name in the folder, with one finished session of these runs.
pub fn store(folder: &Path, name: &str, mut runs: Vec<Outcome>) -> PathBuf {
    let path = folder.join(format!("{name}.db"));
    let name = name.bytes().map(u64::from);
    let first = name.fold(0, |sum: u64, byte| (sum * 31 + byte) % 1_000_000_007) * 1_000;
    for (run, number) in runs.iter_mut().zip(first..) {
        run.header.run_id = format!("01890000-0000-7000-8000-{number:012x}");
    }
    let plan: Vec<RunSpec> = runs.iter().map(|run| run.header.spec.clone()).collect();
    let mut store = Store::open(&path).unwrap();
    let session = store.begin_session("run", &plan, &outcomes::machine());
    let session = session.unwrap();
    for (place, run) in runs.iter().enumerate() {
        store.save(&session, place, run, &[]).unwrap();
    }
    store.finish_session(&session).unwrap();
    path
}

/// Returns some runs of a periodic thread that differ a little.
pub fn wakeups(worst_ns: f64) -> Vec<Outcome> {
    let policy = "fifo:80".parse().unwrap();
    let run = |place| {
        let usual = worst_ns / 10.0 * (1.0 + 0.01 * f64::from(place));
        outcomes::wakeup(policy, None, usual, worst_ns)
    };
    (0..5).map(run).collect()
}

/// Returns the number of runs in a store that may still be filled, or not exist yet.
pub fn saved(store: &Path) -> usize {
    let ids = Store::open_existing(store).ok().and_then(|store| store.all_run_ids().ok());
    ids.map_or(0, |ids| ids.len())
}

/// Runs the program in a folder.
pub fn done(folder: &Path, line: &str) -> Done {
    let mut command = steadfast(line);
    command.current_dir(folder);
    Done::of(command)
}

/// Returns what the program prints there; it must do everything that was requested.
pub fn said(folder: &Path, line: &str) -> String {
    let done = done(folder, line);
    done.succeeded();
    done.stdout()
}
