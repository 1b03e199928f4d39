//! The page of a soak: its histogram over time, its maxima and its causes. It is the same while the
//! soak runs and afterwards.

use std::collections::BTreeMap;
use std::fmt::Write;

use analysis::soak::{BINS, BOUNDS_NS, Column, Picture, Soak};
use analysis::words::{counted, grouped, time};
use minijinja::HtmlEscape;

use crate::english::soak::{answer, by_count};

pub const SOAK_STYLE: &str = include_str!("../../templates/soak.css");

/// Height of a bin of the heat map, in pixels.
const BIN: usize = 14;
/// Height of the strip of maxima and of the stack of causes, in pixels.
const STRIP: f64 = 110.0;
/// Colours of causes, the most frequent first; all further ones have the last.
const COLOURS: [&str; 7] =
    ["#c0392b", "#e08e0b", "#2471a3", "#7d3c98", "#1e8449", "#99673a", "#7f8c8d"];

/// Returns the page. `refresh_s` is after how many seconds a browser loads it again, with the style
/// sheet at `/soak.css`; `None` for a page that needs nothing else.
pub fn soak_page(title: &str, soak: &Soak, picture: &Picture, refresh_s: Option<u64>) -> String {
    let style = match refresh_s {
        Some(seconds) => format!(
            "<link rel=\"stylesheet\" href=\"/soak.css\"><meta http-equiv=\"refresh\" content=\"{seconds}\">"
        ),
        None => format!("<style>{SOAK_STYLE}</style>"),
    };
    let title = HtmlEscape(title).to_string();
    let answer: String = answer(soak).iter().map(|line| line.sentence() + "\n").collect();
    let columns = &picture.columns;
    let note = match picture.merged {
        1 => "One column is one interval.".to_owned(),
        merged => format!("One column is {}.", counted(merged as usize, "interval")),
    };
    let times = times(columns);
    let (heat, maxima, (causes, key)) = (heat(columns), maxima(columns), causes(columns));
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>Soak: {title}</title>{style}</head><body>\n\
         <h1>Soak: {title}</h1>\n<pre>{}</pre>\n\
         <h2>Histogram over time</h2>\n<figure>{heat}{times}</figure>\n\
         <h2>Maximum</h2>\n<figure>{maxima}{times}</figure>\n\
         <h2>Missed periods by cause</h2>\n<figure>{causes}{times}</figure>\n<p class=\"key\">{key}</p>\n\
         <p class=\"note\">{note} The darker, the more samples (logarithmic). A dashed line: time before \
         it was not watched. A grey column: INVALID.</p>\n</body></html>\n",
        HtmlEscape(&answer)
    )
}

/// Returns the columns with their left edge and width, in percent.
fn placed(columns: &[Column]) -> impl Iterator<Item = (&Column, f64, f64)> {
    let width = 100.0 / columns.len().max(1) as f64;
    columns.iter().enumerate().map(move |(number, column)| (column, number as f64 * width, width))
}

/// Puts labels on the left of a picture; only the picture takes its width from the page.
fn labelled(name: &str, height: f64, labels: &str, picture: &str) -> String {
    format!(
        "<div class=\"plot\"><svg height=\"{height}\">{labels}</svg>\
         <svg height=\"{height}\" role=\"img\" aria-label=\"{name}\">{picture}</svg></div>"
    )
}

fn times(columns: &[Column]) -> String {
    let at = |column: Option<&Column>| {
        column.map_or_else(String::new, |column| {
            column.began_at.get(..19).unwrap_or("").replace('T', " ")
        })
    };
    let (first, last) = (at(columns.first()), at(columns.last()));
    format!("<div class=\"times\"><span>{first}</span><span>{last} UTC</span></div>")
}

/// Draws gaps and INVALID columns behind or above a picture of that height.
fn marks(columns: &[Column], height: f64) -> String {
    let mut svg = String::new();
    for (column, x, width) in placed(columns) {
        if column.is_invalid {
            let _ = write!(
                svg,
                "<rect x=\"{x:.3}%\" y=\"0\" width=\"{width:.3}%\" height=\"{height}\" fill=\"#e4e6ea\"/>"
            );
        }
        if column.is_after_gap {
            let _ = write!(
                svg,
                "<line x1=\"{x:.3}%\" x2=\"{x:.3}%\" y1=\"0\" y2=\"{height}\" stroke=\"#1c2430\" \
                 stroke-dasharray=\"3 3\"/>"
            );
        }
    }
    svg
}

