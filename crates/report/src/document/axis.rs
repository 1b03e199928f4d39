//! Axes of charts: units and positions of values.

use analysis::words;

/// An axis maps values to positions from 0 (left or bottom) to 1.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Axis {
    pub title: String,
    pub scale: Scale,
    pub unit: Unit,
    pub range: [f64; 2],
    /// Allowed tick values; if empty, ticks are at round values.
    pub ticks: Vec<f64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Scale {
    Linear,
    Log,
    /// Named rows from 0, the first one on top.
    Rows(Vec<String>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Number,
    Count,
    /// Nanoseconds.
    Time,
    /// Shares from 0 to 1, shown in percent.
    Share,
    /// Shares from 0 to 1, shown as "one in N".
    OneIn,
    /// Multiples, such as 2x.
    Times,
}

impl Axis {
    pub fn linear(title: &str, unit: Unit, range: [f64; 2]) -> Self {
        Self::new(title, Scale::Linear, unit, range.map(finite))
    }

    pub fn log(title: &str, unit: Unit, range: [f64; 2]) -> Self {
        let [least, most] = range.map(finite);
        let least = least.clamp(f64::MIN_POSITIVE, f64::MAX);
        let most = most.clamp(least, f64::MAX);
        Self::new(title, Scale::Log, unit, [least, most])
    }

    pub fn rows(names: Vec<String>) -> Self {
        let last = names.len() as f64 - 0.5;
        Self::new("", Scale::Rows(names), Unit::Number, [last, -0.5])
    }

    fn new(title: &str, scale: Scale, unit: Unit, range: [f64; 2]) -> Self {
        Self { title: title.to_owned(), scale, unit, range, ticks: Vec::new() }
    }

    pub fn ticks(self, mut ticks: Vec<f64>) -> Self {
        ticks.sort_unstable_by(f64::total_cmp);
        ticks.dedup();
        Self { ticks, ..self }
    }

    /// The position of a value: from 0 to 1 if it is on the axis.
    pub fn place(&self, value: f64) -> f64 {
        let spread = |value: f64| match self.scale {
            Scale::Log => value.max(f64::MIN_POSITIVE).log10(),
            _ => value,
        };
        let [from, to] = self.range.map(spread);
        let place = (spread(value) - from) / (to - from);
        if place.is_finite() { place } else { 0.5 }
    }
}

/// Replaces a value that is not finite by 1, so that odd results can be drawn too.
fn finite(value: f64) -> f64 {
    if value.is_finite() { value } else { 1.0 }
}

impl Unit {
    pub fn words(self, value: f64) -> String {
        match self {
            Self::Number | Self::Count => words::quantity(value),
            Self::Time if value == 0.0 => "0".to_owned(),
            Self::Time if value >= 60e9 => format!("{} s", words::quantity(value / 1e9)),
            Self::Time => words::time(value),
            Self::Share => words::percent(value),
            Self::OneIn if value >= 1.0 => "all".to_owned(),
            Self::OneIn => format!("1 in {}", words::quantity(1.0 / value)),
            Self::Times => words::times(value),
        }
    }
}
