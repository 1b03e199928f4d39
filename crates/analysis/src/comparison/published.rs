//! Published systems beside measured ones.

use std::str::FromStr;

use super::{Case, Comparison, cases};
use crate::published::{HARDWARE, Latency, Threshold, latencies, stands_beside, thresholds};
use crate::words;

/// Published systems that are shown, by their names in the publications' tables.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Published(Vec<String>);

/// A published system that there is none of: one line that says which there are.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there are no published figures of `{name}`; there are {known}, or all")]
pub struct NotPublished {
    name: String,
    known: String,
}

/// The word for every system.
const ALL: &str = "all";

impl FromStr for Published {
    type Err = NotPublished;

    fn from_str(text: &str) -> Result<Self, NotPublished> {
        let known = names();
        let name = text.trim();
        let is_meant = |known: &&String| name == ALL || known.eq_ignore_ascii_case(name);
        let meant: Vec<String> = known.iter().filter(is_meant).cloned().collect();
        match meant.is_empty() {
            false => Ok(Self(meant)),
            true => Err(NotPublished {
                name: name.to_owned(),
                known: words::listed(
                    &known
                        .iter()
                        .map(|name| name.to_lowercase())
                        .collect::<Vec<_>>(),
                ),
            }),
        }
    }
}

/// The first word of each system's name, once.
fn names() -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for latency in latencies() {
        let name = first_word(&latency.system).to_owned();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn first_word(name: &str) -> &str {
    name.split([' ', ',']).next().unwrap_or_default()
}

impl Published {
    /// Every system.
    pub(super) fn all() -> Self {
        Self(names())
    }

    /// All of these together.
    #[must_use]
    pub fn together(all: Vec<Self>) -> Self {
        Self(all.into_iter().flat_map(|published| published.0).collect())
    }

    /// Whether none is shown.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn has(&self, system: &str) -> bool {
        self.0.iter().any(|name| name == first_word(system))
    }
}

impl Comparison<'_> {
    /// The published latencies that are shown beside these systems.
    pub fn published_latencies(&self) -> Vec<Latency> {
        let latencies = latencies().into_iter();
        latencies
            .filter(|latency| self.published.has(&latency.system))
            .collect()
    }

    /// The published sizes of the tire that are shown beside these systems.
    pub fn published_sizes(&self) -> Vec<Threshold> {
        let sizes = thresholds().into_iter();
        sizes
            .filter(|size| self.published.has(&size.system))
            .collect()
    }
}

/// What published systems and these measured of one test.
pub struct Beside {
    /// The measurement.
    pub test: String,
    /// Average and worst case of each measured system, in nanoseconds; without load.
    pub measured: Vec<Option<[f64; 2]>>,
    /// The figures of each published system.
    pub published: Vec<Option<Latency>>,
}

/// The published systems that are shown, and a line for each of their tests.
pub fn beside(comparison: &Comparison) -> (Vec<String>, Vec<Beside>) {
    let latencies = comparison.published_latencies();
    let (mut systems, mut tests): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for latency in &latencies {
        for (name, names) in [(&latency.system, &mut systems), (&latency.test, &mut tests)] {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    let line = |test: String| {
        let of = |system: &String| {
            let mut all = latencies.iter();
            all.find(|latency| latency.system == *system && latency.test == test)
                .cloned()
        };
        Beside {
            measured: measured(comparison, &test),
            published: systems.iter().map(of).collect(),
            test,
        }
    };
    let lines = tests.into_iter().map(line).collect();
    (systems, lines)
}

/// Average and worst case of the row of a test that published figures stand beside, without
/// load.
fn measured(comparison: &Comparison, test: &str) -> Vec<Option<[f64; 2]>> {
    let cases = cases(&comparison.systems, |series| {
        let is_free = series.spec.asked.loads.is_empty();
        stands_beside(series) && is_free && series.spec.measurement == test
    });
    let figures = |case: &Case| -> Vec<Option<[f64; 2]>> {
        let latencies = case
            .of
            .iter()
            .map(|series| series.as_ref()?.latency.as_ref());
        let pair = |latency: &stats::Distribution| [latency.mean_ns(), latency.max.value_ns as f64];
        latencies.map(|latency| latency.map(pair)).collect()
    };
    let none = || comparison.systems.iter().map(|_| None).collect();
    cases.first().map_or_else(none, figures)
}

/// What published figures can say beside measured ones.
pub fn words_on_published(comparison: &Comparison) -> Option<String> {
    let (systems, _) = beside(comparison);
    (!systems.is_empty()).then(|| {
        format!(
            "Published figures of {} stand beside: as they were printed, of another machine \
             ({HARDWARE}) and time. There are no runs behind them that a test could compare; they \
             are shown, and not ranked.",
            words::listed(&systems)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_are_named_by_their_first_word() {
        let read = |text: &str| text.parse::<Published>();
        assert_eq!(read("xenomai").unwrap().0, ["Xenomai"]);
        assert_eq!(read("Preempt_RT").unwrap().0, ["PREEMPT_RT"]);
        assert_eq!(
            read("all").unwrap().0,
            ["RTAI", "Xenomai", "PREEMPT_RT", "Linux"]
        );
        let error = read("vrtx").unwrap_err().to_string();
        assert!(
            error.contains("`vrtx`") && error.contains("rtai, xenomai"),
            "{error}"
        );
        let linux = read("linux").unwrap();
        assert!(linux.has("Linux 2.6.38") && !linux.has("Xenomai 2.6.2.1, Linux 3.5.7"));
    }
}
