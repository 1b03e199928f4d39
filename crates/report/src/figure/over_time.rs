//! Wake-ups over time, with the time taken by the platform below.

use analysis::words;
use serde_json::Value;

use super::{Figure, span};
use crate::document::{Axis, COLOURS, Guide, Kind, Look, Mark, Panel, Series, Unit};

const HEIGHT: usize = 170;
/// The hover text covers this many intervals: they are narrower than a steady hand can point, and
/// each text makes the page larger.
const TOLD_TOGETHER: usize = 4;
/// The lower end of the axis; shorter times are drawn here.
const SHORTEST_NS: f64 = 100.0;

pub(crate) struct OverTime<'a> {
    /// Conditions, in words.
    pub what: String,
    /// Intervals in time order, each with `at_ns` and `max_ns`.
    pub bins: &'a [Value],
    pub period_ns: f64,
    pub length_ns: f64,
    /// Time that the hypervisor took in the whole run; `None` without a hypervisor.
    pub stolen_in_all_ns: Option<u64>,
    /// Intervals with `at_ns` and `stolen_ns`, if read during the run.
    pub stolen: Option<&'a [Value]>,
    /// Platform gaps, from a run that looked for them.
    pub gaps: Option<Gaps<'a>>,
}

pub(crate) struct Gaps<'a> {
    /// Intervals with gaps, each with `at_ns` and `max_ns`.
    pub bins: &'a [Value],
    pub length_ns: f64,
}

/// Draws the latest wake-up in each interval; below, stolen time and platform gaps if known.
pub(crate) fn over_time(name: &str, run: &OverTime) -> Option<Figure> {
    let latest = marks(run.bins, "max_ns");
    let mut panels = vec![panel(
        [0.0, run.length_ns],
        ["time after the start", "latest wake-up of an interval"],
        Series::new("", Kind::Line, thin(0), told_together(latest)),
        Some(run.period_ns),
    )?];
    let stolen = run.stolen.map(|bins| marks(bins, "stolen_ns"));
    panels.extend(stolen.and_then(|marks| {
        needles([0.0, run.length_ns], ["time after the start", "stolen in an interval"], marks, 1)
    }));
    panels.extend(run.gaps.as_ref().and_then(|gaps| {
        let titles =
            ["time after the start of the run that looked for gaps", "longest platform gap"];
        needles([0.0, gaps.length_ns], titles, marks(gaps.bins, "max_ns"), 2)
    }));
    Some(Figure { stacked: true, ..Figure::several(name, caption(run), HEIGHT, panels) })
}

fn caption(run: &OverTime) -> String {
    let mut caption = format!(
        "{}: the latest wake-up in each of up to 400 intervals of equal length; a skipped period \
         counts as late.",
        run.what
    );
    let in_all = |ns: u64| words::time(ns as f64);
    caption += &match (run.stolen_in_all_ns, run.stolen) {
        (None, _) => String::new(),
        (Some(0), _) | (_, Some([])) => " The kernel counted no stolen time in it.".to_owned(),
        (Some(ns), Some(_)) => format!(" Beneath: the {} that the hypervisor took.", in_all(ns)),
        (Some(ns), None) => format!(
            " The hypervisor took {} in all; when, only a run with `--blame` knows.",
            in_all(ns)
        ),
    };
    if run.gaps.as_ref().is_some_and(|gaps| !gaps.bins.is_empty()) {
        caption += " At the foot: platform gaps, found at another time by the run that looks for \
                    them; they cannot be looked for on a CPU that sleeps.";
    }
    caption
}

/// Returns values over time; the hover text shows both time and value.
fn marks(bins: &[Value], value: &str) -> Vec<Mark> {
    let mark = |bin: &Value| {
        let (at, ns) = (bin["at_ns"].as_f64()?, bin[value].as_f64()?);
        let told = format!("{} at {}", words::time(ns), words::time(at));
        Some(Mark::at(at, ns.max(SHORTEST_NS)).hover(told))
    };
    bins.iter().filter_map(mark).collect()
}

/// Keeps only the highest hover text of a group of consecutive marks, at the first mark.
fn told_together(mut marks: Vec<Mark>) -> Vec<Mark> {
    for together in marks.chunks_mut(TOLD_TOGETHER) {
        let highest = together.iter().max_by(|a, b| a.y.total_cmp(&b.y));
        let told = highest.map(|mark| mark.hover.clone()).unwrap_or_default();
        together.iter_mut().for_each(|mark| mark.hover.clear());
        together[0].hover = told;
    }
    marks
}

/// Draws a vertical line up to each value.
fn needles(time: [f64; 2], titles: [&str; 2], marks: Vec<Mark>, place: usize) -> Option<Panel> {
    let least = span(marks.iter().map(|mark| mark.y))?[0];
    let needle = |mark: Mark| Mark { to: Some(mark.y), y: least / 2.0, ..mark };
    let needles = marks.into_iter().map(needle).collect();
    let series = Series::new("", Kind::Needles, thin(place), needles);
    panel(time, titles, series, None)
}

fn thin(place: usize) -> Look {
    Look { width: 1.2, ..Look::plain(COLOURS[place]) }
}

fn panel(
    time: [f64; 2],
    [across, upright]: [&str; 2],
    series: Series,
    period_ns: Option<f64>,
) -> Option<Panel> {
    /// A period beyond this multiple of the latencies is not drawn: it would squeeze them.
    const NEAR: f64 = 4.0;
    let ends = series.marks.iter().flat_map(|mark| [Some(mark.y), mark.to]);
    let [least, most] = span(ends.flatten())?;
    let period = period_ns.filter(|period| most * NEAR > *period);
    let top = period.map_or(most, |period| most.max(period)) * 1.4;
    let guide = |period| Guide::dashed([[time[0], period], [time[1], period]], "period");
    let x = Axis::linear(across, Unit::Time, time);
    let y = Axis::log(upright, Unit::Time, [least / 1.4, top]);
    Some(Panel::new(x, y, [series]).guides(period.map(guide)))
}
