//! Bars of several tests, grouped by test, with one colour per load.

use super::{Figure, span};
use crate::document::{self, Axis, Kind, Look, Mark, Series, Side, Unit};
use analysis::lists::each_once;
use analysis::merit::Case;

/// A bar for each test under each load.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Panel {
    pub title: &'static str,
    /// Shares are on an axis from 0 to 1, times on a logarithmic one.
    pub unit: Unit,
    pub value: fn(&Case) -> Option<f64>,
}

const BAR: usize = 17;
const BETWEEN_TESTS: usize = 14;

pub(crate) fn bars(
    name: &str,
    caption: &str,
    panels: [Panel; 2],
    loads: &[String],
    cases: &[Case],
) -> Option<Figure> {
    // The lines of a name are stacked.
    let test = |case: &Case| format!("{}\n{}", case.test(), case.conditions);
    let tests = each_once(cases.iter().map(test));
    let group = (loads.len() * BAR + BETWEEN_TESTS).max(2 * BAR);
    let thick = BAR as f64 / group as f64;
    let mark = |panel: &Panel, place: usize, case: &Case| {
        let case_test = test(case);
        let row = tests.iter().position(|test| *test == case_test)? as f64;
        let offset = place as f64 - (loads.len() as f64 - 1.0) / 2.0;
        let value = (panel.value)(case)?;
        let words = panel.unit.words(value);
        let end = panel.end(value);
        let hover = format!("{}: {words}", case.load);
        Some(Mark::span(0.0, end, row + offset * thick).hover(hover).label(words, Side::Right))
    };
    let drawn = |panel: Panel| {
        let x = panel.axis(cases.iter().filter_map(panel.value));
        let series = loads.iter().enumerate().map(|(place, load)| {
            let cases_of_load = cases.iter().filter(|case| case.load == *load);
            let marks = cases_of_load.filter_map(|case| mark(&panel, place, case)).collect();
            Series::new(load, Kind::Spans(thick * 0.9), Look::bars(place), marks)
        });
        document::Panel::new(x, Axis::rows(tests.clone()), series)
    };
    let panels = panels.map(drawn).into();
    (!tests.is_empty()).then(|| Figure::several(name, caption, tests.len() * group, panels))
}

impl Panel {
    fn axis(&self, values: impl Iterator<Item = f64>) -> Axis {
        /// Room for a bar's label, as a fraction of the decades that the bars span.
        const FOR_LABELS: f64 = 0.4;
        if self.unit == Unit::Share {
            let shares = Axis::linear(self.title, self.unit, [0.0, 1.3]);
            return shares.ticks(vec![0.0, 0.25, 0.5, 0.75, 1.0]);
        }
        let ends = span(values.map(|value| self.end(value)));
        let [shortest, longest] = ends.unwrap_or([1.0, 1.0]);
        let from = shortest / 2.0;
        let room = (longest / from).powf(FOR_LABELS);
        Axis::log(self.title, self.unit, [from, longest * room])
    }

    /// The end of a bar, at least 1 ns on a logarithmic axis.
    fn end(&self, value: f64) -> f64 {
        if self.unit == Unit::Share { value } else { value.max(1.0) }
    }
}
