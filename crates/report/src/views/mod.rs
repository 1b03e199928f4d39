//! One view per capability: to add a view, write a folder for its subject and add a line to [`VIEWS`].

#[cfg(test)]
mod tests;

use analysis::Analysis;

use crate::answer::Answer;
use crate::comparison::ComparisonView;
use crate::experiment::ExperimentView;
use crate::frontier::{FrontierView, MapView};
use crate::gate::GateView;
use crate::general::GeneralView;
use crate::interference::InterferenceView;
use crate::mix::{BestEffortView, MixView};
use crate::self_test::SelfTestView;
use crate::solvers::SolversView;
use crate::view::{Telling, View};

/// All views, in page order; the view of all runs is the last.
pub(crate) static VIEWS: &[&dyn View] = &[
    &InterferenceView,
    &MixView,
    &BestEffortView,
    &GateView,
    &MapView::AMONG_RESULTS,
    &FrontierView::AMONG_RESULTS,
    &SolversView,
    &ExperimentView,
    &ComparisonView,
    &SelfTestView,
    &GeneralView,
];

/// Returns the view that most runs were measured for. The view of all runs leads unless another has
/// more than half of them; of two with the same weight, the later one leads.
pub(crate) fn leading(analysis: &Analysis) -> &'static dyn View {
    let weighed = VIEWS.iter().filter_map(|view| Some((*view, view.weight(analysis)?)));
    let leading = weighed.max_by(|(_, a), (_, b)| a.total_cmp(b));
    leading.map_or(&GeneralView, |(view, _)| view)
}

pub fn answer(analysis: &Analysis) -> Answer {
    let answer = leading(analysis).answer(analysis);
    let clocks_differ = analysis.verdict.clocks_differ.iter().map(|found| found.said().into());
    Answer { remarks: clocks_differ.chain(answer.remarks).collect(), ..answer }
}
