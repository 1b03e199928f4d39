//! Turns a recording, or the kept samples of a stored run, into its outcome.

use bench::{Measurement, causes};
use blame::{Cases, Evidence, Summary};
use record::fact::{BLAME, COUNTED, MISSED};
use record::{Outcome, Recording, Row, Track, Warning};
use serde::Deserialize;
use serde_json::Value;
use simulate::MODEL_THREADS;

use crate::{find, validation};

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
        let mut declared = description.facts().chain([&BLAME, &COUNTED]);
        declared.any(|fact| fact.name == name)
    };
    let mut facts = rows.iter().flat_map(|row| row.facts.keys());
    facts.find(|name| !is_declared(name)).map(String::as_str)
}

/// Returns the rows, with the causes of lateness in the headline.
fn rows_of(recording: &Recording, measurement: &dyn Measurement) -> Vec<Row> {
    let mut rows = measurement.rows(recording);
    let stalled = recording.found.interval.as_ref().map_or(0, |place| place.stalled_before);
    rows.iter_mut().for_each(|row| add_stalled(row, stalled));
    let Some(headline) = rows.first_mut() else { return rows };
    if let Some(summary) = causes::summary(measurement, recording) {
        headline.tell(&BLAME, serde_json::to_value(summary).expect("a summary is plain data"));
    }
    let counted = causes::counted(measurement, recording);
    if !counted.is_empty() {
        headline.tell(&COUNTED, serde_json::to_value(counted).expect("causes are plain data"));
    }
    rows
}

/// Adds the periods of intervals without a step, each as long as this one: none of them was met.
fn add_stalled(row: &mut Row, intervals: u64) {
    let periods = intervals * row.due;
    row.due += periods;
    row.skipped += periods;
    if let Some(missed) = row.fact(&MISSED).and_then(Value::as_u64).filter(|_| periods > 0) {
        row.tell(&MISSED, missed + periods);
    }
}

fn lost_samples(track: &Track) -> Option<Warning> {
    let count = u64::try_from(track.number("lost")).unwrap_or(0);
    (count > 0).then(|| Warning::SamplesLost { track: track.name.clone(), count })
}

/// Returns the outcome that this program computes from the kept samples of a stored run; `samples`
/// are the tracks of its recording, followed by those of its evidence.
///
/// # Errors
/// Says in one line why the samples do not belong to such a run, or that this program cannot
/// compute it.
pub fn recomputed(stored: &Outcome, samples: Vec<Track>) -> Result<Outcome, String> {
    Ok(outcome(&recorded(stored, samples)?))
}

/// Returns the worst late samples of a stored run, at most this number: from its kept samples, or
/// from its rows if it has none. A run without a search for causes has none.
///
/// # Errors
/// As [`recomputed`].
pub fn worst_cases(stored: &Outcome, samples: Vec<Track>, most: usize) -> Result<Cases, String> {
    if samples.is_empty() {
        let summary = stored.rows.first().and_then(|row| row.fact(&BLAME));
        let summary = summary.and_then(|summary| Summary::deserialize(summary).ok());
        let mut worst = summary.map_or_else(Cases::default, Cases::from);
        worst.cases.truncate(most);
        return Ok(worst);
    }
    let recording = recorded(stored, samples)?;
    let searched = recording.header.spec.blame_beyond;
    let measurement = searched.and_then(|_| find(&recording.header.spec.measurement));
    let late = measurement.map_or_else(Vec::new, |found| causes::late(found, &recording));
    Ok(Cases::worst(&late, &Evidence::of(&recording.evidence), most))
}

fn recorded(stored: &Outcome, samples: Vec<Track>) -> Result<Recording, String> {
    let (evidence, mut tracks): (Vec<Track>, Vec<Track>) =
        samples.into_iter().partition(blame::is_evidence);
    // The outcome adds the warnings that follow from the samples themselves again.
    let computed_again = tracks.iter().filter_map(lost_samples).collect::<Vec<_>>();
    let mut warnings = stored.warnings.clone();
    warnings.retain(|warning| !computed_again.contains(warning));
    let (header, mut found) = (stored.header.clone(), stored.found.clone());
    tracks.iter_mut().for_each(|track| give_present_name(&mut track.name));
    found.threads.iter_mut().for_each(|thread| give_present_name(&mut thread.name));
    let recording = Recording { header, found, warnings, tracks, evidence };
    validation::check(&stored.header.spec, &recording)?;
    Ok(recording)
}

/// Threads that step a model were named `solver N` in stores of earlier versions.
fn give_present_name(thread: &mut String) {
    if let Some(number) = thread.strip_prefix("solver ") {
        *thread = format!("{}{number}", MODEL_THREADS.trim_end_matches('*'));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_runs::spec;
    use bench::Bench;
    use bench::made_run::recording;
    use testing::refuses;

    #[test]
    fn an_undeclared_fact_is_found() {
        let row = Row::default().with(&record::fact::CPUS, "0");
        assert_eq!(undeclared("wakeup", std::slice::from_ref(&row)), None);
        let rows = [row.clone(), row.with(&record::fact::SLOPE, 1)];
        assert_eq!(undeclared("wakeup", &rows), Some("slope"));
    }

    #[test]
    fn periods_of_intervals_without_a_step_are_missed() {
        let mut row = Row { due: 300, executed: 298, skipped: 2, ..Row::default() };
        add_stalled(&mut row, 2);
        assert_eq!((row.due, row.executed, row.skipped), (900, 298, 602));
        assert_eq!(row.fact(&MISSED), None, "skipped ones are what wake-ups miss");
        let mut frame = Row { due: 300, ..Row::default() }.with(&MISSED, 5);
        add_stalled(&mut frame, 0);
        assert_eq!(frame.fact(&MISSED).unwrap(), 5);
        add_stalled(&mut frame, 1);
        assert_eq!(frame.fact(&MISSED).unwrap(), 305);
    }

    #[test]
    fn lost_samples_invalidate() {
        let lost = Track::new("cpu 0").with("lost", 3);
        let outcome = outcome(&recording(spec("wakeup"), vec![lost]));
        assert!(!outcome.is_valid());
    }

    #[test]
    fn the_same_samples_give_the_same_outcome_and_warnings_once() {
        let spec = spec("clock_overhead");
        let tracks = find("clock_overhead").unwrap().run(&Bench::new(spec.clone())).unwrap();
        let stored = outcome(&recording(spec, tracks.clone()));
        assert_eq!(recomputed(&stored, tracks), Ok(stored));
    }

    #[test]
    fn threads_of_models_have_their_present_names() {
        for (stored, present) in
            [("solver 3", "model 3"), ("model 3", "model 3"), ("cpu 1", "cpu 1")]
        {
            let mut name = stored.to_owned();
            give_present_name(&mut name);
            assert_eq!(name, present);
        }
    }

    #[test]
    fn samples_of_another_run_are_refused() {
        let stored = outcome(&recording(spec("wakeup"), vec![]));
        refuses(recomputed(&stored, vec![Track::new("foreign")]), "foreign");
    }
}
