//! Predicted step times against measured ones.

use super::{Figure, span};
use crate::document::{Axis, Guide, Kind, Look, Mark, Panel, Series, Unit};

const HEIGHT: usize = 340;

/// The name of a model, and its runs: measured and predicted nanoseconds, and the hover text.
type Predicted = (String, Vec<([f64; 2], String)>);

pub(crate) fn predicted(name: &str, caption: &str, models: &[Predicted]) -> Option<Figure> {
    let runs = models.iter().flat_map(|(_, runs)| runs);
    let [shortest, longest] = span(runs.flat_map(|(times, _)| *times).filter(|ns| *ns > 0.0))?;
    let [from, to] = [shortest / 1.5, longest * 1.5];
    let axis = |title| Axis::log(title, Unit::Time, [from, to]);
    let (x, y) = (axis("measured mean step"), axis("predicted mean step"));
    let same = Guide::dashed([[from, from], [to, to]], "").named("as measured");
    let panel = Panel::new(x, y, models.iter().enumerate().map(points)).guides([same]);
    Some(Figure::new(name, caption, HEIGHT, panel))
}

fn points((index, (name, runs)): (usize, &Predicted)) -> Series {
    let mark = |([measured, predicted], hover): &([f64; 2], String)| {
        Mark::at(*measured, *predicted).hover(hover)
    };
    let look = Look { opacity: 0.75, ..Look::points(index) };
    Series::new(name, Kind::Points, look, runs.iter().map(mark).collect())
}
