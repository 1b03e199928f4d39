//! English of effects.

use super::{Effect, Unit, decisive, foremost, worse};
use crate::phrases::maybe;
use crate::words::{self, time, times, watts};

/// Says what a setting does: `p99 31 µs lower (24 to 38)`, or what would have been detected; also
/// what it makes worse and what it costs in power.
pub fn in_words(effects: &[Effect]) -> String {
    let first = match (decisive(effects), foremost(effects)) {
        (Some(effect), _) => effect_with_interval(effect),
        (None, Some(effect)) => {
            let [lower, _, upper] = effect.difference().map(f64::abs);
            let (name, most) = (effect.figure.name, time(lower.max(upper)));
            format!("no effect detected ({name} changes by less than {most})")
        }
        (None, None) => "too few valid runs".to_owned(),
    };
    let harm = maybe(worse(effects), |effect| format!(", but {}", effect_with_interval(effect)));
    let is_power = |effect: &&Effect| effect.figure.unit == Unit::Power && effect.is_shown;
    let power = maybe(effects.iter().find(is_power), |effect| {
        format!(", {} {}", effect.figure.name, difference(effect))
    });
    format!("{first}{harm}{power}")
}

/// `p99 31 µs lower (24 to 38)`.
fn effect_with_interval(effect: &Effect) -> String {
    let [lower, difference_ns, upper] = match effect.figure.unit {
        Unit::Time | Unit::Power => effect.difference().map(f64::abs),
        Unit::Odds => effect.times.map(|times| times.max(1.0 / times)),
    };
    let end = |end: f64| match effect.figure.unit {
        Unit::Time => words::time_in(end, words::unit(difference_ns).unwrap_or(1.0)),
        Unit::Power => watts(end),
        Unit::Odds => times(end),
    };
    let [least, most] = [lower.min(upper), lower.max(upper)].map(end);
    format!("{} {} ({least} to {most})", effect.figure.name, difference(effect))
}

/// `31 µs lower`, `1.9 W higher`, `3x as often`.
fn difference(effect: &Effect) -> String {
    let [_, difference, _] = effect.difference();
    let ratio = effect.times[1];
    let direction = if ratio < 1.0 { "lower" } else { "higher" };
    match effect.figure.unit {
        Unit::Time => format!("{} {direction}", time(difference.abs())),
        Unit::Power => format!("{} {direction}", watts(difference.abs())),
        Unit::Odds if ratio < 1.0 => format!("{}x less often", times(1.0 / ratio)),
        Unit::Odds => format!("{}x as often", times(ratio)),
    }
}
