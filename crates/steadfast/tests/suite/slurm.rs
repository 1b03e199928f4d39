//! Campaigns on a real Slurm, if there is one (scripts/slurm-on-loopback starts one).

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::common::{eventually, kill, run, start_unheard, steadfast};
use record::Outcome;
use store::Store;
use tempfile::{TempDir, tempdir};
use testing::skip;

/// Returns the only node, for one test at a time; reports it if Slurm does not answer.
fn slurm() -> Option<MutexGuard<'static, ()>> {
    static NODE: Mutex<()> = Mutex::new(());
    let answered = Command::new("sinfo").stdin(Stdio::null()).output();
    if !answered.is_ok_and(|done| done.status.success()) {
        skip("needs a Slurm that answers (sinfo); scripts/slurm-on-loopback starts one");
        return None;
    }
    Some(NODE.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Returns six runs, and the line that makes Slurm execute them.
fn six() -> (TempDir, String) {
    let directory = tempdir().unwrap();
    let plan = directory.path().join("plan.toml");
    // What any user's job may request.
    let policy = if rt::sched::may_be_real_time() { "fifo:80" } else { "other" };
    let text = format!(
        "
        repeat = 2
        [[run]]
        measurement = \"wakeup\"
        policy = \"{policy}\"
        memory = \"unlocked\"
        idle-states = \"leave\"
        seconds = 0.02
        period = [\"1ms\", \"2ms\", \"3ms\"]
        "
    );
    fs::write(&plan, text).unwrap();
    let out = directory.path().join("out");
    let line = format!("campaign {} --slurm --out {}", plan.display(), out.display());
    (directory, line)
}

fn gathered(directory: &Path) -> Vec<Outcome> {
    let store = Store::open_existing(&directory.join("out/results.db")).unwrap();
    let sessions = store.sessions().unwrap();
    assert_eq!(sessions.len(), 1);
    store.outcomes(sessions[0].id).unwrap()
}

fn assert_all_six(outcomes: &[Outcome]) {
    let ids: BTreeSet<&str> = outcomes.iter().map(|o| o.header.run_id.as_str()).collect();
    assert_eq!((outcomes.len(), ids.len()), (6, 6));
    let mut periods: Vec<u64> =
        outcomes.iter().map(|o| o.header.spec.parameters.period().0 / 1_000_000).collect();
    periods.sort_unstable();
    assert_eq!(periods, [1, 1, 2, 2, 3, 3]);
}

#[test]
fn an_array_makes_every_run_and_its_results_are_gathered() {
    let Some(_node) = slurm() else { return };
    let (directory, line) = six();
    run(&line).succeeded();
    let outcomes = gathered(directory.path());
    assert_all_six(&outcomes);
    // A node belongs to one run at a time, so no run begins before the previous one has ended.
    let mut started: Vec<&Outcome> = outcomes.iter().collect();
    started.sort_by_key(|outcome| outcome.header.started_unix_ns);
    for pair in started.windows(2) {
        let [first, second] = [pair[0], pair[1]].map(|o| o.header.started_unix_ns);
        assert!(second - first >= pair[0].header.spec.asked.duration.0);
    }
    assert!(directory.path().join("out/report.html").exists());
}

#[test]
fn a_task_that_fails_is_named_and_made_by_the_same_command() {
    let Some(_node) = slurm() else { return };
    let (directory, line) = six();
    let tasks = directory.path().join("out/slurm");
    fs::create_dir_all(&tasks).unwrap();
    // The second task cannot write its results.
    let stone = tasks.join("2");
    fs::write(&stone, "").unwrap();
    let reported = run(&line).refuses("1 of 6 runs failed").stderr();
    let named = reported.lines().find(|line| line.starts_with("Run 2 (wakeup"));
    assert!(named.is_some_and(|line| line.contains("--out")), "{reported}");
    let before: Vec<Outcome> = gathered(directory.path());
    assert_eq!(before.len(), 5);

    fs::remove_file(&stone).unwrap();
    run(&line).succeeded();
    let all = gathered(directory.path());
    assert_all_six(&all);
    assert!(before.iter().all(|outcome| all.contains(outcome)));
}

#[test]
fn killed_while_it_waits_it_finds_its_tasks_again() {
    let Some(_node) = slurm() else { return };
    let (directory, line) = six();
    let mut waiting = start_unheard(steadfast(&line));
    let first_task = || {
        let tasks = fs::read_dir(directory.path().join("out/slurm"));
        let names = tasks.into_iter().flatten().flatten().map(|entry| entry.path());
        names.into_iter().any(|path| path.extension().is_some_and(|end| end == "log"))
    };
    eventually("the first task", first_task);
    kill(&mut waiting);
    run(&line).succeeded();
    assert_all_six(&gathered(directory.path()));
}
