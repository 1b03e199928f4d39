//! From the figures of a thread or CPU to a row.

use record::{Fact, Row, fact};
use serde_json::{Value, json};

use crate::Flaw;
use crate::histogram::Histogram;

/// The figures of a thread or CPU, as a file states them.
#[derive(Debug, Default, Clone)]
pub(crate) struct Figures {
    pub label: String,
    /// The CPU that it ran on.
    pub cpu: Option<u64>,
    pub samples: Option<u64>,
    pub histogram: Histogram,
    /// Width of a bin, in nanoseconds; `None` without a histogram.
    pub bin_width_ns: Option<f64>,
    /// Whether it is known how many samples are above the histogram.
    pub knows_beyond: bool,
    pub others: Vec<(Fact, Value)>,
}

impl Figures {
    /// Returns the row, with every stated figure as a fact.
    ///
    /// # Errors
    /// Fails if the figures contradict each other.
    pub(crate) fn row(self) -> Result<Row, Flaw> {
        let Self { label, cpu, samples, mut histogram, bin_width_ns, knows_beyond, others } = self;
        if samples == Some(0) {
            // Tools print start values of a thread that never ran, such as a minimum of a second.
            histogram = Histogram { bins: histogram.bins, ..Histogram::default() };
        }
        let latency =
            histogram.distribution().map_err(|flaw| Flaw::new(format!("{label}: {flaw}")))?;
        let executed =
            samples.or_else(|| latency.as_ref().map(stats::Distribution::count)).unwrap_or(0);
        let mut row = Row { label, due: executed, executed, latency, ..Row::default() };
        row.tell(&fact::FILE_SAMPLES, samples);
        let extremes = [
            (fact::FILE_MIN_NS, histogram.min_ns),
            (fact::FILE_MEAN_NS, histogram.mean_ns),
            (fact::FILE_MAX_NS, histogram.max_ns),
            (fact::BIN_WIDTH_NS, bin_width_ns),
        ];
        for (fact, ns) in extremes {
            if let Some(ns) = ns {
                row.tell(&fact, ns);
            }
        }
        if bin_width_ns.is_some() || !histogram.bins.is_empty() || histogram.beyond > 0 {
            row.tell(&fact::FILE_BINS, json!(histogram.bins));
            row.tell(&fact::BEYOND_BINS, knows_beyond.then_some(histogram.beyond));
        }
        if let Some(cpu) = cpu {
            row.tell(&fact::CPUS, cpu.to_string());
        }
        for (fact, value) in others {
            row.tell(&fact, value);
        }
        Ok(row)
    }
}
