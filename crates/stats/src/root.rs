//! Finds roots and maxima of functions of one number.

use std::ops::Range;

/// Returns where a function with one maximum in the range has it, by golden sections.
pub(crate) fn maximum(range: Range<f64>, of: impl Fn(f64) -> f64) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_895;
    const SECTIONS: usize = 40;
    let (mut low, mut high) = (range.start, range.end);
    let width = GOLDEN * (high - low);
    let mut inner = [high - width, low + width].map(|place| (place, of(place)));
    for _ in 0..SECTIONS {
        let [left, right] = inner;
        // One of the two places lies in the smaller range where the other one has to lie.
        if left.1 > right.1 {
            high = right.0;
            let place = high - GOLDEN * (high - low);
            inner = [(place, of(place)), left];
        } else {
            low = left.0;
            let place = low + GOLDEN * (high - low);
            inner = [right, (place, of(place))];
        }
    }
    f64::midpoint(low, high)
}

/// Returns where a condition that does not hold at the range's start begins to hold.
pub(crate) fn bisect(range: Range<f64>, holds: impl Fn(f64) -> bool) -> f64 {
    const HALVINGS: usize = 60;
    let (mut low, mut high) = (range.start, range.end);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if holds(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    f64::midpoint(low, high)
}
