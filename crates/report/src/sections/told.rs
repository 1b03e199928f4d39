//! What outcomes say in sentences, for the summary.

use analysis::claims::{self, Worst};
use analysis::merit::{FiguresOfMerit, General, Merits};
use analysis::standards::Limits;
use analysis::survey::{self, Series, System};
use analysis::{real_time, words};
use plan::{Outcome, Warning};

/// One warning of each kind, with how many more there are; those that make a
/// run INVALID first.
pub(crate) fn warnings(outcomes: &[&Outcome]) -> Vec<String> {
    let mut kinds: Vec<(&Warning, usize)> = Vec::new();
    for warning in outcomes.iter().copied().flat_map(survey::warnings) {
        let same_kind = |(known, _): &&mut (&Warning, usize)| {
            std::mem::discriminant(*known) == std::mem::discriminant(warning)
        };
        match kinds.iter_mut().find(same_kind) {
            Some((_, more)) => *more += 1,
            None => kinds.push((warning, 0)),
        }
    }
    kinds.sort_by_key(|(warning, _)| !warning.invalidates());
    let sentence = |(warning, more): (&Warning, usize)| {
        let mark = if warning.invalidates() { "INVALID: " } else { "" };
        let more = match more {
            0 => String::new(),
            more => format!(" (and {more} more of this kind)"),
        };
        format!("{mark}{}{more}. Remedy: {}.", warning.cause(), warning.remedy())
    };
    kinds.into_iter().map(sentence).collect()
}

/// Each row that this machine cannot measure, with what it needs.
pub(crate) fn unavailable(outcomes: &[&Outcome]) -> Vec<String> {
    let mut all = Vec::new();
    for outcome in outcomes {
        for row in &outcome.rows {
            let Some(needs) = &row.unavailable else {
                continue;
            };
            let text = format!("{}, {}: {needs}.", outcome.header.spec.measurement, row.label);
            if !all.contains(&text) {
                all.push(text);
            }
        }
    }
    all
}

/// The general figures of each system that has any, without predictability: that one rewards
/// outliers, and belongs beside the papers' alone.
pub(crate) fn figures_of_merit(figures: &FiguresOfMerit) -> Vec<String> {
    let sentence = |merits: &Merits| {
        let General { merit, cases, .. } = merits.general.as_ref()?;
        Some(format!(
            "{}: efficiency {}, variation {}; averages over {}.",
            merits.system,
            words::time(merit.efficiency_ns),
            words::time(merit.variation_ns),
            words::counted(*cases, "test and load").replace("test and loads", "tests and loads"),
        ))
    };
    figures.systems.iter().filter_map(sentence).collect()
}

/// What is hard, firm or soft.
pub(crate) fn real_time(systems: &[System], limits: &Limits) -> Vec<String> {
    let of_system = |system: &System| real_time::sentences(system, limits);
    systems.iter().flat_map(of_system).collect()
}

/// For the longest runs of wake-ups and frames, what comes once an hour or more rarely, or
/// why the data do not say.
pub(crate) fn beyond(systems: &[System]) -> Vec<String> {
    let of_system = |system: &System| -> Vec<String> {
        let of_name =
            |name| system.of(name).filter_map(beyond_seen).max_by_key(|(samples, _)| *samples);
        let told = ["wakeup", "frame"].into_iter().filter_map(of_name);
        told.map(|(_, sentence)| sentence).collect()
    };
    systems.iter().flat_map(of_system).collect()
}

/// A sentence, and on how many samples it rests.
fn beyond_seen(series: &Series) -> Option<(u64, String)> {
    let latency = series.latency.as_ref()?;
    let says = match claims::worst(&series.rows)? {
        Worst::Unknown => return None,
        Worst::Refused(refusal) => format!("no claim, {}", claims::reason(refusal)),
        Worst::Fitted(fit) => match (fit.levels.first(), fit.out_of_reach.first()) {
            (Some(level), _) => {
                let (lower, upper) = (Some(level.lower_ns), Some(level.upper_ns));
                let value = claims::with_interval(level.value_ns, lower, upper);
                let once = claims::how_often(level.once);
                format!("{once} {value}, at 95 % confidence")
            }
            (None, Some(level)) => {
                let once = claims::how_often(level.once);
                format!("no claim, {once} is {}", claims::out_of_reach(level))
            }
            (None, None) => return None,
        },
    };
    let (name, label) = (&series.spec.measurement, words::label(series.label));
    let sentence = format!("`{name}`, {label} ({}): {says}.", series.conditions(&[]));
    Some((latency.count(), sentence))
}
