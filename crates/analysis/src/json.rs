//! Outcomes as JSON: stable names that carry their unit, the same for every
//! measurement.

use std::io;

use plan::{Outcome, Parameters, Row, RunSpec, Value as Parameter};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value, json as value};
use stats::{CONFIDENCE, Distribution, Merit, samples_for_upper_end};

use crate::benchmark::{self, Benchmark};
use crate::claims::{self, QUANTILES, Worst};
use crate::comparison::{self, Comparison};
use crate::fail_if::{self, Checked};
use crate::held::Held;
use crate::merit::{self, Case, General, Merits};
use crate::real_time::RealTime;
use crate::standards::{Limits, Standards};
use crate::survey::{System, systems};
use crate::tolerance::Tolerance;
use crate::{advice, bins, frontier, map, published, rhealstone, step_time, verdict, words};

/// Version of the JSON's names and their meaning.
pub const SCHEMA_VERSION: u32 = 1;

/// Everything that the HTML report shows, as one document. Several kernels of the lab are
/// laid side by side.
///
/// # Panics
/// Never: the document is plain data.
#[must_use]
pub fn json(outcomes: &[Outcome], standards: &Standards) -> Value {
    let document = Document::of(outcomes, standards);
    serde_json::to_value(document).expect("the document is plain data")
}

/// Writes the same, a run at a time: what a store of many runs says never is in memory at once.
///
/// # Errors
/// Those of the writer.
pub fn write_json(
    outcomes: &[Outcome],
    standards: &Standards,
    to: &mut dyn io::Write,
) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *to, &Document::of(outcomes, standards))?;
    writeln!(to)
}

/// The document, whose runs are made as they are written.
struct Document<'a> {
    fields: Map<String, Value>,
    outcomes: &'a [Outcome],
    standards: &'a Standards,
}

/// The field of the runs.
const RUNS: &str = "runs";

impl<'a> Document<'a> {
    fn of(outcomes: &'a [Outcome], standards: &'a Standards) -> Self {
        let (document, outcomes) = match Comparison::if_of_kernels(outcomes, standards) {
            Some(comparison) => (comparison::with_runs(&comparison), &[][..]),
            None => (without_runs(&systems(outcomes), standards), outcomes),
        };
        Self {
            fields: fields(document),
            outcomes,
            standards,
        }
    }
}

impl Serialize for Document<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut document = serializer.serialize_map(None)?;
        for (name, value) in &self.fields {
            match (name.as_str(), value) {
                (RUNS, Value::Null) => document.serialize_entry(name, &Runs(self))?,
                _ => document.serialize_entry(name, value)?,
            }
        }
        document.end()
    }
}

struct Runs<'a>(&'a Document<'a>);

impl Serialize for Runs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(document) = self;
        let run = |outcome| with_histograms(outcome, document.standards);
        serializer.collect_seq(document.outcomes.iter().map(run))
    }
}

/// The document on systems and their runs.
pub fn of_systems<'a>(
    systems: &[System],
    outcomes: impl Iterator<Item = &'a Outcome>,
    standards: &Standards,
) -> Value {
    let mut document = without_runs(systems, standards);
    let runs = outcomes.map(|outcome| with_histograms(outcome, standards));
    document[RUNS] = runs.collect();
    document
}

fn without_runs(systems: &[System], standards: &Standards) -> Value {
    let limits = &standards.limits;
    value!({
        "schema_version": SCHEMA_VERSION,
        "verdict": verdict::of(systems, limits),
        "benchmarks": systems.iter().filter_map(benchmark::of).collect::<Vec<Benchmark>>(),
        "maps": systems.iter().flat_map(|s| map::json(s, standards)).collect::<Vec<Value>>(),
        "step_times": systems.iter().flat_map(step_time::json).collect::<Vec<Value>>(),
        "machines": systems.iter().map(machine).collect::<Vec<Value>>(),
        RUNS: null,
        "real_time_limits": limits.to_string(),
        "frontiers": frontier::json(systems, standards),
        "rhealstone": rhealstone::of(systems),
        "figures_of_merit": figures_of_merit(systems, standards.tolerance),
        "published": {
            "hardware": published::HARDWARE,
            "sources": published::SOURCES,
            "latencies": published::latencies(),
            "tire": published::thresholds(),
            "frame_hardware": published::FRAME_HARDWARE,
            "timed_frames": published::timed_frames(),
            "frames": published::frames(),
        },
    })
}

