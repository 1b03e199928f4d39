//! Charts over time: wake-ups with the time taken by the platform below, and the strip chart of
//! frames; and one time axis for several of them.

use analysis::words;
use base::Observed;
use serde_json::Value;

use super::{Figure, span};
use crate::document::{Axis, COLOURS, Guide, Kind, Look, Mark, Panel, Series, Unit};

const HEIGHT: usize = 170;
const STRIP_HEIGHT: usize = 220;
/// The hover text covers this many intervals: they are narrower than a steady hand can point, and
/// each text makes the page larger.
const TOLD_TOGETHER: usize = 4;
/// The lower end of the axis; shorter times are drawn here.
const SHORTEST_NS: f64 = 100.0;

pub(crate) struct OverTime<'a> {
    pub what: String,
    /// Intervals in time order, each with `at_ns` and `max_ns`.
    pub bins: &'a [Value],
    pub period_ns: f64,
    pub length_ns: f64,
    /// Time that the hypervisor took in the whole run.
    pub stolen_in_all_ns: Observed<u64>,
    /// Intervals with `at_ns` and `stolen_ns`, if read during the run.
    pub stolen: Option<&'a [Value]>,
    pub gaps: Option<Gaps<'a>>,
}

pub(crate) struct Gaps<'a> {
    /// Intervals with gaps, each with `at_ns` and `max_ns`.
    pub bins: &'a [Value],
    pub length_ns: f64,
}

/// Draws the latest wake-up in each interval; below, stolen time and platform gaps if known.
pub(crate) fn over_time(name: &str, run: &OverTime) -> Option<Figure> {
    let time = Axis::linear("time after the start", Unit::Time, [0.0, run.length_ns]);
    let latest = told_together(bounded(marks(run.bins, "max_ns")));
    let latest = Series::new("", Kind::Line, thin(0), latest);
    let latest = panel(time.clone(), "latest wake-up of an interval", latest, Some(run.period_ns))?;
    let stolen = run.stolen.map(|bins| marks(bins, "stolen_ns"));
    let stolen = stolen.and_then(|marks| needles(time, "stolen in an interval", marks, 1));
    let gaps = run.gaps.as_ref().and_then(|gaps| {
        let title = "time after the start of the run that looked for gaps";
        let time = Axis::linear(title, Unit::Time, [0.0, gaps.length_ns]);
        needles(time, "longest platform gap", marks(gaps.bins, "max_ns"), 2)
    });
    let panels = [Some(latest), stolen, gaps].into_iter().flatten().collect();
    Some(Figure { stacked: true, ..Figure::several(name, caption(run), HEIGHT, panels) })
}

fn caption(run: &OverTime) -> String {
    let mut caption = format!(
        "{}: the latest wake-up in each of up to 400 intervals of equal length; a skipped period \
         counts as late.",
        run.what
    );
    let in_all = |ns: u64| words::time(ns as f64);
    caption += &match (&run.stolen_in_all_ns, run.stolen) {
        (Observed::Absent, _) => String::new(),
        (Observed::Hidden(_), _) => {
            " Stolen time is unknown: the hypervisor reports none.".to_owned()
        }
        (Observed::Seen(0), _) | (_, Some([])) => {
            " The kernel counted no stolen time in it.".to_owned()
        }
        (Observed::Seen(ns), Some(_)) => {
            format!(" Beneath: the {} that the hypervisor took.", in_all(*ns))
        }
        (Observed::Seen(ns), None) => format!(
            " The hypervisor took {} in all; when, only a run with `--blame` knows.",
            in_all(*ns)
        ),
    };
    if run.gaps.as_ref().is_some_and(|gaps| !gaps.bins.is_empty()) {
        caption += " At the foot: platform gaps, found at another time by the run that looks for \
                    them; they cannot be looked for on a CPU that sleeps.";
    }
    caption
}

