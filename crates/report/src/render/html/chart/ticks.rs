//! Ticks: round values whose labels do not overlap.

use crate::document::{Axis, Scale, Unit};

/// Steps within one power of ten, and fewer.
const STEPS: [f64; 3] = [1.0, 2.0, 5.0];
const FEWER: [f64; 2] = [1.0, 3.0];
/// Average width of a letter in a label, in CSS pixels.
const LETTER: f64 = 6.6;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    /// From 0 to 1, as the axis maps values.
    pub place: f64,
    pub label: String,
}

pub(super) fn width(label: &str) -> f64 {
    label.chars().count() as f64 * LETTER
}

/// Returns as many ticks as there is room for labels below an axis of this width in CSS pixels.
pub(super) fn across(axis: &Axis, pixels: f64) -> Vec<Tick> {
    const APART: f64 = 16.0;
    fitting(axis, pixels, |label| width(label) + APART)
}

/// Returns as many ticks as there is room for labels next to an axis of this height in CSS pixels.
pub(super) fn upright(axis: &Axis, pixels: f64) -> Vec<Tick> {
    const APART: f64 = 30.0;
    fitting(axis, pixels, |_| APART)
}

fn fitting(axis: &Axis, pixels: f64, room: impl Fn(&str) -> f64) -> Vec<Tick> {
    let has_room = |last: &Tick, tick: &Tick| {
        let apart = (room(&last.label) + room(&tick.label)) / 2.0;
        (tick.place - last.place) * pixels >= apart
    };
    if !axis.ticks.is_empty() {
        let mut kept: Vec<Tick> = Vec::new();
        for tick in ticks(axis, &axis.ticks) {
            if kept.last().is_none_or(|last| has_room(last, &tick)) {
                kept.push(tick);
            }
        }
        return kept;
    }
    let fits = |ticks: &Vec<Tick>| {
        let mut pairs = ticks.windows(2);
        pairs.all(|pair| has_room(&pair[0], &pair[1]) && pair[0].label != pair[1].label)
    };
    let rounds = (0..ROUNDS).map(|round| ticks(axis, &round_values(axis, round)));
    rounds.into_iter().find(fits).unwrap_or_default()
}

const ROUNDS: usize = 24;

/// Returns round values on an axis, fewer in each round.
fn round_values(axis: &Axis, round: usize) -> Vec<f64> {
    /// If the ratio of its ends is below this, a logarithmic axis has too few powers of ten.
    const NARROW: f64 = 8.0;
    let [least, most] = axis.range;
    match axis.scale {
        Scale::Log if most / least >= NARROW => {
            let (steps, every) = match round {
                0 => (&STEPS[..], 1),
                1 => (&FEWER[..], 1),
                round => (&STEPS[..1], round - 1),
            };
            let first = least.log10().floor() as i32;
            let decades = (first..=most.log10().ceil() as i32).step_by(every);
            let value = |decade, step: &f64| step * 10f64.powi(decade);
            decades.flat_map(|decade| steps.iter().map(move |step| value(decade, step))).collect()
        }
        _ => {
            const FINEST: f64 = 50.0;
            let finest = ((most - least).abs() / FINEST).log10().floor() as i32;
            let decade = finest.saturating_add((round / STEPS.len()) as i32);
            let step = STEPS[round % STEPS.len()] * 10f64.powi(decade);
            let [first, last] = [(least / step).ceil(), (most / step).floor()];
            let count = (last - first).clamp(0.0, 10.0 * FINEST) as u32;
            (0..=count).map(|at| (first + f64::from(at)) * step).collect()
        }
    }
}

fn ticks(axis: &Axis, values: &[f64]) -> Vec<Tick> {
    let tick = |value: &f64| Tick { place: axis.place(*value), label: axis.unit.words(*value) };
    let on_axis = |tick: &Tick| (-1e-9..=1.0 + 1e-9).contains(&tick.place);
    let is_whole = |value: &f64| axis.unit != Unit::Count || value.fract() == 0.0;
    let values = values.iter().filter(|value| value.is_finite() && is_whole(value));
    values.map(tick).filter(on_axis).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Unit;
    use proptest::prelude::*;

    fn labels(axis: &Axis, pixels: f64) -> Vec<String> {
        across(axis, pixels).into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn ticks_are_round_and_as_many_as_have_room() {
        let times = Axis::log("", Unit::Time, [900.0, 1.1e6]);
        let all = "1 µs, 2 µs, 5 µs, 10 µs, 20 µs, 50 µs, 100 µs, 200 µs, 500 µs, 1 ms";
        assert_eq!(labels(&times, 900.0).join(", "), all);
        assert_eq!(labels(&times, 300.0), ["1 µs", "10 µs", "100 µs", "1 ms"]);
        assert_eq!(labels(&times, 120.0), ["10 µs", "1 ms"]);
        let linear = Axis::linear("", Unit::Time, [0.0, 2.3e6]);
        assert_eq!(labels(&linear, 300.0), ["0", "500 µs", "1 ms", "1.5 ms", "2 ms"]);
        let narrow = Axis::log("", Unit::Times, [0.8, 1.25]);
        assert_eq!(labels(&narrow, 300.0), ["0.80", "0.90", "1.00", "1.10", "1.20"]);
    }

    #[test]
    fn given_ticks_are_thinned_where_they_have_no_room() {
        let threads = Axis::linear("", Unit::Number, [0.0, 66.0]);
        let threads = threads.ticks(vec![64.0, 1.0, 2.0, 2.0, 32.0]);
        assert_eq!(labels(&threads, 300.0), ["1", "32", "64"]);
    }

    proptest! {
        #[test]
        fn labels_never_lie_over_each_other(
            ends in prop::array::uniform2(-1e18..1e18f64),
            decades in prop::array::uniform2(-18.0..18.0f64),
            is_log in prop::bool::ANY,
            pixels in 100.0..1000.0f64,
        ) {
            let mut range = if is_log { decades.map(|decade| 10f64.powf(decade)) } else { ends };
            range.sort_unstable_by(f64::total_cmp);
            let axis = if is_log {
                Axis::log("", Unit::Time, range)
            } else {
                Axis::linear("", Unit::Number, range)
            };
            let ticks = across(&axis, pixels);
            for pair in ticks.windows(2) {
                let apart = (pair[1].place - pair[0].place) * pixels;
                prop_assert!(apart >= (width(&pair[0].label) + width(&pair[1].label)) / 2.0);
            }
            for tick in &ticks {
                prop_assert!((-1e-6..=1.0 + 1e-6).contains(&tick.place), "{tick:?}");
            }
        }
    }
}
