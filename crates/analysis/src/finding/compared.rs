//! How a system differs from another.

use serde::Serialize;

use crate::phrases::{joined, list, some};
use crate::words::{counted, quantity};

/// The result for one quality of a system compared with another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QualityCompared {
    pub worse: Option<Extent>,
    pub better: Option<Extent>,
    pub no_difference: usize,
    /// Rows without enough evidence.
    pub not_decided: usize,
}

/// Where figures differ.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Extent {
    pub rows: usize,
    pub figures: Vec<&'static str>,
    /// The least and the largest figure, each divided by that of the reference.
    pub ratios: [f64; 2],
}

/// A field in which matched rows of two systems may differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Across {
    /// Its name, as typed.
    pub field: String,
    /// Its value on each side, in words.
    pub values: [String; 2],
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeasurementCompared {
    pub measurement: String,
    pub rows: usize,
    pub worse: usize,
    pub better: usize,
}

impl MeasurementCompared {
    pub(super) fn words(&self) -> String {
        let sides = [("worse", self.worse), ("better", self.better)];
        let sides = sides.into_iter().filter(|(_, rows)| *rows > 0);
        let sides = list(sides.map(|(side, rows)| format!("{side} in {rows}")));
        format!("`{}` ({sides} of {})", self.measurement, counted(self.rows, "row"))
    }
}

/// How each side gets several runs.
pub(super) fn repeated(is_imported: bool) -> &'static str {
    match is_imported {
        true => "import several files of each with `--machine`",
        false => "use `--repeat 3`",
    }
}

pub(super) fn pair_compared(
    [reference, other]: &[String; 2],
    rows: usize,
    remedy_of_single: Option<&str>,
    qualities: [&QualityCompared; 2],
) -> String {
    if qualities.iter().all(|quality| quality.not_decided == rows) {
        let why = match remedy_of_single {
            Some(remedy) => {
                format!("one run per side says nothing about run-to-run variation; {remedy}")
            }
            None => {
                "too few runs or samples to compare run by run; lateness takes several runs of \
                     1000 samples per side"
                    .to_owned()
            }
        };
        return format!("Inconclusive for {other} and {reference}: {why}.");
    }
    let [speed, steadiness] = qualities;
    let of_rows = format!(" of {}", counted(rows, "row"));
    let of_first = |place: usize| if place == 0 { of_rows.as_str() } else { "" };
    let shown = [
        ("slower", &speed.worse),
        ("faster", &speed.better),
        ("less steady", &steadiness.worse),
        ("steadier", &steadiness.better),
    ];
    let shown = shown.into_iter().filter_map(|(word, extent)| Some((word, extent.as_ref()?)));
    let shown = shown.enumerate().map(|(place, (word, Extent { rows, figures, ratios }))| {
        let than = if place == 0 { format!(" than {reference}") } else { String::new() };
        let (of, figures) = (of_first(place), list(figures.iter().map(ToString::to_string)));
        format!("{word}{than} in {rows}{of} ({figures} {})", ratios_between(*ratios))
    });
    let shown = list(shown);
    let counts = |count: fn(&QualityCompared) -> usize| {
        let counts = ["speed", "steadiness"].into_iter().zip(qualities.map(count));
        let counts = counts.filter(|(_, rows)| *rows > 0).enumerate();
        let words = |(place, (name, rows))| format!("{name} in {rows}{}", of_first(place));
        some(list(counts.map(words)))
    };
    let of_pair = if shown.is_empty() { &format!(" between {other} and {reference}") } else { "" };
    let same = counts(|quality| quality.no_difference);
    let undecided = counts(|quality| quality.not_decided);
    let sentences = [
        some(shown).map(|shown| format!("{other} is {shown}.")),
        same.map(|same| format!("No difference shown{of_pair}: {same}.")),
        undecided.map(|undecided| format!("Not decided: {undecided}.")),
    ];
    joined(sentences.into_iter().flatten(), " ")
}

/// `1.2x to 3.1x`.
fn ratios_between([least, most]: [f64; 2]) -> String {
    match [least, most].map(quantity) {
        [least, most] if least == most => format!("{least}x"),
        [least, most] => format!("{least}x to {most}x"),
    }
}
