//! A plotting area with its frame, content and axis labels.

use super::frame::{Frame, LINE, MIN_WIDTH, escaped, percent};
use super::{ends, guides, hover, lines, marks, ticks};
use crate::document::{Axis, Chart, Kind, Panel, Scale, Series};
use crate::render::html::prose::html;

/// Minimum width of a single plotting area in CSS pixels, except on a phone.
const WIDE: f64 = 460.0;
/// Where space is limited, a longer row name moves above its mark if the mark is thin (CSS pixels).
const SHORT: f64 = 150.0;
const THIN: f64 = 0.2;
/// Allowance for names whose letters are wider than average, as a ratio.
const WIDE_LETTERS: f64 = 1.1;

pub(super) fn panel(chart: &Chart, panel: &Panel, place: usize, is_alone: bool) -> String {
    let names: &[String] = match &panel.y.scale {
        Scale::Rows(names) => names,
        _ => &[],
    };
    let most_left = MOST_LEFT[usize::from(!is_alone)];
    let lines = names.iter().map(|name| lines_of(name, most_left)).max();
    let rows = lines.unwrap_or(0) * names.len();
    let frame = Frame { panel, height: (chart.height_of(place) as f64).max(rows as f64 * LINE) };
    let upright = match names {
        [] => ticks::upright(&panel.y, frame.height),
        _ => Vec::new(),
    };
    let labels = upright.iter().map(|tick| tick.label.as_str());
    let labels = labels.chain(names.iter().flat_map(|name| name.lines()));
    let left = labels.map(ticks::width).fold(0.0, f64::max);
    format!(
        "<div class=\"panel{}\" style=\"--names:{:.0}px;--height:{:.0}px;--tall:{:.0}px\">\
         {}<div class=\"plot\"><svg role=\"img\" aria-label=\"{}\">{}</svg>{}</div>{}</div>\n",
        classes(panel, names, left, place),
        left.min(most_left) * WIDE_LETTERS + 12.0,
        frame.height,
        frame.height.max(names.len() as f64 * ROOM_FOR_NAME),
        axis_title("y", &panel.y),
        escaped(&chart.caption),
        drawing(chart, &frame, &upright, if is_alone { WIDE } else { MIN_WIDTH }),
        heads(&frame, names),
        axis_title("x", &panel.x),
    )
}

/// Returns the CSS classes: whether row names are long, and whether the previous panel has the same
/// names.
fn classes(panel: &Panel, names: &[String], left: f64, place: usize) -> String {
    let is_thin = |series: &Series| !matches!(series.kind, Kind::Spans(rows) if rows > THIN);
    let is_long = left > SHORT && !names.is_empty() && panel.series.iter().all(is_thin);
    let is_again = place > 0 && !names.is_empty();
    let classes = [(" long", is_long), (" again", is_again)].into_iter();
    classes.filter(|(_, is)| *is).map(|(class, _)| class).collect()
}

fn heads(frame: &Frame, names: &[String]) -> String {
    let head = |(row, name): (usize, &String)| {
        let top = percent(frame.y(row as f64));
        format!("<div class=\"row\" style=\"top:{top}\">{}</div>", html(name))
    };
    names.iter().enumerate().map(head).collect()
}

fn lines_of(name: &str, pixels: f64) -> usize {
    let lines = name.lines().map(|line| (ticks::width(line) / pixels).ceil() as usize);
    lines.sum()
}

/// Height of a row whose name is above its mark, in CSS pixels.
const ROOM_FOR_NAME: f64 = 44.0;
/// Maximum width for row names in a single panel and in one of several panels, in CSS pixels;
/// longer names continue on a second line.
const MOST_LEFT: [f64; 2] = [420.0, 200.0];

fn axis_title(class: &str, axis: &Axis) -> String {
    match axis.title.as_str() {
        "" => String::new(),
        title => format!("<div class=\"{class}-title\">{}</div>", html(title)),
    }
}

fn drawing(chart: &Chart, frame: &Frame, upright: &[ticks::Tick], wide: f64) -> String {
    let across = [wide, MIN_WIDTH].map(|pixels| ticks::across(&frame.panel.x, pixels));
    let below = |class: &str, ticks: &[ticks::Tick]| {
        let texts = ticks.iter().map(|tick| {
            let (x, label) = (percent(tick.place), escaped(&tick.label));
            format!("<text x=\"{x}\" y=\"100%\" dy=\"17\">{label}</text>")
        });
        format!("<g class=\"across {class}\">{}</g>", texts.collect::<String>())
    };
    let below = match &across {
        [wide, narrow] if wide == narrow => below("", wide),
        [wide, narrow] => below("wide", wide) + &below("narrow", narrow),
    };
    let beside = upright.iter().map(|tick| {
        let (y, label) = (percent(1.0 - tick.place), escaped(&tick.label));
        format!("<text x=\"0\" y=\"{y}\" dx=\"-7\" dy=\"4\">{label}</text>")
    });
    format!(
        "{}{}{}{}{}<g class=\"beside\">{}</g>{below}{}",
        lines::lines(frame, &across[0], upright),
        marks::spans(frame),
        lines::guides(frame),
        hover::strips(frame),
        marks::points(frame),
        beside.collect::<String>(),
        marks::labels(frame) + &guides::labels(frame) + &ends::numbers(chart, frame),
    )
}
