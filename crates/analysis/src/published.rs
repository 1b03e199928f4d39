//! Results of the publications, as they printed them.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use stats::FrameFigures;

use crate::survey::Series;
use crate::words;

const MICRO: &str = include_str!("../published/garre2014_micro.csv");
const KERNELS: &str = include_str!("../published/garre2014_linux_kernels.csv");
const TIRE: &str = include_str!("../published/garre2014_tire.csv");
const FRAMES: &str = include_str!("../published/murray2003_frames.csv");
const TIMERS: &str = include_str!("../published/murray2003_timers.csv");

/// The machine that published latencies and tires were measured on.
pub const HARDWARE: &str = "Intel i7-3930K, 6 cores, 12 hardware threads";
/// The machine that published frames were measured on, and their rate.
pub const FRAME_HARDWARE: &str =
    "one or two Intel Xeon of 2.4 GHz with hyperthreading, 100 Hz, one hour a test";
const FRAME_PERIOD_NS: i64 = 10_000_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Source {
    /// Short name.
    pub short: &'static str,
    /// Authors, title, place and year.
    pub full: &'static str,
    /// Model of the tire in the publication; null if it has none.
    pub tire_model: Option<&'static str>,
    /// The year of the measurements and the machine.
    #[serde(skip)]
    pub machine: [&'static str; 2],
}

/// Returns the publications with these short names.
pub fn sources(names: &[&str]) -> Vec<Source> {
    SOURCES.iter().copied().filter(|source| names.contains(&source.short)).collect()
}

pub const SOURCES: &[Source] = &[
    Source {
        short: "SAE 2014",
        full: "Garre, Mundo, Gubitosa, Toso: Performance Comparison of Real-Time and \
               General-Purpose Operating Systems in Parallel Physical Simulation with High \
               Computational Cost. SAE Technical Paper 2014-01-0200, tables 1 to 3",
        tire_model: Some("central"),
        machine: ["2014", HARDWARE],
    },
    Source {
        short: "MPE 2014",
        full: "Garre, Mundo, Gubitosa, Toso: Real-Time and Real-Fast Performance of \
               General-Purpose and Real-Time Operating Systems in Multithreaded Physical \
               Simulation of Complex Mechanical Systems. Mathematical Problems in Engineering \
               2014, article 945850",
        tire_model: Some("balanced"),
        machine: ["2014", HARDWARE],
    },
    Source {
        short: "Murray 2003",
        full: "Murray: Real Time with a Red Hat. Analysis of Standard Linux for Real-Time \
               Simulation. 2003, tables 7 and 8 and appendix",
        tire_model: None,
        machine: ["2003", FRAME_HARDWARE],
    },
];

const VERSIONS: &[(&str, &str)] = &[
    ("RTAI", "RTAI 3.9.1, Linux 2.6.38"),
    ("Xenomai", "Xenomai 2.6.2.1, Linux 3.5.7"),
    ("PREEMPT_RT", "PREEMPT_RT, Linux 3.8.4"),
    ("Linux", "Linux 3.5.7"),
];

/// Measurements whose first row is not what the publications measured, with the row that is: for
/// the semaphore, their text has a loop that locks and unlocks, and does not mention waiting.
const LITERAL: &[(&str, &str)] = &[("semaphore_shuffle", "literal, one CPU")];

/// Whether a series is the row of its measurement that has published figures.
pub fn stands_beside(series: &Series) -> bool {
    let literal = LITERAL.iter().find(|(test, _)| *test == series.spec.measurement);
    literal.map_or(series.headline(), |(_, label)| series.label == *label)
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Latency {
    /// The system with its version.
    #[serde(alias = "kernel")]
    pub system: String,
    /// Name of the measurement.
    pub test: String,
    /// Average, in nanoseconds; null if it was not published.
    pub average_ns: Option<u64>,
    /// Worst case, in nanoseconds.
    pub worst_ns: u64,
    /// Whether the worst case was published as more than this value.
    pub worst_is_lower_bound: bool,
    /// Short name of the publication.
    #[serde(skip_deserializing)]
    pub source: &'static str,
}

impl Latency {
    /// Returns average and worst case in nanoseconds, or the bound that was printed.
    pub fn figures(&self) -> [Option<f64>; 2] {
        [self.average_ns, Some(self.worst_ns)].map(|figure| figure.map(|ns| ns as f64))
    }

    /// `0.72 / 12.1` in microseconds; `33.3 / > 1 000` of a bound.
    pub fn in_words(&self) -> String {
        let average = self.average_ns.map(|ns| words::brief_micros(ns as f64));
        format!(
            "{} / {}{}",
            average.as_deref().unwrap_or("–"),
            if self.worst_is_lower_bound { "> " } else { "" },
            words::brief_micros(self.worst_ns as f64)
        )
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Threshold {
    #[serde(skip_serializing)]
    paper: String,
    /// Name of the system.
    pub system: String,
    /// Scheduler of the system.
    pub scheduler: String,
    /// Number of threads, in the publication's words.
    pub threads: String,
    /// Property of the size, such as `first_missed_deadline`.
    pub property: String,
    /// Size of the tire, in masses.
    pub masses: u64,
    /// Short name of the publication.
    #[serde(skip_deserializing)]
    pub source: &'static str,
    /// Model of the tire, `balanced` or `central`.
    #[serde(skip_deserializing)]
    pub model: &'static str,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Frames {
    /// Index of the process among those that ran together, such as `1 of 3`.
    pub process: String,
    /// CPUs, disk, kernel and affinity, as text.
    pub system: String,
    /// Timer of the frames: `spin` or `interval`.
    pub timer: String,
    /// Frames that ended after the next due time.
    pub overruns: u64,
    /// Largest minus smallest start delay, in nanoseconds.
    pub start_jitter_ns: i64,
    /// Longest minus shortest run time, in nanoseconds.
    pub run_jitter_ns: i64,
    /// Shortest run time, in nanoseconds.
    pub min_run_ns: i64,
    /// Longest run time, in nanoseconds.
    pub max_run_ns: i64,
    /// Mean run time, in nanoseconds.
    pub avg_run_ns: i64,
    /// Names of the marks of Murray 2003 that apply.
    pub marks: Vec<&'static str>,
    /// Short name of the publication.
    pub source: &'static str,
}

/// The figures that both tables of frames have, in milliseconds.
#[derive(Deserialize)]
struct FrameTimes {
    process: String,
    overframes: u64,
    start_jitter_ms: f64,
    run_jitter_ms: f64,
    min_run_ms: f64,
    max_run_ms: f64,
    avg_run_ms: f64,
}

#[derive(Deserialize)]
struct FrameRecord {
    cpus: u64,
    hyperthreading: String,
    boot: String,
    kernel: String,
    affinity: String,
    #[serde(flatten)]
    times: FrameTimes,
}

#[derive(Deserialize)]
struct TimerRecord {
    timer: String,
    kernel: String,
    #[serde(flatten)]
    times: FrameTimes,
}

impl FrameTimes {
    fn published(self, system: String, timer: &str) -> Frames {
        let ns = |ms: f64| (ms * 1e6).round() as i64;
        let figures = FrameFigures {
            period: FRAME_PERIOD_NS,
            overruns: self.overframes,
            start_jitter: ns(self.start_jitter_ms),
            longest_run: ns(self.max_run_ms),
        };
        Frames {
            process: self.process.replace('/', " of "),
            system,
            timer: timer.to_owned(),
            overruns: figures.overruns,
            start_jitter_ns: figures.start_jitter,
            run_jitter_ns: ns(self.run_jitter_ms),
            min_run_ns: ns(self.min_run_ms),
            max_run_ns: figures.longest_run,
            avg_run_ns: ns(self.avg_run_ms),
            marks: figures.marks(),
            source: SOURCES[2].short,
        }
    }
}

/// All published results.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PublishedResults {
    /// Machine on which the published latencies and tires were measured.
    hardware: &'static str,
    /// Publications.
    sources: &'static [Source],
    /// Published latencies.
    latencies: Vec<Latency>,
    /// Published sizes of the tire.
    tire: Vec<Threshold>,
    /// Machine on which the published frames were measured, with rate and duration.
    frame_hardware: &'static str,
    /// Published frames timed by spinning and by interval timer, on the system with the best
    /// results.
    timed_frames: Vec<Frames>,
    /// All other published frames, timed by spinning.
    frames: Vec<Frames>,
}

impl PublishedResults {
    pub(crate) fn all() -> Self {
        Self {
            hardware: HARDWARE,
            sources: SOURCES,
            latencies: latencies(),
            tire: thresholds(),
            frame_hardware: FRAME_HARDWARE,
            timed_frames: timed_frames(),
            frames: frames(),
        }
    }
}

/// Returns every published latency; a figure that two publications print, once.
pub fn latencies() -> Vec<Latency> {
    let micro = records(MICRO).map(|record: Latency| Latency {
        system: version(&record.system),
        source: SOURCES[0].short,
        ..record
    });
    let mut all: Vec<Latency> = micro.collect();
    for record in records::<Latency>(KERNELS) {
        let system = format!("Linux {}", record.system);
        if !all.iter().any(|known| known.system == system && known.test == record.test) {
            all.push(Latency { system, source: SOURCES[1].short, ..record });
        }
    }
    all
}

pub fn thresholds() -> Vec<Threshold> {
    let published = |threshold: Threshold| {
        let source = SOURCES[usize::from(threshold.paper == "mpe")];
        let model = source.tire_model.unwrap_or_default();
        Threshold { source: source.short, model, ..threshold }
    };
    records(TIRE).map(published).collect()
}

const PROPERTIES: &[(&str, &str)] = &[
    ("hard_real_time_up_to", "hard real time up to"),
    ("no_miss_up_to", "no miss up to"),
    ("first_missed_deadline", "first miss at"),
    ("hard_real_time_lost_at", "hard real time lost at"),
    ("first_red_dot", "many misses from"),
    ("no_soft_real_time_above", "no soft real time above"),
];

pub fn property(name: &str) -> &str {
    let known = PROPERTIES.iter().find(|(property, _)| *property == name);
    known.map_or(name, |(_, words)| words)
}

/// Published frames by spin and by interval timer, on the system that did best.
pub fn timed_frames() -> Vec<Frames> {
    let published = |record: TimerRecord| {
        let system =
            format!("2 CPUs with hyperthreading, diskless, Linux {}, affinity", record.kernel);
        record.times.published(system, &record.timer)
    };
    records(TIMERS).map(published).collect()
}

/// Every other published test of frames, all by spin.
pub fn frames() -> Vec<Frames> {
    let published = |record: FrameRecord| {
        let if_yes = |answer: &str, words| if answer == "yes" { words } else { "" };
        let hyperthreading = if_yes(&record.hyperthreading, " with hyperthreading");
        let affinity = if_yes(&record.affinity, ", affinity");
        let cpus = words::counted(record.cpus as usize, "CPU");
        let system =
            format!("{cpus}{hyperthreading}, {}, Linux {}{affinity}", record.boot, record.kernel);
        record.times.published(system, "spin")
    };
    records(FRAMES).map(published).collect()
}

fn version(system: &str) -> String {
    let known = VERSIONS.iter().find(|(name, _)| *name == system);
    known.map_or(system, |(_, version)| version).to_owned()
}

fn records<T: DeserializeOwned>(text: &'static str) -> impl Iterator<Item = T> {
    csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(text.as_bytes())
        .into_deserialize()
        .map(|record| record.expect("a test reads them"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::distinct;

    #[test]
    fn every_table_is_read() {
        let latencies = latencies();
        let xenomai = latencies
            .iter()
            .find(|l| l.system.starts_with("Xenomai") && l.test == "preemption")
            .unwrap();
        assert_eq!((xenomai.average_ns, xenomai.worst_ns), (Some(1422), 2922));
        assert!(latencies.iter().any(|l| l.worst_is_lower_bound));
        assert!(latencies.iter().any(|l| l.system == "Linux 2.6.38"));
        assert!(thresholds().iter().any(|t| t.masses == 57_000 && t.model == "balanced"));
    }

    #[test]
    fn the_papers_loop_stands_beside_their_figures_and_no_exchange() {
        let runs = crate::fixture::micro();
        let systems = crate::survey::systems(&runs);
        let beside = systems[0].series.iter().filter(|series| stands_beside(series));
        let beside: Vec<(&str, &str)> =
            beside.map(|series| (series.spec.measurement.as_str(), series.label)).collect();
        assert_eq!(
            beside[1..],
            [
                ("task_switch", "yield to the other thread"),
                ("preemption", "by timer"),
                ("semaphore_shuffle", "literal, one CPU"),
            ]
        );
    }

    #[test]
    fn frames_bear_the_marks_of_their_figures() {
        let frames = frames();
        let lines = FRAMES.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(frames.len(), lines - 1);
        let first = &frames[0];
        assert_eq!((first.overruns, first.start_jitter_ns), (225, 901_000));
        assert_eq!(first.system, "1 CPU, disk, Linux 2.4.20");
        assert!(first.marks.contains(&"run_beyond_period"));
        let timed = timed_frames();
        let interval = timed.iter().find(|t| t.timer == "interval" && t.process == "3 of 3");
        assert_eq!(interval.unwrap().start_jitter_ns, 104_000);
        let bad = |frames: &Frames| frames.marks.contains(&"bad_start_jitter");
        assert_eq!(timed.iter().filter(|frames| bad(frames)).count(), 3);
    }

    #[test]
    fn no_figure_is_shown_twice() {
        let all = latencies();
        let once = distinct(all.iter().map(|latency| (&latency.system, &latency.test)));
        assert_eq!(once, all.len(), "{all:?}");
    }
}
