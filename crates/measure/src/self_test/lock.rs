//! Disturbance: a thread of lower priority holds a lock for too long.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use blame::Cause;
use record::Asked;
use rt::lock::{Lock, LockKind, Semaphore};
use rt::{clock, sched, thread};

use super::disturbance::{Disturbance, Log, Notes, Within};
use super::timing::{LENGTH_NS, events_of};

/// Name of the lock in the evidence.
pub(super) const ON: &str = "lock";

pub(super) const LOCK_HELD: Disturbance = Disturbance {
    name: "lock",
    what: "a thread of lower priority holds a lock that the loop wants",
    cause: "its own waiting for the lock",
    is_cause: |found| matches!(found, Cause::Blocking { on } if on == ON),
    within: waits,
    ..Disturbance::NONE
};

fn waits(asked: &Asked) -> io::Result<Box<dyn Within>> {
    let shared = Arc::new(Shared {
        lock: LockKind::Mutex.create(0)?,
        wanted: Semaphore::new(0)?,
        held: Semaphore::new(0)?,
        ends: AtomicBool::new(false),
    });
    let (its, asked) = (shared.clone(), asked.clone());
    let holder = thread::start("holder", move || its.hold(&asked))?;
    Ok(Box::new(Waits { shared, holder: Some(holder) }))
}

struct Shared {
    lock: Box<dyn Lock>,
    wanted: Semaphore,
    held: Semaphore,
    ends: AtomicBool,
}

impl Shared {
    /// Holds the lock for the known time whenever it is requested.
    fn hold(&self, asked: &Asked) -> Log {
        let mut log = Log::with_capacity(events_of(asked));
        // A holder on another CPU, or with another priority, holds the lock just as well.
        let _ = sched::set_affinity(&asked.cpus);
        let _ = sched::set_policy(asked.policy.lowered(1).unwrap_or(asked.policy));
        loop {
            self.wanted.wait();
            if self.ends.load(Ordering::Acquire) {
                return log;
            }
            self.lock.lock(u64::MAX);
            let from = clock::now();
            self.held.post();
            clock::sleep_until(from + LENGTH_NS);
            log.push(from, clock::now());
            self.lock.unlock();
        }
    }
}

struct Waits {
    shared: Arc<Shared>,
    holder: Option<JoinHandle<Log>>,
}

impl Waits {
    fn ended(&mut self) -> Option<Log> {
        self.shared.ends.store(true, Ordering::Release);
        self.shared.wanted.post();
        self.holder.take()?.join().ok()
    }
}

impl Within for Waits {
    fn disturb(&mut self, _: u64, notes: &mut Notes) {
        self.shared.wanted.post();
        // Until the holder has the lock, the loop waits for the holder too.
        let from = clock::now();
        self.shared.held.wait();
        self.shared.lock.lock(u64::MAX);
        notes.waited.push(from, clock::now());
        self.shared.lock.unlock();
    }

    fn end(&mut self, notes: &mut Notes) {
        if let Some(log) = self.ended() {
            notes.injected = log;
        }
    }
}

impl Drop for Waits {
    fn drop(&mut self) {
        self.ended();
    }
}
