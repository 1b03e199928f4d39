//! How many times something is, as a cell.

use analysis::ratio::Ratio;
use analysis::words;

use crate::document::Cell;

/// A ratio with its interval; judged where a difference is shown.
pub(super) fn times(ratio: Option<Ratio>, why_none: &str) -> Cell {
    let Some(ratio) = ratio else {
        return Cell::none(why_none);
    };
    let [lower, times, upper] = [ratio.lower, ratio.ratio, ratio.upper].map(words::times);
    let cell = Cell::number(format!("{times} ({lower} to {upper})"), "");
    match ratio.shown {
        true => cell.judged(ratio.ratio < 1.0),
        false => cell,
    }
}
