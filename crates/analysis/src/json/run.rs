//! A run: what it was, what was requested and found, its figures, and the results of limits.

use std::collections::BTreeMap;

use base::{Nanos, SchemaVersion};
use record::{Asked, Found, Heading, Imported, Outcome, Row, RunSpec};
use serde::Serialize;
use serde_json::{Value, json as value};
use stats::{CONFIDENCE, Distribution, Tail, samples_for_upper_end};

use crate::bins::{self, Bin};
use crate::fail_if::{self, LimitResult};
use crate::fields::{Figures, NamedParameters, Quantiles};
use crate::real_time::RealTime;
use crate::standards::{Limits, Standards};
use crate::words;

/// A run: one line of `steadfast run --json`, or one entry of `runs` in a report. The figures of its
/// first row are also at the top level.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Run<'a> {
    // First, so that no fact can overwrite a fixed name.
    #[serde(flatten)]
    first: ClaimedFigures<'a>,
    schema_version: SchemaVersion<2>,
    #[serde(flatten)]
    heading: Heading,
    /// Version of Steadfast that recorded the run.
    tool_version: &'a str,
    /// Unique identifier of the run.
    run_id: &'a str,
    /// Name of the measurement, as in `steadfast list`.
    measurement: &'a str,
    /// File of another tool that the rows are from; absent if Steadfast measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    imported: Option<&'a Imported>,
    /// Start of the run, in UTC, such as 2026-03-01T12:30:05.250Z; null if an imported file does not
    /// state it.
    started_utc: Option<String>,
    /// Identifier of the machine: 16 hexadecimal digits, the same for equal fingerprints.
    machine_id: String,
    /// Whether every condition was as requested from start to end; null if it is unknown, as for an
    /// imported file. Do not use the figures of an INVALID run.
    valid: Option<bool>,
    /// Limits of the real-time verdicts, in words.
    real_time_limits: String,
    /// Parameters of the measurement, with their units.
    parameters: NamedParameters,
    /// What differed from the request, and what else a reader must know.
    warnings: Vec<Warned>,
    /// Conditions of the run, as requested and as found; null for an imported file.
    conditions: Option<Conditions<'a>>,
    /// Results of the `--fail-if` limits that apply to this run.
    fail_if: Vec<LimitResult>,
    /// All rows; the first one is the headline.
    rows: Vec<LabelledRow<'a>>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Conditions<'a> {
    /// Requested conditions.
    requested: Asked,
    /// Limit of lateness that ends the run, in nanoseconds; null for a run without such a limit. A run that it ended
    /// has the warning `stopped_at` and measured for less than `requested.duration_ns`.
    stop_at_ns: Option<Nanos>,
    /// Conditions read back from the kernel.
    found: &'a Found,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Warning"))]
struct Warned {
    /// Name of the warning, such as `not_permitted`.
    code: Value,
    /// What happened, in words.
    cause: String,
    /// What to do about it, in words.
    remedy: String,
    /// Whether it makes the run INVALID.
    invalidates: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct LabelledRow<'a> {
    #[serde(flatten)]
    figures: ClaimedFigures<'a>,
    /// What the row is about, such as `CPU 1`.
    label: &'a str,
    /// Histogram of the row's times, in nanoseconds with three significant digits, as HdrHistogram's V2
    /// format (deflated) in base64; values below zero are left out. Null if there is no distribution.
    hdr_histogram: Option<String>,
    /// Non-empty bins of the histogram; null if there is no distribution; absent if not in a
    /// report.
    #[serde(skip_serializing_if = "Option::is_none")]
    histogram: Option<Option<Vec<Bin>>>,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ClaimedFigures<'a> {
    #[serde(flatten)]
    figures: Figures<'a>,
    /// Claims that the samples support.
    claims: Claims<'a>,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Claims<'a> {
    /// Confidence of all intervals, 0 to 1.
    confidence: f64,
    /// Intervals of the quantiles; null if there is no distribution, or if it is of an imported file,
    /// which does not state how much its samples depend on each other.
    quantiles: Option<Quantiles<ClaimedQuantile>>,
    /// Worst case beyond the samples seen, extrapolated from the largest ones; null if there is no
    /// distribution, or the order of its samples is unknown.
    worst: Option<&'a Tail>,
    /// Deadline misses of periodic work, and the verdict; null if the row has no deadlines.
    real_time: Option<Misses>,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ClaimedQuantile {
    /// Lower end of the 95 % interval, in nanoseconds; null if there are too few samples for one.
    lower_ns: Option<i64>,
    /// Upper end of the 95 % interval, in nanoseconds; null if there are too few samples for one.
    upper_ns: Option<i64>,
    /// How many times fewer independent samples would say as much; null if the order of the samples
    /// is unknown, so that they are treated as independent.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    design_effect: Option<f64>,
    /// Independent samples needed for an upper end.
    samples_for_upper: u64,
}

/// Deadline misses of periodic work.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Misses {
    /// Verdict by `real_time_limits`, with `so far` if it is not shown.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = crate::real_time::VERDICTS)))]
    verdict: String,
    /// Whether the periods and runs are enough to show the verdict.
    shown: bool,
    /// Periods that missed their deadline.
    misses: u64,
    /// Periods that were due.
    periods: u64,
    /// Misses per period.
    rate: f64,
    /// Lower end of the 95 % interval, in misses per period.
    rate_lower: f64,
    /// Upper end of the 95 % interval, in misses per period.
    rate_upper: f64,
    /// Lower end of the 95 % interval, in misses per hour.
    an_hour_lower: f64,
    /// Upper end of the 95 % interval, in misses per hour.
    an_hour_upper: f64,
}

/// The row of a run without rows.
static NOTHING: Row = Row {
    label: String::new(),
    unavailable: None,
    due: 0,
    executed: 0,
    skipped: 0,
    latency: None,
    facts: BTreeMap::new(),
};

/// Returns the document of a run, without histograms.
pub fn run<'a>(outcome: &'a Outcome, standards: &Standards) -> Run<'a> {
    let limits = &standards.limits;
    let header = &outcome.header;
    let spec = &header.spec;
    let row = |(place, row): (usize, &'a Row)| LabelledRow {
        figures: claimed(spec, place, row, limits),
        label: &row.label,
        hdr_histogram: row.latency.as_ref().map(Distribution::histogram_v2_base64),
        histogram: None,
    };
    let rows: Vec<LabelledRow> = outcome.rows.iter().enumerate().map(row).collect();
    let first = rows.first().map(|row| row.figures.clone());
    let is_measured = spec.imported.is_none();
    let checked = fail_if::of_run(&standards.fail_if, outcome);
    Run {
        first: first.unwrap_or_else(|| claimed(spec, 0, &NOTHING, limits)),
        schema_version: SchemaVersion,
        heading: Heading::default(),
        tool_version: &header.tool_version,
        run_id: &header.run_id,
        measurement: &spec.measurement,
        imported: spec.imported.as_ref(),
        started_utc: header.known_start_unix_ns().map(words::rfc3339),
        machine_id: header.machine.id(),
        valid: is_measured.then(|| outcome.is_valid()),
        real_time_limits: limits.to_string(),
        parameters: NamedParameters::of(&spec.parameters),
        warnings: outcome.warnings.iter().map(Warned::of).collect(),
        conditions: is_measured.then(|| Conditions {
            requested: outcome.planned().asked,
            stop_at_ns: spec.stop_at,
            found: &outcome.found,
        }),
        fail_if: checked.iter().map(fail_if::Checked::result).collect(),
        rows,
    }
}

