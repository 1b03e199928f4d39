//! The comparison as one JSON document.

use base::SchemaVersion;
use serde::{Serialize, Serializer};
use serde_json::Value;
use stats::Superiority;

use super::columns::{Comparison, NOT_CARRIED};
use super::contrasts::{self, Basis, Decision, RowWorst};
use super::differs::Differing;
use super::findings::{details, findings};
use super::price::throughput;
use super::wakeups::{LIMIT_NS, decides, load_name, loads_of, worst_of_all, worst_under};
use super::worst::Worst;
use crate::clock::Incomparable;
use crate::effect::{Effect, FALSE_DISCOVERIES, Quality, Unit};
use crate::finding::{self, Finding};
use crate::published::{HARDWARE, Latency, Threshold};
use crate::survey::System;
use crate::{clock, samples};

/// Output of `steadfast compare --json`, `report.json` of `steadfast compare --out`, and
/// `comparison` in the report on several kernels of the lab.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Comparison"))]
struct Document<'c> {
    schema_version: SchemaVersion<2>,
    /// What the comparison shows, as structured findings, the deciding one first.
    findings: Vec<Finding>,
    /// Findings about runs of the lab that have equal setups but different samples, which must not
    /// happen.
    errors: Vec<Finding>,
    /// Which systems count instructions and which measure time, so that their figures are not
    /// comparable; null if all do the same.
    clocks_differ: Option<Finding>,
    /// How the lab counts time; null if no system is of the lab.
    clock: Option<Finding>,
    /// Relative differences up to this share count as no difference.
    margin: f64,
    /// False-discovery rate: at most this share of the differences shown is expected to be chance.
    false_discoveries: f64,
    /// Number of comparisons tested: figures of rows, over all pairs.
    comparisons: usize,
    /// What the run-to-run variation is estimated from.
    variance_source: Basis,
    /// Confidence level of the interval of each ratio, from 0 to 1, adjusted for the number of
    /// comparisons.
    confidence: f64,
    /// How one system was split into variants, which `systems` lists; null if none was split.
    varied: Option<Varied<'c>>,
    /// The systems, in the order of their columns.
    systems: Vec<Column<'c>>,
    /// Other differences between the systems, the important ones first.
    differences: &'c [Differing],
    /// Compared pairs: each system with the first one, or up to 5 variants of one system each with
    /// each.
    pairs: Vec<Pair<'c>>,
    /// Latency above which a worst wake-up has missed its period, in nanoseconds.
    limit_ns: f64,
    /// Loads that machines of the lab cannot run; empty if no system is of the lab.
    loads_not_carried: Vec<NotCarried>,
    /// Times of another kind of machine, not ranked with the others, as `steadfast lab freertos
    /// --json` prints them; null if there are none.
    #[cfg_attr(feature = "schema", schemars(with = "Option<serde_json::Map<String, Value>>"))]
    apart: Option<&'c Value>,
    /// Published figures shown next to the measured ones: those requested, or all in a report on
    /// kernels of the lab.
    published: Published,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Varied<'c> {
    /// Conditions or parameters whose values define the variants.
    by: &'c [String],
    /// Other conditions and parameters that vary in otherwise equal runs.
    also: &'c [String],
    /// Number of runs left out because they lack such a condition or parameter.
    runs_left_out: usize,
}

