//! Measurements of others on this machine, which no test has started.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

use rt::claim::{Claimant, Tense, claimants, in_words};
use rt::process::this;
use rt::thread::start_in;
use rt::{family, topology};
use testing::{measure_alone, skip};

/// Longest time that a test waits for measurements of others.
const PATIENCE: Duration = Duration::from_secs(300);
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// Returns the measurements that this test program has not started.
fn of_others() -> Vec<Claimant> {
    let mut found = claimants(&topology::online()).unwrap_or_default();
    if !found.is_empty() {
        let own = family::descendants(this());
        found.retain(|one| !own.iter().any(|process| Some(process.pid) == one.process));
    }
    found
}

/// Waits until nobody else measures, as long as a test may wait for that.
pub fn wait_for_others() {
    let give_up = Instant::now() + PATIENCE;
    while !of_others().is_empty() && Instant::now() < give_up {
        sleep(LOOK_EVERY);
    }
}

/// Runs a test that needs the machine for itself. If it fails, and others measured at the same time,
/// it is skipped with the reason.
pub fn unless_others_measure(test: impl FnOnce()) {
    measure_alone();
    wait_for_others();
    let has_ended = AtomicBool::new(false);
    let (seen, done) = scope(|scope| {
        let watcher = start_in(scope, "watcher", || {
            let mut seen = BTreeSet::new();
            while !has_ended.load(Ordering::Relaxed) {
                let others = of_others();
                seen.extend(
                    others.iter().map(|one| in_words(std::slice::from_ref(one), Tense::Past)),
                );
                sleep(LOOK_EVERY);
            }
            seen
        });
        let done = catch_unwind(AssertUnwindSafe(test));
        has_ended.store(true, Ordering::Relaxed);
        (watcher.unwrap().join().unwrap(), done)
    });
    let Err(why) = done else { return };
    match seen.into_iter().next() {
        Some(other) => skip(&format!("needs the machine for itself, but {other}")),
        None => resume_unwind(why),
    }
}
