//! A stored run computed once more from the samples that were kept of it.

use plan::{Outcome, Recording, Track};

use crate::believed;
use crate::outcome::{lost_samples, outcome};

/// What this program computes today from the samples kept of a stored run; `samples` are the
/// tracks of its recording and then those of its evidence.
///
/// # Errors
/// Why the samples are none of such a run, or this program knows nothing to compute, in one line.
pub fn recomputed(stored: &Outcome, samples: Vec<Track>) -> Result<Outcome, String> {
    let looks_for_causes = stored.header.spec.blame_beyond.is_some();
    let is_evidence = |track: &Track| looks_for_causes && blame::is_evidence(track);
    let (evidence, tracks): (Vec<Track>, Vec<Track>) = samples.into_iter().partition(is_evidence);
    // The outcome says again what the samples themselves tell.
    let told_again = tracks.iter().filter_map(lost_samples).collect::<Vec<_>>();
    let mut warnings = stored.warnings.clone();
    warnings.retain(|warning| !told_again.contains(warning));
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
        let refused = recomputed(&stored, vec![Track::new("nobody's")]).unwrap_err();
        assert!(refused.contains("nobody"), "{refused}");
    }
}
