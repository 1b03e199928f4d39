//! Computes a stored run again from its kept samples.

use blame::{Cases, Evidence, Summary};
use plan::fact::BLAME;
use plan::{Outcome, Recording, Track};
use serde::Deserialize;

use crate::outcome::{lost_samples, outcome};
use crate::{believed, find};

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
    let measurement = find(&recording.header.spec.measurement);
    let late = measurement.map(|found| found.late(&recording)).unwrap_or_default();
    Ok(Cases::worst(&late, &Evidence::of(&recording.evidence), most))
}

fn recorded(stored: &Outcome, samples: Vec<Track>) -> Result<Recording, String> {
    let looks_for_causes = stored.header.spec.blame_beyond.is_some();
    let is_evidence = |track: &Track| looks_for_causes && blame::is_evidence(track);
    let (evidence, tracks): (Vec<Track>, Vec<Track>) = samples.into_iter().partition(is_evidence);
    // The outcome adds the warnings that follow from the samples themselves again.
    let computed_again = tracks.iter().filter_map(lost_samples).collect::<Vec<_>>();
    let mut warnings = stored.warnings.clone();
    warnings.retain(|warning| !computed_again.contains(warning));
    let recording = Recording {
        header: stored.header.clone(),
        found: stored.found.clone(),
        warnings,
        tracks,
        evidence,
    };
    believed::check(&stored.header.spec, &recording)?;
    Ok(recording)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bench;
    use crate::measurement::tests::{recording, spec};

    #[test]
    fn the_same_samples_give_the_same_outcome_and_warnings_once() {
        let spec = spec("clock_overhead");
        let measurement = find("clock_overhead").unwrap();
        let tracks = measurement.run(&Bench::new(spec.clone())).unwrap();
        let stored = outcome(&recording(spec, tracks.clone()));
        assert_eq!(recomputed(&stored, tracks), Ok(stored));
    }

    #[test]
    fn samples_of_another_run_are_refused() {
        let stored = outcome(&recording(spec("wakeup"), vec![]));
        let refused = recomputed(&stored, vec![Track::new("foreign")]).unwrap_err();
        assert!(refused.contains("foreign"), "{refused}");
    }
}
