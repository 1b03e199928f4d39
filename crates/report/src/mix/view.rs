//! A mix of models, each at its own rate. Its section is among those of the measurements.

use analysis::Analysis;
use analysis::finding::Finding;
use analysis::general::of_mixes;
use analysis::mix::{MEASUREMENT, Member, findings, worst};
use analysis::phrases::missed;
use analysis::words::{percent, quantity, time};

use crate::answer::Line;
use crate::view::View;

/// Maximum number of members in an answer.
const MAX_MEMBERS: usize = 6;

pub(crate) struct MixView;

impl View for MixView {
    fn weight(&self, analysis: &Analysis) -> Option<f64> {
        let mut runs = analysis.outcomes.iter();
        let are_mixes = runs.all(|run| run.header.spec.measurement == MEASUREMENT);
        (are_mixes && worst(&analysis.mixes).is_some()).then_some(1.0)
    }

    fn findings(&self, analysis: &Analysis) -> Vec<Finding> {
        let mut found = findings(&analysis.mixes);
        // The last one qualifies all others, so it comes after those about the runs.
        let last = found.pop();
        found.extend(of_mixes(analysis));
        found.into_iter().chain(last).collect()
    }

    fn figures(&self, analysis: &Analysis) -> Vec<Line> {
        let members = worst(&analysis.mixes).map_or(&[][..], |mix| &mix.members);
        members.iter().take(MAX_MEMBERS).map(member_line).collect()
    }
}

fn member_line(member: &Member) -> Line {
    let ns = |ns: Option<i64>| ns.map_or_else(|| "–".to_owned(), |ns| time(ns as f64));
    let figures = match member.period_ns {
        Some(_) => vec![
            format!("median {}", ns(member.median_ns)),
            format!("longest {}", ns(member.longest_ns)),
            missed(member.missed, member.due),
        ],
        None => {
            let steps = member.steps_per_s.map_or_else(|| "–".to_owned(), quantity);
            let share = member.cpu_share.map(|share| format!("CPU {}", percent(share)));
            [Some(format!("{steps} steps per second")), share].into_iter().flatten().collect()
        }
    };
    Line { what: member.name.clone(), figures }
}
