//! Metrics of a soak, for Prometheus and others: OpenMetrics 1.0, or the text format of Prometheus
//! (version 0.0.4), in which a counter is named with its suffix.

use std::fmt::Write;

use analysis::soak::{BOUNDS_NS, MissCause, Soak};

/// The most causes that have a series.
const MOST_CAUSES: usize = 20;

/// A counter: name, help, and its values with their labels.
type Counter<'a> = (&'a str, &'a str, Vec<(String, u64)>);

pub fn metrics(soak: &Soak, is_open: bool) -> String {
    let total = |count: u64| vec![(String::new(), count)];
    let counters: [Counter<'_>; 9] = [
        ("due", "Periods that were due.", total(soak.due)),
        ("executed", "Periods with a step.", total(soak.executed)),
        ("skipped", "Periods without a step.", total(soak.skipped)),
        ("missed", "Periods without a step, and steps that ended too late.", total(soak.missed)),
        (
            "missed_by_cause",
            "Missed periods of the largest causes, each at least; the rest has smaller ones.",
            causes(soak),
        ),
        ("intervals", "Finished intervals.", total(soak.intervals)),
        (
            "invalid_intervals",
            "Intervals whose conditions were not as requested.",
            total(soak.invalid),
        ),
        ("gaps", "Times that were not watched.", total(soak.gap_count)),
        ("boots", "Boots of the machine during the soak.", total(soak.boots)),
    ];
    let mut text = String::new();
    for (name, help, values) in counters {
        let family =
            if is_open { format!("steadfast_{name}") } else { format!("steadfast_{name}_total") };
        head(&mut text, &family, "counter", help);
        for (labels, count) in values {
            let _ = writeln!(text, "steadfast_{name}_total{labels} {count}");
        }
    }
    head(&mut text, "steadfast_max_seconds", "gauge", "Largest measured time so far.");
    let max = soak.max.as_ref().map_or(0, |(max, _)| *max);
    let _ = writeln!(text, "steadfast_max_seconds {}", max as f64 / 1e9);
    miss_rate(&mut text, soak);
    histogram(&mut text, soak);
    if is_open {
        text += "# EOF\n";
    }
    text
}

/// Adds the share of missed periods of valid intervals, with the interval that the answer claims;
/// nothing before the first of them.
fn miss_rate(text: &mut String, soak: &Soak) {
    let Some(rate) = soak.claimed().rate(1) else { return };
    let gauges = [
        ("steadfast_miss_rate", "Share of periods missed in valid intervals.", rate.rate),
        (
            "steadfast_miss_rate_lower",
            "Lower end of its 95 % confidence interval, by interval or block of intervals.",
            rate.lower,
        ),
        (
            "steadfast_miss_rate_upper",
            "Upper end of its 95 % confidence interval; without a miss, a one-sided bound.",
            rate.upper,
        ),
    ];
    for (family, help, value) in gauges {
        head(text, family, "gauge", help);
        let _ = writeln!(text, "{family} {value}");
    }
}

fn head(text: &mut String, family: &str, kind: &str, help: &str) {
    let _ = writeln!(text, "# HELP {family} {help}\n# TYPE {family} {kind}");
}

fn causes(soak: &Soak) -> Vec<(String, u64)> {
    let causes = soak.causes.heaviest().into_iter().take(MOST_CAUSES);
    causes.map(|(cause, missed)| (labels(cause), missed.at_least)).collect()
}

fn labels(cause: &MissCause) -> String {
    let policy = cause.policy.as_deref();
    let values = [("cause", Some(cause.kind)), ("name", cause.name.as_deref()), ("policy", policy)];
    let label = |(label, value): (&str, Option<&str>)| {
        let value = value?.replace('\\', r"\\").replace('"', "\\\"").replace('\n', r"\n");
        Some(format!("{label}=\"{value}\""))
    };
    let labels: Vec<String> = values.into_iter().filter_map(label).collect();
    format!("{{{}}}", labels.join(","))
}

fn histogram(text: &mut String, soak: &Soak) {
    const NAME: &str = "steadfast_time_seconds";
    head(text, NAME, "histogram", "Lateness of wake-ups, or run times of frames.");
    let bounds = BOUNDS_NS.iter().map(|bound| (*bound as f64 / 1e9).to_string());
    let mut below = 0;
    for (bound, count) in bounds.chain(["+Inf".to_owned()]).zip(soak.histogram) {
        below += count;
        let _ = writeln!(text, "{NAME}_bucket{{le=\"{bound}\"}} {below}");
    }
    let _ = writeln!(text, "{NAME}_sum {}\n{NAME}_count {below}", soak.sum_ns as f64 / 1e9);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn soak() -> Soak {
        let mut soak = Soak::default();
        (soak.due, soak.executed, soak.skipped, soak.missed) = (10, 8, 2, 2);
        let hog = MissCause {
            kind: "task",
            name: Some("a \"hog\"\\\n".to_owned()),
            policy: Some("fifo:90".to_owned()),
            words: "task `hog` (fifo:90)".to_owned(),
        };
        soak.causes.add(&hog, 2);
        soak.histogram[3] = 7;
        soak.histogram[19] = 1;
        soak.sum_ns = 1_500_000_000;
        soak
    }

    #[test]
    fn the_number_of_series_is_bounded_and_the_largest_cause_is_among_them() {
        let mut soak = soak();
        for number in 0..500 {
            let name = Some(format!("task {number}"));
            let cause = MissCause { kind: "task", name, policy: None, words: String::new() };
            soak.causes.add(&cause, number);
        }
        let text = metrics(&soak, true);
        let series: Vec<&str> = text
            .lines()
            .filter(|line| line.starts_with("steadfast_missed_by_cause_total"))
            .collect();
        assert_eq!(series.len(), MOST_CAUSES);
        assert!(
            series[0].contains("name=\"task 499\"") && series[0].ends_with(" 499"),
            "{series:?}"
        );
    }

    #[test]
    fn every_sample_belongs_to_the_family_before_it_and_buckets_add_up() {
        for is_open in [true, false] {
            let text = metrics(&soak(), is_open);
            let mut family = "";
            for line in text.lines() {
                if let Some(name) = line.strip_prefix("# TYPE ") {
                    family = name.split(' ').next().unwrap();
                } else if !line.starts_with('#') {
                    let (sample, value) = line.rsplit_once(' ').unwrap();
                    assert!(sample.starts_with(family), "{line}");
                    assert!(value.parse::<f64>().is_ok(), "{line}");
                }
            }
            let labels = r#"{cause="task",name="a \"hog\"\\\n",policy="fifo:90"}"#;
            assert!(
                text.contains(&format!("steadfast_missed_by_cause_total{labels} 2\n")),
                "{text}"
            );
            assert!(text.contains("steadfast_missed_total 2\n"), "{text}");
            assert!(text.contains("steadfast_time_seconds_bucket{le=\"0.00001\"} 7"), "{text}");
            assert!(text.contains("steadfast_time_seconds_bucket{le=\"+Inf\"} 8"));
            assert_eq!(text.ends_with("# EOF\n"), is_open);
        }
    }
}
