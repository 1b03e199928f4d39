//! Readings of the kernel's counters, taken every few milliseconds while a run measured.

use std::collections::BTreeMap;

use record::Track;
use serde_json::{Value, json};

use crate::columns::{rows, track};

/// Largest number of values in all readings of a run.
pub const MOST_READ: u64 = 1 << 21;

pub(crate) const CPU_TIMES: &str = "cpu times";
pub(crate) const THREAD_COUNTS: &str = "thread counts";

/// Columns of a reading, after its time.
pub(crate) const TASKS: usize = 1;
pub(crate) const INTERRUPTS: usize = 2;
pub(crate) const SOFTIRQS: usize = 3;
pub(crate) const STEAL: usize = 4;
pub(crate) const RUN: usize = 1;
pub(crate) const DELAY: usize = 2;
pub(crate) const FAULTS: usize = 3;
pub(crate) const IS_STOPPED: usize = 4;

const OF_CPU: [&str; 6] = ["at_ns", "cpu", "tasks_ns", "interrupts_ns", "softirqs_ns", "steal_ns"];
const OF_THREAD: [&str; 6] = ["at_ns", "thread", "run_ns", "delay_ns", "faults", "is_stopped"];

/// Returns the track of readings of CPUs: time, CPU, time of tasks, interrupts, softirqs and steal
/// since boot, counted in steps of `step_ns`.
pub fn cpu_times_track(readings: impl Iterator<Item = [i64; 6]>, step_ns: u64) -> Track {
    track(CPU_TIMES, OF_CPU, readings).with("step_ns", step_ns)
}

/// Returns the track of readings of threads: time, place of its name in `names`, time on a CPU and
/// time ready without one, page faults, and 1 if it was stopped.
pub fn thread_counts_track(names: &[String], readings: impl Iterator<Item = [i64; 6]>) -> Track {
    track(THREAD_COUNTS, OF_THREAD, readings).with("names", json!(names))
}

/// The readings of one CPU or thread, in order: time, and counts that only grow.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Readings(pub(crate) Vec<[i64; 5]>);

pub(crate) fn of_cpus(track: &Track) -> BTreeMap<i64, Readings> {
    by_source(track, OF_CPU)
}

pub(crate) fn of_threads(track: &Track) -> BTreeMap<String, Readings> {
    let names = track.attributes.get("names").and_then(Value::as_array);
    let names: Vec<&str> = names.into_iter().flatten().filter_map(Value::as_str).collect();
    let name =
        |thread: i64| names.get(usize::try_from(thread).ok()?).map(|name| (*name).to_owned());
    let named = |(thread, readings)| Some((name(thread)?, readings));
    by_source(track, OF_THREAD).into_iter().filter_map(named).collect()
}

fn by_source(track: &Track, names: [&str; 6]) -> BTreeMap<i64, Readings> {
    let mut all: BTreeMap<i64, Readings> = BTreeMap::new();
    for [at, source, a, b, c, d] in rows(track, names) {
        all.entry(source).or_default().0.push([at, a, b, c, d]);
    }
    all
}

impl Readings {
    /// Returns the last reading up to `from`, and the first one from `to` on.
    pub(crate) fn around(&self, from: i64, to: i64) -> Option<[&[i64; 5]; 2]> {
        let before = self.0.partition_point(|[at, ..]| *at <= from).checked_sub(1)?;
        let after = self.0.partition_point(|[at, ..]| *at < to);
        Some([&self.0[before], self.0.get(after)?])
    }

    /// Returns by how much a count grew in the time `within` before another time, as far as it was
    /// read by then.
    pub(crate) fn grown_before(&self, to: i64, within: i64, column: usize) -> i64 {
        let up_to = |time: i64| self.0.partition_point(|[at, ..]| *at <= time);
        let before = up_to(to - within).saturating_sub(1);
        let last = up_to(to).saturating_sub(1);
        let ends = self.0.get(before).zip(self.0.get(last));
        ends.map_or(0, |(before, last)| grown([before, last], column))
    }

    /// Returns the most that a count grew in a time `within` that ended between two times or with the
    /// first reading after them.
    pub(crate) fn most_grown(&self, from: i64, to: i64, within: i64, column: usize) -> i64 {
        let read = self.0.iter().map(|[at, ..]| *at).skip_while(|at| *at <= from);
        let until_after =
            read.scan(true, |is_before, at| std::mem::replace(is_before, at < to).then_some(at));
        let ends = std::iter::once(from).chain(until_after);
        ends.map(|end| self.grown_before(end, within, column)).max().unwrap_or(0)
    }

    /// Returns the median growth of a count between two readings, per nanosecond.
    pub(crate) fn usual_rate(&self, column: usize) -> f64 {
        let rate = |pair: &[[i64; 5]]| {
            let [time, count] = [0, column].map(|column| grown([&pair[0], &pair[1]], column));
            (time > 0).then(|| count as f64 / time as f64)
        };
        let mut rates: Vec<f64> = self.0.windows(2).filter_map(rate).collect();
        rates.sort_by(f64::total_cmp);
        rates.get(rates.len() / 2).copied().unwrap_or(0.0)
    }

    /// Returns for how long, between two times, the thread was stopped at every reading.
    pub(crate) fn stopped_ns(&self, from: i64, to: i64) -> i64 {
        let both = |pair: &&[[i64; 5]]| pair.iter().all(|reading| reading[IS_STOPPED] == 1);
        let common = |pair: &[[i64; 5]]| (to.min(pair[1][0]) - from.max(pair[0][0])).max(0);
        self.0.windows(2).filter(both).map(common).fold(0, i64::saturating_add)
    }
}

/// Returns by how much a count grew from one reading to another.
pub(crate) fn grown([before, after]: [&[i64; 5]; 2], column: usize) -> i64 {
    after[column].saturating_sub(before[column])
}
