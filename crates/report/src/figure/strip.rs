//! The strip chart: execution times of frames against their period (MUR).

use serde_json::Value;

use super::Figure;
use crate::document::{Axis, Guide, Kind, Look, Mark, Panel, Series, Unit};
use analysis::words;

const HEIGHT: usize = 220;

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
    Some(Figure::new(name, caption, HEIGHT, panel))
}

fn lines((index, (name, bins)): (usize, &Strip)) -> [Series; 2] {
    let look = Look::line(index);
    let of = |end: &str| {
        let mark = |bin: &Value| {
            let (at, run) = (bin["at_ns"].as_f64()?, bin[end].as_f64()?);
            let told = format!("{} at {}", words::time(run), words::time(at));
            Some(Mark::at(at, run).hover(told))
        };
        bins.iter().filter_map(mark).collect()
    };
    let thin = Look { width: 0.8, ..look };
    [
        Series::new(name, Kind::Line, look, of("max_ns")),
        Series::new("", Kind::Line, thin, of("min_ns")),
    ]
}
