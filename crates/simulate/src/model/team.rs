//! The threads that step a model.

use base::CpuSet;
use bench::measuring_thread::MeasuringThread;
use bench::{Abort, Bench};
use record::Track;

use super::{Model, Part, Stop};

pub(crate) type Stepped<Part, Stamps> = Result<(Part, Stamps), Stop>;

/// Runs a thread for each part of a model, on the requested CPUs in rotation, and returns their
/// tracks, then the track of the model's final state.
///
/// `prepare` creates the measured loop of a thread's part, on the thread's own CPU.
pub(crate) fn run<M: Model, W, Stamps>(
    bench: &Bench,
    model: &mut M,
    prepare: impl Fn(usize, M::Part) -> W + Sync,
) -> Result<Vec<Track>, Abort>
where
    W: FnOnce(u64) -> Stepped<M::Part, Stamps>,
    Stamps: Into<Track> + Send,
{
    let measuring = measuring(bench, model, &prepare)?;
    let mut parts = Vec::new();
    let mut tracks = Vec::new();
    let all = results(bench, bench.run(measuring)?)?;
    for (thread, (part, stamps)) in all.into_iter().enumerate() {
        let name = name(thread);
        tracks.push(part.onto(Track { name, ..stamps.into() }));
        parts.push(part);
    }
    tracks.push(model.state(parts)?);
    Ok(tracks)
}

pub(super) fn measuring<'a, M, W, R>(
    bench: &Bench,
    model: &mut M,
    prepare: &'a (impl Fn(usize, M::Part) -> W + Sync),
) -> Result<Vec<MeasuringThread<'a, Result<R, Stop>>>, Abort>
where
    M: Model,
    M::Part: 'a,
    W: FnOnce(u64) -> Result<R, Stop> + 'a,
{
    let parts = model.parts()?.into_iter().enumerate();
    let thread = |(thread, mut part): (usize, M::Part)| {
        let (cpu, policy) = model.conditions(bench, thread);
        MeasuringThread::prepared(CpuSet::one(cpu), policy, name(thread), move || {
            let settled = part.initialise(&[]).and_then(|()| part.settle());
            let steps = prepare(thread, part);
            move |start| settled.and_then(|()| steps(start))
        })
    };
    Ok(parts.map(thread).collect())
}

/// Returns the results of all threads, or ends the run without any.
pub(super) fn results<R>(bench: &Bench, stepped: Vec<Result<R, Stop>>) -> Result<Vec<R>, Abort> {
    in_order(stepped).map_err(|stop| match stop {
        Stop::Failed(why) => {
            bench.warn([*why]);
            Abort::Conditions
        }
        Stop::Others => Abort::Failed(ALONE.to_owned()),
    })
}

/// A pattern that matches the names of all threads that step a model.
pub const MODEL_THREADS: &str = "model *";

pub(crate) fn name(thread: usize) -> String {
    format!("model {thread}")
}

/// Returns the results of all threads, or, if some have none, the first error with a cause.
fn in_order<T>(stepped: Vec<Result<T, Stop>>) -> Result<Vec<T>, Stop> {
    let has_cause = |result: &Result<T, Stop>| matches!(result, Err(Stop::Failed(_)));
    let (failed, others): (Vec<_>, Vec<_>) = stepped.into_iter().partition(has_cause);
    failed.into_iter().chain(others).collect()
}

/// The error of a thread that waits for threads that have ended.
pub(crate) const ALONE: &str = "a solver thread ended before the others";
