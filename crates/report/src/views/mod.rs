//! One view per capability: to add a view, write a file here and add a line to [`VIEWS`].

pub(crate) mod audit;
mod best_effort;
pub(crate) mod certificate;
mod check;
mod comparison;
mod doctor;
mod experiment;
mod frontier;
mod gate;
mod general;
mod interference;
mod map;
mod mix;
mod self_test;
mod solvers;
mod studies;
#[cfg(test)]
mod tests;
mod view;

use analysis::Analysis;

use crate::answer::Answer;

pub use best_effort::BestEffort;
pub use check::{CheckReport, check};
pub(crate) use comparison::{Comparison, in_full};
pub use doctor::doctor;
pub use experiment::Experiment;
pub use frontier::Frontier;
pub use gate::Gate;
pub use gate::exact_gate;
use general::General;
pub use interference::Interference;
pub use map::Map;
use mix::Mix;
use self_test::SelfTested;
pub use self_test::self_test_answer;
use solvers::Solvers;
pub use studies::Studies;
pub use view::Telling;
pub(crate) use view::View;

/// All views, in page order; the view of all runs is the last.
pub(crate) static VIEWS: &[&dyn View] = &[
    &Interference,
    &Mix,
    &BestEffort,
    &Gate,
    &Map::AMONG_RESULTS,
    &Frontier::AMONG_RESULTS,
    &Solvers,
    &Experiment,
    &Comparison,
    &SelfTested,
    &General,
];

/// Returns the view that most runs were measured for. The view of all runs leads unless another has
/// more than half of them; of two with the same weight, the later one leads.
pub(crate) fn leading(analysis: &Analysis) -> &'static dyn View {
    let weighed = VIEWS.iter().filter_map(|view| Some((*view, view.weight(analysis)?)));
    let leading = weighed.max_by(|(_, one), (_, other)| one.total_cmp(other));
    leading.map_or(&General, |(view, _)| view)
}

pub fn answer(analysis: &Analysis) -> Answer {
    let answer = leading(analysis).answer(analysis);
    let clocks_differ = analysis.verdict.clocks_differ.iter().map(|found| found.said().into());
    Answer { remarks: clocks_differ.chain(answer.remarks).collect(), ..answer }
}
