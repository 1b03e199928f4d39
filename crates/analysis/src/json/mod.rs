//! Results as JSON: stable names that carry their unit, the same for every measurement.

mod lines;

use std::io;

use plan::{Heading, Outcome, Row, RunSpec};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json as value};
use stats::{CONFIDENCE, Distribution, samples_for_upper_end};

use crate::claims::{self, QUANTILES, Worst};
use crate::fail_if::{self, Checked};
use crate::fields::{SCHEMA_VERSION, fields, parameters, row};
use crate::held::Held;
use crate::real_time::RealTime;
use crate::standards::{Limits, Standards};
use crate::{bins, words};

/// Writes an analysis, or a part of it, as readable JSON: one line per field of the entries of its
/// lists, and one run at a time.
///
/// # Errors
/// Returns the writer's errors.
pub fn write(told: &impl Serialize, to: &mut dyn io::Write) -> io::Result<()> {
    let lines = lines::Lines::default();
    told.serialize(&mut serde_json::Serializer::with_formatter(&mut *to, lines))?;
    writeln!(to)
}

/// Runs that are produced while written, so that a large store is never in memory at once.
pub(crate) struct Runs<'a> {
    pub(crate) outcomes: Vec<&'a Outcome>,
    pub(crate) standards: &'a Standards,
}

impl Serialize for Runs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let run = |outcome: &&Outcome| with_histograms(outcome, self.standards);
        serializer.collect_seq(self.outcomes.iter().map(run))
    }
}

/// Returns the JSON of one run: what it was, what was requested and found, the figures of its first
/// row at the top level, every row, and the results of limits.
pub fn run_json(outcome: &Outcome, standards: &Standards) -> Value {
    let limits = &standards.limits;
    let checked = fail_if::of_run(&standards.fail_if, outcome);
    let spec = &outcome.header.spec;
    let row = |(place, row): (usize, &Row)| with_claims(spec, place, row, limits);
    let header = &outcome.header;
    let nothing = Row::default();
    // Fixed names are written last, so that no fact can overwrite them.
    let mut run = row((0, outcome.rows.first().unwrap_or(&nothing)));
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
        "rows": outcome.rows.iter().enumerate().map(row).collect::<Vec<Map<String, Value>>>(),
    })));
    Value::Object(run)
}

pub fn headed(mut told: Value, heading: &Heading) -> Value {
    if let Value::Object(told) = &mut told {
        told.extend(fields(value!(heading)));
    }
    told
}

fn with_histograms(outcome: &Outcome, standards: &Standards) -> Value {
    let mut run = run_json(outcome, standards);
    for (index, row) in outcome.rows.iter().enumerate() {
        run["rows"][index]["histogram"] = row.latency.as_ref().map_or(Value::Null, histogram);
    }
    run
}

fn histogram(latency: &Distribution) -> Value {
    let filled = bins::log_bins(latency).into_iter().filter(|bin| bin.count > 0);
    filled
        .map(|bin| value!({ "from_ns": bin.from_ns, "to_ns": bin.to_ns, "count": bin.count }))
        .collect()
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

fn with_claims(spec: &RunSpec, place: usize, one: &Row, limits: &Limits) -> Map<String, Value> {
    let mut figures = row(one);
    let quantiles = one.latency.as_ref().map(|latency| {
        let claim = |(_, name, share): (&str, &'static str, f64)| {
            let claim = latency.quantile_claim(share);
            let ends = value!({
                "lower_ns": claim.lower_ns,
                "upper_ns": claim.upper_ns,
                "design_effect": latency.dependence.map(|dependence| dependence.at(share)),
                "samples_for_upper": samples_for_upper_end(share),
            });
            (name.to_owned(), ends)
        };
        QUANTILES.into_iter().map(claim).collect::<Map<String, Value>>()
    });
    let worst = match claims::worst(&[one]) {
        Some(Worst::Fitted(fit)) => value!({ "fitted": fit }),
        Some(Worst::Refused(refusal)) => value!({ "refused": refusal }),
        Some(Worst::Unknown) | None => Value::Null,
    };
    figures.insert(
        "claims".to_owned(),
        value!({
            "confidence": CONFIDENCE,
            "quantiles": quantiles,
            "worst": worst,
            "real_time": RealTime::of(spec, place, &[one], limits).map(|r| of_real_time(&r)),
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
        "an_hour_lower": real_time.due.per_hour(bound.lower),
        "an_hour_upper": real_time.due.per_hour(bound.upper),
    })
}
