//! A run that a helper follows while it measures: the helper shows the figures, and may end the run at a late sample. The
//! samples come through the exchange of a soak, in slices, and become the recording of an ordinary run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use base::{CpuSet, Nanos};
use bench::interval::{Exchange, LOOK_EVERY, Reader, Writer};
use bench::measuring_thread::MeasuringThread;
use bench::pace::Pace;
use bench::tally::Tally;
use bench::{Abort, Bench, Show, periods};
use record::{LiveFigures, RunSpec, Track, Warning};
use rt::memory::Samples;
use rt::thread::start_in;

use super::paced::{Next, WOKEN, places, timer, track_of, wake_until};

/// Time after which samples are handed over.
const SLICE_NS: u64 = 100_000_000;
/// Number of slices that fit a set of samples: the time that the helper may be late without a loss.
const SLICES_OF_ROOM: u64 = 40;
/// Sets of samples in an exchange.
const SETS: u64 = 3;
const SHOW_EVERY: Duration = Duration::from_secs(1);

/// Number of periods in a slice.
fn slice(pace: Pace) -> u64 {
    (SLICE_NS / pace.period_ns()).clamp(1, pace.periods.max(1))
}

/// Returns how many periods the samples in the exchange of one thread have room for.
pub(super) fn periods_of_room(spec: &RunSpec) -> u64 {
    SETS * SLICES_OF_ROOM * slice(periods::pace(spec))
}

pub(super) fn run(bench: &Bench) -> Result<Vec<Track>, Abort> {
    let spec = &bench.spec;
    let pace = periods::pace(spec);
    let flags: [AtomicBool; 2] = Default::default();
    let [ends, is_over] = flags.each_ref();
    let (mut measuring, mut threads) = (Vec::new(), Vec::new());
    for (name, cpus) in places(spec) {
        let (mut timer, exchange) = (timer(spec)?, Exchange::new());
        threads.push(Followed::of(spec, pace, &exchange, &name, &cpus));
        let prepare = move || {
            let room = SLICES_OF_ROOM * slice(pace);
            let mut writer = Writer::prepared(exchange, &WOKEN, spec, room, rt::process::this());
            move |t0: u64| {
                timer.start(t0, pace.period_ns()).expect("the period is above 0");
                writer.begin();
                let mut next = Next { period: 0, due: t0 };
                loop {
                    let over = (next.period + slice(pace)).min(pace.periods);
                    wake_until(over, &mut next, pace, &mut timer, |period, due, woke| {
                        writer.push([period, woke], due, woke);
                    });
                    let is_last = next.period >= pace.periods || ends.load(Ordering::Relaxed);
                    let lost = writer.offer(t0, is_last);
                    if is_last {
                        let periods = next.period.min(pace.periods);
                        return Ended { t0, periods, lost, _writer: writer };
                    }
                }
            }
        };
        measuring.push(MeasuringThread::prepared(cpus, spec.asked.policy, name, prepare));
    }
    let mut helper = Helper { threads, limit: spec.stop_at, show: bench.show(), late: None };
    let (done, helper) = thread::scope(|scope| {
        let follow = move || {
            helper.follow(is_over, ends);
            helper
        };
        let following = start_in(scope, "follow", follow)?;
        let done = bench.run(measuring);
        is_over.store(true, Ordering::Release);
        let helper = following.join();
        let helper = helper.map_err(|_| Abort::Failed("the following thread panicked".to_owned()));
        Ok::<_, Abort>((done?, helper?))
    })?;
    Ok(helper.tracks(bench, pace, &done))
}

/// How the loop of a thread ended.
struct Ended {
    t0: u64,
    /// Number of periods that were due until then.
    periods: u64,
    /// Number of samples that the helper did not take.
    lost: u64,
    /// Kept, so that its memory is given back after the loop.
    _writer: Writer<2>,
}

