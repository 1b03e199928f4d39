//! A folder of a test, in which the program runs.

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use record::{Outcome, RunSpec};
use rt::clock::unix_time;
use serde_json::Value;
use store::Store;
use tempfile::TempDir;
use testing::outcomes;
use testing_schema::Schema;

use super::{Done, steadfast, unmeasured};

/// A temporary folder, in which the program is run: lines name its files without a path.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        fs::write(self.path(name), contents).unwrap();
    }

    pub fn command(&self, line: &str) -> Command {
        let mut command = steadfast(line);
        command.current_dir(self.0.path());
        command
    }

    /// Runs a line that ends before anything is measured.
    pub fn run_unmeasured(&self, line: &str) -> Done {
        let mut command = unmeasured(line);
        command.current_dir(self.0.path());
        Done::of_unmeasured(command)
    }

    pub fn run(&self, line: &str) -> Done {
        Done::of(self.command(line))
    }

    pub fn run_words(
        &self,
        line: &str,
        words: impl IntoIterator<Item = impl AsRef<OsStr>>,
    ) -> Done {
        let mut command = self.command(line);
        command.args(words);
        Done::of(command)
    }

    /// Returns what the program prints; it must do everything that was requested.
    pub fn said(&self, line: &str) -> String {
        let done = self.run(line).succeeded();
        done.stdout()
    }

    /// Returns the report in a folder of results, checked against its schema.
    pub fn report(&self, out: &str) -> Value {
        let report = serde_json::from_str(&self.read(&format!("{out}/report.json"))).unwrap();
        Schema::named("report-2").assert(&report);
        report
    }

    /// Returns the store in the folder `out`.
    pub fn results(&self) -> Store {
        Store::open_existing(&self.path("out/results.db")).unwrap()
    }

    /// Returns the number of runs in a store that may still be filled, or not exist yet.
    pub fn saved(&self, store: &str) -> usize {
        let store = Store::open_existing(&self.path(store)).ok();
        store.and_then(|store| store.all_run_ids().ok()).map_or(0, |ids| ids.len())
    }

    /// Creates a store of that name, with one finished session of these runs, which are simulated.
    pub fn store(&self, name: &str, mut runs: Vec<Outcome>) {
        let bytes = name.bytes().map(u64::from);
        let first = bytes.fold(0, |sum: u64, byte| (sum * 31 + byte) % 1_000_000_007) * 1_000;
        for (run, number) in runs.iter_mut().zip(first..) {
            run.header.run_id = format!("01890000-0000-7000-8000-{number:012x}");
        }
        let plan: Vec<RunSpec> = runs.iter().map(|run| run.header.spec.clone()).collect();
        let mut store = Store::open(&self.path(&format!("{name}.db"))).unwrap();
        let session = store.begin_session("run", &plan, &outcomes::machine(), unix_time()).unwrap();
        for (place, run) in runs.iter().enumerate() {
            store.save(&session, place, run, &[]).unwrap();
        }
        store.finish_session(&session).unwrap();
    }
}

pub fn wakeups(worst_ns: f64) -> Vec<Outcome> {
    let policy = "fifo:80".parse().unwrap();
    let run = |place| {
        let usual = worst_ns / 10.0 * (1.0 + 0.01 * f64::from(place));
        outcomes::wakeup(policy, None, usual, worst_ns)
    };
    (0..5).map(run).collect()
}
