//! Effects in words.

use super::{Effect, KnobTold, PairTold, Unit, decisive, foremost, worse};
use crate::words;

/// What is known of a knob, in a few words: `p99 31 µs less (24 to 38)`, or what would have been
/// shown; what it harms besides, and what it costs in power.
#[must_use]
pub fn in_words(knob: &KnobTold) -> String {
    of_effects(&knob.effects)
}

/// The same of effects of any kind.
#[must_use]
pub fn of_effects(effects: &[Effect]) -> String {
    let words = match (decisive(effects), foremost(effects)) {
        (Some(effect), _) => of_effect(effect),
        (None, Some(effect)) => format!("no difference shown ({})", most(effect)),
        (None, None) => "too few valid runs to tell".to_owned(),
    };
    let harm = worse(effects).map(|effect| format!(", but {}", of_effect(effect)));
    words + &harm.unwrap_or_default() + &power(effects)
}

/// What two knobs do together: `together p99 50 µs less (45 to 55), 0.5 times what each adds up to`.
#[must_use]
pub fn of_pair(pair: &PairTold, extra: &Effect) -> String {
    let times = words::times(extra.times[1]);
    let both = of_effects(&pair.both);
    format!("together {both}; {} {times} times what each adds up to", extra.figure)
}

/// `, 1.9 W more` where a difference of the power that is drawn is shown.
pub(super) fn power(effects: &[Effect]) -> String {
    let is_meant = |effect: &&Effect| effect.unit == Unit::Power && effect.is_shown;
    let shown = effects.iter().find(is_meant);
    shown.map_or_else(String::new, |effect| {
        let [_, difference, _] = effect.difference();
        let watts = words::watts(difference.abs());
        format!(", {watts} {}", direction(effect))
    })
}

/// What one figure does, without an interval.
#[must_use]
pub fn briefly(effect: &Effect) -> String {
    let [_, difference, _] = effect.difference();
    let (figure, by) = (effect.figure, difference.abs());
    match effect.unit {
        Unit::Time => format!("{figure} {} {}", words::time(by), direction(effect)),
        Unit::Power => format!("{figure} {} {}", words::watts(by), direction(effect)),
        Unit::Odds => format!("{figure} {}", multiple(effect.times[1])),
    }
}

/// `p99 31 µs less (24 to 38)`.
fn of_effect(effect: &Effect) -> String {
    let [lower, difference, upper] = match effect.unit {
        Unit::Time | Unit::Power => effect.difference().map(f64::abs),
        Unit::Odds => effect.times.map(|times| times.max(1.0 / times)),
    };
    let end = |end: f64| match effect.unit {
        Unit::Time => words::time_in(end, words::unit(difference).unwrap_or(1.0)),
        Unit::Power => words::watts(end),
        Unit::Odds => words::times(end),
    };
    let [least, most] = [lower.min(upper), lower.max(upper)].map(end);
    format!("{} ({least} to {most})", briefly(effect))
}

/// How large a difference may be that was not shown.
fn most(effect: &Effect) -> String {
    let [lower, _, upper] = effect.difference().map(f64::abs);
    format!("{}: less than {}", effect.figure, words::time(lower.max(upper)))
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
