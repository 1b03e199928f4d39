//! The JSON of effects.

use serde::{Serialize, Serializer};

use super::Effect;

/// The form of experiments.
#[derive(Serialize)]
struct Change {
    figure: &'static str,
    without: f64,
    times: [f64; 3],
    chance: f64,
    is_shown: bool,
    detectable: f64,
}

impl Serialize for Effect {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let change = Change {
            figure: self.figure.name,
            without: self.values[0],
            times: self.times,
            chance: self.chance.unwrap_or(1.0),
            is_shown: self.is_shown,
            detectable: self.detectable(),
        };
        change.serialize(serializer)
    }
}

/// The form of runs that are compared with quiet ones.
#[derive(Serialize)]
struct Ratio {
    quiet: f64,
    concurrent: f64,
    lower: f64,
    ratio: f64,
    upper: f64,
    shown: bool,
}

pub(crate) fn as_ratio<S: Serializer>(
    effect: &Option<Effect>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let ratio = effect.map(|effect| {
        let ([quiet, concurrent], [lower, ratio, upper]) = (effect.values, effect.times);
        Ratio { quiet, concurrent, lower, ratio, upper, shown: effect.is_shown }
    });
    ratio.serialize(serializer)
}
