//! The JSON of effects.

use serde::{Serialize, Serializer};

use super::Effect;

/// The form of experiments.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Effect"))]
struct Change {
    /// Figure compared; `power` is that of all processor packages.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = figures())))]
    figure: &'static str,
    /// Figure without the change, as the geometric mean over runs: a time in nanoseconds, the odds
    /// of a share, or power in watts.
    without: f64,
    /// Ratio of the figure with the change to that without: lower end of the interval, estimate,
    /// upper end; null if an end is unbounded.
    #[cfg_attr(feature = "schema", schemars(with = "[Option<f64>; 3]"))]
    times: [f64; 3],
    /// Probability (p-value) of a ratio at least this far from 1 if there is no difference beyond
    /// the margin.
    chance: f64,
    /// Whether a difference is shown.
    is_shown: bool,
    /// Smallest ratio that 80 % of such experiments would show; null if there is none.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    detectable: f64,
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Effect {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        Change::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Change::json_schema(generator)
    }
}

#[cfg(feature = "schema")]
fn figures() -> Vec<&'static str> {
    super::FIGURES.iter().chain([&super::POWER_DRAWN]).map(|figure| figure.name).collect()
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "AgainstQuiet"))]
pub(crate) struct Ratio {
    /// Figure in quiet runs, without a neighbour or best-effort work: a time in nanoseconds, or a
    /// share of deadlines.
    quiet: f64,
    /// Figure in runs with the neighbour or best-effort work.
    concurrent: f64,
    /// Lower end of the ratio's interval.
    lower: f64,
    /// Figure with the neighbour or best-effort work, divided by that of quiet runs; for a share,
    /// the ratio of odds.
    ratio: f64,
    /// Upper end of the ratio's interval; null if it is unbounded.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    upper: f64,
    /// Whether a difference is shown.
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
