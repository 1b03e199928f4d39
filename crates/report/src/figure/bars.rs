//! Bars of several tests, grouped by test, with one colour per load.

use super::{Figure, span};
use crate::document::{self, Axis, Kind, Look, Mark, Series, Side, Unit};
use analysis::lists::each_once;

/// The bars of one test under one load, one per panel.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bar {
    /// The test, which groups bars; its lines are stacked.
    pub test: String,
    pub load: String,
    pub values: [Option<f64>; 2],
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Panel {
    pub title: &'static str,
    /// Shares are on an axis from 0 to 1, times on a logarithmic one.
    pub unit: Unit,
}

const BAR: usize = 17;
const BETWEEN_TESTS: usize = 14;

pub(crate) fn bars(
    name: &str,
    caption: &str,
    panels: [Panel; 2],
    loads: &[String],
    bars: &[Bar],
) -> Option<Figure> {
    let tests = each_once(bars.iter().map(|bar| bar.test.clone()));
    let group = (loads.len() * BAR + BETWEEN_TESTS).max(2 * BAR);
    let thick = BAR as f64 / group as f64;
    let mark = |half: usize, place: usize, bar: &Bar| {
        let row = tests.iter().position(|test| *test == bar.test)? as f64;
        let offset = place as f64 - (loads.len() as f64 - 1.0) / 2.0;
        let value = bar.values[half]?;
        let words = panels[half].unit.words(value);
        let end = panels[half].end(value);
        let hover = format!("{}: {words}", bar.load);
        Some(Mark::span(0.0, end, row + offset * thick).hover(hover).label(words, Side::Right))
    };
    let drawn = |half: usize| {
        let x = panels[half].axis(bars.iter().filter_map(|bar| bar.values[half]));
        let series = loads.iter().enumerate().map(|(place, load)| {
            let own = bars.iter().filter(|bar| bar.load == *load);
            let marks = own.filter_map(|bar| mark(half, place, bar)).collect();
            Series::new(load, Kind::Spans(thick * 0.9), Look::bars(place), marks)
        });
        document::Panel::new(x, Axis::rows(tests.clone()), series)
    };
    let panels = [0, 1].map(drawn).into();
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
