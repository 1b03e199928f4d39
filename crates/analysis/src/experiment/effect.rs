//! What a knob does to one figure, and how sure that is.

use std::collections::BTreeMap;

use plan::Outcome;
use serde::Serialize;
use stats::{Contrast, Distribution, Screened, effects, level_of_discovery};

use super::stage::{Group, Stage, point, round};
use crate::comparison::contrasts::FIGURES;
use crate::survey::Series;

/// The share of experiments in which an effect of the size told would have been shown.
pub const POWER: f64 = 0.8;

/// Errors below this come from runs that do not differ at all.
const LEAST_ERROR: f64 = 1e-9;
/// How wide a bin of quantiles is, as a share.
const OF_A_BIN: f64 = 0.001;
/// Degrees of freedom of what needs no estimate.
const CERTAIN: f64 = 1e4;

/// What is done to one figure.
#[derive(Debug, Clone, Serialize)]
pub struct Effect {
    /// The figure's name.
    pub figure: &'static str,
    /// What it is measured in.
    #[serde(skip)]
    pub unit: Unit,
    /// The figure without: of a time the geometric mean over runs in nanoseconds, of a share that
    /// of its odds, of power that in watts.
    pub without: f64,
    /// How many times that it is: lower end of the interval, ratio, upper end.
    pub times: [f64; 3],
    /// The chance of a ratio so far from 1 where there is no difference beyond the margin.
    pub chance: f64,
    /// Whether a difference is shown.
    pub is_shown: bool,
    /// Ratio from which on a difference is shown in four of five experiments.
    pub detectable: f64,
    #[serde(skip)]
    pub(super) contrast: Contrast,
}

/// What a figure is measured in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Nanoseconds.
    Time,
    /// A share of what was due, as its odds.
    Odds,
    /// Watts.
    Power,
}

/// A figure of every run.
struct Measured {
    name: &'static str,
    unit: Unit,
    /// Its logarithms, in the order of the runs.
    values: Vec<f64>,
}

/// The effects of one factor of a group, figure by figure.
#[derive(Debug, Clone, Default)]
pub(super) struct OfGroup {
    /// Of each factor: of each knob, or of all of them together.
    pub factors: Vec<Vec<Effect>>,
    /// Of each pair asked for: what both do beyond what each does alone.
    pub pairs: Vec<Vec<Effect>>,
    /// What both together do against neither.
    pub both: Vec<Vec<Effect>>,
}

impl Effect {
    fn new(figure: &Measured, without: f64, contrast: Contrast, margin: f64) -> Self {
        Self {
            figure: figure.name,
            unit: figure.unit,
            without,
            times: [contrast.log_ratio.exp(); 3],
            chance: contrast.chance(margin),
            is_shown: false,
            detectable: 1.0,
            contrast,
        }
    }

    /// Says whether it is shown at that level, one of so many comparisons, and how large it is.
    pub(super) fn judge(&mut self, level: f64) {
        self.is_shown = self.chance <= level;
        self.times = self.contrast.interval(1.0 - level);
        self.detectable = self.contrast.detectable(level, POWER).exp();
    }

    /// The figure less what it is without: lower end, difference, upper end; in its unit. Both were
    /// measured, so that both are in the interval (Zou and Donner, Construction of confidence limits
    /// about effect measures, Statistics in Medicine 27, 2008).
    #[must_use]
    pub fn difference(&self) -> [f64; 3] {
        let [lower, times, upper] = self.times;
        let (without, with) = (self.without, self.without * times);
        // Of the ratio's variance, each side has a half.
        let of_one_side = (upper / lower).ln() / 2.0 / f64::sqrt(2.0);
        let [low, high] = [-of_one_side, of_one_side].map(f64::exp_m1);
        let less = f64::hypot(with * low, without * high);
        let more = f64::hypot(with * high, without * low);
        let difference = with - without;
        [difference - less, difference, difference + more]
    }

    /// Whether it is shown to be less, or shown to be more.
    pub(super) fn is_shown_as(&self, better: bool) -> bool {
        self.is_shown && (self.times[1] < 1.0) == better
    }
}

/// The level at which that share of what is found among these is chance.
pub(super) fn level<'a>(effects: impl IntoIterator<Item = &'a Effect>, share: f64) -> f64 {
    let effects = effects.into_iter();
    let chances: Vec<f64> = effects.map(|effect| effect.chance).collect();
    level_of_discovery(&chances, share)
}

/// The chance of the surest of several figures.
pub(super) fn least_chance(effects: &[Effect]) -> f64 {
    let chances = effects.iter().map(|effect| effect.chance);
    chances.fold(1.0, f64::min)
}

