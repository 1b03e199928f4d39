//! The contents of the recording of a model's run, and its row.

use bench::pace::Pace;
use bench::shape::TrackShape;
use record::{Mode, Recording, Row, RunSpec, Size, Track, fact};

use super::paced::Paced;
use super::phases::PhaseKind;
use super::{Model, fast, is_paced, paced, team};

/// Returns the shapes of the tracks of a run: those of its threads, each with the additions of
/// `kept`, that of its state, and, if the run is paced, that of its schedule.
pub(crate) fn shapes<M: Model>(
    spec: &RunSpec,
    steps_at_once: u64,
    kept: impl Fn(TrackShape) -> TrackShape,
) -> Vec<TrackShape> {
    let threads = spec.parameters.threads() as usize;
    let thread = |thread| {
        let shape = TrackShape::named(team::name(thread));
        kept(match is_paced(spec) {
            true => paced::shape(spec, &paced::pace(spec), M::PHASES, shape),
            false => fast::shape(spec, steps_at_once, shape),
        })
    };
    let mut shapes: Vec<TrackShape> = (0..threads).map(thread).collect();
    shapes.push(TrackShape::named("state"));
    if is_paced(spec) {
        shapes.push(paced::shape_of_schedule(0, &paced::pace(spec)));
    }
    shapes
}

/// Returns the shapes of a paced run in which each thread has its own pace, with `kept`'s.
pub(crate) fn shapes_of_each(
    spec: &RunSpec,
    paces: &[Pace],
    phases: &[PhaseKind],
    kept: impl Fn(TrackShape) -> TrackShape,
) -> Vec<TrackShape> {
    let numbered = || paces.iter().enumerate();
    let thread = |(thread, pace)| {
        let shape = TrackShape::named(team::name(thread));
        kept(paced::shape(spec, pace, phases, shape))
    };
    let schedule = |(at, pace)| paced::shape_of_schedule(at, pace);
    let state = TrackShape::named("state");
    numbered().map(thread).chain([state]).chain(numbered().map(schedule)).collect()
}

pub(crate) fn row<M: Model>(
    recording: &Recording,
    tracks: &[Track],
    steps_at_once: u64,
    size: Size,
) -> Row {
    let spec = &recording.header.spec;
    let (count, threads) = (size.count(&spec.parameters), spec.parameters.threads());
    let plural = if threads == 1 { "" } else { "s" };
    let label = format!("{}, {threads} thread{plural}", size.words(count));
    let row = match is_paced(spec) {
        true => Paced::all(spec, tracks)
            .map_or_else(Row::default, |paced| paced::row_of(recording, paced, M::PHASES, label)),
        false => fast::row(recording, tracks, steps_at_once, label),
    };
    with_facts(row, recording, tracks, size).with(&fact::STATE_HASH, of_state(tracks, "hash"))
}

/// Adds the facts of every model to the row of the threads that have these tracks.
pub(crate) fn with_facts(row: Row, recording: &Recording, tracks: &[Track], size: Size) -> Row {
    let parameters = &recording.header.spec.parameters;
    let cpu_times = tracks.iter().map(|track| track.number(&fact::CPU_TIME_NS));
    row.with(&size.fact, size.count(parameters))
        .with(&fact::MODE, parameters.mode().map_or("", Mode::name))
        .with(&fact::THREADS, parameters.threads())
        .with(&fact::CPU_TIME_NS, cpu_times.sum::<i64>())
}

pub(crate) fn of_state(tracks: &[Track], name: &str) -> Option<serde_json::Value> {
    tracks.iter().find_map(|track| track.attributes.get(name)).cloned()
}
