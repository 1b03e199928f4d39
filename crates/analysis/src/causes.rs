//! Causes of lateness, from each run's headline.

use blame::Summary;
use plan::fact;

use crate::survey::{Probe, Series};

/// Returns the causes of each run of a series that looked for them; none of runs in which a search
/// provoked misses.
pub fn summaries(series: &Series) -> Vec<Summary> {
    if series.probe == Some(Probe::Beyond) {
        return Vec::new();
    }
    let blamed = series.facts(&fact::BLAME);
    blamed.filter_map(|blamed| serde_json::from_value(blamed.clone()).ok()).collect()
}