/// A system, which is a column of the comparison.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Column<'c> {
    /// Name of the system, the heading of its column.
    name: &'c str,
    /// Identifier of the machine: 16 hexadecimal digits, the same for equal fingerprints.
    machine_id: &'c str,
    /// Number of finished runs, except those of self-tests.
    runs: usize,
    /// Number of these runs that are INVALID and not used.
    invalid: usize,
    /// Worst wake-up latency of a real-time thread with a period of 1 ms, one entry per load.
    worst_wakeups: Vec<WorstWakeup>,
    /// Worst wake-up latency of a real-time thread with a period of 1 ms, over all loads and draws,
    /// in nanoseconds; null if none was measured.
    worst_wakeup_ns: Option<f64>,
    /// The same in each draw that all loads have, in order; empty if the system is not of the lab.
    worst_wakeup_ns_of_draws: Vec<f64>,
    /// Throughput of the real-fast tire without load, in mass updates per second; null if none was
    /// measured.
    mass_updates_per_s: Option<f64>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct WorstWakeup {
    /// Name of the load; `none` if there was no load.
    load: String,
    /// Worst wake-up latency of all runs, in nanoseconds; null if none was measured.
    max_ns: Option<f64>,
    /// Worst wake-up latency of each draw, in nanoseconds and in order; empty if none was measured or
    /// the system is not of the lab.
    max_ns_of_draws: Vec<f64>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct NotCarried {
    /// Name of the load.
    load: &'static str,
    /// What the machine lacks for it.
    why: &'static str,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Published {
    /// The machine on which they were measured.
    hardware: &'static str,
    /// Published latencies.
    latencies: Vec<Latency>,
    /// Published sizes of the tire.
    tire: Vec<Threshold>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Pair<'c> {
    /// Name of the reference system.
    reference: &'c str,
    /// Name of the system compared with the reference.
    other: &'c str,
    /// Why the comparison was refused; null if it was not.
    refused: Option<&'static str>,
    /// Conditions and parameters in which matched rows may differ.
    across: Vec<Across<'c>>,
    /// Number of matched rows, whose specifications are equal apart from `across`.
    rows_matched: usize,
    /// Number of matched rows in which runs were compared and no figure shows a difference.
    rows_without_difference: usize,
    /// Number of matched rows in which no figure shows a difference and none was compared run by
    /// run, such as with one run per side.
    rows_not_decided: usize,
    /// Rows of the reference side that were left out because they have no unique match.
    reference_only: &'c [String],
    /// Rows of the other side that were left out because they have no unique match.
    other_only: &'c [String],
    /// All rows that were compared.
    rows: Vec<Row<'c>>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Across<'c> {
    /// Name of the condition or parameter, as typed.
    field: &'c str,
    /// Its values on the reference side, separated by `; `.
    reference: &'c str,
    /// Its values on the other side, separated by `; `.
    other: &'c str,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Row<'c> {
    /// Name of the measurement.
    measurement: &'c str,
    /// Label of the row.
    row: &'c str,
    /// Conditions of the row in words, apart from `across`.
    conditions: &'c str,
    /// Number of valid runs of the reference side.
    reference_runs: usize,
    /// Number of valid runs of the other side.
    other_runs: usize,
    /// Number of samples in all runs of the reference side.
    reference_samples: u64,
    /// Number of samples in all runs of the other side.
    other_samples: u64,
    /// Worst time seen on the reference side, in nanoseconds, not compared; null if there are no
    /// samples.
    reference_max_ns: Option<i64>,
    /// Worst time of each draw on the reference side, in nanoseconds and in order; empty if there are
    /// no samples or the system is not of the lab.
    reference_max_ns_of_draws: &'c [i64],
    /// Worst time seen on the other side, in nanoseconds, not compared; null if there are no
    /// samples.
    other_max_ns: Option<i64>,
    /// Worst time of each draw on the other side, in nanoseconds and in order; empty if there are no
    /// samples or the system is not of the lab.
    other_max_ns_of_draws: &'c [i64],
    /// Share of all pairs of samples in which the other side's sample takes longer, ties counted
    /// half; null if a side has no samples.
    other_takes_longer: Option<TakesLonger>,
    /// Result for speed, from the first of `average` and `median` that shows a difference.
    speed: Decision,
    /// Result for steadiness, from the first of `missed`, `late` and `p99` that shows a difference.
    steadiness: Decision,
    /// Figures that were compared.
    figures: Vec<ComparedFigure>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct TakesLonger {
    /// The share, from 0 to 1.
    chance: f64,
    /// Lower end of the 95 % interval; null if a side has only one run.
    lower: Option<f64>,
    /// Upper end of the 95 % interval; null if a side has only one run.
    upper: Option<f64>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ComparedFigure {
    /// Name of the figure.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = figures())))]
    figure: &'static str,
    /// Unit of `reference` and `other`: nanoseconds, or a share from 0 to 1.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["ns", "share"])))]
    unit: &'static str,
    /// Value on the reference side: for a time, the geometric mean over runs; for a share, that of
    /// all runs together.
    reference: f64,
    /// Value on the other side: for a time, the geometric mean over runs; for a share, that of all
    /// runs together.
    other: f64,
    /// Threshold above which a sample is late, in nanoseconds; null if the figure is not `late`.
    threshold_ns: Option<f64>,
    /// Ratio of the other side to the reference side, for a share the ratio of the odds; null if
    /// the run-to-run variation is unknown.
    ratio: Option<f64>,
    /// Lower end of the ratio's interval, or the ratio itself if it is exact; null if `ratio` is
    /// null.
    lower: Option<f64>,
    /// Upper end of the ratio's interval, or the ratio itself if it is exact; null if `ratio` is
    /// null or the interval has no upper end.
    upper: Option<f64>,
    /// p-value: probability of a ratio at least this far beyond the margin if the true ratio is
    /// within it; null if nothing was tested, such as for an exact ratio.
    p: Option<f64>,
    /// Whether a difference is shown.
    shown: bool,
}

#[cfg(feature = "schema")]
fn figures() -> Vec<&'static str> {
    crate::effect::FIGURES.iter().map(|figure| figure.name).collect()
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Comparison<'_> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        Document::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Document::json_schema(generator)
    }
}

impl Serialize for Comparison<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde_json::json!(document(self)).serialize(serializer)
    }
}

fn document<'c>(comparison: &'c Comparison) -> Document<'c> {
    let (systems, contrasts) = (&comparison.systems, &comparison.contrasts);
    let not_carried = NOT_CARRIED.iter().filter(|_| comparison.is_of_lab());
    let varied = comparison.varied.as_ref();
    Document {
        schema_version: SchemaVersion,
        findings: [findings(comparison), details(comparison)].concat(),
        errors: samples::conflicts(comparison.outcomes()),
        clocks_differ: clock::differ(systems),
        clock: clock::of_lab(systems),
        margin: contrasts.margin.share(),
        false_discoveries: FALSE_DISCOVERIES,
        comparisons: contrasts.comparisons,
        variance_source: contrasts.basis,
        confidence: contrasts.confidence(),
        varied: varied.map(|contrasts::Varied { by, also, left_out, .. }| Varied {
            by,
            also,
            runs_left_out: *left_out,
        }),
        systems: columns(systems),
        differences: &comparison.differences,
        pairs: contrasts.pairs.iter().map(of_pair).collect(),
        limit_ns: LIMIT_NS,
        loads_not_carried: not_carried.map(|&(load, why)| NotCarried { load, why }).collect(),
        apart: comparison.apart.map(|times| &times.json),
        published: Published {
            hardware: HARDWARE,
            latencies: comparison.published_latencies(),
            tire: comparison.published_sizes(),
        },
    }
}

