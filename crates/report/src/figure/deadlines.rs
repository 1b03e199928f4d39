//! Deadlines in charts of times.

use super::Figure;
use crate::document::Guide;
use analysis::words;

/// A deadline beyond the longest time by more than this factor is left out: it would squeeze
/// everything else.
const FAR: f64 = 1e3;
/// Room between a deadline and the edge of its panel, as a ratio.
const ROOM: f64 = 1.1;

/// Adds a vertical line at each deadline, in nanoseconds.
pub(crate) fn with_deadlines(
    mut chart: Figure,
    deadlines_ns: impl IntoIterator<Item = f64>,
) -> Figure {
    let longest = chart.panels.iter().map(|panel| panel.x.range[1]);
    let farthest = longest.fold(0.0, f64::max) * FAR;
    let mut deadlines: Vec<f64> = deadlines_ns.into_iter().collect();
    deadlines.retain(|ns| (f64::MIN_POSITIVE..=farthest).contains(ns));
    deadlines.sort_by(f64::total_cmp);
    deadlines.dedup();
    for panel in &mut chart.panels {
        for ns in &deadlines {
            let [least, most] = panel.x.range;
            panel.x.range = [least.min(ns / ROOM), most.max(ns * ROOM)];
            let upright = panel.y.range.map(|end| [*ns, end]);
            let label = format!("deadline {}", words::time(*ns));
            panel.guides.push(Guide::dashed(upright, label));
        }
    }
    if !deadlines.is_empty() {
        chart.caption += " Right of the upright line a deadline is missed.";
    }
    chart
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::histogram;
    use crate::fixture::distribution;

    #[test]
    fn deadlines_are_inside_the_axis_once_each_and_none_is_far_away() {
        let times = distribution(&[9_000, 60_000]).unwrap();
        let chart = histogram("one", "time", &[(String::new(), &times)]).unwrap();
        let deadlines = [1e6, 1e5, 1e6, 3.6e12, 0.0];
        let panel = with_deadlines(chart, deadlines).panels.remove(0);
        let labels: Vec<&str> = panel.guides.iter().map(|one| one.label.as_str()).collect();
        assert_eq!(labels, ["deadline 100 µs", "deadline 1 ms"]);
        assert!(panel.guides.iter().all(|one| one.dashed));
        assert!(panel.x.range[1] > 1e6 && panel.x.range[1] < 2e6);
    }
}
