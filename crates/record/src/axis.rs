//! What a frontier or a map varies from run to run of a model.

use std::str::FromStr;

use base::{Nanos, Number, Rate};
use serde::{Deserialize, Serialize};

use crate::{Kind, NOWHERE, Parameter, Size, joined_settings, settings_in};

/// The highest rate in hertz; above it, whole nanoseconds are too coarse to distinguish rates.
const HIGHEST_RATE: u64 = 100_000;
/// Number of equal steps between the two ends of a setting.
const STEPS: u64 = 100;

/// What a frontier or a map varies. A place on it is a whole number: the larger, the harder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Axis {
    Masses,
    Instances,
    Rate,
    /// A variable of the user's own model, set at the start. Places count equal steps of its value;
    /// place 1 is the easier end.
    Setting(Setting),
}

/// A variable and the two values between which it is varied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Setting {
    /// Name of the variable.
    pub name: String,
    /// First value of the variable, the easier end.
    pub from: Number,
    /// Last value of the variable.
    pub to: Number,
    /// Whether the values are whole numbers.
    pub whole: bool,
}

/// How often deadlines are due at each place of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Periods {
    pub(crate) usual: Nanos,
    pub(crate) is_rate: bool,
}

impl Axis {
    /// Returns the size of a measurement's runs; `None` if they simulate nothing.
    pub fn of_measurement(name: &str) -> Option<Self> {
        let sizes = [Self::Masses, Self::Instances];
        let size = Size::of_measurement(name)?;
        sizes.into_iter().find(|axis| axis.size() == Some(size))
    }

    pub fn size(&self) -> Option<Size> {
        match self {
            Self::Masses => Some(Size::MASSES),
            Self::Instances => Some(Size::INSTANCES),
            Self::Rate | Self::Setting(_) => None,
        }
    }

    /// The parameter that holds the value, which is also its flag.
    pub fn parameter(&self) -> &'static str {
        match self {
            Self::Rate => "rate",
            Self::Setting(_) => "set",
            Self::Masses => Size::MASSES.parameter,
            Self::Instances => Size::INSTANCES.parameter,
        }
    }

    /// The unit of places: `masses`, `Hz`, or the name of the variable.
    pub fn unit(&self, count: u64) -> &str {
        match self {
            Self::Rate => "Hz",
            Self::Setting(setting) => &setting.name,
            Self::Masses => Size::MASSES.unit(count),
            Self::Instances => Size::INSTANCES.unit(count),
        }
    }

    /// What a place is called in text: `size`, `rate` or `value`.
    pub fn noun(&self) -> &'static str {
        match self {
            Self::Rate => "rate",
            Self::Setting(_) => "value",
            Self::Masses | Self::Instances => "size",
        }
    }

    /// The number of which every place is a multiple. The sizes of tires in the publications are
    /// this far apart, and both tire models need it.
    pub fn grain(&self) -> u64 {
        match self {
            Self::Masses => 4,
            Self::Instances | Self::Rate | Self::Setting(_) => 1,
        }
    }

    /// The smallest place for runs on `threads` threads, each of which needs a part of the model.
    pub fn smallest(&self, threads: u64) -> u64 {
        match self.size() {
            Some(_) => threads.next_multiple_of(self.grain()).max(self.grain()),
            None => 1,
        }
    }

    /// The largest place, given the parameters that the measurement declares.
    pub fn largest(&self, declared: &[Parameter]) -> u64 {
        let own = declared.iter().find(|one| one.name == self.parameter());
        match (self.end(), own.map(|parameter| parameter.kind)) {
            (Some(end), _) => end,
            (None, Some(Kind::Count(_, most))) => most / self.grain() * self.grain(),
            (None, _) => u64::MAX,
        }
    }

    /// The last place of a range that does not depend on the model.
    pub fn end(&self) -> Option<u64> {
        match self {
            Self::Rate => Some(HIGHEST_RATE),
            Self::Setting(setting) => Some(setting.steps() + 1),
            Self::Masses | Self::Instances => None,
        }
    }

    pub fn number(&self, place: u64) -> f64 {
        match self {
            Self::Setting(setting) => setting.value(place).get(),
            _ => place as f64,
        }
    }

    /// The part of the parameter's value that is the same at all places, if any.
    pub fn rest(&self, value: &str) -> Option<String> {
        let Self::Setting(setting) = self else { return None };
        let others = setting.others_in(value);
        (!others.is_empty()).then(|| joined_settings(others))
    }
}

impl Periods {
    pub fn of(self, place: u64) -> Nanos {
        if self.is_rate { Rate::of_hertz(place).period() } else { self.usual }
    }

    /// Returns how many times as often deadlines are due at a place as in the original run.
    pub fn times_as_often(self, place: u64) -> f64 {
        self.usual.0.max(1) as f64 / self.of(place).0.max(1) as f64
    }
}

impl Setting {
    /// The number of equal steps between the two ends; of whole numbers, at most one each.
    pub fn steps(&self) -> u64 {
        let length = (self.to.get() - self.from.get()).abs();
        if self.whole { length.min(STEPS as f64) as u64 } else { STEPS }
    }

    pub fn value(&self, place: u64) -> Number {
        let steps = self.steps();
        let [from, to] = [self.from, self.to].map(Number::get);
        let share = place.saturating_sub(1).min(steps) as f64 / steps as f64;
        let value = from + (to - from) * share;
        let text = match self.whole {
            true => format!("{value:.0}"),
            // Further digits are only rounding errors.
            false => format!("{value:.11e}"),
        };
        text.parse().unwrap_or(self.from)
    }

    /// Returns the settings of other variables in those of a run.
    pub fn others_in(&self, settings: &str) -> Vec<String> {
        let mut all = settings_in(settings).unwrap_or_default();
        all.retain(|one| self.value_in(one).is_none());
        all
    }

    /// Returns the number to which one setting of a run sets this variable, if it does.
    pub fn value_in(&self, setting: &str) -> Option<Number> {
        let value = setting.strip_prefix(&*self.name)?.trim_start().strip_prefix('=')?;
        value.trim().parse().ok()
    }

    pub(crate) fn place(&self, value: f64) -> u64 {
        let [from, to] = [self.from, self.to].map(Number::get);
        let share = ((value - from) / (to - from)).clamp(0.0, 1.0);
        (share * self.steps() as f64).round() as u64 + 1
    }
}

impl FromStr for Axis {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let word = match text.trim() {
            "masses" => Some(Self::Masses),
            "instances" => Some(Self::Instances),
            "rate" => Some(Self::Rate),
            _ => None,
        };
        let setting = || {
            let (name, ends) = text.rsplit_once('=')?;
            let (from, to) = ends.split_once("..")?;
            let [from, to]: [Number; 2] = [from.parse().ok()?, to.parse().ok()?];
            let name = name.trim();
            // Above this, a double cannot represent every whole number.
            let is_whole = |end: Number| end.get().fract() == 0.0 && end.get().abs() < 9e15;
            let whole =
                !ends.replace("..", "").contains(['.', 'e', 'E']) && is_whole(from) && is_whole(to);
            let is_name = !name.is_empty() && name != NOWHERE && !name.contains(char::is_control);
            let has_length = (to.get() - from.get()).is_finite() && from != to;
            (is_name && has_length)
                .then(|| Self::Setting(Setting { name: name.to_owned(), from, to, whole }))
        };
        word.or_else(setting).ok_or_else(|| {
            format!(
                "cannot vary `{text}`; expected rate, instances, masses, or NAME=FROM..TO for a \
                 variable of the model, such as k=1..20"
            )
        })
    }
}
