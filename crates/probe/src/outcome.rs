//! Turns a recording into its outcome.

use plan::fact::BLAME;
use plan::{Outcome, Recording, Row, Track, Warning};

use crate::{Measurement, find, late};

pub fn outcome(recording: &Recording) -> Outcome {
    let name = &recording.header.spec.measurement;
    let rows = match find(name) {
        Some(measurement) if !recording.tracks.is_empty() => rows_of(recording, measurement),
        _ => Vec::new(),
    };
    debug_assert_eq!(undeclared(name, &rows), None, "{name}");
    let mut warnings = recording.warnings.clone();
    warnings.extend(recording.tracks.iter().filter_map(lost_samples));
    Outcome { header: recording.header.clone(), found: recording.found.clone(), warnings, rows }
}

/// Returns a fact that rows have but their measurement does not declare.
fn undeclared<'r>(measurement: &str, rows: &'r [Row]) -> Option<&'r str> {
    let description = find(measurement)?.description();
    let is_declared = |name: &str| {
        let mut declared = description.facts().chain([&BLAME]);
        declared.any(|fact| fact.name == name)
    };
    let mut facts = rows.iter().flat_map(|row| row.facts.keys());
    facts.find(|name| !is_declared(name)).map(String::as_str)
}

/// Returns the rows, with the causes of lateness in the headline.
fn rows_of(recording: &Recording, measurement: &dyn Measurement) -> Vec<Row> {
    let mut rows = measurement.rows(recording);
    let summary = late::summary(recording, || measurement.late(recording));
    if let (Some(headline), Some(summary)) = (rows.first_mut(), summary) {
        let summary = serde_json::to_value(summary).expect("a summary is plain data");
        headline.tell(&BLAME, summary);
    }
    rows
}

pub(crate) fn lost_samples(track: &Track) -> Option<Warning> {
    let count = u64::try_from(track.number("lost")).unwrap_or(0);
    (count > 0).then(|| Warning::SamplesLost { track: track.name.clone(), count })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurement::tests::{recording, spec};

    #[test]
    fn an_undeclared_fact_is_found() {
        let row = Row::default().with(&plan::fact::CPUS, "0");
        assert_eq!(undeclared("wakeup", std::slice::from_ref(&row)), None);
        let rows = [row.clone(), row.with(&plan::fact::SLOPE, 1)];
        assert_eq!(undeclared("wakeup", &rows), Some("slope"));
    }

    #[test]
    fn lost_samples_invalidate() {
        let lost = Track::new("cpu 0").with("lost", 3);
        let outcome = outcome(&recording(spec("wakeup"), vec![lost]));
        assert!(!outcome.is_valid());
    }
}
