//! One time axis for charts over time.

use super::Figure;
use crate::document::{Guide, Panel};

/// A run that is shorter by this factor would be too narrow to read on the other run's axis.
const FAR_SHORTER: f64 = 10.0;

/// Gives all panels the time axis of the longest, so that equal widths are equal times, and marks where shorter runs
/// end. A panel that would be too narrow to read keeps its own axis.
pub(crate) fn share_time(charts: &mut [Figure]) {
    let panels = || charts.iter().flat_map(|chart| &chart.panels);
    let longest = panels().map(|panel| panel.x.range[1]).fold(0.0, f64::max);
    let is_shorter = |panel: &&mut Panel| {
        let end = panel.x.range[1];
        end < longest && end * FAR_SHORTER >= longest
    };
    let panels = charts.iter_mut().flat_map(|chart| &mut chart.panels);
    for panel in panels.filter(is_shorter) {
        let end = panel.x.range[1];
        let upright = panel.y.range.map(|height| [end, height]);
        panel.guides.push(Guide::dashed(upright, "end of this run"));
        panel.x.range[1] = longest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::strip;
    use serde_json::json;

    #[test]
    fn shorter_runs_share_the_time_of_the_longest_and_their_end_is_marked() {
        let of_length = |until: u64| {
            let bins = vec![json!({"at_ns": until, "min_ns": 1, "max_ns": 2})];
            strip("strip", "", 5.0, &[(String::new(), &bins)]).unwrap()
        };
        let mut strips = [10, 5, 1, 10].map(|seconds| of_length(seconds * 100));
        strips[2].panels[0].x.range[1] = 50.0;
        share_time(&mut strips);
        let panels = strips.each_ref().map(|strip| &strip.panels[0]);
        let ends = panels.map(|panel| panel.x.range[1]);
        assert_eq!(ends, [1000.0, 1000.0, 50.0, 1000.0]);
        let marked = panels.map(|panel| panel.guides.len() - 1);
        assert_eq!(marked, [0, 1, 0, 0]);
        assert_eq!(panels[1].guides[1].points[0][0], 500.0);
    }
}
