//! Effects in words.

use super::{Effect, KnobTold, decisive, foremost};
use crate::words;

/// What is known of a knob, in a few words: `p99 31 µs less (24 to 38)`, or what would have been
/// shown.
#[must_use]
pub fn in_words(knob: &KnobTold) -> String {
    match (decisive(&knob.effects), foremost(&knob.effects)) {
        (Some(effect), _) => of_effect(effect),
        (None, Some(effect)) => format!("no difference shown ({})", most(effect)),
        (None, None) => "too few valid runs to tell".to_owned(),
    }
}

/// The same without an interval.
#[must_use]
pub fn briefly(effect: &Effect) -> String {
    let [_, difference, _] = effect.difference_ns();
    match effect.is_time {
        true => format!(
            "{} {} {}",
            effect.figure,
            words::time(difference.abs()),
            direction(effect)
        ),
        false => format!("{} {}", effect.figure, multiple(effect.times[1])),
    }
}

/// `p99 31 µs less (24 to 38)`.
#[must_use]
pub(super) fn of_effect(effect: &Effect) -> String {
    let ends = match effect.is_time {
        true => {
            let [lower, difference, upper] = effect.difference_ns().map(f64::abs);
            let unit = words::unit(difference).unwrap_or(1.0);
            let [one, other] = [lower.min(upper), lower.max(upper)];
            [one, other].map(|end| words::time_in(end, unit))
        }
        false => {
            let [lower, _, upper] = effect.times.map(|times| times.max(1.0 / times));
            [lower.min(upper), lower.max(upper)].map(words::times)
        }
    };
    format!("{} ({} to {})", briefly(effect), ends[0], ends[1])
}

/// How large a difference may be that was not shown.
fn most(effect: &Effect) -> String {
    let [lower, _, upper] = effect.difference_ns().map(f64::abs);
    format!(
        "{}: less than {}",
        effect.figure,
        words::time(lower.max(upper))
    )
}

fn direction(effect: &Effect) -> &'static str {
    match effect.times[1] < 1.0 {
        true => "less",
        false => "more",
    }
}

fn multiple(times: f64) -> String {
    match times < 1.0 {
        true => format!("{} times rarer", words::times(1.0 / times)),
        false => format!("{} times as often", words::times(times)),
    }
}