fn heat(columns: &[Column]) -> String {
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
        let _ = write!(labels, "<text y=\"{}\">{label}</text>", y + BIN - 2);
        for (column, x, width) in placed(columns) {
            let count = column.histogram[bin];
            if count > 0 {
                let share = (1.0 + count as f64).ln() / (1.0 + most as f64).ln();
                let _ = write!(
                    svg,
                    "<rect x=\"{x:.3}%\" y=\"{y}\" width=\"{width:.3}%\" height=\"{BIN}\" fill=\"#1f5f99\" \
                     fill-opacity=\"{:.2}\"><title>{}: {} {label}</title></rect>",
                    0.15 + 0.85 * share,
                    column.began_at,
                    grouped(count)
                );
            }
        }
    }
    labelled("Histogram over time", height, &labels, &svg)
}

fn maxima(columns: &[Column]) -> String {
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
        let _ = write!(labels, "<text y=\"{base:.1}\">{}</text>", time(value));
        let _ =
            write!(svg, "<line x1=\"0\" x2=\"100%\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#dde\"/>");
    }
    for ((column, x, width), value) in placed(columns).zip(values()) {
        let _ = write!(
            svg,
            "<rect x=\"{x:.3}%\" y=\"{:.1}\" width=\"{width:.3}%\" height=\"3\" fill=\"#1f5f99\">\
             <title>{}: {}</title></rect>",
            y(value) - 1.5,
            column.began_at,
            time(value)
        );
    }
    labelled("Maximum over time", STRIP, &labels, &svg)
}

/// Draws missed periods by cause, stacked, and their key.
fn causes(columns: &[Column]) -> (String, String) {
    let mut totals = BTreeMap::<String, u64>::new();
    for (cause, count) in columns.iter().flat_map(|column| &column.causes) {
        *totals.entry(cause.clone()).or_default() += count;
    }
    if totals.is_empty() {
        let none = "<svg height=\"20\"><text x=\"0\" y=\"14\">No period was missed.</text></svg>";
        return (none.to_owned(), String::new());
    }
    let order = by_count(&totals);
    let colour = |place: usize| COLOURS[place.min(COLOURS.len() - 1)];
    let most = columns.iter().map(|column| column.causes.values().sum::<u64>()).max();
    let most = most.unwrap_or(0).max(1);
    let labels = format!("<text y=\"12\">{}</text><text y=\"{STRIP}\">0</text>", grouped(most));
    let mut svg = marks(columns, STRIP);
    for (column, x, width) in placed(columns) {
        let mut bottom = STRIP;
        for (place, (cause, _)) in order.iter().enumerate() {
            let count = column.causes.get(*cause).copied().unwrap_or(0);
            let height = (STRIP - 4.0) * count as f64 / most as f64;
            bottom -= height;
            if count > 0 {
                let _ = write!(
                    svg,
                    "<rect x=\"{x:.3}%\" y=\"{bottom:.1}\" width=\"{width:.3}%\" height=\"{height:.1}\" \
                     fill=\"{}\"><title>{}: {} {}</title></rect>",
                    colour(place),
                    column.began_at,
                    grouped(count),
                    HtmlEscape(cause)
                );
            }
        }
    }
    let key = order.iter().enumerate().map(|(place, (cause, count))| {
        let colour = colour(place);
        format!(
            "<svg><rect width=\"11\" height=\"11\" fill=\"{colour}\"/></svg> {}: {}",
            HtmlEscape(cause),
            grouped(*count)
        )
    });
    let key = key.collect::<Vec<_>>().join(" \u{a0} ");
    (labelled("Causes over time", STRIP, &labels, &svg), key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(refresh_s: Option<u64>) -> String {
        let mut column =
            Column { began_at: "2026-11-25T03:14:00.000Z".into(), ..Column::default() };
        column.histogram[3] = 7;
        column.causes.insert("<script>".to_owned(), 2);
        let mut picture = Picture::default();
        picture.columns = vec![column; 3];
        soak_page("<b>", &Soak::default(), &picture, refresh_s)
    }

    #[test]
    fn the_page_needs_nothing_else_and_shows_names_as_text() {
        let page = page(None);
        assert!(!page.contains("<script>") && !page.contains("<b>") && !page.contains("href"));
        assert!(page.contains("&lt;script&gt;") && page.contains("<style>"));
        assert_eq!(page.matches(">2026-11-25T03:14:00.000Z: 7").count(), 3);
    }

    #[test]
    fn the_live_page_has_nothing_inline_that_its_policy_forbids() {
        let page = page(Some(30));
        assert!(!page.contains("<style") && !page.contains("style=\""));
    }
}
