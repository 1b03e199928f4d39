//! Evidence as stored in a recording.

use std::collections::BTreeMap;

use base::Observed;
use record::Track;
use serde_json::{Value, json};

use crate::columns::{rows, track};
use crate::readings::{self, CPU_TIMES, Readings, STEAL, THREAD_COUNTS, grown};
use crate::{Event, What};

/// Name of the track of events. Its attributes have what the events do not.
pub const TRACE: &str = "trace";
const WINDOWS: &str = "windows";
const GROUP: &str = "control group";
const COST: &str = "tracing cost";

/// Tracks that every run may have, and those of runs that search for causes.
const COUNTED: [&str; 3] = [CPU_TIMES, THREAD_COUNTS, GROUP];
const SEARCHED: [&str; 3] = [TRACE, WINDOWS, COST];

const EVENT: [&str; 8] = ["window", "at_ns", "cpu", "kind", "a", "b", "c", "d"];
const HELD: [&str; 5] = ["from_ns", "to_ns", "frozen_ns", "throttled_ns", "switches"];
/// Percent of a CPU that the kernel grants to real-time tasks by default.
const USUALLY_GRANTED: i64 = 95;
const WINDOW: [&str; 5] = ["thread", "task", "cpu", "due_ns", "end_ns"];

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Window {
    /// The thread's number, as the thread itself sees it.
    pub thread: i64,
    /// The thread's number in the kernel's trace.
    pub task: i64,
    /// The CPU on which it was at the end.
    pub cpu: i64,
    /// When it was due and done (`CLOCK_MONOTONIC`, ns).
    pub due: i64,
    pub end: i64,
    /// Events in order, from early enough before the due time to know which task had the CPU then.
    pub events: Vec<Event>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Names {
    pub tasks: BTreeMap<i64, String>,
    /// Policies of tasks, as typed, if they could be read.
    pub policies: BTreeMap<i64, String>,
    pub interrupts: BTreeMap<i64, String>,
    /// System calls, whose numbers differ between architectures.
    pub calls: BTreeMap<i64, String>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Evidence {
    pub(crate) windows: BTreeMap<[i64; 3], Window>,
    pub names: Names,
    /// Why there are no events.
    pub unavailable: Option<String>,
    /// Number of events for which the kernel had no room.
    pub lost: i64,
    /// Number of windows for which there was no room.
    pub not_kept: i64,
    /// The longest declared exit time of an idle state of these CPUs.
    pub idle_exit_ns: i64,
    /// Why that time cannot be seen; `None` if it was.
    pub(crate) idle_exit_hidden: Option<String>,
    pub(crate) cpu_times: BTreeMap<i64, Readings>,
    pub(crate) thread_counts: BTreeMap<String, Readings>,
    /// Resolution of the times of CPUs, in nanoseconds.
    pub(crate) step_ns: i64,
    pub(crate) held: Vec<[i64; 5]>,
    /// Whether the control group counts every time that it is frozen, or cannot be.
    counts_freezing: bool,
    /// Percent of a CPU that the kernel grants to real-time tasks; 0 if a smaller limit may be hidden.
    pub(crate) granted_percent: i64,
    /// Wake-up latencies without and with tracing, in nanoseconds.
    pub cost: [Vec<i64>; 2],
}

/// Whether a track among the samples of a run is evidence of causes.
pub fn is_evidence(track: &Track) -> bool {
    is_counted(track) || SEARCHED.contains(&&*track.name)
}

/// Whether a track is evidence that a run also has if it does not search for causes.
pub fn is_counted(track: &Track) -> bool {
    COUNTED.contains(&&*track.name)
}

impl Evidence {
    /// Reads what [`trace_track`], [`cpu_times_track`](crate::cpu_times_track),
    /// [`thread_counts_track`](crate::thread_counts_track), [`group_track`] and [`cost_track`] wrote.
    pub fn of(tracks: &[Track]) -> Self {
        let nothing = Track::default();
        let named = |name: &str| tracks.iter().find(|track| track.name == name).unwrap_or(&nothing);
        let (trace, cost, cpus, group) =
            (named(TRACE), named(COST), named(CPU_TIMES), named(GROUP));
        let granted = group.attributes.get("granted_percent").and_then(Value::as_i64);
        let unavailable = match trace.attributes.get("unavailable") {
            Some(why) => why.as_str().map(str::to_owned),
            None if trace.name.is_empty() => Some("nothing was traced".to_owned()),
            None => None,
        };
        Self {
            windows: windows(named(WINDOWS), trace),
            names: Names {
                tasks: map(trace, "tasks"),
                policies: map(trace, "policies"),
                interrupts: map(trace, "interrupts"),
                calls: map(trace, "calls"),
            },
            unavailable,
            lost: trace.number("lost"),
            not_kept: trace.number("not_kept"),
            idle_exit_ns: trace.number("idle_exit_ns"),
            idle_exit_hidden: trace
                .attributes
                .get("idle_exit_hidden")
                .and_then(|why| Some(why.as_str()?.to_owned())),
            cpu_times: readings::of_cpus(cpus),
            thread_counts: readings::of_threads(named(THREAD_COUNTS)),
            step_ns: cpus.number("step_ns").clamp(0, 1_000_000_000),
            held: rows(group, HELD).collect(),
            counts_freezing: group.number("counts_freezing") == 1,
            granted_percent: granted.unwrap_or(USUALLY_GRANTED).clamp(0, 100),
            cost: ["off_ns", "on_ns"].map(|name| cost.values(name).to_vec()),
        }
    }

    /// Returns the window of the sample of that thread that was due and done at these times.
    pub fn window(&self, thread: i64, due: i64, end: i64) -> Option<&Window> {
        self.windows.get(&[thread, due, end])
    }

    /// Whether the hypervisor took time from a CPU, by the readings around two times.
    pub fn stolen(&self, cpu: i64, from: i64, to: i64) -> bool {
        self.stolen_ns(cpu, from, to) > 0
    }

    fn stolen_ns(&self, cpu: i64, from: i64, to: i64) -> i64 {
        let readings = self.cpu_times.get(&cpu).map_or(&[][..], |readings| &readings.0);
        let before = readings.iter().take_while(|[at, ..]| *at <= from).last();
        let after = readings.iter().find(|[at, ..]| *at >= to).or(readings.last());
        before.zip(after).map_or(0, |(before, after)| grown([before, after], STEAL))
    }

    /// Whether the hypervisor took at least this many nanoseconds from one of the CPUs, by the
    /// readings around two times.
    pub fn stolen_anywhere(&self, from: i64, to: i64, least: i64) -> bool {
        self.cpu_times.keys().any(|cpu| self.stolen_ns(*cpu, from, to) >= least)
    }

    /// Returns the readings of steal in time order: when, and how much the hypervisor took from that
    /// CPU since its previous reading, in nanoseconds.
    pub fn steal_steps(&self) -> Vec<(i64, i64)> {
        let step = |pair: &[[i64; 5]]| (pair[1][0], grown([&pair[0], &pair[1]], STEAL));
        let of_cpu = |readings: &Readings| readings.0.windows(2).map(step).collect::<Vec<_>>();
        let mut steps: Vec<(i64, i64)> = self.cpu_times.values().flat_map(of_cpu).collect();
        steps.sort_by_key(|(at, _)| *at);
        steps
    }

    /// Whether anything was counted while the run measured.
    pub(crate) fn has_counts(&self) -> bool {
        !(self.cpu_times.is_empty() && self.thread_counts.is_empty())
    }

    /// Whether the freezer stopped the process for at least half of the time between two times.
    pub fn frozen(&self, from: i64, to: i64) -> bool {
        is_half(self.frozen_ns(from, to), to - from)
    }

    /// Returns for how long the freezer stopped the process, by the readings around two times.
    pub(crate) fn frozen_ns(&self, from: i64, to: i64) -> i64 {
        self.counted_ns(from, to, |[_, _, frozen, ..]| *frozen)
    }

    /// Whether the CPU-time quota held threads back for at least half of the time between two times.
    pub fn throttled(&self, from: i64, to: i64) -> bool {
        is_half(self.throttled_ns(from, to), to - from)
    }

    /// Returns for how long the CPU-time quota held threads back, by the readings around two times.
    pub(crate) fn throttled_ns(&self, from: i64, to: i64) -> i64 {
        self.counted_ns(from, to, |[_, _, _, throttled, ..]| *throttled)
    }

    /// Whether the whole process was stopped for most of the time between two times: even the thread
    /// that gathers evidence on other CPUs did not run.
    pub fn stood_still(&self, from: i64, to: i64) -> bool {
        let common = |[start, end, ..]: &[i64; 5]| to.min(*end) - from.max(*start);
        let mut common = self.silent().map(common);
        common.any(|common| common * 10 >= (to - from) * 9)
    }

    /// Returns for how long, between two times, the thread that gathers evidence was stopped: it was
    /// silent, and was switched out more than once, by its own sleep and by the stop. A freezer that
    /// does not count looks the same, and so nothing is returned then.
    pub(crate) fn stopped_ns(&self, from: i64, to: i64) -> i64 {
        let common = |[start, end, ..]: &[i64; 5]| (to.min(*end) - from.max(*start)).max(0);
        let is_stop = |[.., switches]: &&[i64; 5]| self.counts_freezing && *switches > 1;
        self.silent().filter(is_stop).map(common).max().unwrap_or(0)
    }

    /// Returns the stretches in which nothing was counted and the reader neither ran nor was ready.
    fn silent(&self) -> impl Iterator<Item = &[i64; 5]> {
        self.held.iter().filter(|[_, _, frozen, throttled, _]| [*frozen, *throttled] == [0; 2])
    }

    fn counted_ns(&self, from: i64, to: i64, count: fn(&[i64; 5]) -> i64) -> i64 {
        let around = |[start, end, ..]: &&[i64; 5]| *start < to && *end > from;
        self.held.iter().filter(around).map(count).fold(0, i64::saturating_add)
    }
}

/// Whether a count above 0 is at least half of a time.
fn is_half(counted: i64, time: i64) -> bool {
    counted > 0 && counted >= time - counted
}

fn windows(track: &Track, trace: &Track) -> BTreeMap<[i64; 3], Window> {
    let mut events: BTreeMap<i64, Vec<Event>> = BTreeMap::new();
    for [window, at, cpu, kind, a, b, c, d] in rows(trace, EVENT) {
        if let Some(what) = What::of([kind, a, b, c, d]) {
            events.entry(window).or_default().push(Event { at, cpu, what });
        }
    }
    let window = |(number, [thread, task, cpu, due, end]): (i64, [i64; 5])| {
        let events = events.remove(&number).unwrap_or_default();
        let window = Window { thread, task, cpu, due, end, events };
        ([thread, due, end], window)
    };
    (0..).zip(rows(track, WINDOW)).map(window).collect()
}

fn map(track: &Track, name: &str) -> BTreeMap<i64, String> {
    let pairs = track.attributes.get(name).and_then(Value::as_object);
    let pair =
        |(number, name): (&String, &Value)| Some((number.parse().ok()?, name.as_str()?.to_owned()));
    pairs.into_iter().flatten().filter_map(pair).collect()
}

pub fn trace_track(windows: &[Window], names: &Names) -> [Track; 2] {
    let events = (0..).zip(windows).flat_map(|(number, window)| {
        window.events.iter().map(move |event| {
            let [kind, a, b, c, d] = event.what.numbers();
            [number, event.at, event.cpu, kind, a, b, c, d]
        })
    });
    let rows = windows.iter().map(|w| [w.thread, w.task, w.cpu, w.due, w.end]);
    let trace = track(TRACE, EVENT, events)
        .with("tasks", json!(names.tasks))
        .with("policies", json!(names.policies))
        .with("interrupts", json!(names.interrupts))
        .with("calls", json!(names.calls));
    [trace, track(WINDOWS, WINDOW, rows)]
}

/// Adds the longest exit time of an idle state of the measured CPUs to a trace, in nanoseconds.
pub fn with_idle_exit(trace: Track, longest_ns: &Observed<i64>) -> Track {
    match longest_ns {
        Observed::Seen(ns) => trace.with("idle_exit_ns", *ns),
        Observed::Absent => trace,
        Observed::Hidden(why) => trace.with("idle_exit_hidden", why.clone()),
    }
}

/// Returns the track of what a control group did to this process: rows with the times of two
/// readings, and how much of the time between them it was frozen and held back by a CPU-time quota.
/// A row exists only if something was counted, or if the readings were much farther apart than
/// usual although the thread that reads was not ready; it ends with how often that thread was
/// switched out because it waited or was stopped. `counts_freezing` says whether every freeze is counted,
/// `granted_percent` which share of a CPU the kernel grants to real-time tasks, if known: 0 if a control
/// group that cannot be seen may grant less.
pub fn group_track(
    held: &[[i64; 5]],
    counts_freezing: bool,
    granted_percent: Option<u64>,
) -> Track {
    let track = track(GROUP, HELD, held.iter().copied());
    let track = track.with("counts_freezing", u8::from(counts_freezing));
    match granted_percent {
        Some(percent) => track.with("granted_percent", percent),
        None => track,
    }
}

/// Returns the track of wake-up latencies without and with tracing, in nanoseconds.
pub fn cost_track([off, on]: [Vec<i64>; 2]) -> Track {
    Track::new(COST).column("off_ns", off).column("on_ns", on)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Interruption, cpu_times_track};

    #[test]
    fn what_is_written_is_read_back() {
        let all = [
            What::Switch { from: 1, state: 2, to: 3, priority: -1 },
            What::Waking { task: 4, priority: 120, by_interrupt: true },
            What::Migrate { task: 5, to: 1 },
            What::Enter(Interruption::Device(24)),
            What::Leave(Interruption::Soft(7)),
            What::Enter(Interruption::Cpu(0)),
            What::Idle { state: -1 },
            What::Frequency { khz: 2_000_000 },
            What::Timer { task: 6, expires: 99 },
            What::Lost { count: 3 },
            What::ToldToSwitch,
            What::Call { task: 7, number: 9 },
            What::Return { task: 7 },
            What::Priority { task: 7, priority: 0 },
            What::Untold { task: 7 },
        ];
        let event = |(at, what)| Event { at, cpu: 1, what };
        let windows = [
            Window::default(),
            Window {
                thread: 7,
                task: 8,
                cpu: 1,
                due: 10,
                end: 20,
                events: (0..).zip(all).map(event).collect(),
            },
        ];
        let names = Names {
            tasks: [(7, "hog".to_owned())].into(),
            policies: [(7, "fifo:90".to_owned())].into(),
            interrupts: [(24, "eth0".to_owned())].into(),
            calls: [(9, "mmap".to_owned())].into(),
        };
        let evidence = Evidence::of(&trace_track(&windows, &names));
        assert_eq!(evidence.window(7, 10, 20), Some(&windows[1]));
        assert_eq!(evidence.names, names);
        assert_eq!(evidence.unavailable, None);
        assert!(Evidence::of(&[]).unavailable.is_some());
    }

    #[test]
    fn a_control_group_is_reported_if_it_took_half_of_the_time() {
        let held = [[0, 100, 90, 0, 1], [200, 300, 0, 0, 1], [300, 310, 0, 50, 1]];
        let evidence = Evidence::of(&[group_track(&held, true, None)]);
        assert!(evidence.frozen(0, 100) && evidence.frozen(90, 180));
        assert!(!evidence.frozen(0, 190) && !evidence.frozen(100, 300));
        assert!(evidence.throttled(250, 305) && !evidence.throttled(200, 305));
        assert!(evidence.stood_still(200, 305) && !evidence.stood_still(180, 305));
        assert!(!evidence.stood_still(0, 100) && !evidence.stood_still(301, 309));
    }

    #[test]
    fn steal_is_found_in_the_readings_around() {
        let readings = [[0, 1, 5], [0, 0, 9], [100, 1, 5], [200, 1, 6], [300, 1, 6]];
        let readings = readings.map(|[at, cpu, steal]| [at, cpu, 0, 0, 0, steal]);
        let evidence = Evidence::of(&[cpu_times_track(readings.into_iter(), 10)]);
        assert!(!evidence.stolen(1, 10, 90));
        assert!(evidence.stolen(1, 110, 120));
        assert!(!evidence.stolen(1, 250, 400));
        assert!(!evidence.stolen(0, 110, 120));
        assert!(evidence.stolen_anywhere(110, 120, 1) && !evidence.stolen_anywhere(110, 120, 2));
        assert_eq!(evidence.steal_steps(), [(100, 0), (200, 1), (300, 0)]);
    }
}
