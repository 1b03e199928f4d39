//! The effects of settings, estimated from the runs of a group.

use std::collections::BTreeMap;

use record::Outcome;
use stats::{Contrast, Distribution, Misses, Screened, chance_of_misses, effects};

use super::stage::{Group, Stage, point, round};
use crate::effect::{Effect, Evidence, FIGURES, Figure, POWER_DRAWN, Role, Unit};
use crate::survey::{Series, merged};

/// Smaller errors come from runs that do not differ at all.
const LEAST_ERROR: f64 = 1e-9;
/// Relative width of a bin of quantiles.
const OF_A_BIN: f64 = 0.001;
/// Degrees of freedom of values that are known exactly.
const CERTAIN: f64 = 1e4;

/// The effects of the factors of a group, figure by figure.
#[derive(Debug, Clone, Default)]
pub(super) struct OfGroup {
    /// For each factor: each knob, or all of them together.
    pub factors: Vec<Vec<Effect>>,
    /// For each requested pair: the joint effect beyond the sum of both.
    pub pairs: Vec<Vec<Effect>>,
    /// For each requested pair: both together compared with neither.
    pub both: Vec<Vec<Effect>>,
}

/// Estimates the effects from the valid runs of a group; empty if the runs do not determine them.
pub(super) fn group_estimate(group: &Group, pairs: &[[usize; 2]]) -> OfGroup {
    let mut all = OfGroup {
        factors: vec![Vec::new(); factors(group)],
        pairs: vec![Vec::new(); pairs.len()],
        both: vec![Vec::new(); pairs.len()],
    };
    let runs = runs(group);
    let outcomes: Vec<&Outcome> = runs.iter().map(|run| run.2).collect();
    let Some(series) = series(&outcomes) else { return all };
    for (figure, values, misses) in measured(&series, &outcomes) {
        if values.len() != runs.len() {
            continue;
        }
        let screened = runs.iter().zip(values).map(|((point, block, _), value)| {
            let point = point.clone();
            Screened { point, block: *block, value }
        });
        let screened: Vec<Screened> = screened.collect();
        let Ok(found) = effects(&screened, pairs) else { continue };
        let effect = |role, contrast, without: f64, side: &dyn Fn(&[bool]) -> Option<bool>| {
            let contrast = checked(contrast, misses.as_deref(), &screened, side);
            let contrast = of_copies(contrast, figure.unit, without, &series);
            let values = [without, without * contrast.log_ratio.exp()];
            Effect { role, ..Effect::new(figure, values, Evidence::Tested(contrast)) }
        };
        for (place, [one, other]) in pairs.iter().enumerate() {
            let both = of_both(&found.factors[*one], &found.factors[*other]);
            let neither = mean_where(&screened, |point| !point[*one] && !point[*other]);
            let side = |point: &[bool]| (point[*one] == point[*other]).then_some(point[*one]);
            all.both[place].push(effect(Role::Pair, both, neither, &side));
            let side = |point: &[bool]| Some(point[*one] == point[*other]);
            all.pairs[place].push(effect(Role::Pair, found.pairs[place], neither, &side));
        }
        for (place, contrast) in found.factors.into_iter().enumerate() {
            let without = mean_where(&screened, |point| !point[place]);
            let side = |point: &[bool]| Some(point[place]);
            all.factors[place].push(effect(Role::Factor, contrast, without, &side));
        }
    }
    all
}

/// A figure with its logarithms in the order of the runs, and missed and due deadlines in the same
/// order if rare counts are compared.
type Measured = (&'static Figure, Vec<f64>, Option<Vec<Misses>>);

fn measured(series: &Series, outcomes: &[&Outcome]) -> Vec<Measured> {
    let of_rows = FIGURES.iter().filter_map(|figure| {
        let values = (figure.of)([series, series])?;
        Some((figure, values.runs.reference, values.misses.map(|[misses, _]| misses)))
    });
    let watts = outcomes.iter().filter_map(|run| run.found.system.power_w);
    let watts = watts.filter(|watts| *watts > 0.0).map(f64::ln).collect();
    of_rows.chain([(&POWER_DRAWN, watts, None)]).collect()
}

/// Limits the certainty of rare counts to that of an exact test; `side` is that of a run.
fn checked(
    contrast: Contrast,
    misses: Option<&[Misses]>,
    screened: &[Screened],
    side: &dyn Fn(&[bool]) -> Option<bool>,
) -> Contrast {
    // Copies of one run are exact without a test.
    let Some(misses) = misses.filter(|_| contrast.error > LEAST_ERROR) else { return contrast };
    let on = |wanted: bool| -> Vec<Misses> {
        let runs = screened.iter().zip(misses);
        let of_side = runs.filter(|(run, _)| side(&run.point) == Some(wanted));
        of_side.map(|(_, misses)| *misses).collect()
    };
    contrast.no_surer_than(chance_of_misses(&on(false), &on(true)))
}

/// Both on and both off: if all points are equally frequent, the sum, with independent errors.
fn of_both(a: &Contrast, b: &Contrast) -> Contrast {
    Contrast {
        log_ratio: a.log_ratio + b.log_ratio,
        error: f64::hypot(a.error, b.error),
        freedom: a.freedom.min(b.freedom),
    }
}

/// If time is counted in instructions, equal runs are copies of each other: any number of them says
/// as much as one, and its precision is that of a quantile's bin, or of a count of rare events.
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

/// Knobs that are tried together are one factor.
fn factors(group: &Group) -> usize {
    if group.stage == Stage::Together { 1 } else { group.knobs.len() }
}

/// Returns the valid runs with their points and blocks. The block is the number of earlier runs
/// with the same point, which works for any order of the points.
fn runs<'a>(group: &Group<'a>) -> Vec<(Vec<bool>, usize, &'a Outcome)> {
    let factors = factors(group);
    let round = round(group.stage, group.knobs.len());
    let mut made: BTreeMap<Vec<bool>, usize> = BTreeMap::new();
    let placed = group.runs.iter().map(|run| {
        let mut point = point(&run.header.spec);
        let in_round = round.iter().filter(|other_point| **other_point == point).count().max(1);
        let before = made.entry(point.clone()).or_default();
        *before += 1;
        let block = (*before - 1) / in_round;
        point.truncate(factors);
        (point, block, *run)
    });
    placed.filter(|(.., run)| run.is_valid() && !run.rows.is_empty()).collect()
}

fn series<'a>(runs: &[&'a Outcome]) -> Option<Series<'a>> {
    let first = runs.first()?;
    let rows: Vec<_> = runs.iter().map(|run| &run.rows[0]).collect();
    Some(Series {
        latency: merged(rows.iter().copied()),
        rows,
        ..Series::bare(&first.header.spec, &first.rows[0].label)
    })
}

fn mean_where(runs: &[Screened], is_meant: impl Fn(&[bool]) -> bool) -> f64 {
    let meant = runs.iter().filter(|run| is_meant(&run.point));
    let values: Vec<f64> = meant.map(|run| run.value).collect();
    (values.iter().sum::<f64>() / values.len().max(1) as f64).exp()
}
