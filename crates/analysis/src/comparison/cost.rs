//! What steadiness costs: the averages of the steadiest system against those of a
//! stock one, where nothing else runs.

use super::cases::{Case, cases};
use super::wakeups::is_default;
use crate::capacity::is_real_time;
use crate::survey::{Series, System};
use crate::words;
use plan::{Family, fact};

/// A system with its worst deciding wake-up, the steadiest first.
pub(super) type Ranked<'s, 'a> = Vec<(f64, &'s System<'a>)>;

/// What distributions boot by default.
const STOCK: &str = "voluntary";
pub(super) const REAL_TIME: &str = "rt";

/// A sentence on each price that is known; none without a stock system to compare with.
pub(super) fn of_steadiness(systems: &[System], ranked: &Ranked) -> Option<String> {
    let (_, steadiest) = ranked.first()?;
    let others = systems.iter();
    let others: Vec<&System> = others.filter(|other| !std::ptr::eq(*other, *steadiest)).collect();
    let stock = stock(&others)?;
    let pair = [stock, *steadiest];
    let prices = [wakeups(pair), interrupts(pair), messages(pair), tire(pair)];
    let prices: Vec<String> = prices.into_iter().flatten().collect();
    (!prices.is_empty()).then(|| {
        format!(
            "What steadiness costs, without load: with {} against {} {}.",
            steadiest.name,
            stock.name,
            words::listed(&prices)
        )
    })
}

/// Of these the system that others are measured by: as distributions boot it, else the first
/// without a real-time kernel.
pub(super) fn stock<'s, 'a>(systems: &[&'s System<'a>]) -> Option<&'s System<'a>> {
    let mut all = systems.iter().copied();
    let of_linux = || systems.iter().find(|system| !is_real_time_kernel(system));
    all.find(|system| system.machine.preemption == STOCK).or_else(|| of_linux().copied())
}

fn is_real_time_kernel(system: &System) -> bool {
    system.machine.preemption == REAL_TIME || system.machine.core_beside_linux().is_some()
}

/// What both measured without load, as average times or rates.
fn averages(
    pair: [&System; 2],
    choose: impl Fn(&Series) -> bool,
    figure: fn(&Series) -> Option<f64>,
) -> Vec<[f64; 2]> {
    let cases = cases(pair, |s| s.spec.asked.loads.is_empty() && choose(s));
    let figures = |case: &Case| {
        let of = |place: usize| case.of[place].and_then(figure).filter(|of| *of > 0.0);
        Some([of(0)?, of(1)?])
    };
    cases.iter().filter_map(figures).collect()
}

fn average(series: &Series) -> Option<f64> {
    series.average_ns()
}

fn wakeups(pair: [&System; 2]) -> Option<String> {
    let [stock, steadiest] = *averages(pair, is_default, average).first()?;
    Some(format!(
        "the average wake-up under the default policy is {} instead of {} ({})",
        words::time(steadiest),
        words::time(stock),
        change(stock, steadiest)
    ))
}

fn interrupts(pair: [&System; 2]) -> Option<String> {
    let of = |series: &Series| series.spec.measurement == "interrupt" && series.label == "timer";
    let [stock, steadiest] = *averages(pair, of, average).first()?;
    Some(format!(
        "an interrupt of the timer reaches its thread in {} instead of {} ({})",
        words::time(steadiest),
        words::time(stock),
        change(stock, steadiest)
    ))
}

fn messages(pair: [&System; 2]) -> Option<String> {
    let of = |series: &Series| {
        series.headline && Family::of(&series.spec.measurement) == Some(Family::Messages)
    };
    let ratios = averages(pair, of, average);
    let logarithms = ratios.iter().map(|[stock, steadiest]| (steadiest / stock).ln());
    let mean = (logarithms.sum::<f64>() / ratios.len() as f64).exp();
    (!ratios.is_empty()).then(|| {
        format!(
            "messages take {} times as long (geometric mean over {})",
            words::quantity(mean),
            words::counted(ratios.len(), "test")
        )
    })
}

fn tire(pair: [&System; 2]) -> Option<String> {
    let rates = averages(pair, is_real_fast, updates);
    let [stock, steadiest] = *rates.first()?;
    Some(format!(
        "the tire computes {} instead of {} mass updates a second ({})",
        words::grouped(steadiest.round() as u64),
        words::grouped(stock.round() as u64),
        change(stock, steadiest)
    ))
}

fn is_real_fast(series: &Series) -> bool {
    series.spec.measurement == "tire" && !is_real_time(series)
}

/// Mass updates a second.
fn updates(series: &Series) -> Option<f64> {
    series.mean(&fact::MASS_UPDATES_PER_S)
}

/// How fast each system computes the tire without load, where it was measured: of the
/// first case that most systems have.
pub fn throughput(systems: &[System]) -> Vec<Option<f64>> {
    let cases = cases(systems, |s| s.spec.asked.loads.is_empty() && is_real_fast(s));
    let measured = |case: &&Case| case.of.iter().flatten().count();
    // The last of equal maxima would be taken.
    let case = cases.iter().rev().max_by_key(measured);
    case.map_or_else(Vec::new, |case| {
        let rates = case.of.iter();
        rates.map(|series| series.and_then(updates)).collect()
    })
}

/// How much more or less it is: `+23 %`.
fn change(from: f64, to: f64) -> String {
    let share = to / from - 1.0;
    let sign = if share < 0.0 { "−" } else { "+" };
    format!("{sign}{}", words::percent(share.abs()))
}
