//! Findings of a comparison.

use record::Outcome;
use stats::Order;

use super::columns::{Comparison, NOT_CARRIED};
use super::contrasts::{Basis, Contrasts, Decision, Pair, Row, Varied};
use super::worst_cases;
use crate::clock::Incomparable;
use crate::effect::{Effect, Quality};
use crate::finding::{
    AboutComparison, AboutDeadlines, AboutEffects, Extent, Finding, MeasurementCompared,
    QualityCompared, Why,
};
use crate::imported;
use crate::lists::{each_once, filled, groups};
use crate::survey::System;

pub fn findings(comparison: &Comparison) -> Vec<Finding> {
    let contrasts = &comparison.contrasts;
    let mut all = Vec::new();
    if contrasts.pairs.len() > 1 {
        all.extend(steadiest(comparison));
        all.extend(best(comparison, Quality::Speed));
    }
    all.extend(contrasts.pairs.iter().map(|pair| compared(pair, &comparison.systems)));
    all.extend(evidence(contrasts));
    if let [pair] = contrasts.pairs.as_slice() {
        all.extend(matched(pair));
    }
    if all.is_empty() {
        let nothing = AboutEffects::Inconclusive { why: Why::NothingToCompare };
        let published = published(comparison).map(Finding::Comparison);
        return vec![published.unwrap_or(Finding::Effects(nothing))];
    }
    let outcomes: Vec<&Outcome> = comparison.outcomes().collect();
    all.into_iter().map(Finding::Comparison).chain(imported::findings(&outcomes)).collect()
}

pub fn details(comparison: &Comparison) -> Vec<Finding> {
    let Comparison { systems, contrasts, varied, .. } = comparison;
    let mut all: Vec<AboutComparison> =
        varied.iter().map(|varied| variants(varied, systems)).collect();
    if comparison.is_of_lab() && comparison.has_one_clock() {
        all.extend(worst_cases::findings(systems));
    }
    for pair in &contrasts.pairs {
        all.extend(matched(pair).filter(|_| contrasts.pairs.len() > 1));
        all.extend(by_measurement(pair));
        all.extend(single_runs(pair, comparison));
    }
    all.extend(not_in_turns(contrasts));
    all.extend(published(comparison).filter(|_| !contrasts.pairs.is_empty()));
    let not_carried = AboutComparison::LoadsNotCarried { loads: NOT_CARRIED.to_vec() };
    let not_carried = comparison.is_of_lab().then_some(Finding::Comparison(not_carried));
    all.into_iter().map(Finding::Comparison).chain(invalid(systems)).chain(not_carried).collect()
}

pub fn worse(contrasts: &Contrasts) -> Vec<Finding> {
    let rows = contrasts.rows().filter_map(|(pair, row)| {
        let shown = row.effects.iter().filter(|effect| effect.is_worse());
        Some(AboutComparison::WorseRow {
            names: pair.names.clone(),
            measurement: row.measurement.clone(),
            label: row.label.clone(),
            conditions: row.conditions.clone(),
            figures: filled(shown.map(|effect| (effect.figure.name, effect.times[1])))?,
        })
    });
    rows.map(Finding::Comparison).collect()
}

fn steadiest(comparison: &Comparison) -> Option<AboutComparison> {
    let is_ranked = comparison.is_of_lab() && comparison.has_one_clock();
    let of_lab = is_ranked.then(|| worst_cases::steadiest(&comparison.systems));
    of_lab.flatten().or_else(|| best(comparison, Quality::Steadiness))
}

/// Variants that no other is shown to be better than; `None` unless each was compared with each.
fn best(comparison: &Comparison, quality: Quality) -> Option<AboutComparison> {
    let (systems, pairs) = (&comparison.systems, &comparison.contrasts.pairs);
    let variants = systems.len();
    let is_beaten = |place: &usize| {
        let mut of_place = pairs.iter().filter(|pair| [pair.reference, pair.other].contains(place));
        of_place.any(|pair| pair.better(quality).is_some_and(|best| best != *place))
    };
    let unbeaten = (0..variants).filter(|place| !is_beaten(place));
    let unbeaten = unbeaten.map(|place| systems[place].name.clone()).collect();
    let is_complete = variants > 2 && pairs.len() == variants * (variants - 1) / 2;
    is_complete.then_some(AboutComparison::Best { quality, unbeaten, variants })
}

fn compared(pair: &Pair, systems: &[System]) -> AboutComparison {
    let names = pair.names.clone();
    match pair.refused {
        Some(Incomparable::Clocks) => return AboutComparison::NotComparable { names },
        Some(Incomparable::InstructionSets) => {
            return AboutComparison::OtherInstructionSet { names };
        }
        None => {}
    }
    if pair.rows.is_empty() {
        return AboutComparison::NoEqualRows { names, fields: pair.could_match.clone() };
    }
    AboutComparison::PairCompared {
        names,
        rows: pair.rows.len(),
        is_single: pair.rows.iter().all(Row::is_single),
        is_imported: is_imported(pair, systems),
        speed: quality(pair, Quality::Speed),
        steadiness: quality(pair, Quality::Steadiness),
    }
}

