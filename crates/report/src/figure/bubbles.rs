//! The comparison of systems: variation, efficiency and predictability (TEL 2.3).

use analysis::merit::Bubble;

use super::Figure;
use crate::document::{Axis, Kind, Look, Mark, Panel, Series, Symbol, Unit};
use analysis::words;

const HEIGHT: usize = 340;
/// Diameter of a bubble with a predictability of 1, in CSS pixels.
const WHOLE: f64 = 76.0;
/// Room beyond the farthest bubble's centre, as a ratio.
const ROOM: f64 = 1.35;

/// Draws a bubble per system, on axes from 0. `None` for fewer than two systems, because there is
/// nothing to compare.
pub(crate) fn bubbles(name: &str, caption: &str, bubbles: &[Bubble]) -> Option<Figure> {
    let farthest = |of: fn(&Bubble) -> f64| bubbles.iter().map(of).fold(0.0, f64::max) * ROOM;
    let axis = |title, farthest| Axis::linear(title, Unit::Time, [0.0, farthest]);
    let x = axis("variation: longest minus shortest", farthest(|bubble| bubble.variation_ns));
    let y = axis("efficiency: the average", farthest(|bubble| bubble.efficiency_ns));
    let panel = Panel::new(x, y, bubbles.iter().enumerate().flat_map(series));
    (bubbles.len() > 1).then(|| Figure::new(name, caption, HEIGHT, panel))
}

/// Returns the bubble and, behind it, its size if every time were predictable.
fn series((index, bubble): (usize, &Bubble)) -> [Series; 2] {
    let [efficiency, variation] = [bubble.efficiency_ns, bubble.variation_ns].map(words::time);
    let hover = format!(
        "{}: efficiency {efficiency}, variation {variation}, predictability {}",
        bubble.name,
        words::percent(bubble.predictability),
    );
    let disc = |share: f64| {
        Mark::at(bubble.variation_ns, bubble.efficiency_ns).hover(&hover).sized(across(share))
    };
    let look = Look::line(index).with(Symbol::Circle);
    let area = Look { opacity: 0.55, ..look };
    let [whole, share] = [1.0, bubble.predictability].map(disc);
    [
        Series::new("", Kind::Points, look.open(true), vec![whole]),
        Series::new(hover, Kind::Points, area, vec![share]),
    ]
}

/// The diameter in CSS pixels of a disc with this share of the whole disc's area.
fn across(share: f64) -> f64 {
    WHOLE * share.max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_are_as_the_predictabilities() {
        let area = |share| across(share) * across(share);
        assert!((area(0.9) / area(0.3) - 3.0).abs() < 1e-9);
        assert_eq!(across(0.0), 0.0);
    }

    #[test]
    fn one_system_compares_with_none() {
        let bubble = |name: &str| Bubble {
            name: name.to_owned(),
            variation_ns: 2e3,
            efficiency_ns: 1e3,
            predictability: 0.9,
        };
        assert_eq!(bubbles("none", "", &[]), None);
        assert_eq!(bubbles("one", "", &[bubble("a")]), None);
        let two = bubbles("two", "", &[bubble("a"), bubble("b")]).unwrap();
        assert_eq!(two.legend().len(), 2);
    }
}
