//! Bencher Metric Format: a JSON object of benchmarks, each with its measures.

use serde_json::{Map, Value, json};

use super::{Format, Metric, Status, Suite};

pub(super) const FORMAT: Format = Format {
    flag: "bencher",
    help: "Write the figures of every row to this file as Bencher Metric Format (JSON), and for \
           each case whether it failed: 0 or 1",
    form: "Bencher Metric Format (JSON): median, p99 and maximum of each row, in nanoseconds, in the \
           lab in instructions; and for each case `failed`, 0 or 1",
    readers: "Bencher",
    write: bencher,
};

/// Returns every row that was measured in a valid run, and for every case that was not skipped
/// whether it failed: 0 or 1, also if it could not be judged.
fn bencher(suites: &[Suite]) -> String {
    let is_machine = |suite: &&Suite| !suite.machine_id.is_empty();
    let several = suites.iter().filter(is_machine).count() > 1;
    let mut benchmarks = Map::new();
    for suite in suites {
        let machine =
            if several && is_machine(&suite) { format!("{}: ", suite.name) } else { String::new() };
        for case in &suite.cases {
            let name = |metric: &Metric| format!("{machine}{}: {}", case.name, metric.row);
            benchmarks.extend(case.metrics.iter().map(|metric| (name(metric), measures(metric))));
            if !matches!(case.status, Status::Skipped(_)) {
                let failed = u8::from(!case.status.is_fine());
                let name = format!("{machine}{}", case.name);
                benchmarks.insert(name, json!({ "failed": { "value": failed } }));
            }
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
