//! Results of self-tests, if nothing else was run.

use analysis::Analysis;
use analysis::finding::Finding;
use analysis::self_test::{findings, own_lateness, stored, wrong_first};
use analysis::subject::named;
use analysis::words::{grouped, moment};
use plan::SelfTest;

use super::view::{View, worded};
use crate::answer::{Answer, Line};

pub(crate) struct SelfTested;

impl View for SelfTested {
    fn weight(&self, analysis: &Analysis) -> Option<f64> {
        let mut systems = analysis.systems.iter();
        let are_tested =
            systems.all(|system| system.outcomes.is_empty() && !system.disturbed.is_empty());
        (are_tested && !analysis.systems.is_empty()).then_some(1.0)
    }

    /// The findings for the machine with the worst verdict.
    fn findings(&self, analysis: &Analysis) -> Vec<Finding> {
        let tests = analysis.systems.iter().map(|system| stored(system, &analysis.outcomes));
        let found = tests.map(|test| findings(&test, false));
        let worst = found.rev().max_by_key(|found| found[0].standing());
        worst.unwrap_or_default()
    }

    fn figures(&self, analysis: &Analysis) -> Vec<Line> {
        let machines = named(&analysis.systems).into_iter();
        let lines = machines.flat_map(|machine| {
            let name = machine.name.map(|name| format!("{name}: ")).unwrap_or_default();
            let lines = lines(&stored(machine.system, &analysis.outcomes)).into_iter();
            lines.map(move |line| Line { what: format!("{name}{}", line.what), ..line })
        });
        lines.collect()
    }
}

/// Returns the result of a self-test: whether measurements on its machine are certified.
pub fn self_test_answer(test: &SelfTest) -> Answer {
    let subject = format!("tested on {} by version {}", moment(test.at_unix_ns), test.tool_version);
    let effort = format!("{} late without injection", grouped(own_lateness(test)));
    worded(subject, effort, &findings(test, true), lines(test))
}

/// Returns the disturbances, with what was measured and blamed.
fn lines(test: &SelfTest) -> Vec<Line> {
    let line = |found: &plan::Disturbed| Line {
        what: found.name.clone(),
        figures: vec![
            format!("seen {} of {}", found.seen, found.injected),
            format!("cause right {}", found.blamed),
        ],
    };
    wrong_first(test).into_iter().map(line).collect()
}
