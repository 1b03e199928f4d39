//! Results of self-tests, if nothing else was run.

use analysis::Analysis;
use analysis::finding::Finding;
use analysis::phrases::maybe;
use analysis::self_test::{findings, own_lateness, stored, wrong_first};
use analysis::subject::named;
use analysis::survey::System;
use analysis::words::{grouped, moment};
use record::SelfTest;

use crate::answer::{Answer, Line};
use crate::view::{View, worded};

pub(crate) struct SelfTestView;

impl View for SelfTestView {
    fn weight(&self, analysis: &Analysis) -> Option<f64> {
        let systems = &analysis.systems;
        let is_tested =
            |system: &System| system.outcomes.is_empty() && !system.disturbed.is_empty();
        (!systems.is_empty() && systems.iter().all(is_tested)).then_some(1.0)
    }

    /// The findings for the machine with the worst verdict.
    fn findings(&self, analysis: &Analysis) -> Vec<Finding> {
        let systems = analysis.systems.iter().rev();
        let found = systems.map(|system| findings(&stored(system, &analysis.outcomes), false));
        found.max_by_key(|found| found[0].said().standing).unwrap_or_default()
    }

    fn figures(&self, analysis: &Analysis) -> Vec<Line> {
        let mut all = Vec::new();
        for machine in named(&analysis.systems) {
            let name = maybe(machine.name, |name| format!("{name}: "));
            let lines = lines(&stored(machine.system, &analysis.outcomes)).into_iter();
            all.extend(lines.map(|line| Line { what: format!("{name}{}", line.what), ..line }));
        }
        all
    }
}

/// Returns the result of a self-test: whether measurements on its machine are certified.
pub fn self_test_answer(test: &SelfTest) -> Answer {
    let subject = format!("tested on {} by version {}", moment(test.at_unix_ns), test.tool_version);
    let effort = format!("{} late without injection", grouped(own_lateness(test)));
    worded(subject, effort, &findings(test, true), lines(test))
}

fn lines(test: &SelfTest) -> Vec<Line> {
    let line = |found: &record::Disturbed| Line {
        what: found.name.clone(),
        figures: vec![
            format!("seen {} of {}", found.seen, found.injected),
            format!("cause right {}", found.blamed),
        ],
    };
    wrong_first(test).into_iter().map(line).collect()
}
