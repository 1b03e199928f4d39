//! Who had the CPU when something was late: the worst cases, one bar each, against the
//! time that was allowed.

use std::collections::BTreeMap;

use blame::LateTold;
use plotly::common::{HoverInfo, Line, Mode};
use plotly::layout::AxisRange;
use plotly::{Scatter, Trace};

use super::{ABOVE, BELOW_AXIS, COLOURS, Figure, LEGEND_LINE_HEIGHT, axis, layout, plot};
use analysis::words;

const BAR: usize = 18;
const BAR_SPACE: usize = 34;
const OWN: &str = "#DDE2E7";
const OTHER: &str = "#7A8591";

/// A bar for each of the worst; `None` where the trace tells of none.
pub(crate) fn blamed(
    name: &str,
    what: &str,
    threshold_ns: i64,
    worst: &[LateTold],
) -> Option<Figure> {
    let drawn: Vec<&LateTold> = worst.iter().filter(|l| !l.segments.is_empty()).collect();
    let kinds = kinds(&drawn);
    if kinds.is_empty() {
        return None;
    }
    let lines = kinds.len() + 1;
    let height = ABOVE + BELOW_AXIS + drawn.len() * BAR_SPACE + lines * LEGEND_LINE_HEIGHT;
    let bottom = drawn.len() as f64 - 0.5;
    let label =
        |late: &&LateTold| format!("{}, {}", late.thread, words::grouped(late.index as u64));
    let layout = layout(height, "", lines)
        .x_axis(axis("time after it was due, ms"))
        .y_axis(
            axis("")
                .range(AxisRange::new(bottom, -0.5))
                .tick_values((0..drawn.len()).map(|place| place as f64).collect())
                .tick_text(drawn.iter().map(label).collect())
                .show_grid(false),
        );
    let stretches = kinds.iter().map(|kind| bars(kind, &kinds, &drawn));
    let allowed = threshold_ns as f64 / 1e6;
    let limit = Scatter::new(vec![allowed, allowed], vec![-0.5, bottom])
        .name(format!(
            "late from here on ({})",
            words::time(threshold_ns as f64)
        ))
        .mode(Mode::Lines)
        .hover_info(HoverInfo::Skip)
        .line(Line::new().width(2.0).color("#C62828"));
    let traces = stretches.chain([limit as Box<dyn Trace>]).collect();
    let caption = format!(
        "{what}: who had the CPU from the due time until it was done, in the worst cases, each \
         with its thread and the number of its period."
    );
    Some(Figure::new(
        name,
        caption,
        height,
        &plot(name, layout, traces),
    ))
}

/// What stretches have in common: a name below the figure, and a colour.
struct Kind {
    name: String,
    colour: &'static str,
}

const OWN_WORK: &str = "own_work";
const OTHERS: &str = "others, each shorter than these";

/// The kinds of stretches that take most of the time in these; the others are one.
fn kinds(drawn: &[&LateTold]) -> Vec<Kind> {
    let mut times: BTreeMap<(bool, String), i64> = BTreeMap::new();
    for (from, to, kind, words) in drawn.iter().flat_map(|late| &late.segments) {
        let is_own = kind == OWN_WORK;
        *times.entry((is_own, name(kind, words))).or_insert(0) += to - from;
    }
    let mut longest: Vec<((bool, String), i64)> = times.into_iter().collect();
    longest.sort_by_key(|(_, time)| -time);
    let (own, longest): (Vec<_>, Vec<_>) = longest.into_iter().partition(|((own, _), _)| *own);
    let of = |name: String, colour| Kind { name, colour };
    let has_others = longest.len() > COLOURS.len();
    let named = longest.into_iter().map(|((_, name), _)| name).zip(COLOURS);
    let named = named.map(|(name, colour)| of(name, colour));
    let others = has_others.then(|| of(OTHERS.to_owned(), OTHER));
    let own = own.into_iter().map(|((_, name), _)| of(name, OWN));
    named.chain(others).chain(own).collect()
}

/// What a stretch is called: tasks and interrupts by name.
fn name(kind: &str, words: &str) -> String {
    match kind {
        "unknown" => "unknown".to_owned(),
        _ => words.replace('`', ""),
    }
}

/// The stretches of a kind in all bars.
fn bars(kind: &Kind, kinds: &[Kind], drawn: &[&LateTold]) -> Box<dyn Trace> {
    let (mut x, mut y, mut text) = (Vec::new(), Vec::new(), Vec::new());
    for (place, late) in drawn.iter().enumerate() {
        for (from, to, its, words) in &late.segments {
            let name = name(its, words);
            let shown = kinds.iter().find(|kind| kind.name == name);
            if shown.map_or(OTHERS, |shown| &shown.name) != kind.name {
                continue;
            }
            x.extend([*from as f64 / 1e6, *to as f64 / 1e6, f64::NAN]);
            y.extend([place as f64; 3]);
            let told = format!("{name}: {}", words::time((to - from) as f64));
            text.extend([told.clone(), told, String::new()]);
        }
    }
    Scatter::new(x, y)
        .name(&kind.name)
        .mode(Mode::Lines)
        .text_array(text)
        .hover_info(HoverInfo::Text)
        .line(Line::new().width(BAR as f64).color(kind.colour))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_kinds_have_a_colour_each_and_the_rest_share_one() {
        let segment = |kind: i64| (0, 100 - kind, "task".to_owned(), format!("task `{kind}`"));
        let mut segments: Vec<_> = (0..12).map(segment).collect();
        segments.push((0, 5, OWN_WORK.to_owned(), "the thread itself".to_owned()));
        let late = LateTold {
            thread: "CPU 1".to_owned(),
            index: 0,
            due_ns: 0,
            took_ns: 100,
            shares: Vec::new(),
            segments,
        };
        let kinds = kinds(&[&late]);
        let names: Vec<&str> = kinds.iter().map(|kind| &*kind.name).collect();
        assert_eq!(names[..2], ["task 0", "task 1"]);
        assert_eq!(names[COLOURS.len()..], [OTHERS, "the thread itself"]);
        let mut colours: Vec<&str> = kinds.iter().map(|kind| kind.colour).collect();
        colours.sort_unstable();
        colours.dedup();
        assert_eq!(colours.len(), kinds.len());
    }
}