/// What the valid runs of a group say; nothing where they do not determine it.
pub(super) fn of(group: &Group, pairs: &[[usize; 2]], margin: f64) -> OfGroup {
    let mut all = OfGroup {
        factors: vec![Vec::new(); factors(group)],
        pairs: vec![Vec::new(); pairs.len()],
        both: vec![Vec::new(); pairs.len()],
    };
    let runs = runs(group);
    let outcomes: Vec<&Outcome> = runs.iter().map(|run| run.2).collect();
    let Some(series) = series(&outcomes) else {
        return all;
    };
    for figure in measured(&series, &outcomes) {
        if figure.values.len() != runs.len() {
            continue;
        }
        let screened: Vec<Screened> = runs
            .iter()
            .zip(&figure.values)
            .map(|((point, block, _), value)| Screened {
                point: point.clone(),
                block: *block,
                value: *value,
            })
            .collect();
        let Ok(found) = effects(&screened, pairs) else {
            continue;
        };
        let effect = |contrast, is_without: &dyn Fn(&[bool]) -> bool| {
            let without = mean_where(&screened, is_without);
            let contrast = of_copies(contrast, figure.unit, without, &series);
            Effect::new(&figure, without, contrast, margin)
        };
        for (place, [one, other]) in pairs.iter().enumerate() {
            let both = of_both(&found.factors[*one], &found.factors[*other]);
            all.both[place].push(effect(both, &|point| !point[*one] && !point[*other]));
        }
        for (place, contrast) in found.factors.into_iter().enumerate() {
            all.factors[place].push(effect(contrast, &|point| !point[place]));
        }
        for (place, contrast) in found.pairs.into_iter().enumerate() {
            let [one, other] = pairs[place];
            all.pairs[place].push(effect(contrast, &|point| !point[one] && !point[other]));
        }
    }
    all
}

/// What is compared, of runs that are one series.
fn measured(series: &Series, outcomes: &[&Outcome]) -> Vec<Measured> {
    let of_rows = FIGURES.iter().filter_map(|figure| {
        Some(Measured {
            name: figure.name,
            unit: if figure.is_time { Unit::Time } else { Unit::Odds },
            values: (figure.of)([series, series])?.runs.reference,
        })
    });
    let watts = outcomes.iter().filter_map(|run| run.found.system.power_w);
    let power = Measured {
        name: "power",
        unit: Unit::Power,
        values: watts.filter(|watts| *watts > 0.0).map(f64::ln).collect(),
    };
    of_rows.chain([power]).collect()
}

/// Both on against both off: where all four are equally frequent, the sum of what each does, whose
/// errors do not depend on each other.
fn of_both(one: &Contrast, other: &Contrast) -> Contrast {
    Contrast {
        log_ratio: one.log_ratio + other.log_ratio,
        error: f64::hypot(one.error, other.error),
        freedom: one.freedom.min(other.freedom),
    }
}

/// Where time is counted in instructions, equal runs are copies of each other: however many there
/// are, they tell what one does, and that is as sure as a quantile's bin is narrow, or as a count of
/// rare events is.
fn of_copies(contrast: Contrast, unit: Unit, without: f64, series: &Series) -> Contrast {
    if contrast.error > LEAST_ERROR {
        return contrast;
    }
    let samples = series.latency.as_ref().map_or(0, Distribution::count) as f64;
    let events = samples / series.rows.len() as f64 * without / (1.0 + without);
    let deviation = match unit {
        Unit::Odds => 1.0 / (events + 0.5).sqrt(),
        Unit::Time | Unit::Power => OF_A_BIN,
    };
    Contrast { error: deviation * f64::sqrt(2.0), freedom: CERTAIN, ..contrast }
}

/// What is tried together is one factor.
fn factors(group: &Group) -> usize {
    match group.stage {
        Stage::Together => 1,
        _ => group.knobs.len(),
    }
}

/// The valid runs with their points and blocks. How often a point was made before tells its block:
/// that holds in any order of the points.
fn runs<'a>(group: &Group<'a>) -> Vec<(Vec<bool>, usize, &'a Outcome)> {
    let factors = factors(group);
    let round = round(group.stage, group.knobs.len());
    let mut made: BTreeMap<Vec<bool>, usize> = BTreeMap::new();
    let blocks = group.runs.iter().map(|run| {
        let point = point(&run.header.spec);
        let in_round = round.iter().filter(|one| **one == point).count().max(1);
        let before = made.entry(point).or_default();
        *before += 1;
        (*before - 1) / in_round
    });
    let blocks: Vec<usize> = blocks.collect();
    let placed = group.runs.iter().enumerate();
    let valid = placed.filter(|(_, run)| run.is_valid() && !run.rows.is_empty());
    let placed = |(place, run): (usize, &&'a Outcome)| {
        let mut point = point(&run.header.spec);
        point.truncate(factors);
        (point, blocks[place], *run)
    };
    valid.map(placed).collect()
}

/// The first row of each run, as one series.
fn series<'a>(runs: &[&'a Outcome]) -> Option<Series<'a>> {
    let first = runs.first()?;
    let rows: Vec<_> = runs.iter().map(|run| &run.rows[0]).collect();
    let latency = rows.iter().filter_map(|row| row.latency.clone());
    let merged = |mut all: Distribution, more: Distribution| {
        all.merge(&more);
        all
    };
    Some(Series {
        spec: &first.header.spec,
        label: &first.rows[0].label,
        headline: true,
        latency: latency.reduce(merged),
        rows,
    })
}

fn mean_where(runs: &[Screened], is_meant: impl Fn(&[bool]) -> bool) -> f64 {
    let values = runs.iter().filter(|run| is_meant(&run.point));
    let values: Vec<f64> = values.map(|run| run.value).collect();
    (values.iter().sum::<f64>() / values.len().max(1) as f64).exp()
}
