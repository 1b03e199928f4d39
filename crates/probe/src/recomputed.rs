//! Computes a stored run again from its kept samples.

use plan::{Outcome, Recording, Track};

use crate::believed;
use crate::outcome::{lost_samples, outcome};

/// Returns the outcome that this program computes from the kept samples of a stored run; `samples`
/// are the tracks of its recording, followed by those of its evidence.
///
/// # Errors
/// Says in one line why the samples do not belong to such a run, or that this program cannot
/// compute it.
pub fn recomputed(stored: &Outcome, samples: Vec<Track>) -> Result<Outcome, String> {
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
    Ok(outcome(&recording))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bench;
    use crate::measurement::tests::{recording, spec};

    #[test]
    fn the_same_samples_give_the_same_outcome_and_warnings_once() {
        let spec = spec("clock_overhead");
        let measurement = crate::find("clock_overhead").unwrap();
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
