//! The pictures of a soak: its histogram over time, its maxima and its causes.

use std::fmt::Display;

use analysis::soak::{BINS, BOUNDS_NS, Column, MissCause, Soak, periods};
use analysis::words::{grouped, time};
use minijinja::HtmlEscape;
use stats::Weight;

/// Height of a bin of the heat map, in pixels.
const BIN: usize = 14;
/// Height of the strip of maxima and of the stack of causes, in pixels.
const STRIP: f64 = 110.0;
/// Colours of the largest causes, the largest first.
const COLOURS: [&str; 7] =
    ["#c0392b", "#e08e0b", "#2471a3", "#7d3c98", "#1e8449", "#17a2b8", "#8d6e4b"];
/// The colour of all other causes together.
const OTHERS: &str = "#aab2bd";

/// A column with its left edge and width, in percent.
struct Placed<'c> {
    column: &'c Column,
    x: f64,
    width: f64,
}

fn placed(columns: &[Column]) -> impl Iterator<Item = Placed<'_>> {
    let width = 100.0 / columns.len().max(1) as f64;
    (0..).zip(columns).map(move |(number, column)| Placed {
        column,
        x: f64::from(number) * width,
        width,
    })
}

impl Placed<'_> {
    /// Draws a bar that says when it was and what it shows.
    fn bar(&self, y: impl Display, height: impl Display, look: &str, shown: &str) -> String {
        let Self { column: Column { began_at, .. }, x, width } = self;
        format!(
            "<rect x=\"{x:.3}%\" y=\"{y}\" width=\"{width:.3}%\" height=\"{height}\" {look}>\
             <title>{began_at}: {shown}</title></rect>"
        )
    }
}

/// Puts labels on the left of a picture; only the picture takes its width from the page.
fn labelled(name: &str, height: f64, labels: &str, picture: &str) -> String {
    format!(
        "<div class=\"plot\"><svg height=\"{height}\">{labels}</svg>\
         <svg height=\"{height}\" role=\"img\" aria-label=\"{name}\">{picture}</svg></div>"
    )
}

pub(super) fn times(columns: &[Column]) -> String {
    let [first, last] = [columns.first(), columns.last()].map(|column| {
        let began_at = column.and_then(|column| column.began_at.get(..19));
        began_at.unwrap_or_default().replace('T', " ")
    });
    format!(
        "<div class=\"times\"><span>first column: {first} UTC</span><span>last column: {last} UTC</span></div>"
    )
}

/// Draws gaps and INVALID columns behind or above a picture of that height.
fn marks(columns: &[Column], height: f64) -> String {
    let mut svg = String::new();
    for Placed { column, x, width } in placed(columns) {
        if column.is_invalid {
            svg += &format!(
                "<rect x=\"{x:.3}%\" y=\"0\" width=\"{width:.3}%\" height=\"{height}\" fill=\"#e4e6ea\"/>"
            );
        }
        if column.is_after_gap {
            svg += &format!(
                "<line x1=\"{x:.3}%\" x2=\"{x:.3}%\" y1=\"0\" y2=\"{height}\" stroke=\"#1c2430\" \
                 stroke-dasharray=\"3 3\"/>"
            );
        }
    }
    svg
}

pub(super) fn heat(columns: &[Column]) -> String {
    let filled = |bin: &usize| columns.iter().any(|column| column.histogram[*bin] > 0);
    let lowest = (0..BINS).find(filled).unwrap_or(0);
    let highest = (0..BINS).rev().find(filled).unwrap_or(0);
    let most = columns.iter().flat_map(|column| column.histogram).max().unwrap_or(0).max(1);
    let height = ((highest - lowest + 1) * BIN + 4) as f64;
    let (mut labels, mut svg) = (String::new(), marks(columns, height));
    for bin in lowest..=highest {
        let y = (highest - bin) * BIN;
        let label = match BOUNDS_NS.get(bin) {
            Some(bound) => format!("\u{2264} {}", time(*bound as f64)),
            None => "more".to_owned(),
        };
        labels += &format!("<text y=\"{}\">{label}</text>", y + BIN - 2);
        for placed in placed(columns) {
            let count = placed.column.histogram[bin];
            if count > 0 {
                let share = (1.0 + count as f64).ln() / (1.0 + most as f64).ln();
                let opacity = 0.15 + 0.85 * share;
                let look = format!("fill=\"#1f5f99\" fill-opacity=\"{opacity:.2}\"");
                svg += &placed.bar(y, BIN, &look, &format!("{} {label}", grouped(count)));
            }
        }
    }
    labelled("Histogram over time", height, &labels, &svg)
}