/// One run: what it was, what it was asked and found, the figures of its first
/// row at the top level, every row, and what came of limits.
#[must_use]
pub fn run_json(outcome: &Outcome, standards: &Standards) -> Value {
    let limits = &standards.limits;
    let checked = fail_if::of_run(&standards.fail_if, outcome);
    let spec = &outcome.header.spec;
    let row = |row: &Row| with_claims(spec, row, limits);
    let header = &outcome.header;
    let nothing = Row::default();
    // Fixed names are written last, so that no fact can take their place.
    let mut run = row(outcome.rows.first().unwrap_or(&nothing));
    run.remove("label");
    run.extend(fields(value!({
        "schema_version": SCHEMA_VERSION,
        "tool_version": header.tool_version,
        "run_id": header.run_id,
        "measurement": header.spec.measurement,
        "started_utc": words::rfc3339(header.started_unix_ns),
        "machine_id": header.machine.id(),
        "parameters": parameters(&header.spec.parameters),
        "valid": outcome.is_valid(),
        "warnings": warnings(outcome),
        "conditions": { "asked": header.spec.asked, "found": outcome.found },
        "real_time_limits": limits.to_string(),
        "fail_if": checked.iter().map(Checked::json).collect::<Vec<Value>>(),
        "rows": outcome.rows.iter().map(row).collect::<Vec<Map<String, Value>>>(),
    })));
    Value::Object(run)
}

fn with_histograms(outcome: &Outcome, standards: &Standards) -> Value {
    let mut run = run_json(outcome, standards);
    for (index, row) in outcome.rows.iter().enumerate() {
        run["rows"][index]["histogram"] = row.latency.as_ref().map_or(Value::Null, histogram);
    }
    run
}

/// The bins of the report's figures, without the empty ones.
fn histogram(latency: &Distribution) -> Value {
    let filled = bins::log_bins(latency)
        .into_iter()
        .filter(|bin| bin.count > 0);
    filled
        .map(|bin| value!({ "from_ns": bin.from_ns, "to_ns": bin.to_ns, "count": bin.count }))
        .collect()
}

fn figures_of_merit(systems: &[System], tolerance: Tolerance) -> Value {
    let systems = merit::of(systems, tolerance);
    value!({
        "tolerance": tolerance.share(),
        "systems": systems.iter().map(of_system).collect::<Vec<Value>>(),
    })
}

fn of_system(merits: &Merits) -> Value {
    let general = |general: &General| {
        let mut figures = figures(&general.merit);
        figures.insert("cases".to_owned(), value!(general.cases));
        figures
    };
    let case = |case: &Case| {
        let mut figures = figures(&case.merit);
        figures.extend(fields(value!({
            "measurement": case.measurement(),
            "conditions": case.conditions,
            "load": case.load,
            "count": case.latency.count(),
            "max_ns": case.latency.max.value_ns,
            "in_general": case.counts,
        })));
        figures
    };
    value!({
        "system": merits.system,
        "machine_id": merits.machine_id,
        "general": merits.general.as_ref().map(general),
        "cases": merits.cases.iter().map(case).collect::<Vec<Map<String, Value>>>(),
    })
}

fn figures(merit: &Merit) -> Map<String, Value> {
    fields(value!({
        "efficiency_ns": merit.efficiency_ns,
        "variation_ns": merit.variation_ns,
        "predictability": merit.predictability,
    }))
}

fn machine(system: &System) -> Value {
    let mut machine = fields(value!(system.machine));
    machine.insert("machine_id".to_owned(), value!(system.machine_id));
    let advice = advice::of(system);
    machine.extend(fields(value!({
        "findings": advice.findings,
        "housekeeping_cpus": advice.housekeeping_cpus,
        "kernel_parameters": advice.kernel_parameters,
    })));
    Value::Object(machine)
}