/// The samples of one thread that were handed over so far, and its figures.
struct Followed {
    name: String,
    cpus: CpuSet,
    period_ns: u64,
    reader: Reader<2>,
    indices: Samples,
    stamps: Samples,
    tally: Tally,
    lost: u64,
    last_ns: i64,
    worst_ns: i64,
    /// The latencies since the figures were shown.
    recent: Vec<i64>,
}

impl Followed {
    /// Allocates all samples of the run: none is allocated while it measures.
    fn of(
        spec: &RunSpec,
        pace: Pace,
        exchange: &Arc<Exchange<2>>,
        name: &str,
        cpus: &CpuSet,
    ) -> Self {
        let room = || Samples::with_capacity(pace.periods as usize);
        Self {
            name: name.to_owned(),
            cpus: cpus.clone(),
            period_ns: pace.period_ns(),
            reader: Reader::of(exchange, name, spec.asked.policy, cpus.clone()),
            indices: room(),
            stamps: room(),
            tally: Tally::of(spec, pace.periods, rt::process::this()),
            lost: 0,
            last_ns: 0,
            worst_ns: i64::MIN,
            recent: touched((SLICES_OF_ROOM * slice(pace)) as usize),
        }
    }

    /// Takes what was handed over, if anything was. Returns the first sample later than `limit`: its due time after the
    /// start and its latency, in nanoseconds.
    fn take(&mut self, limit: Option<Nanos>) -> Option<Late> {
        let samples = self.reader.take()?;
        let limit_ns = limit.map_or(i64::MAX, |limit| limit.0.cast_signed());
        let mut late = None;
        let [indices, stamps] = samples.columns.values();
        for (index, woke) in indices.iter().zip(stamps) {
            let at_ns = index * self.period_ns;
            let latency_ns = woke.cast_signed() - (samples.t0 + at_ns).cast_signed();
            self.indices.push(*index);
            self.stamps.push(*woke);
            keep(&mut self.recent, latency_ns, self.period_ns);
            self.last_ns = latency_ns;
            self.worst_ns = self.worst_ns.max(latency_ns);
            if latency_ns > limit_ns && late.is_none() {
                late = Some(Late { at_ns, late_ns: latency_ns.cast_unsigned() });
            }
        }
        self.tally.extend(&samples.tally);
        self.lost += samples.columns.lost();
        late
    }

    /// Returns the figures so far; the next ones are of what follows.
    fn figures(&mut self) -> Option<LiveFigures> {
        let due = self.indices.values().last()? + 1;
        let figures = LiveFigures {
            thread: self.name.clone(),
            due,
            missed: due.saturating_sub(self.indices.values().len() as u64),
            last_ns: self.last_ns,
            // Memory that is given back interrupts every CPU on which this process runs.
            typical_ns: stats::median_in_place(&mut self.recent).unwrap_or(self.last_ns),
            worst_ns: self.worst_ns,
        };
        self.recent.clear();
        Some(figures)
    }

    /// Returns the track of its first periods.
    fn track(mut self, ended: &Ended, pace: Pace) -> Track {
        let kept = self.indices.values().partition_point(|index| *index < pace.periods);
        self.indices.truncate(kept);
        self.stamps.truncate(kept);
        self.tally.truncate(kept);
        let skipped = pace.periods - kept as u64;
        let track = track_of(pace, &self.name, &self.cpus, ended.t0, skipped)
            .with("lost", self.lost + ended.lost)
            .column("period_index", self.indices.to_column())
            .column("woke_ns", self.stamps.to_column());
        self.tally.onto(track)
    }
}

/// Returns room for that many values, every page of which is touched.
fn touched(values: usize) -> Vec<i64> {
    let mut room = vec![i64::MAX; values];
    room.clear();
    room
}

