//! Bencher Metric Format: a JSON object of benchmarks, each with its measures.

use serde_json::{Map, Value, json};

use super::{Metric, Suite};

/// Returns every row that was measured in a valid run. Others are left out, since the format has no
/// other way to say so.
pub(super) fn bencher(suites: &[Suite]) -> String {
    let several = suites.len() > 1;
    let mut benchmarks = Map::new();
    for suite in suites {
        let machine = if several { format!("{}: ", suite.name) } else { String::new() };
        for case in &suite.cases {
            let name = |metric: &Metric| format!("{machine}{}: {}", case.name, metric.row);
            benchmarks.extend(case.metrics.iter().map(|metric| (name(metric), measures(metric))));
        }
    }
    format!("{:#}\n", Value::Object(benchmarks))
}

fn measures(metric: &Metric) -> Value {
    let figures = [("median", metric.median), ("p99", metric.p99), ("max", metric.max)];
    let measure =
        |(name, value): (&str, f64)| (format!("{name}-{}", metric.unit), json!({ "value": value }));
    Value::Object(figures.map(measure).into_iter().collect())
}
