//! The cost of steadiness: figures without load of the steadiest system and of a stock one.

use super::cases::{Case, cases};
use super::order::stock;
use super::wakeups::is_plain_wakeup;
use crate::capacity::is_real_time;
use crate::finding::{AboutComparison, Price};
use crate::survey::{Series, System};
use record::{Family, fact};

/// Returns `None` without a stock system to compare with, or without a figure of both.
pub(super) fn of_steadiness(systems: &[System], steadiest: &System) -> Option<AboutComparison> {
    let others = systems.iter().filter(|other| !std::ptr::eq(*other, steadiest));
    let stock = stock(&others.collect::<Vec<_>>())?;
    let pair = [stock, steadiest];
    let first =
        |choose: fn(&Series) -> bool, figure| averages(pair, choose, figure).first().copied();
    let prices = [
        (Price::Wakeup, first(is_plain_wakeup, average)),
        (Price::TimerInterrupt, first(is_timer_interrupt, average)),
        (Price::MassUpdates, first(is_real_fast, updates)),
    ];
    let prices = prices.into_iter().filter_map(|(price, both)| Some((price, both?)));
    let (prices, messages): (Vec<_>, _) = (prices.collect(), messages(pair));
    let is_any = messages.is_some() || !prices.is_empty();
    let [steadiest, stock] = [steadiest, stock].map(|system| system.name.clone());
    let found = AboutComparison::PriceOfSteadiness { steadiest, stock, prices, messages };
    is_any.then_some(found)
}

fn averages(
    pair: [&System; 2],
    choose: impl Fn(&Series) -> bool,
    figure: fn(&Series) -> Option<f64>,
) -> Vec<[f64; 2]> {
    let cases = cases(pair, |series| series.spec.asked.loads.is_empty() && choose(series));
    let figures = |case: &Case| {
        let of = |place: usize| case.of[place].and_then(figure).filter(|of| *of > 0.0);
        Some([of(0)?, of(1)?])
    };
    cases.iter().filter_map(figures).collect()
}

fn average(series: &Series) -> Option<f64> {
    series.average_ns()
}

fn is_timer_interrupt(series: &Series) -> bool {
    series.spec.measurement == "interrupt" && series.label == "timer"
}

/// Returns the geometric mean of the ratios of all message tests, and their number.
fn messages(pair: [&System; 2]) -> Option<(f64, usize)> {
    let are_messages = |series: &Series| {
        series.headline() && Family::of(&series.spec.measurement) == Some(Family::Messages)
    };
    let averages = averages(pair, are_messages, average);
    let logarithms = averages.iter().map(|[stock, steadiest]| (steadiest / stock).ln());
    let mean = (logarithms.sum::<f64>() / averages.len() as f64).exp();
    (!averages.is_empty()).then_some((mean, averages.len()))
}

fn is_real_fast(series: &Series) -> bool {
    series.spec.measurement == "tire" && !is_real_time(series)
}

fn updates(series: &Series) -> Option<f64> {
    series.mean(&fact::MASS_UPDATES_PER_S)
}

/// How fast each system computes the tire without load, in the first case that most have.
pub fn throughput(systems: &[System]) -> Vec<Option<f64>> {
    let cases = cases(systems, |s| s.spec.asked.loads.is_empty() && is_real_fast(s));
    let measured = |case: &&Case| case.of.iter().flatten().count();
    // `max_by_key` returns the last of equal maxima.
    let case = cases.iter().rev().max_by_key(measured).into_iter();
    case.flat_map(|case| case.of.iter().map(|series| series.and_then(updates))).collect()
}
