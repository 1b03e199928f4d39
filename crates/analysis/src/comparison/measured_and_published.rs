//! Measured systems and published ones, test by test.

use super::cases::cases;
use super::columns::Comparison;
use crate::capacity::{Grid, grids};
use crate::lists::each_once;
use crate::published::{Latency, Threshold, latencies, stands_beside};

impl Comparison<'_> {
    /// Returns the published times of the services that the systems measured.
    pub fn published_latencies(&self) -> Vec<Latency> {
        let is_measured =
            |test: &str| self.systems.iter().any(|system| system.of(test).next().is_some());
        let latencies =
            latencies().into_iter().filter(|latency| self.published.has(&latency.system));
        latencies.filter(|latency| is_measured(&latency.test)).collect()
    }

    /// Returns the published sizes of the models and rates that the systems measured.
    pub fn published_sizes(&self) -> Vec<Threshold> {
        let grids: Vec<Grid> = self.systems.iter().flat_map(grids).collect();
        let sizes = each_once(grids.iter().flat_map(Grid::published_sizes));
        sizes.into_iter().filter(|size| self.published.has(&size.system)).collect()
    }

    /// Returns the published systems with figures of what was measured.
    pub fn published_systems(&self) -> Vec<String> {
        let latencies = self.published_latencies().into_iter().map(|latency| latency.system);
        each_once(latencies.chain(self.published_sizes().into_iter().map(|size| size.system)))
    }
}

/// Figures of one test, by system.
pub struct TestFigures {
    pub test: String,
    /// Average and worst case of each measured system without load, in nanoseconds.
    pub measured: Vec<Option<[f64; 2]>>,
    pub published: Vec<Option<Latency>>,
}

/// Returns the published systems that are shown, and a row for each of their tests.
pub fn measured_and_published(comparison: &Comparison) -> (Vec<String>, Vec<TestFigures>) {
    let latencies = comparison.published_latencies();
    let systems = each_once(latencies.iter().map(|latency| latency.system.clone()));
    let tests = each_once(latencies.iter().map(|latency| latency.test.clone()));
    let line = |test: String| {
        let of = |system: &String| {
            let mut all = latencies.iter();
            all.find(|latency| latency.system == *system && latency.test == test).cloned()
        };
        let published = systems.iter().map(of).collect();
        TestFigures { measured: measured(comparison, &test), published, test }
    };
    let lines = tests.into_iter().map(line).collect();
    (systems, lines)
}

fn measured(comparison: &Comparison, test: &str) -> Vec<Option<[f64; 2]>> {
    let cases = cases(comparison.systems.iter(), |series| {
        let is_free = series.spec.asked.loads.is_empty();
        stands_beside(series) && is_free && series.spec.measurement == test
    });
    let Some(case) = cases.first() else { return vec![None; comparison.systems.len()] };
    let figures = case.of.iter().map(|series| {
        let latency = series.as_ref()?.latency.as_ref()?;
        Some([latency.mean_ns(), latency.max.value_ns as f64])
    });
    figures.collect()
}