/// Whether a side is of imported files: a run of them cannot be repeated here.
fn is_imported(pair: &Pair, systems: &[System]) -> bool {
    let mut sides = [pair.reference, pair.other].into_iter();
    sides.any(|side| systems[side].outcomes.iter().any(|run| run.header.spec.imported.is_some()))
}

fn quality(pair: &Pair, quality: Quality) -> QualityCompared {
    let shown = pair.rows.iter().filter_map(|row| row.shown(quality));
    let (worse, better): (Vec<&Effect>, Vec<&Effect>) = shown.partition(|effect| effect.is_worse());
    QualityCompared {
        worse: extent(&worse),
        better: extent(&better),
        no_difference: pair.count(quality, Decision::NoDifference),
        not_decided: pair.count(quality, Decision::NotDecided),
    }
}

fn extent(found: &[&Effect]) -> Option<Extent> {
    let figures = each_once(found.iter().map(|effect| effect.figure.in_words));
    let ratios = || found.iter().map(|effect| effect.times[1]);
    let ratios = [ratios().fold(f64::INFINITY, f64::min), ratios().fold(0.0, f64::max)];
    (!found.is_empty()).then_some(Extent { rows: found.len(), figures, ratios })
}

fn evidence(contrasts: &Contrasts) -> impl Iterator<Item = AboutComparison> {
    let margin = contrasts.margin.share();
    let (comparisons, figures) = (contrasts.comparisons, contrasts.exact());
    let tested = (comparisons > 0).then_some(AboutComparison::Tested { comparisons, margin });
    let exact = (figures > 0).then_some(AboutComparison::Exact { figures, margin });
    tested.into_iter().chain(exact)
}

fn matched(pair: &Pair) -> Option<AboutComparison> {
    (!pair.rows.is_empty()).then(|| AboutComparison::Matched {
        names: pair.names.clone(),
        rows: pair.rows.len(),
        across: pair.across.clone(),
        alone: pair.unmatched.each_ref().map(Vec::len),
    })
}

fn variants(varied: &Varied, systems: &[System]) -> AboutComparison {
    AboutComparison::Variants {
        by: varied.by.clone(),
        names: systems.iter().map(|system| system.name.clone()).collect(),
        also: varied.also.clone(),
        left_out: varied.left_out,
    }
}

fn by_measurement(pair: &Pair) -> Option<AboutComparison> {
    let compared = |rows: Vec<&Row>| {
        let count = |is_shown: fn(&Effect) -> bool| {
            rows.iter().filter(|row| row.effects.iter().any(is_shown)).count()
        };
        MeasurementCompared {
            measurement: rows[0].measurement.clone(),
            rows: rows.len(),
            worse: count(Effect::is_worse),
            better: count(|effect| effect.is_shown && !effect.is_worse()),
        }
    };
    let groups = groups(&pair.rows, |a, b| a.measurement == b.measurement);
    let measurements = groups.into_iter().map(compared);
    let measurements =
        filled(measurements.filter(|measurement| measurement.worse + measurement.better > 0))?;
    Some(AboutComparison::ByMeasurement { names: pair.names.clone(), measurements })
}

/// In the lab, the number of draws says how far runs can be trusted.
fn single_runs(pair: &Pair, comparison: &Comparison) -> Option<AboutComparison> {
    let Comparison { contrasts, systems, .. } = comparison;
    let rows = pair.rows.iter().filter(|row| row.is_single()).count();
    (rows > 0 && !contrasts.is_of_lab).then(|| AboutComparison::SingleRuns {
        names: pair.names.clone(),
        rows,
        from_parts: contrasts.basis == Basis::Parts,
        is_imported: is_imported(pair, systems),
    })
}

fn not_in_turns(contrasts: &Contrasts) -> Option<AboutComparison> {
    let pairs = contrasts.pairs.iter();
    let apart = pairs.filter(|pair| pair.order == Order::Apart && !pair.is_exact());
    let pairs = filled(apart.map(|pair| pair.names.clone()))?;
    Some(AboutComparison::NotInTurns { pairs })
}

/// Reports which published figures are shown, or that none of the requested ones is about what was
/// measured; the lab shows them without being asked.
fn published(comparison: &Comparison) -> Option<AboutComparison> {
    let systems = comparison.published_systems();
    let is_asked = !comparison.published.is_empty() && !comparison.is_of_lab();
    (is_asked || !systems.is_empty()).then_some(match systems.is_empty() {
        true => AboutComparison::NoPublishedFigures,
        false => AboutComparison::PublishedFigures { systems },
    })
}

fn invalid(systems: &[System]) -> Option<Finding> {
    let runs = systems.iter().map(|system| system.outcomes.len()).sum();
    let (invalid, cause) = (systems.iter().flat_map(System::invalid).count(), None);
    let finding = AboutDeadlines::InvalidRuns { invalid, runs, cause };
    (invalid > 0).then_some(Finding::Deadlines(finding))
}