pub(super) fn maxima(columns: &[Column]) -> String {
    let values = || columns.iter().map(|column| column.max_ns.max(1) as f64);
    let top = values().fold(1.0, f64::max).log10().ceil();
    let bottom = values().fold(f64::INFINITY, f64::min).log10().floor().min(top - 1.0);
    let y = |value: f64| 8.0 + (STRIP - 12.0) * (top - value.log10()) / (top - bottom);
    let (mut labels, mut svg) = (String::new(), marks(columns, STRIP));
    for power in bottom as i32..=top as i32 {
        let value = 10f64.powi(power);
        let y = y(value);
        // The lowest label must not be cut.
        let base = (y + 4.0).min(STRIP - 3.0);
        labels += &format!("<text y=\"{base:.1}\">{}</text>", time(value));
        svg += &format!("<line x1=\"0\" x2=\"100%\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#dde\"/>");
    }
    for (placed, value) in placed(columns).zip(values()) {
        let top = format!("{:.1}", y(value) - 1.5);
        svg += &placed.bar(top, 3, "fill=\"#1f5f99\"", &time(value));
    }
    labelled("Maximum over time", STRIP, &labels, &svg)
}

/// Draws missed periods by cause, stacked, and their key.
pub(super) fn causes(soak: &Soak, columns: &[Column]) -> (String, String) {
    if soak.causes.total() == 0 {
        let none = "<svg height=\"20\"><text x=\"0\" y=\"14\">No period was missed.</text></svg>";
        return (none.to_owned(), String::new());
    }
    let mut largest = soak.causes.heaviest();
    largest.truncate(COLOURS.len());
    let most = columns.iter().map(|column| column.causes.total()).max().unwrap_or(0).max(1);
    let labels = format!("<text y=\"12\">{}</text><text y=\"{STRIP}\">0</text>", grouped(most));
    let mut svg = marks(columns, STRIP);
    for placed in placed(columns) {
        let mut top = STRIP;
        for part in parts(placed.column, &largest) {
            let height = (STRIP - 4.0) * part.missed as f64 / most as f64;
            top -= height;
            let look = format!("fill=\"{}\"", part.colour);
            let shown = format!("{} {}", grouped(part.missed), part.name);
            svg += &placed.bar(format!("{top:.1}"), format!("{height:.1}"), &look, &shown);
        }
    }
    (labelled("Causes over time", STRIP, &labels, &svg), key(soak, &largest))
}

/// A part of the bar of a column.
struct Part {
    colour: &'static str,
    name: String,
    missed: u64,
}

/// Divides the missed periods of a column into those of the largest causes and all others.
fn parts(column: &Column, largest: &[(&MissCause, Weight)]) -> Vec<Part> {
    let part = |(colour, (cause, _)): (&&'static str, &(&MissCause, Weight))| {
        let missed = column.causes.get(cause).map_or(0, |missed| missed.at_least);
        Part { colour, name: without_marks(&cause.words), missed }
    };
    let mut parts: Vec<Part> = COLOURS.iter().zip(largest).map(part).collect();
    let named: u64 = parts.iter().map(|part| part.missed).sum();
    let missed = column.causes.total() - named;
    parts.push(Part { colour: OTHERS, name: "other causes".to_owned(), missed });
    parts.retain(|part| part.missed > 0);
    parts
}

fn key(soak: &Soak, largest: &[(&MissCause, Weight)]) -> String {
    let entry = |colour: &str, name: &str, count: String| {
        format!(
            "<span><svg><rect width=\"11\" height=\"11\" fill=\"{colour}\"/></svg> {name}: {count}</span>\n"
        )
    };
    let named = COLOURS.iter().zip(largest);
    let named = named.map(|(colour, (cause, missed))| {
        entry(colour, &without_marks(&cause.words), periods(*missed))
    });
    let sum: u64 = largest.iter().map(|(_, missed)| missed.at_least).sum();
    let others = Some(soak.causes.total() - sum).filter(|others| *others > 0);
    let others = others.map(|others| entry(OTHERS, "other causes", grouped(others)));
    named.chain(others).collect()
}

/// Returns a text for the page, which shows names without the marks of a terminal.
pub(super) fn without_marks(text: &str) -> String {
    HtmlEscape(&text.replace('`', "")).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cause(name: &str) -> MissCause {
        let (kind, policy) = ("task", Some("other".to_owned()));
        let words = format!("task `{name}` (other)");
        MissCause { kind, name: Some(name.to_owned()), policy, words }
    }

    #[test]
    fn the_key_has_the_largest_causes_in_distinct_colours_and_one_entry_for_the_rest() {
        let (mut soak, mut column) = (Soak::default(), Column::default());
        for number in 1..=40 {
            soak.causes.add(&cause(&format!("task-{number}")), number);
            column.causes.add(&cause(&format!("task-{number}")), number);
        }
        let (bars, key) = causes(&soak, &[column]);
        let entries: Vec<&str> = key.lines().collect();
        assert_eq!(entries.len(), COLOURS.len() + 1);
        assert!(entries[0].contains("task task-40 (other): 40<"), "{key}");
        assert!(entries[7].contains("other causes: 561<"), "{key}");
        for (entry, colour) in entries.iter().zip(COLOURS.iter().chain([&OTHERS])) {
            assert!(entry.contains(colour) && key.matches(colour).count() == 1, "{key}");
        }
        assert_eq!(bars.matches("other causes").count(), 1);
        assert!(!key.contains('`') && !bars.contains('`'));
    }
}
