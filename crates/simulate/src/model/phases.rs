//! What threads do within a step: stamps at the end of each phase, and a time line (MPE figure 4).

use bench::shape::{Holds, TrackShape};
use blame::Wait;
use record::shape::TimelineBlock;
use record::{Fact, Track, fact};
use rt::clock;
use rt::memory::Samples;

#[derive(Debug, Clone, Copy)]
pub(crate) struct PhaseKind {
    pub(crate) name: &'static str,
    pub(crate) mean: Fact,
    /// What a thread waits for in this phase, if it does nothing else.
    pub(crate) waits_for: Option<&'static str>,
}

const IDLE: &str = "idle";
/// Maximum number of stamps of one thread; later phases are counted but not kept.
const MOST_KEPT: u64 = 1_000_000;
const NOT_KEPT: &str = "phases_not_kept";

/// Maximum number of blocks on a time line: more than a figure can show.
const MOST_SHOWN: usize = 2_000;

pub(crate) struct PhaseStamps {
    phases: Samples,
    ends: Samples,
}

impl PhaseStamps {
    pub(super) fn with_room(phases: u64) -> Self {
        let room = phases.min(MOST_KEPT) as usize;
        Self { phases: Samples::with_capacity(room), ends: Samples::with_capacity(room) }
    }

    #[inline]
    pub(crate) fn end(&mut self, phase: u64) {
        self.phases.push(phase);
        self.ends.push(clock::now());
    }

    pub(super) fn shape(shape: TrackShape, kinds: &[PhaseKind]) -> TrackShape {
        let columns = [("phase", Holds::UpTo(kinds.len() as u64)), ("phase_end_ns", Holds::Stamps)];
        shape.rows_or_none(MOST_KEPT, &columns)
    }

    pub(super) fn onto(&self, track: Track) -> Track {
        track
            .with(NOT_KEPT, self.ends.lost())
            .column("phase", self.phases.to_column())
            .column("phase_end_ns", self.ends.to_column())
    }
}

pub(super) fn phases_kept(track: &Track) -> usize {
    track.values("phase_end_ns").len()
}

/// Returns how many phases of the threads ended without a stamp that was kept.
pub(super) fn not_kept(threads: &[Track]) -> i64 {
    threads.iter().map(|track| track.number(NOT_KEPT)).sum()
}

/// Returns how many of its first steps a thread has with all their phases.
fn whole_steps(track: &Track) -> usize {
    let ends = track.values("end_ns");
    match track.values("phase_end_ns").last() {
        Some(last) if track.number(NOT_KEPT) > 0 => ends.partition_point(|end| end <= last),
        _ => ends.len(),
    }
}

/// Returns the mean number of phases in a step of a thread.
pub(super) fn phases_per_step(track: &Track) -> f64 {
    let whole = whole_steps(track);
    let last = track.values("end_ns")[..whole].last();
    let within = |end: &i64| last.is_some_and(|last| end <= last);
    track.values("phase_end_ns").partition_point(within) as f64 / whole.max(1) as f64
}

/// A period in which a thread did one thing.
struct Block<'a> {
    thread: &'a str,
    step: usize,
    /// `None` for idle time.
    phase: Option<PhaseKind>,
    from: i64,
    to: i64,
}

impl Block<'_> {
    fn name(&self) -> &'static str {
        self.phase.map_or(IDLE, |phase| phase.name)
    }
}

/// Returns what a thread did, in order: its phases, and its idle time between two steps.
fn blocks<'t>(track: &'t Track, kinds: &[PhaseKind]) -> Vec<Block<'t>> {
    let (starts, ends) = (track.values("start_ns"), track.values("end_ns"));
    let mut phases = track.values("phase").iter().zip(track.values("phase_end_ns")).peekable();
    let mut blocks = Vec::new();
    for (step, (start, end)) in starts.iter().zip(ends).enumerate() {
        let block = |phase, from, to| Block { thread: &track.name, step, phase, from, to };
        if let Some(before) = step.checked_sub(1) {
            blocks.push(block(None, ends[before], *start));
        }
        let mut from = *start;
        while let Some((phase, to)) = phases.next_if(|(_, to)| *to <= end) {
            let kind = usize::try_from(*phase).ok().and_then(|number| kinds.get(number));
            blocks.push(block(kind.copied(), from, *to));
            from = *to;
        }
    }
    blocks
}

pub(super) fn waits(track: &Track, kinds: &[PhaseKind]) -> Vec<Wait> {
    let wait = |block: Block| {
        let (from, to) = (block.from, block.to);
        let on = block.phase?.waits_for?;
        Some(Wait { from, to, on })
    };
    blocks(track, kinds).into_iter().filter_map(wait).collect()
}

