//! The words of an edge: up to where something holds.

use record::Axis;

use super::said::{Said, Standing};
use crate::capacity::{End, Ends};
use crate::phrases::{hertz, maybe};
use crate::words::{bare, capital, on, place, time};

pub(super) fn edge(
    axis: &Axis,
    rate_hz: Option<f64>,
    limit: Option<&str>,
    held: Option<End>,
    threads: Option<u64>,
) -> Said {
    let (thing, largest) = thing(axis);
    let rate = maybe(rate_hz, |rate| format!(" {}", hertz(rate)));
    let limit = maybe(limit, |limit| format!(" as {limit}"));
    let Some(End { size, shown }) = held else {
        let words = format!("No {thing} that was tried holds{rate}{limit}.");
        return Said::answer(Standing::Bad, words);
    };
    let held = match threads {
        Some(threads) => on(axis, size, threads),
        None => format!("{} on every number of threads tried", place(axis, size)),
    };
    if shown {
        let words = format!("{} {thing} shown to hold{rate}{limit}: {held}.", capital(largest));
        return Said::answer(Standing::Good, words);
    }
    let words =
        format!("No {thing} is shown to hold{rate}{limit}; the {largest} that seems to: {held}.");
    Said::answer(Standing::Open, words)
}

/// What has an edge along an axis, and how its furthest one is called.
fn thing(axis: &Axis) -> (&'static str, &'static str) {
    match axis {
        Axis::Masses | Axis::Instances => ("model", "largest"),
        Axis::Rate => ("rate", "highest"),
        Axis::Setting(_) => ("setting", "hardest"),
    }
}

pub(super) fn further(axis: &Axis) -> &'static str {
    match axis {
        Axis::Masses | Axis::Instances => "larger",
        Axis::Rate => "higher",
        Axis::Setting(_) => "harder",
    }
}

/// Both ends of an edge: `17 920 .. 18 400`; an end that is not shown is `?`.
pub fn bracket(axis: &Axis, held: Option<End>, missed: Option<End>) -> String {
    let end = |end: Option<End>, none: &str| {
        let words = |End { size, shown }| bare(axis, size) + if shown { "" } else { "?" };
        end.map_or_else(|| none.to_owned(), words)
    };
    format!("{} .. {}", end(held, "none"), end(missed, "?"))
}

/// The largest size that holds, the smallest that misses, and the largest that a step usually fits.
pub fn edge_figures(
    axis: &Axis,
    held: Option<End>,
    missed: Option<End>,
    steps: &Ends,
) -> Vec<String> {
    let at = |end: End, shown: &str, seems: &str| {
        format!("{} {}", if end.shown { shown } else { seems }, bare(axis, end.size))
    };
    let none = || format!("no {} holds", thing(axis).0);
    let figures = [
        Some(held.map_or_else(none, |end| at(end, "holds", "seems to hold"))),
        missed.map(|end| at(end, "misses at", "seems to miss at")),
        steps.held().map(|end| usually_fits(axis, end.size, missed.is_some(), steps)),
    ];
    figures.into_iter().flatten().collect()
}

/// Says where a step usually fits; at least there, if it fits everywhere that was tried.
fn usually_fits(axis: &Axis, place: u64, is_missed: bool, steps: &Ends) -> String {
    let at = bare(axis, place);
    match (steps.missed(), axis.end() == Some(place)) {
        (Some(_), _) => format!("usually fits {at}"),
        (None, true) if !is_missed => format!("usually fits at least {at}, the end of the range"),
        (None, _) => format!("usually fits at least {at}"),
    }
}

/// `17 µs`; below zero after the deadline.
pub(super) fn headroom(ns: i64) -> String {
    let sign = if ns < 0 { "−" } else { "" };
    format!("{sign}{}", time(ns.unsigned_abs() as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::frontier::Edge;

    #[test]
    fn edges_name_what_holds_first() {
        let words = |axis: &Axis, held: Option<(u64, bool)>, rate_hz| {
            let held = held.map(|(size, shown)| End { size, shown });
            edge(axis, rate_hz, None, held, Some(2)).words
        };
        let rate = Some(1e3);
        let found = [
            words(&Axis::Masses, Some((17_920, true)), rate),
            words(&Axis::Masses, Some((400, false)), rate),
            words(&Axis::Masses, None, rate),
            words(&Axis::Rate, Some((2_400, true)), None),
        ];
        let expected = [
            "Largest model shown to hold 1 kHz: 17 920 masses on 2 threads.",
            "No model is shown to hold 1 kHz; the largest that seems to: 400 masses on 2 threads.",
            "No model that was tried holds 1 kHz.",
            "Highest rate shown to hold: 2 400 Hz on 2 threads.",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn where_every_size_fits_it_is_at_least_the_largest() {
        let ends = |missed| {
            let edge = || Edge { held: Some(2_000), missed, ..Edge::default() };
            Ends { shown: edge(), so_far: edge() }
        };
        let setting: Axis = "cells=1..2000".parse().unwrap();
        let end = setting.end().unwrap();
        let at = |axis: &Axis, place, is_missed, missed| {
            usually_fits(axis, place, is_missed, &ends(missed))
        };
        assert_eq!(at(&Axis::Masses, 2_000, false, Some(2_400)), "usually fits 2 000");
        assert_eq!(at(&Axis::Masses, 2_000, false, None), "usually fits at least 2 000");
        assert_eq!(
            at(&setting, end, false, None),
            "usually fits at least 2000, the end of the range"
        );
    }
}
