//! The solver threads of a tire.

use plan::{Track, fact};
use tire::{Setup, State, Stopped, Worker};
use units::CpuSet;

use super::{setup, with_flag};
use crate::measuring_thread::MeasuringThread;
use crate::{Abort, Bench};

/// What a solver thread brings back: its part of the tire, and its stamps.
pub(super) type Stepped<Stamps> = Result<(Worker, Stamps), Stopped>;

/// Runs a solver thread for each worker, on the CPUs asked for in turn, and
/// returns their tracks, then that of the tire's last state.
///
/// `prepare` makes the measured loop of a worker, on the worker's own CPU, given the
/// thread's number.
pub(super) fn run<W, Stamps>(
    bench: &Bench,
    prepare: impl Fn(usize, Worker) -> W + Sync,
) -> Result<Vec<Track>, Abort>
where
    W: FnOnce(u64) -> Stepped<Stamps>,
    Stamps: Into<Track> + Send,
{
    let setup = setup(&bench.spec).map_err(Abort::Failed)?;
    let workers = tire::prepare(&setup).map_err(|error| Abort::Failed(with_flag(&error)))?;
    let start_energy = State::gather(&workers).energy();
    let prepare = &prepare;
    let measuring = workers
        .into_iter()
        .enumerate()
        .map(|(thread, worker)| {
            let cpu = CpuSet::one(bench.cpu(thread));
            let policy = bench.spec.asked.policy;
            MeasuringThread::prepared(cpu, policy, name(thread), move || prepare(thread, worker))
        })
        .collect();
    let mut workers = Vec::new();
    let mut tracks = Vec::new();
    for (thread, stepped) in bench.run(measuring)?.into_iter().enumerate() {
        let (worker, stamps) = stepped.map_err(stopped)?;
        workers.push(worker);
        let name = name(thread);
        tracks.push(Track {
            name,
            ..stamps.into()
        });
    }
    tracks.push(last_state(&setup, &workers, start_energy)?);
    Ok(tracks)
}

pub(super) fn name(thread: usize) -> String {
    format!("solver {thread}")
}

/// A thread's solver stopped because another thread's did.
fn stopped(_: Stopped) -> Abort {
    Abort::Failed("a solver thread ended before the others".to_owned())
}

/// The tire's last state: its hash, or an error where it is no result, or not the
/// one that another solver comes to.
fn last_state(setup: &Setup, workers: &[Worker], start_energy: f64) -> Result<Track, Abort> {
    let state = State::gather(workers);
    state.check().map_err(|error| {
        Abort::Failed(format!(
            "the simulation went wrong, its time means nothing: {error}"
        ))
    })?;
    let is_exact = setup.solver.is_exact(setup.threads);
    if is_exact && state.hash() != expected_hash(setup, workers[0].steps())? {
        return Err(Abort::Failed(format!(
            "the {} solver came to a wrong state, its time means nothing",
            setup.solver.name()
        )));
    }
    Ok(Track::new("state")
        .with("hash", format!("{:016x}", state.hash()))
        .with(&fact::ENERGY_SHARE, state.energy() / start_energy)
        .with(&fact::IS_EXACT, is_exact))
}

/// The hash of the same tire after so many steps, by another exact solver on one
/// thread: the fastest that can, since it takes all steps too.
///
/// So `simd` and `fused` check each other, which share their inner loop. It is held
/// against the other solvers' wherever one of these is run.
fn expected_hash(setup: &Setup, steps: u64) -> Result<u64, Abort> {
    let others = ["simd", "fused", "barrier", "semaphore-exact"].into_iter();
    let tire = |solver| Setup {
        solver,
        threads: 1,
        ..setup.clone()
    };
    let mut workers = others
        .filter(|name| *name != setup.solver.name())
        .filter_map(|name| tire::solver(name).ok())
        .find_map(|solver| tire::prepare(&tire(solver)).ok())
        .ok_or_else(|| Abort::Failed("no other solver can check the result".to_owned()))?;
    for worker in &mut workers {
        worker.run(steps).map_err(stopped)?;
    }
    Ok(State::gather(&workers).hash())
}
