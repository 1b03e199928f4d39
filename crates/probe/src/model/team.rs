//! The threads that step a model.

use plan::Track;
use rt::sync::Stopped;
use units::CpuSet;

use super::{Model, Part};
use crate::measuring_thread::MeasuringThread;
use crate::{Abort, Bench};

/// What a thread brings back: its part of the model, and its stamps.
pub(super) type Stepped<Part, Stamps> = Result<(Part, Stamps), Stopped>;

/// Runs a thread for each part of a model, on the CPUs asked for in turn, and returns their
/// tracks, then that of the model's last state.
///
/// `prepare` makes the measured loop of a part, on the part's own CPU.
pub(super) fn run<M: Model, W, Stamps>(
    bench: &Bench,
    model: &mut M,
    prepare: impl Fn(M::Part) -> W + Sync,
) -> Result<Vec<Track>, Abort>
where
    W: FnOnce(u64) -> Stepped<M::Part, Stamps>,
    Stamps: Into<Track> + Send,
{
    let prepare = &prepare;
    let measuring = model
        .parts()?
        .into_iter()
        .enumerate()
        .map(|(thread, part)| {
            let cpu = CpuSet::one(bench.cpu(thread));
            let policy = bench.spec.asked.policy;
            MeasuringThread::prepared(cpu, policy, name(thread), move || {
                let mut part = part;
                part.settle();
                prepare(part)
            })
        })
        .collect();
    let mut parts = Vec::new();
    let mut tracks = Vec::new();
    for (thread, stepped) in bench.run(measuring)?.into_iter().enumerate() {
        let (part, stamps) = stepped.map_err(stopped)?;
        let name = name(thread);
        tracks.push(part.onto(Track {
            name,
            ..stamps.into()
        }));
        parts.push(part);
    }
    tracks.push(model.state(&parts)?);
    Ok(tracks)
}

/// The name of a thread and of its track.
pub(super) fn name(thread: usize) -> String {
    format!("solver {thread}")
}

/// The run ends without a result: a thread stopped because another one did.
pub(crate) fn stopped(_: Stopped) -> Abort {
    Abort::Failed("a solver thread ended before the others".to_owned())
}
