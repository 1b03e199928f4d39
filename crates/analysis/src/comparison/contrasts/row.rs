//! One row on two systems.

use stats::{Contrast, Distribution, Misses, Runs, Spread, Superiority};

use super::figures::{Figure, Quality, Values};
use super::matching::{self, Across};
use super::question::Margin;
use crate::lab;
use crate::survey::{Series, System};

/// One row of one measurement that both systems measured under equal conditions.
pub struct Row {
    /// Indices of its series on both systems.
    pub places: [usize; 2],
    pub measurement: String,
    pub label: String,
    pub conditions: String,
    /// Number of runs on each side.
    pub runs: [usize; 2],
    /// The comparisons, in the order of the requested figures.
    pub compared: Vec<Compared>,
    /// How often a sample of the other side takes longer.
    pub superiority: Option<Superiority>,
    /// The worst time seen, in nanoseconds, and the number of samples with it.
    pub worst: [Option<(i64, u64)>; 2],
}

pub struct Compared {
    pub figure: &'static Figure,
    pub values: [f64; 2],
    /// In nanoseconds, the threshold above which samples are counted.
    pub threshold_ns: Option<f64>,
    /// Logarithms of the figure of each run.
    pub runs: Runs,
    /// Variation between parts of a run, if known.
    pub of_parts: Option<Spread>,
    /// Missed and due deadlines of each run, if rare counts are compared.
    pub misses: Option<[Vec<Misses>; 2]>,
    /// Logarithm of the ratio of the other side to the reference, if equal runs are equal and
    /// nothing needs a test.
    pub exact: Option<f64>,
    /// The tested ratio; `None` if it is exact, or if the run-to-run variation is unknown.
    pub contrast: Option<Contrast>,
    /// Lower end, estimate and upper end of the ratio of the other side to the reference (for a
    /// share, the odds ratio); all three are the ratio if it is exact.
    pub interval: Option<[f64; 3]>,
    /// The p-value: the probability of such a ratio if the true one lies within the margin; `None`
    /// if nothing was tested.
    pub chance: Option<f64>,
    /// Whether the variation comes from runs: parts of one run cannot show that there is no
    /// difference.
    pub is_decided: bool,
    pub is_shown: bool,
}

/// The result for one quality of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    Worse,
    Better,
    /// Runs were compared and show no difference.
    NoDifference,
    /// No figure was compared run by run, for example because each side has only one run.
    NotDecided,
}

impl Row {
    pub(super) fn of(
        systems: [&System; 2],
        places: [usize; 2],
        across: &[Across],
        figures: &'static [Figure],
    ) -> Self {
        let series = [0, 1].map(|side| &systems[side].series[places[side]]);
        let repeats = systems.map(|system| lab::counts_instructions(system.machine));
        let compared = |figure: &'static Figure| {
            let Values { runs, values, threshold_ns, of_parts, misses } = (figure.of)(series)?;
            let exact = exact(&runs).filter(|_| repeats == [true, true]);
            Some(Compared {
                figure,
                values,
                threshold_ns,
                runs,
                of_parts,
                misses,
                exact,
                contrast: None,
                interval: None,
                chance: None,
                is_decided: exact.is_some(),
                is_shown: false,
            })
        };
        let [reference, other] = series.map(latencies);
        Self {
            places,
            measurement: series[0].spec.measurement.clone(),
            label: series[0].label.to_owned(),
            conditions: matching::conditions(series[0], systems[0], across),
            runs: series.map(|series| series.rows.len()),
            compared: figures.iter().filter_map(compared).collect(),
            superiority: Superiority::of(&reference, &other),
            worst: series.map(|series| {
                let latency = series.latency.as_ref();
                latency.map(|latency| (latency.max.value_ns, latency.count()))
            }),
        }
    }

    /// Decides which differences are shown, and their sizes.
    pub(super) fn judge(&mut self, margin: Margin, level: f64) {
        for compared in &mut self.compared {
            let contrast = compared.contrast;
            (compared.is_shown, compared.interval) = match compared.exact {
                Some(log_ratio) => {
                    (log_ratio.abs() > margin.share().ln_1p(), Some([log_ratio.exp(); 3]))
                }
                None => (
                    compared.chance.is_some_and(|chance| chance <= level),
                    contrast.map(|contrast| contrast.interval(1.0 - level)),
                ),
            };
        }
    }

    pub fn compared_by(&self, figure: &'static Figure) -> Option<&Compared> {
        let mut compared = self.compared.iter();
        compared.find(|one| std::ptr::eq(one.figure, figure))
    }

    pub fn named(&self, name: &str) -> Option<&Compared> {
        self.compared.iter().find(|one| one.figure.name == name)
    }

    pub fn decision(&self, quality: Quality) -> Decision {
        let of_quality = |one: &&Compared| one.figure.quality == quality;
        match self.shown(quality) {
            Some(one) if one.is_worse() => Decision::Worse,
            Some(_) => Decision::Better,
            None => match self.compared.iter().filter(of_quality).any(|c| c.is_decided) {
                true => Decision::NoDifference,
                false => Decision::NotDecided,
            },
        }
    }

    /// Whether any quality shows a difference or, from runs, no difference.
    pub fn is_decided(&self) -> bool {
        self.compared.iter().any(|one| one.is_shown || one.is_decided)
    }

    pub fn differs(&self) -> bool {
        self.compared.iter().any(|compared| compared.is_shown)
    }

    /// Returns the first figure of this quality that shows a difference.
    pub fn shown(&self, quality: Quality) -> Option<&Compared> {
        let mut compared = self.compared.iter();
        compared.find(|one| one.is_shown && one.figure.quality == quality)
    }

    /// Whether a side has one run, so that the variation comes from other rows.
    pub fn is_single(&self) -> bool {
        self.runs.contains(&1) && self.compared.iter().all(|one| one.exact.is_none())
    }

    /// Whether none of its comparisons needs a test.
    pub fn is_exact(&self) -> bool {
        self.compared.iter().all(|one| one.exact.is_some())
    }
}

impl Compared {
    /// Returns the ratio of the other side's figure to the reference's.
    pub fn ratio(&self) -> Option<f64> {
        self.interval.map(|[_, ratio, _]| ratio)
    }

    /// Whether the other side's figure is larger, which is worse.
    pub fn is_worse(&self) -> bool {
        self.ratio().is_some_and(|ratio| ratio > 1.0)
    }
}

/// Returns the logarithm of the ratio if the runs of each side do not differ at all.
fn exact(runs: &Runs) -> Option<f64> {
    let [reference, other] = [&runs.reference, &runs.other].map(|side| {
        let first = side.first()?;
        side.iter().all(|run| run == first).then_some(first)
    });
    Some(other? - reference?)
}

fn latencies<'a>(series: &Series<'a>) -> Vec<&'a Distribution> {
    let rows = series.rows.iter().copied();
    rows.filter_map(|row| row.latency.as_ref()).collect()
}
