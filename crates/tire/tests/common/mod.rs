//! Runs tires, each worker in a separate thread.

#![allow(clippy::disallowed_methods, reason = "a test may end where no thread can be started")]
#![allow(dead_code, reason = "not every test needs all of it")]

use tire::{Setup, State, Stopped, Worker};

/// Runs a tire, checks its state and returns it.
pub fn run(setup: &Setup, steps: u64) -> State {
    gather(setup, |worker| worker.run(steps))
}

pub fn hash(setup: &Setup, steps: u64) -> u64 {
    run(setup, steps).hash()
}

pub fn hash_of_single_steps(setup: &Setup, steps: u64) -> u64 {
    gather(setup, |worker| (0..steps).try_for_each(|_| worker.step(&mut ()))).hash()
}

fn gather(setup: &Setup, work: impl Fn(&mut Worker) -> Result<(), Stopped> + Sync) -> State {
    let workers = tire::prepare(setup).unwrap();
    let workers: Vec<Worker> = std::thread::scope(|scope| {
        let work = &work;
        let run = |mut worker: Worker| {
            scope.spawn(move || {
                work(&mut worker).unwrap();
                worker
            })
        };
        let threads: Vec<_> = workers.into_iter().map(run).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let state = State::gather(&workers);
    state.check().unwrap();
    state
}