impl Run<'_> {
    #[must_use]
    pub fn headed(self, heading: &Heading) -> Self {
        Self { heading: heading.clone(), ..self }
    }

    pub(super) fn with_histograms(mut self, outcome: &Outcome) -> Self {
        let filled =
            |latency| bins::log_bins(latency).into_iter().filter(|bin| bin.count > 0).collect();
        for (json_row, row) in self.rows.iter_mut().zip(&outcome.rows) {
            json_row.histogram = Some(row.latency.as_ref().map(filled));
        }
        self
    }

    /// Returns the run as JSON. A fixed name that is also that of a fact from elsewhere is in it once.
    #[must_use]
    pub fn json(&self) -> Value {
        value!(self)
    }
}

impl Warned {
    fn of(warning: &record::Warning) -> Self {
        Self {
            code: value!(warning)["code"].take(),
            cause: warning.cause(),
            remedy: warning.remedy(),
            invalidates: warning.invalidates(),
        }
    }
}

fn claimed<'a>(spec: &RunSpec, place: usize, row: &'a Row, limits: &Limits) -> ClaimedFigures<'a> {
    let latency = row.latency.as_ref();
    let claims = Claims {
        confidence: CONFIDENCE,
        quantiles: latency
            .filter(|_| spec.imported.is_none())
            .map(|latency| Quantiles::of(|share| ClaimedQuantile::of(latency, share))),
        worst: latency.and_then(|latency| latency.tail.as_ref()),
        real_time: RealTime::of(spec, place, &[row], limits).map(|found| Misses::of(&found)),
    };
    ClaimedFigures { figures: Figures::of(row), claims }
}

impl ClaimedQuantile {
    fn of(latency: &Distribution, share: f64) -> Self {
        let claim = latency.quantile_claim(share);
        Self {
            lower_ns: claim.lower_ns,
            upper_ns: claim.upper_ns,
            design_effect: latency.dependence.map(|dependence| dependence.at(share)),
            samples_for_upper: samples_for_upper_end(share),
        }
    }
}

impl Misses {
    fn of(real_time: &RealTime) -> Self {
        let (tries, bound) = (real_time.held.tries, real_time.held.bound);
        Self {
            verdict: real_time.verdict(),
            shown: real_time.is_shown(),
            misses: tries.missed,
            periods: tries.due,
            rate: bound.rate,
            rate_lower: bound.lower,
            rate_upper: bound.upper,
            an_hour_lower: real_time.due.per_hour(bound.lower),
            an_hour_upper: real_time.due.per_hour(bound.upper),
        }
    }
}
