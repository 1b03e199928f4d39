//! Axes of charts: what a value is, and where it stands.

use analysis::words;

/// An axis places values from 0, left or below, to 1.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Axis {
    /// What it shows.
    pub title: String,
    /// How values are spread.
    pub scale: Scale,
    /// What its values are.
    pub unit: Unit,
    /// The values at its ends.
    pub range: [f64; 2],
    /// Where ticks may stand; without any, where they are round.
    pub ticks: Vec<f64>,
}

/// A scale is how values are spread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Scale {
    Linear,
    Log,
    /// Named rows from 0, the first one on top.
    Rows(Vec<String>),
}

/// A unit is what values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Plain numbers.
    Number,
    /// Whole numbers.
    Count,
    /// Nanoseconds.
    Time,
    /// Shares from 0 to 1, in percent.
    Share,
    /// Shares from 0 to 1, as one in so many.
    OneIn,
    /// How many times something is.
    Times,
}

impl Axis {
    /// An axis on which equal distances are equal differences.
    pub fn linear(title: &str, unit: Unit, range: [f64; 2]) -> Self {
        Self::new(title, Scale::Linear, unit, range.map(finite))
    }

    /// An axis on which equal distances are equal ratios.
    pub fn log(title: &str, unit: Unit, range: [f64; 2]) -> Self {
        let [least, most] = range.map(finite);
        let least = least.clamp(f64::MIN_POSITIVE, f64::MAX);
        let most = most.clamp(least, f64::MAX);
        Self::new(title, Scale::Log, unit, [least, most])
    }

    /// A row a name, the first one on top.
    pub fn rows(names: Vec<String>) -> Self {
        let last = names.len() as f64 - 0.5;
        Self::new("", Scale::Rows(names), Unit::Number, [last, -0.5])
    }

    fn new(title: &str, scale: Scale, unit: Unit, range: [f64; 2]) -> Self {
        Self { title: title.to_owned(), scale, unit, range, ticks: Vec::new() }
    }

    /// The same with ticks at these values only.
    pub fn ticks(self, mut ticks: Vec<f64>) -> Self {
        ticks.sort_unstable_by(f64::total_cmp);
        ticks.dedup();
        Self { ticks, ..self }
    }

    /// Where a value stands: from 0 to 1 where it is on the axis.
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

/// What is no number stands for one: odd results have a chart as well.
fn finite(value: f64) -> f64 {
    if value.is_finite() { value } else { 1.0 }
}

impl Unit {
    /// A value in words.
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
