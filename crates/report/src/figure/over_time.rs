//! Wake-ups over time, with what the platform took beneath.

use analysis::words;
use serde_json::Value;

use super::{Figure, span};
use crate::document::{Axis, COLOURS, Guide, Kind, Look, Mark, Panel, Series, Unit};

const HEIGHT: usize = 170;
/// The pointer shows the worst of so many intervals together: they are narrower than a hand
/// is steady, and each text makes the page larger.
const TOLD_TOGETHER: usize = 4;
/// What is shorter stands at the foot of its axis.
const SHORTEST_NS: f64 = 100.0;

/// One run of wake-ups, and what is known of the platform meanwhile.
pub(crate) struct OverTime<'a> {
    /// Conditions, in words.
    pub what: String,
    /// Intervals in the order of time, each with `at_ns` and `max_ns`.
    pub bins: &'a [Value],
    /// From one wake-up to the next.
    pub period_ns: f64,
    /// How long the run took.
    pub length_ns: f64,
    /// Time that a hypervisor took in the whole run; `None` where none can.
    pub stolen_in_all_ns: Option<u64>,
    /// Intervals with `at_ns` and `stolen_ns`, where that was read during the run.
    pub stolen: Option<&'a [Value]>,
    /// Platform gaps of a run that looked for them.
    pub gaps: Option<Gaps<'a>>,
}

/// Platform gaps over time.
pub(crate) struct Gaps<'a> {
    /// Intervals in which there were any, each with `at_ns` and `max_ns`.
    pub bins: &'a [Value],
    /// How long the run took.
    pub length_ns: f64,
}

/// The latest wake-up in each interval; beneath, stolen time and platform gaps where they are
/// known. `None` without a wake-up.
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

/// Values over time; what the pointer shows says both.
fn marks(bins: &[Value], value: &str) -> Vec<Mark> {
    let mark = |bin: &Value| {
        let (at, ns) = (bin["at_ns"].as_f64()?, bin[value].as_f64()?);
        let told = format!("{} at {}", words::time(ns), words::time(at));
        Some(Mark::at(at, ns.max(SHORTEST_NS)).hover(told))
    };
    bins.iter().filter_map(mark).collect()
}

/// Of some marks one after the other only the highest is told, at the first one.
fn told_together(mut marks: Vec<Mark>) -> Vec<Mark> {
    for together in marks.chunks_mut(TOLD_TOGETHER) {
        let highest = together.iter().max_by(|a, b| a.y.total_cmp(&b.y));
        let told = highest.map(|mark| mark.hover.clone()).unwrap_or_default();
        together.iter_mut().for_each(|mark| mark.hover.clear());
        together[0].hover = told;
    }
    marks
}

/// Upright lines from the foot up to each value; `None` without any.
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
    /// A period far above all latencies would squeeze them.
    const NEAR: f64 = 4.0;
    let ends = series.marks.iter().flat_map(|mark| [Some(mark.y), mark.to]);
    let [least, most] = span(ends.flatten())?;
    let period = period_ns.filter(|period| most * NEAR > *period);
    let top = period.map_or(most, |period| most.max(period)) * 1.4;
    let guide = |period| Guide::dashed([[time[0], period], [time[1], period]], "period");
    Some(Panel {
        x: Axis::linear(across, Unit::Time, time),
        y: Axis::log(upright, Unit::Time, [least / 1.4, top]),
        series: vec![series],
        guides: period.map(guide).into_iter().collect(),
    })
}
