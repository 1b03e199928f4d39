//! The results of all runs together; this view leads if no other does.

use analysis::Analysis;
use analysis::finding::Finding;
use analysis::general::{
    self, Beside, Case, Timed, beside_deadlines, cases, telling, without_deadlines,
};
use analysis::held::one_in;
use analysis::phrases::{maybe, missed, some};
use analysis::subject::{Named, named};
use analysis::words::{counted, time, time_beyond};

use crate::answer::Line;
use crate::solvers::SolversView;
use crate::view::View;

pub(crate) struct GeneralView;

impl View for GeneralView {
    fn weight(&self, _: &Analysis) -> Option<f64> {
        Some(0.5)
    }

    fn findings(&self, analysis: &Analysis) -> Vec<Finding> {
        general::findings(analysis)
    }

    fn figures(&self, analysis: &Analysis) -> Vec<Line> {
        let cases = cases(analysis).judged;
        let solvers = SolversView.figures(analysis);
        let lines: Vec<Line> = if !cases.is_empty() {
            let telling = telling(&cases);
            let left_out = left_out(cases.len() - telling.len());
            let shown = distinct(&telling).into_iter().chain(left_out);
            shown.chain(beside_deadlines(analysis).into_iter().flat_map(beside)).collect()
        } else if !solvers.is_empty() {
            solvers
        } else {
            without_deadlines(analysis).iter().map(of_time).collect()
        };
        let silent = silent(&named(&analysis.systems), &lines);
        [lines, silent].concat()
    }
}

fn line(machine: Option<&String>, what: &str, figures: Vec<String>) -> Line {
    let machine = maybe(machine, |machine| format!("{machine}: "));
    Line { what: format!("{machine}{what}"), figures }
}

/// Returns a line for each case; those of the same name are told apart by their policies.
fn distinct(cases: &[&Case]) -> Vec<Line> {
    let mut lines: Vec<Line> = cases.iter().map(|case| of_case(case)).collect();
    let names: Vec<String> = lines.iter().map(|line| line.what.clone()).collect();
    for (line, case) in lines.iter_mut().zip(cases) {
        if names.iter().filter(|name| **name == line.what).count() > 1 {
            line.what += &format!(", {}", case.policy);
        }
    }
    lines
}

fn of_case(case: &Case) -> Line {
    let tries = case.held.tries;
    let missed = missed(tries.missed, tries.due);
    let share = Some(tries.share()).filter(|share| *share > 0.0);
    let what = case.of.words();
    if let Some(size) = case.of.largest_size() {
        return Line { what, figures: vec![format!("{size}: {missed}")] };
    }
    let figures = [
        Some(missed),
        case.latest_ns
            .map(|ns| format!("worst {}", time_beyond(ns as f64, case.of.period_ns as f64))),
        case.typical_ns.map(|ns| format!("typical {}", time(ns as f64))),
        share.map(|share| format!("({})", one_in(share))),
    ];
    Line { what, figures: figures.into_iter().flatten().collect() }
}

/// Returns a line for the cases that have none: the worst of each family has one.
fn left_out(cases: usize) -> Option<Line> {
    let worse = if cases == 1 { "not worse" } else { "none of them worse" };
    (cases > 0).then(|| Line { what: counted(cases, "other"), figures: vec![worse.to_owned()] })
}

fn of_time(timed: &Timed) -> Line {
    let kind = if timed.is_own_model { "real-fast model " } else { "" };
    line(timed.machine.as_ref(), &format!("{kind}{}", timed.name), timed.speed.figures())
}

fn beside(beside: Beside) -> Vec<Line> {
    let machine = beside.machine.as_ref();
    let service = |(name, ns): &(String, f64)| format!("{name} {}", time(*ns));
    let services: Vec<String> = beside.services.iter().map(service).collect();
    let services = some(services.join(", "));
    let services = services.map(|services| line(machine, "on average", vec![services]));
    let tire = beside.fastest_tire.map(|(updates, solver)| {
        let figure = format!("{:.0} million mass updates per second ({solver})", updates / 1e6);
        line(machine, "real-fast tire", vec![figure])
    });
    services.into_iter().chain(tire).chain(beside.own_models.iter().map(of_time)).collect()
}

/// Returns a line for each machine, of several, that no other line covers.
fn silent(machines: &[Named], lines: &[Line]) -> Vec<Line> {
    let silent = machines.iter().filter_map(|machine| {
        let what = machine.name.clone()?;
        let head = format!("{what}: ");
        let is_empty = machine.system.series.is_empty();
        let figure = if is_empty { "no valid run" } else { "see the tables" };
        let is_silent = !lines.iter().any(|line| line.what.starts_with(&head));
        is_silent.then(|| Line { what, figures: vec![figure.to_owned()] })
    });
    silent.collect()
}
