//! What the atlas shows of each kernel.

use record::Family;
use serde::{Deserialize, Serialize};

use crate::comparison::{Case, cases, load_name};
use crate::merit::{DERIVED, conditions};
use crate::survey::{Series, System};
use crate::words;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AtlasRow {
    /// Name of the measurement.
    pub measurement: String,
    /// Name of the row; empty for a measurement's only one.
    pub row: String,
    /// Policy, period and other conditions.
    pub conditions: String,
    /// Name of the load; `none` if there was no load.
    pub load: String,
    /// One entry for each kernel; null if it has no valid run.
    pub cells: Vec<Option<AtlasCell>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AtlasCell {
    /// Median of each draw, in nanoseconds.
    pub median_ns: Vec<i64>,
    /// Worst case of each draw, in nanoseconds.
    pub max_ns: Vec<i64>,
}

/// What is compared of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    Median,
    Worst,
}

impl Figure {
    pub const ALL: [Self; 2] = [Self::Median, Self::Worst];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Median => "median",
            Self::Worst => "worst",
        }
    }
}

impl AtlasCell {
    fn of(series: &Series) -> Self {
        let median_ns = series.latencies().map(|draw| draw.quantile_ns(0.5)).collect();
        let max_ns = series.latencies().map(|draw| draw.max.value_ns).collect();
        Self { median_ns, max_ns }
    }

    /// Returns a figure of each draw, in nanoseconds.
    #[must_use]
    pub fn draws(&self, figure: Figure) -> Vec<f64> {
        let draws = match figure {
            Figure::Median => &self.median_ns,
            Figure::Worst => &self.max_ns,
        };
        draws.iter().map(|ns| *ns as f64).collect()
    }
}

impl AtlasRow {
    /// Describes the row without its load: `interrupt: timer`.
    #[must_use]
    pub fn title(&self) -> String {
        let test = self.measurement.replace('_', " ");
        match (&*self.measurement, &*self.row) {
            ("wakeup", _) => format!("wake-up: {}", self.conditions),
            (_, "") => test,
            (_, row) => format!("{test}: {}", words::label(row)),
        }
    }

    #[must_use]
    pub fn is_same_but_for_load(&self, other: &Self) -> bool {
        [&self.measurement, &self.row, &self.conditions]
            == [&other.measurement, &other.row, &other.conditions]
    }

    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.is_same_but_for_load(other) && self.load == other.load
    }

    /// Returns the figures that are compared between kernels: of a service that is called in a loop, only the median.
    #[must_use]
    pub fn compared(&self) -> &'static [Figure] {
        if is_paced(Family::of(&self.measurement)) { &Figure::ALL } else { &[Figure::Median] }
    }

    /// Whether it belongs in the atlas: services without load, wake-ups and interrupts under any.
    fn is_shown(series: &Series) -> bool {
        let spec = series.spec;
        let family = Family::of(&spec.measurement);
        series.latency.is_some()
            && family != Some(Family::Models)
            && spec.measurement != DERIVED
            && (spec.asked.loads.is_empty() || is_paced(family))
    }
}

/// Whether samples are taken at moments that a clock decides.
fn is_paced(family: Option<Family>) -> bool {
    matches!(family, Some(Family::Wakeups | Family::Interrupts))
}

/// Returns the rows of the systems at these places.
pub(super) fn rows(systems: &[System], places: &[usize]) -> Vec<AtlasRow> {
    let cases = cases(systems, AtlasRow::is_shown);
    let row = |case: &Case| AtlasRow {
        measurement: case.test.measurement.clone(),
        row: if case.test.measurement == "wakeup" { String::new() } else { case.label.to_owned() },
        // Words that do not depend on the other rows, so that rows of two atlases have the same.
        conditions: conditions(vec![&case.test]).concat(),
        load: load_name(&case.load()).to_owned(),
        cells: places.iter().map(|place| case.of[*place].map(AtlasCell::of)).collect(),
    };
    cases.iter().map(row).collect()
}