/// Parameters by names that carry their unit.
pub fn parameters(parameters: &Parameters) -> Map<String, Value> {
    let named = |(name, parameter): (&str, &Parameter)| match parameter {
        Parameter::Time(time) => (format!("{name}_ns"), value!(time.0)),
        Parameter::Rate(rate) => (format!("{name}_hz"), value!(rate.hertz())),
        Parameter::Count(count) => (name.to_owned(), value!(count)),
        Parameter::Percent(percent) => (format!("{name}_percent"), value!(percent)),
        Parameter::Number(number) => (name.to_owned(), value!(number.get())),
        Parameter::Word(word) => (name.to_owned(), value!(word)),
    };
    parameters.iter().map(named).collect()
}

fn warnings(outcome: &Outcome) -> Vec<Value> {
    let warning = |warning: &plan::Warning| {
        let code = fields(value!(warning)).remove("code");
        value!({
            "code": code,
            "cause": warning.cause(),
            "remedy": warning.remedy(),
            "invalidates": warning.invalidates(),
        })
    };
    outcome.warnings.iter().map(warning).collect()
}

/// The figures of a row; its facts too.
pub fn row(row: &Row) -> Map<String, Value> {
    let mut figures: Map<String, Value> = row.facts.clone().into_iter().collect();
    let latency = row.latency.as_ref();
    let figure = |of: fn(&Distribution) -> Value| latency.map_or(Value::Null, of);
    figures.extend(fields(value!({
        "label": row.label,
        "unavailable": row.unavailable,
        "due": row.due,
        "executed": row.executed,
        "skipped": row.skipped,
        "count": latency.map_or(0, Distribution::count),
        "early": latency.map_or(0, |latency| latency.early),
        "average_ns": figure(|latency| value!(latency.mean_ns())),
        "min_ns": figure(|latency| value!(latency.min.value_ns)),
        "max_ns": figure(|latency| value!(latency.max.value_ns)),
        "max_at_ns": figure(|latency| value!(latency.max.at_ns)),
        "max_index": figure(|latency| value!(latency.max.index)),
    })));
    for (_, name, share) in QUANTILES {
        let quantile = latency.map(|latency| latency.quantile_ns(share));
        figures.insert(name.to_owned(), value!(quantile));
    }
    figures
}

fn with_claims(spec: &RunSpec, one: &Row, limits: &Limits) -> Map<String, Value> {
    let mut figures = row(one);
    let quantiles = one.latency.as_ref().map(|latency| {
        let claim = |(_, name, share): (&str, &'static str, f64)| {
            let claim = latency.quantile_claim(share);
            let ends = value!({
                "lower_ns": claim.lower_ns,
                "upper_ns": claim.upper_ns,
                "samples_for_upper": samples_for_upper_end(share),
            });
            (name.to_owned(), ends)
        };
        QUANTILES
            .into_iter()
            .map(claim)
            .collect::<Map<String, Value>>()
    });
    let worst = match claims::worst(&[one]) {
        Some(Worst::Fitted(fit)) => value!({ "fitted": fit }),
        Some(Worst::Refused(refusal)) => {
            let mut refused = fields(value!(refusal));
            refused.insert("words".to_owned(), value!(claims::reason(refusal)));
            value!({ "refused": refused })
        }
        Some(Worst::Unknown) | None => Value::Null,
    };
    figures.insert(
        "claims".to_owned(),
        value!({
            "confidence": CONFIDENCE,
            "quantiles": quantiles,
            "worst": worst,
            "real_time": RealTime::of(spec, &[one], limits).map(|r| of_real_time(&r)),
        }),
    );
    figures
}

fn of_real_time(real_time: &RealTime) -> Value {
    let Held { tries, bound, .. } = real_time.held;
    value!({
        "verdict": real_time.verdict(),
        "shown": real_time.is_shown(),
        "misses": tries.missed,
        "periods": tries.due,
        "rate": bound.rate,
        "rate_lower": bound.lower,
        "rate_upper": bound.upper,
        "an_hour_lower": real_time.an_hour(bound.lower),
        "an_hour_upper": real_time.an_hour(bound.upper),
    })
}

/// The fields of an object.
pub fn fields(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}