fn columns<'c>(systems: &'c [System]) -> Vec<Column<'c>> {
    let loads = loads_of(systems);
    let rates = throughput(systems);
    let rates = rates.into_iter().chain(std::iter::repeat(None));
    let column = |(system, mass_updates_per_s): (&'c System, Option<f64>)| {
        let worst = |load: &String| {
            let (max_ns, max_ns_of_draws) = with_draws(worst_under(system, load, decides));
            WorstWakeup { load: load_name(load).to_owned(), max_ns, max_ns_of_draws }
        };
        let (worst_wakeup_ns, worst_wakeup_ns_of_draws) = with_draws(worst_of_all(system));
        Column {
            name: &system.name,
            machine_id: &system.machine_id,
            runs: system.outcomes.len(),
            invalid: system.invalid().count(),
            worst_wakeups: loads.iter().map(worst).collect(),
            worst_wakeup_ns,
            worst_wakeup_ns_of_draws,
            mass_updates_per_s,
        }
    };
    systems.iter().zip(rates).map(column).collect()
}

/// Returns the longest, and the worst case of each draw.
fn with_draws(worst: Option<Worst>) -> (Option<f64>, Vec<f64>) {
    match worst {
        Some(worst) => (Some(worst.longest_ns), worst.of_draws_ns),
        None => (None, Vec::new()),
    }
}

fn of_pair(pair: &contrasts::Pair) -> Pair<'_> {
    let across = pair.across.iter().map(|finding::Across { field, values: [reference, other] }| {
        Across { field, reference, other }
    });
    let [rows_without_difference, rows_not_decided] = pair.without_difference();
    let ([reference, other], [reference_only, other_only]) = (&pair.names, &pair.unmatched);
    Pair {
        reference,
        other,
        refused: pair.refused.map(Incomparable::name),
        across: across.collect(),
        rows_matched: pair.rows.len(),
        rows_without_difference,
        rows_not_decided,
        reference_only,
        other_only,
        rows: pair.rows.iter().map(of_row).collect(),
    }
}

fn of_row<'r>(row: &'r contrasts::Row) -> Row<'r> {
    let [reference, other] = row.worst.each_ref().map(Option::as_ref);
    let samples = |worst: Option<&RowWorst>| worst.map_or(0, |worst| worst.samples);
    let max_ns = |worst: Option<&RowWorst>| worst.map(|worst| worst.longest_ns);
    let of_draws = |worst: Option<&'r RowWorst>| worst.map_or(&[][..], |worst| &worst.of_draws_ns);
    let longer = row.superiority.map(|Superiority { chance, interval }| TakesLonger {
        chance,
        lower: interval.map(|[lower, _]| lower),
        upper: interval.map(|[_, upper]| upper),
    });
    Row {
        measurement: &row.measurement,
        row: &row.label,
        conditions: &row.conditions,
        reference_runs: row.runs[0],
        other_runs: row.runs[1],
        reference_samples: samples(reference),
        other_samples: samples(other),
        reference_max_ns: max_ns(reference),
        reference_max_ns_of_draws: of_draws(reference),
        other_max_ns: max_ns(other),
        other_max_ns_of_draws: of_draws(other),
        other_takes_longer: longer,
        speed: row.decision(Quality::Speed),
        steadiness: row.decision(Quality::Steadiness),
        figures: row.effects.iter().map(figure).collect(),
    }
}

fn figure(effect: &Effect) -> ComparedFigure {
    ComparedFigure {
        figure: effect.figure.name,
        unit: if effect.figure.unit == Unit::Time { "ns" } else { "share" },
        reference: effect.values[0],
        other: effect.values[1],
        threshold_ns: effect.threshold_ns,
        ratio: effect.interval().map(|[_, ratio, _]| ratio),
        lower: effect.interval().map(|[lower, _, _]| lower),
        upper: effect.interval().map(|[_, _, upper]| upper),
        p: effect.chance,
        shown: effect.is_shown,
    }
}
