//! How a store behaves when the disk is full.

use rt::clock::unix_time;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::Command;

use store::{Problem, Session, Store, StoreError};
use testing::skip;

use crate::other_process::{given_store, play};
use crate::sample_data::{machine, outcome, plan, tracks};

const RUNS: usize = 1000;

/// Runs a test of this binary in a separate mount namespace, in which it may mount, and with which
/// its mounts disappear.
fn in_own_namespace(test: &str) {
    let directory = tempfile::tempdir().unwrap();
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--mount", "--"]).arg(std::env::current_exe().unwrap());
    play(&mut command, test, &directory.path().join("r.db"));
    match command.output() {
        Ok(output) if output.status.success() => {
            print!("{}", String::from_utf8_lossy(&output.stdout));
        }
        Ok(output) if String::from_utf8_lossy(&output.stderr).starts_with("unshare:") => {
            skip("this machine grants no mount namespace");
        }
        Ok(output) => panic!("{}", String::from_utf8_lossy(&output.stdout)),
        Err(error) => skip(&format!("unshare cannot be started: {error}")),
    }
}

/// Mounts a small disk over the store's directory; returns false if that is refused.
fn mount_over(path: &Path, size: &str) -> bool {
    let mut mount = Command::new("mount");
    mount.args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"]).arg(path.parent().unwrap());
    let is_mounted = mount.status().is_ok_and(|status| status.success());
    if !is_mounted {
        skip("a tmpfs cannot be mounted here");
    }
    is_mounted
}

/// Saves runs until the disk is full; returns how many were saved.
fn save_until_full(store: &mut Store, session: &Session) -> (usize, StoreError) {
    for ordinal in 0..RUNS {
        let tracks = tracks(ordinal, 5000);
        if let Err(error) = store.save(session, ordinal, &outcome(ordinal), &tracks) {
            return (ordinal, error);
        }
    }
    panic!("the disk did not fill");
}

fn fill(path: &Path) {
    let mut file = File::create(path.with_extension("filler")).unwrap();
    while file.write_all(&[1; 4096]).is_ok() {}
}

fn assert_saved(store: &Store, session: &Session, saved: usize) {
    let outcomes = store.outcomes(session.id).unwrap();
    assert_eq!(outcomes, (0..saved).map(outcome).collect::<Vec<_>>());
}

#[test]
fn a_full_disk_loses_no_saved_run() {
    let Some(path) = given_store() else {
        return in_own_namespace("full_disk::a_full_disk_loses_no_saved_run");
    };
    if !mount_over(&path, "2m") {
        return;
    }
    let reserve = path.with_extension("reserve");
    fs::write(&reserve, vec![1; 500_000]).unwrap();
    let mut store = Store::open(&path).unwrap();
    let session = store.begin_session("t", &plan(RUNS), &machine(), unix_time()).unwrap();
    let (saved, error) = save_until_full(&mut store, &session);
    assert!(matches!(error.problem, Problem::DiskFull), "{error}");
    assert!(saved > 0);
    assert_saved(&store, &session, saved);
    drop(store);

    fill(&path);
    let full = Store::open_existing(&path).unwrap();
    assert_saved(&full, &session, saved);
    drop(full);

    fs::remove_file(reserve).unwrap();
    let mut store = Store::open(&path).unwrap();
    assert_saved(&store, &session, saved);
    store.save(&session, saved, &outcome(saved), &[]).unwrap();
    assert_saved(&store, &session, saved + 1);
}

#[test]
fn a_store_is_not_created_on_a_full_disk() {
    let Some(path) = given_store() else {
        return in_own_namespace("full_disk::a_store_is_not_created_on_a_full_disk");
    };
    if !mount_over(&path, "64k") {
        return;
    }
    fill(&path);
    let error = Store::open(&path).unwrap_err();
    assert!(matches!(error.problem, Problem::DiskFull), "{error}");
}
