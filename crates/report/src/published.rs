//! Results of the publications, as they printed them.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

const MICRO: &str = include_str!("../published/garre2014_micro.csv");
const KERNELS: &str = include_str!("../published/garre2014_linux_kernels.csv");
const TIRE: &str = include_str!("../published/garre2014_tire.csv");

/// The machine that all these figures were measured on.
pub(crate) const HARDWARE: &str = "Intel i7-3930K, 6 cores, 12 hardware threads";

/// Where a set of figures was published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Source {
    /// Short name, as tables use it.
    pub short: &'static str,
    /// Authors, title, place and year.
    pub full: &'static str,
    /// The model of the tire that it uses.
    pub tire_model: &'static str,
}

/// Every publication that figures are taken from.
pub(crate) const SOURCES: &[Source] = &[
    Source {
        short: "SAE 2014",
        full: "Garre, Mundo, Gubitosa, Toso: Performance Comparison of Real-Time and \
               General-Purpose Operating Systems in Parallel Physical Simulation with High \
               Computational Cost. SAE Technical Paper 2014-01-0200, tables 1 to 3",
        tire_model: "central",
    },
    Source {
        short: "MPE 2014",
        full: "Garre, Mundo, Gubitosa, Toso: Real-Time and Real-Fast Performance of \
               General-Purpose and Real-Time Operating Systems in Multithreaded Physical \
               Simulation of Complex Mechanical Systems. Mathematical Problems in Engineering \
               2014, article 945850",
        tire_model: "balanced",
    },
];

/// Versions of the systems by their names in the tables.
const VERSIONS: &[(&str, &str)] = &[
    ("RTAI", "RTAI 3.9.1, Linux 2.6.38"),
    ("Xenomai", "Xenomai 2.6.2.1, Linux 3.5.7"),
    ("PREEMPT_RT", "PREEMPT_RT, Linux 3.8.4"),
    ("Linux", "Linux 3.5.7"),
];

/// A published latency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Latency {
    /// The system with its version.
    pub system: String,
    /// The measurement's name.
    pub test: String,
    /// Average in nanoseconds, where it was published.
    pub average_ns: Option<u64>,
    /// Worst case in nanoseconds.
    pub worst_ns: u64,
    /// Whether the worst case was printed as "more than" this.
    pub worst_is_lower_bound: bool,
    /// Short name of the publication.
    pub source: &'static str,
}

/// A published size of the tire.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Threshold {
    /// The system.
    pub system: String,
    /// Its scheduler.
    pub scheduler: String,
    /// Number of threads, in the publication's words.
    pub threads: String,
    /// What is true of the size: `first_missed_deadline` and so on.
    pub property: String,
    /// The size.
    pub masses: u64,
    /// Short name of the publication.
    pub source: &'static str,
    /// The model of the tire.
    pub model: &'static str,
}

#[derive(Deserialize)]
struct MicroRecord {
    system: String,
    test: String,
    average_ns: u64,
    worst_ns: u64,
    worst_is_lower_bound: bool,
}

#[derive(Deserialize)]
struct KernelRecord {
    kernel: String,
    test: String,
    worst_ns: u64,
    worst_is_lower_bound: bool,
}

#[derive(Deserialize)]
struct TireRecord {
    paper: String,
    system: String,
    scheduler: String,
    threads: String,
    property: String,
    masses: u64,
}

/// Every published latency; a figure that two publications print, once.
pub(crate) fn latencies() -> Vec<Latency> {
    let mut all: Vec<Latency> = records(MICRO)
        .map(|record: MicroRecord| Latency {
            system: version(&record.system),
            test: record.test,
            average_ns: Some(record.average_ns),
            worst_ns: record.worst_ns,
            worst_is_lower_bound: record.worst_is_lower_bound,
            source: SOURCES[0].short,
        })
        .collect();
    for record in records::<KernelRecord>(KERNELS) {
        let system = format!("Linux {}", record.kernel);
        if !all
            .iter()
            .any(|l| l.system == system && l.test == record.test)
        {
            all.push(Latency {
                system,
                test: record.test,
                average_ns: None,
                worst_ns: record.worst_ns,
                worst_is_lower_bound: record.worst_is_lower_bound,
                source: SOURCES[1].short,
            });
        }
    }
    all
}

/// Every published size of the tire.
pub(crate) fn thresholds() -> Vec<Threshold> {
    records(TIRE)
        .map(|record: TireRecord| {
            let source = SOURCES[usize::from(record.paper == "mpe")];
            Threshold {
                system: record.system,
                scheduler: record.scheduler,
                threads: record.threads,
                property: record.property,
                masses: record.masses,
                source: source.short,
                model: source.tire_model,
            }
        })
        .collect()
}

fn version(system: &str) -> String {
    VERSIONS
        .iter()
        .find(|(name, _)| *name == system)
        .map_or(system, |(_, version)| version)
        .to_owned()
}

/// The records of a table that was compiled in.
fn records<T: DeserializeOwned>(text: &'static str) -> impl Iterator<Item = T> {
    csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(text.as_bytes())
        .into_deserialize()
        .map(|record| record.expect("the published tables are constants that a test reads"))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(
            thresholds()
                .iter()
                .any(|t| t.masses == 57_000 && t.model == "balanced")
        );
    }

    #[test]
    fn no_figure_is_shown_twice() {
        let all = latencies();
        for (index, one) in all.iter().enumerate() {
            let again = all[index + 1..]
                .iter()
                .any(|other| (&other.system, &other.test) == (&one.system, &one.test));
            assert!(!again, "{one:?}");
        }
    }
}