/// Keeps the latency of a period, and those of the periods that were over when the thread woke, as the results have
/// them. What has no room is left out: nothing is allocated.
fn keep(recent: &mut Vec<i64>, latency_ns: i64, period_ns: u64) {
    let left = recent.capacity() - recent.len();
    let skipped = (1..).map_while(|periods| {
        let late_ns = latency_ns.checked_sub(period_ns.cast_signed().checked_mul(periods)?)?;
        (late_ns >= 0).then_some(late_ns)
    });
    recent.extend([latency_ns].into_iter().chain(skipped).take(left));
}

#[derive(Clone, Copy)]
struct Late {
    at_ns: u64,
    late_ns: u64,
}

/// The thread that follows the measured ones.
struct Helper {
    threads: Vec<Followed>,
    limit: Option<Nanos>,
    show: Option<Show>,
    /// The first sample beyond the limit, and the name of its thread.
    late: Option<(String, Late)>,
}

impl Helper {
    /// Follows the threads until `is_over`. At a sample beyond the limit, `ends` makes every thread end with its slice.
    fn follow(&mut self, is_over: &AtomicBool, ends: &AtomicBool) {
        let mut shown = Instant::now();
        loop {
            // Read before looking, so that what came before the end is not missed.
            let is_last = is_over.load(Ordering::Acquire);
            for thread in &mut self.threads {
                let late = thread.take(self.limit);
                if self.late.is_none()
                    && let Some(late) = late
                {
                    self.late = Some((thread.name.clone(), late));
                    ends.store(true, Ordering::Relaxed);
                }
            }
            if let Some(show) = self.show.filter(|_| is_last || shown.elapsed() >= SHOW_EVERY) {
                shown = Instant::now();
                self.threads.iter_mut().filter_map(Followed::figures).for_each(|one| show(&one));
            }
            if is_last {
                return;
            }
            thread::sleep(LOOK_EVERY);
        }
    }

