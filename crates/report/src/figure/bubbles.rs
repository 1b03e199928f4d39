//! The comparison of systems: variation, efficiency and predictability (TEL 2.3).

use plotly::common::{HoverInfo, Marker, MarkerSymbol, Mode, SizeMode};
use plotly::{Scatter, Trace};

use analysis::merit::Bubble;

use super::{
    ABOVE, BELOW_AXIS, Figure, LEGEND_LINE_HEIGHT, colour, layout, linear_time_axis, plot,
};
use analysis::words;

const PLOT_HEIGHT: usize = 340;
/// Radius of a bubble whose predictability is 1, in pixels.
const WHOLE_RADIUS: usize = 42;
/// How finely areas are told, in parts of a square pixel.
const GRAIN: usize = 10;
/// Room beyond the farthest bubble's centre, of its distance.
const ROOM: f64 = 1.35;

/// One bubble a system, on axes from 0. `None` without any.
pub(crate) fn bubbles(name: &str, caption: &str, bubbles: &[Bubble]) -> Option<Figure> {
    let farthest = |of: fn(&Bubble) -> f64| bubbles.iter().map(of).reduce(f64::max);
    let variation = farthest(|bubble| bubble.variation_ns)?;
    let efficiency = farthest(|bubble| bubble.efficiency_ns)?;
    let height = PLOT_HEIGHT + ABOVE + BELOW_AXIS + bubbles.len() * LEGEND_LINE_HEIGHT;
    let layout = layout(height, "efficiency: the average", bubbles.len())
        .x_axis(linear_time_axis(
            "variation: longest minus shortest",
            variation * ROOM,
        ))
        .y_axis(linear_time_axis("", efficiency * ROOM));
    let traces = bubbles
        .iter()
        .enumerate()
        .flat_map(|(index, bubble)| [ring(bubble, colour(index)), area(bubble, colour(index))]);
    let plot = plot(name, layout, traces.collect());
    Some(Figure::new(name, caption, height, &plot))
}

fn area(bubble: &Bubble, colour: &'static str) -> Box<dyn Trace> {
    let told = format!(
        "{}: efficiency {}, variation {}, predictability {}",
        bubble.name,
        words::time(bubble.efficiency_ns),
        words::time(bubble.variation_ns),
        words::percent(bubble.predictability),
    );
    at(bubble)
        .name(&told)
        .text(told)
        .hover_info(HoverInfo::Text)
        .marker(disc(bubble.predictability).color(colour).opacity(0.55))
}

/// What the bubble would fill if every time were predictable.
fn ring(bubble: &Bubble, colour: &'static str) -> Box<dyn Trace> {
    at(bubble)
        .show_legend(false)
        .hover_info(HoverInfo::Skip)
        .marker(disc(1.0).color(colour).symbol(MarkerSymbol::CircleOpen))
}

fn at(bubble: &Bubble) -> Box<Scatter<f64, f64>> {
    Scatter::new(vec![bubble.variation_ns], vec![bubble.efficiency_ns])
        .mode(Mode::Markers)
        .clip_on_axis(false)
}

/// A disc whose area is the share of the whole one's; plotly draws the size
/// 2 r^2 x grain with the radius r.
fn disc(share: f64) -> Marker {
    Marker::new()
        .size_mode(SizeMode::Area)
        .size_ref(GRAIN)
        .size_array(vec![size(share)])
}

fn size(share: f64) -> usize {
    let whole = 2 * WHOLE_RADIUS * WHOLE_RADIUS * GRAIN;
    (whole as f64 * share).round() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_are_as_the_predictabilities() {
        assert_eq!(size(0.9), 3 * size(0.3));
        assert_eq!(size(0.0), 0);
    }

    #[test]
    fn without_a_system_there_is_no_chart() {
        assert_eq!(bubbles("none", "", &[]), None);
    }
}
