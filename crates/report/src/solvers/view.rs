//! The solvers of the tire compared with each other. Their section is among those of the measurements.

use analysis::Analysis;
use analysis::benchmark::{Benchmark, Entry, findings, named, shows};
use analysis::finding::Finding;
use analysis::phrases::maybe;
use analysis::survey::System;
use analysis::words::{counted, percent, quantity, size};
use record::Size;

use crate::answer::Line;
use crate::view::View;

pub(crate) struct SolversView;

impl View for SolversView {
    fn weight(&self, analysis: &Analysis) -> Option<f64> {
        let is_shown = |system: &System| system.series.iter().all(|series| shows(system, series));
        let has_entries = |benchmark: &Benchmark| !benchmark.entries.is_empty();
        let has_any = analysis.benchmarks.iter().any(has_entries);
        (has_any && analysis.systems.iter().all(is_shown)).then_some(1.0)
    }

    fn findings(&self, analysis: &Analysis) -> Vec<Finding> {
        findings(&analysis.systems, &analysis.benchmarks)
    }

    fn figures(&self, analysis: &Analysis) -> Vec<Line> {
        let mut lines = Vec::new();
        for (machine, benchmark) in named(&analysis.systems, &analysis.benchmarks) {
            let fastest = benchmark.fastest().into_iter();
            lines.extend(fastest.map(|entry| line(machine.as_deref(), entry)));
        }
        lines
    }
}

fn line(machine: Option<&str>, entry: &Entry) -> Line {
    let machine = maybe(machine, |machine| format!("{machine}: "));
    let threads = counted(entry.threads as usize, "thread");
    let figures = [
        Some(format!("{} {}", entry.solver, entry.precision)),
        Some(format!("{} million/s", quantity(entry.rate_per_s / 1e6))),
        entry.times_semaphore.map(|times| format!("{} times semaphore", quantity(times))),
        entry.of_arithmetic.map(|share| format!("{} of arithmetic", percent(share))),
    ];
    Line {
        what: format!("{machine}{}, {threads}", size(Size::MASSES, entry.masses)),
        figures: figures.into_iter().flatten().collect(),
    }
}