    /// Returns the recording of the periods that all threads had, and says what was later than the limit.
    fn tracks(self, bench: &Bench, pace: Pace, done: &[Ended]) -> Vec<Track> {
        let periods = done.iter().map(|ended| ended.periods).min().unwrap_or(pace.periods);
        let planned = bench.spec.asked.duration;
        if let (Some((thread, Late { at_ns, late_ns })), Some(limit)) = (self.late, self.limit) {
            let limit_ns = limit.0;
            bench.warn([if periods < pace.periods {
                bench.end_after(Nanos(periods * pace.period_ns()));
                Warning::StoppedAt { thread, limit_ns, late_ns, at_ns, planned_ns: planned.0 }
            } else {
                Warning::StoppedTooLate { thread, limit_ns, late_ns, at_ns }
            }]);
        }
        let pace = Pace { periods, ..pace };
        let tracks = self.threads.into_iter().zip(done);
        tracks.map(|(thread, ended)| thread.track(ended, pace)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find;
    use crate::test_runs::spec;
    use bench::made_run::recording;

    /// A run of five slices, with its bench.
    fn followed(change: impl FnOnce(&mut RunSpec)) -> (Bench, Vec<Track>) {
        let mut spec = spec("wakeup");
        spec.asked.duration = Nanos(5 * SLICE_NS);
        change(&mut spec);
        let bench = Bench::new(spec);
        let tracks = find("wakeup").unwrap().run(&bench).unwrap();
        (bench, tracks)
    }

    #[test]
    fn a_run_that_is_shown_has_the_samples_of_an_ordinary_one() {
        for blame in [None, Some(Nanos(100_000))] {
            let (bench, tracks) = followed(|spec| {
                spec.live = true;
                spec.blame_beyond = blame;
            });
            assert_eq!(bench.ended_after(), None);
            let recording = recording(bench.spec.clone(), tracks);
            crate::validation::check(&bench.spec, &recording).unwrap();
            let rows = find("wakeup").unwrap().rows(&recording);
            assert_eq!(rows[0].due, periods::pace(&bench.spec).periods);
            assert_eq!(rows[0].due, rows[0].executed + rows[0].skipped);
            assert_eq!(recording.tracks[0].number("lost"), 0);
            if blame.is_some() {
                let used = recording.tracks[0].values("used_ns").len() as u64;
                assert_eq!(used, rows[0].executed + 1);
            }
        }
    }

    #[test]
    fn a_late_sample_ends_the_run_and_what_was_measured_is_kept() {
        // Every sample is later than this.
        let (bench, tracks) = followed(|spec| {
            spec.asked.duration = Nanos(3_000_000_000);
            spec.stop_at = Some(Nanos(1));
        });
        let ended = bench.ended_after().unwrap();
        assert!(ended.0 > 0 && ended < bench.spec.asked.duration, "{ended}");
        let mut done = recording(bench.spec.clone(), tracks);
        done.header.spec.asked.duration = ended;
        crate::validation::check(&bench.spec, &done).unwrap();
        let rows = find("wakeup").unwrap().rows(&done);
        assert_eq!(rows[0].due, ended.0 / bench.spec.parameters.period().0);
        let (_, warnings) = bench.into_findings();
        assert!(warnings.iter().any(|one| matches!(one, Warning::StoppedAt { limit_ns: 1, .. })));
    }

    #[test]
    fn a_shorter_recording_is_only_that_of_a_run_with_a_limit() {
        let limited = RunSpec { stop_at: Some(Nanos(1)), ..spec("wakeup") };
        for (spec, is_accepted) in [(limited, true), (spec("wakeup"), false)] {
            let mut done = spec.clone();
            done.asked.duration = Nanos(done.asked.duration.0 / 2);
            assert_eq!(spec.may_end_as(&done), is_accepted);
            done.asked.duration = Nanos(spec.asked.duration.0 + 1);
            assert!(!spec.may_end_as(&done) && spec.may_end_as(&spec));
        }
    }

    #[test]
    fn periods_that_were_over_at_a_wakeup_are_among_the_latencies() {
        let mut recent = Vec::with_capacity(100);
        keep(&mut recent, -5, 10);
        keep(&mut recent, 37, 10);
        assert_eq!(recent, [-5, 37, 27, 17, 7]);
        let room = recent.capacity();
        keep(&mut recent, i64::MAX, 10);
        assert_eq!((recent.len(), recent.capacity()), (room, room));
    }

    #[test]
    fn figures_count_what_was_missed_and_find_the_first_late_sample() {
        let spec = spec("wakeup");
        let (pace, period) = (periods::pace(&spec), periods::pace(&spec).period_ns());
        let exchange = Exchange::new();
        let mut followed = Followed::of(&spec, pace, &exchange, "CPU 0", &CpuSet::one(0));
        let handed = || {
            let mut writer = Writer::prepared(exchange, &WOKEN, &spec, 8, rt::process::this());
            writer.begin();
            let t0 = 1_000;
            for (index, late) in [(0, 5), (1, 7), (4, 900), (5, 6), (6, 950)] {
                writer.push([index, t0 + index * period + late], 0, 0);
            }
            writer.offer(t0, false)
        };
        thread::scope(|scope| scope.spawn(handed).join()).unwrap();
        let late = followed.take(Some(Nanos(800))).unwrap();
        assert_eq!((late.at_ns, late.late_ns), (4 * period, 900));
        let figures = followed.figures().unwrap();
        assert_eq!((figures.due, figures.missed), (7, 2));
        assert_eq!((figures.last_ns, figures.typical_ns, figures.worst_ns), (950, 7, 950));
    }

    #[test]
    fn a_late_sample_that_is_found_after_the_end_is_reported() {
        // Samples are handed over at the end of the only slice.
        let (bench, _) = followed(|spec| {
            spec.asked.duration = Nanos(SLICE_NS);
            spec.stop_at = Some(Nanos(1));
        });
        assert_eq!(bench.ended_after(), None);
        let (_, warnings) = bench.into_findings();
        let is_found = |one: &Warning| matches!(one, Warning::StoppedTooLate { limit_ns: 1, .. });
        assert!(warnings.iter().any(is_found), "{warnings:?}");
    }
}
