//! One row on two systems.

use stats::{Contrast, Distribution, Runs, Spread, Superiority};

use super::figures::{Figure, Quality, Values};
use super::matching::{self, Across};
use super::question::Margin;
use crate::clock;
use crate::survey::{Series, System};

/// One row of one measurement, which both systems measured alike.
pub struct Row {
    /// Places of its series on both systems.
    pub places: [usize; 2],
    /// The measurement.
    pub measurement: String,
    /// The row's label.
    pub label: String,
    /// The conditions in words.
    pub conditions: String,
    /// How many runs each side has.
    pub runs: [usize; 2],
    /// What was compared, in the order of the figures that were asked for.
    pub compared: Vec<Compared>,
    /// How often a sample of the other side takes longer.
    pub superiority: Option<Superiority>,
    /// The worst time seen, in nanoseconds, and in how many samples.
    pub worst: [Option<(i64, u64)>; 2],
}

/// A figure of a row.
pub struct Compared {
    /// Which one.
    pub figure: &'static Figure,
    /// On both sides.
    pub values: [f64; 2],
    /// In nanoseconds, what lies above which is counted.
    pub threshold_ns: Option<f64>,
    /// The logarithms of each run.
    pub runs: Runs,
    /// How far parts of a run differ, where that is known.
    pub of_parts: Option<Spread>,
    /// The logarithm of how many times that of the other side is the reference's, where equal
    /// runs are equal, so that nothing needs a test.
    pub exact: Option<f64>,
    /// How many times it is by a test; `None` where it is exact, and where nothing tells how
    /// far runs differ.
    pub contrast: Option<Contrast>,
    /// The lower end of the ratio's interval, how many times the figure of the reference that
    /// of the other side is (of a share the ratio of odds), and the upper end; of what is exact
    /// all three are the ratio.
    pub interval: Option<[f64; 3]>,
    /// The chance of such a ratio where the true one lies within the margin; `None` where
    /// nothing was tested.
    pub chance: Option<f64>,
    /// Whether runs told how far runs differ: what parts of one run tell cannot decide that
    /// there is no difference.
    pub is_decided: bool,
    /// Whether a difference is shown.
    pub is_shown: bool,
}

/// What is said of one quality of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finding {
    /// The other side is the worse one.
    Worse,
    /// The other side is the better one.
    Better,
    /// Runs were compared, and show none.
    NoDifference,
    /// No figure of it was compared run by run, as where each side has one.
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
        let repeats = systems.map(|system| clock::counts_instructions(system.machine));
        let compared = |figure: &'static Figure| {
            let Values { runs, values, threshold_ns, of_parts } = (figure.of)(series)?;
            let exact = exact(&runs).filter(|_| repeats == [true, true]);
            Some(Compared {
                figure,
                values,
                threshold_ns,
                runs,
                of_parts,
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

    /// Says which differences are shown, and how large each is.
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

    /// What was compared by this figure.
    pub fn compared_by(&self, figure: &'static Figure) -> Option<&Compared> {
        let mut compared = self.compared.iter();
        compared.find(|one| std::ptr::eq(one.figure, figure))
    }

    /// What was compared by the figure of that name.
    pub fn named(&self, name: &str) -> Option<&Compared> {
        self.compared.iter().find(|one| one.figure.name == name)
    }

    /// What is shown of the other side, in few words; empty where there is no difference.
    pub fn says(&self) -> String {
        let of = |quality, worse, better| match self.finding(quality) {
            Finding::Worse => Some(worse),
            Finding::Better => Some(better),
            Finding::NoDifference | Finding::NotDecided => None,
        };
        let told: [Option<&str>; 2] = [
            of(Quality::Speed, "slower", "faster"),
            of(Quality::Steadiness, "less steady", "steadier"),
        ];
        let told: Vec<&str> = told.into_iter().flatten().collect();
        match told.is_empty() && !self.is_decided() {
            true => "not decided".to_owned(),
            false => told.join(", "),
        }
    }

    /// What is said of a quality.
    pub fn finding(&self, quality: Quality) -> Finding {
        let of_quality = |one: &&Compared| one.figure.quality == quality;
        match self.shown(quality) {
            Some(one) if one.is_worse() => Finding::Worse,
            Some(_) => Finding::Better,
            None => match self.compared.iter().filter(of_quality).any(|c| c.is_decided) {
                true => Finding::NoDifference,
                false => Finding::NotDecided,
            },
        }
    }

    /// Whether anything of it shows a difference, or runs show none.
    pub fn is_decided(&self) -> bool {
        self.compared.iter().any(|one| one.is_shown || one.is_decided)
    }

    /// Whether any difference is shown.
    pub fn differs(&self) -> bool {
        self.compared.iter().any(|compared| compared.is_shown)
    }

    /// The first figure of this quality that shows a difference.
    pub fn shown(&self, quality: Quality) -> Option<&Compared> {
        let mut compared = self.compared.iter();
        compared.find(|one| one.is_shown && one.figure.quality == quality)
    }

    /// Whether a side has one run, so that how far runs differ comes from elsewhere.
    pub fn is_single(&self) -> bool {
        self.runs.contains(&1) && self.compared.iter().all(|one| one.exact.is_none())
    }

    /// Whether nothing that was compared of it needs a test.
    pub fn is_exact(&self) -> bool {
        self.compared.iter().all(|one| one.exact.is_some())
    }
}

impl Compared {
    /// How many times the figure of the reference that of the other side is.
    pub fn ratio(&self) -> Option<f64> {
        self.interval.map(|[_, ratio, _]| ratio)
    }

    /// Whether the other side's figure is the larger one, which is the worse one.
    pub fn is_worse(&self) -> bool {
        self.ratio().is_some_and(|ratio| ratio > 1.0)
    }
}

/// The ratio's logarithm where the runs of a side do not differ at all.
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