/// Returns the mean time per step and thread in each phase, in ns, of steps with all their phases.
pub(super) fn means(threads: &[Track], kinds: &[PhaseKind]) -> Vec<(Fact, f64)> {
    let steps: usize = threads.iter().map(whole_steps).sum();
    let of_whole_steps = |track| {
        let whole = whole_steps(track);
        blocks(track, kinds).into_iter().filter(move |block| block.step < whole)
    };
    let all: Vec<Block> = threads.iter().flat_map(of_whole_steps).collect();
    let mean = |phase: &str| {
        let of_phase = all.iter().filter(|block| block.name() == phase);
        let total: i64 = of_phase.map(|block| block.to - block.from).sum();
        total as f64 / steps.max(1) as f64
    };
    let phases = kinds.iter().map(|kind| (kind.mean, mean(kind.name)));
    phases.chain([(fact::IDLE_NS, mean(IDLE))]).collect()
}

/// What every thread did in a step and next to it, in nanoseconds after the stamp `zero`.
pub(super) fn timeline<'t>(
    threads: &'t [Track],
    kinds: &[PhaseKind],
    step: usize,
    zero: i64,
) -> Vec<TimelineBlock<'t>> {
    let around = step.saturating_sub(1)..=step + 1;
    let after_zero = |block: Block<'t>| TimelineBlock {
        thread: block.thread,
        step: block.step,
        phase: block.name(),
        from_ns: block.from - zero,
        to_ns: block.to - zero,
    };
    let all = threads.iter().flat_map(|t| blocks(t, kinds));
    all.filter(|block| around.contains(&block.step)).take(MOST_SHOWN).map(after_zero).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: &[PhaseKind] = &[
        PhaseKind { name: "lock", mean: fact::LOCK_NS, waits_for: Some("lock") },
        PhaseKind { name: "compute", mean: fact::COMPUTE_NS, waits_for: None },
        PhaseKind { name: "integrate", mean: fact::INTEGRATE_NS, waits_for: None },
    ];

    fn thread() -> Track {
        Track::new("model 0")
            .column("start_ns", vec![100, 200])
            .column("end_ns", vec![130, 240])
            .column("phase", vec![1, 2, 1, 2])
            .column("phase_end_ns", vec![110, 130, 215, 240])
    }

    #[test]
    fn blocks_fill_the_time_from_the_first_start_to_the_last_end() {
        let thread = thread();
        let blocks = blocks(&thread, KINDS);
        let found: Vec<_> = blocks.iter().map(|b| (b.name(), b.from, b.to)).collect();
        let first = [("compute", 100, 110), ("integrate", 110, 130)];
        let second = [("idle", 130, 200), ("compute", 200, 215), ("integrate", 215, 240)];
        assert_eq!(found, [&first[..], &second].concat());
    }

    /// Returns the mean times in lock, compute and integrate, and idle.
    fn means_of(thread: &Track) -> [f64; 4] {
        let means = means(std::slice::from_ref(thread), KINDS);
        let of = |fact| means.iter().find(|(known, _)| *known == fact).unwrap().1;
        [fact::LOCK_NS, fact::COMPUTE_NS, fact::INTEGRATE_NS, fact::IDLE_NS].map(of)
    }

    #[test]
    fn means_are_per_step_and_thread() {
        assert_eq!(means_of(&thread()), [0.0, 12.5, 22.5, 35.0]);
    }

    #[test]
    fn steps_whose_phases_were_not_kept_count_in_no_mean() {
        // Of its three steps, the second one has a phase, and the third one two, that were not kept.
        let thread = Track::new("model 0")
            .with(NOT_KEPT, 3)
            .column("start_ns", vec![100, 200, 300])
            .column("end_ns", vec![131, 240, 340])
            .column("phase", vec![1, 2, 1])
            .column("phase_end_ns", vec![110, 130, 215]);
        assert_eq!(means_of(&thread), [0.0, 10.0, 20.0, 0.0]);
        assert_eq!(phases_per_step(&thread).to_bits(), 2.0_f64.to_bits());
        assert_eq!(not_kept(&[thread.clone(), thread]), 6);
    }

    #[test]
    fn a_timeline_shows_the_neighbours_of_its_step() {
        let threads = [thread()];
        let shown = timeline(&threads, KINDS, 1, 100);
        assert_eq!(shown.len(), 5);
        assert_eq!((shown[2].phase, shown[2].from_ns), ("idle", 30));
    }
}