fn marks(bins: &[Value], value: &str) -> Vec<Mark> {
    let mark = |bin: &Value| {
        let (at, ns) = (bin["at_ns"].as_f64()?, bin[value].as_f64()?);
        let hover = format!("{} at {}", words::time(ns), words::time(at));
        Some(Mark::at(at, ns).hover(hover))
    };
    bins.iter().filter_map(mark).collect()
}

fn bounded(marks: Vec<Mark>) -> Vec<Mark> {
    marks.into_iter().map(|mark| Mark { y: mark.y.max(SHORTEST_NS), ..mark }).collect()
}

/// Keeps only the highest hover text of a group of consecutive marks, at the first mark.
fn told_together(mut marks: Vec<Mark>) -> Vec<Mark> {
    for together in marks.chunks_mut(TOLD_TOGETHER) {
        let highest = together.iter().max_by(|a, b| a.y.total_cmp(&b.y));
        let hover = highest.map(|mark| mark.hover.clone()).unwrap_or_default();
        together.iter_mut().for_each(|mark| mark.hover.clear());
        together[0].hover = hover;
    }
    marks
}

fn needles(time: Axis, title: &str, marks: Vec<Mark>, place: usize) -> Option<Panel> {
    let marks = bounded(marks);
    let least = span(marks.iter().map(|mark| mark.y))?[0];
    let needle = |mark: Mark| Mark { to: Some(mark.y), y: least / 2.0, ..mark };
    let needles = marks.into_iter().map(needle).collect();
    panel(time, title, Series::new("", Kind::Needles, thin(place), needles), None)
}

fn thin(place: usize) -> Look {
    Look { width: 1.2, ..Look::plain(COLOURS[place]) }
}

fn panel(time: Axis, title: &str, series: Series, period_ns: Option<f64>) -> Option<Panel> {
    /// A period beyond this multiple of the latencies is not drawn: it would squeeze them.
    const NEAR: f64 = 4.0;
    let ends = series.marks.iter().flat_map(|mark| [Some(mark.y), mark.to]);
    let [least, most] = span(ends.flatten())?;
    let period = period_ns.filter(|period| most * NEAR > *period);
    let top = period.map_or(most, |period| most.max(period)) * 1.4;
    let guide = period.map(|ns| Guide::dashed(time.range.map(|end| [end, ns]), "period"));
    let y = Axis::log(title, Unit::Time, [least / 1.4, top]);
    Some(Panel::new(time, y, [series]).guides(guide))
}

/// The name of a process, and its bins in time order, each with `at_ns`, `min_ns` and `max_ns`.
type Strip<'a> = (String, &'a Vec<Value>);

/// Draws the longest and shortest run time over time, two lines per process.
pub(crate) fn strip(name: &str, what: &str, period_ns: f64, strips: &[Strip]) -> Option<Figure> {
    let bins = || strips.iter().flat_map(|(_, bins)| *bins);
    let until = bins().filter_map(|bin| bin["at_ns"].as_f64()).reduce(f64::max)?;
    let longest = bins().filter_map(|bin| bin["max_ns"].as_f64());
    let top = longest.fold(period_ns, f64::max) * 1.08;
    let period = [[0.0, period_ns], [until, period_ns]];
    let x = Axis::linear("time", Unit::Time, [0.0, until]);
    let y = Axis::linear("run time", Unit::Time, [0.0, top]);
    let panel = Panel::new(x, y, strips.iter().enumerate().flat_map(lines))
        .guides([Guide::dashed(period, "period")]);
    let caption = format!(
        "{what}: how long frames ran. Where they are more than can be drawn, the upper line is \
         the longest and the lower one the shortest of some consecutive frames. Dashed: the \
         period."
    );
    Some(Figure::new(name, caption, STRIP_HEIGHT, panel))
}

fn lines((index, (name, bins)): (usize, &Strip)) -> [Series; 2] {
    let look = Look::line(index);
    let thin = Look { width: 0.8, ..look };
    [
        Series::new(name, Kind::Line, look, marks(bins, "max_ns")),
        Series::new("", Kind::Line, thin, marks(bins, "min_ns")),
    ]
}

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
