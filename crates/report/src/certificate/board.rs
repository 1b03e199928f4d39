//! The board: certificates in the order of their results.

use analysis::certificate::{Board, Place, Test};
use analysis::phrases::{joined, missed};
use analysis::words::{counted, time};

use crate::answer::{Answer, Line, Remark};
use crate::document::{Block, Cell, Document, Section, TableOf, Tone};
use crate::render::terminal::terminal;
use crate::view::worded;

/// Returns the order of several certificates: the answer, and every test as a table for a terminal.
pub fn board(board: &Board, certificates: usize) -> (Answer, String) {
    let ranked = board.tests.iter().filter(|test| test.is_ranked());
    let name =
        |test: &Test| format!("{}, {}, {}", test.run, test.loads, time(test.duration_ns as f64));
    let line = |test: &Test| {
        let first = &test.places[0];
        Line { what: name(test), figures: vec![format!("1. {}", first.name), proof(first)] }
    };
    let answer = worded(
        counted(certificates, "certificate"),
        counted(board.tests.len(), "test"),
        &board.findings,
        ranked.map(line).collect(),
    );
    let mut rows: Vec<(String, Option<u64>, &Place)> = Vec::new();
    for test in &board.tests {
        let ranked = (1..).zip(&test.places);
        rows.extend(
            ranked.map(|(rank, place)| (name(test), test.is_ranked().then_some(rank), place)),
        );
    }
    let ns = |value: Option<i64>| Cell::or(value, "no sample", |ns| Cell::micros(ns as f64));
    let table = TableOf::of(&rows)
        .grouped(|(group, ..)| group.clone())
        .number("Rank", |(_, rank, _)| Cell::or(*rank, "nothing to compare it with", Cell::count))
        .text("Certificate", |(.., place)| place.name.clone())
        .number("Runs", |(.., place)| Cell::count(place.runs as u64))
        .text("Deadlines", |(.., place)| {
            let deadlines = (place.due > 0).then_some(place);
            Cell::or(deadlines, "no deadline", |place| {
                Cell::text(missed(place.missed, place.due)).bad_if(place.missed > 0)
            })
        })
        .number("p99.9, µs", move |(.., place)| ns(place.p999_ns))
        .number("Max, µs", move |(.., place)| ns(place.max_ns))
        .text("Proof", |(.., place)| proof(place))
        .table("");
    let mut sections = vec![Section::of("board", "Tests", "", vec![Block::Table(table)])];
    let remarks = answer.remarks.iter().map(Remark::sentence).collect();
    sections.extend(Section::told("", &answer.verdict, Tone::Detail, remarks));
    sections.reverse();
    let details = terminal(&Document::untitled(sections));
    (answer, details)
}

fn proof(place: &Place) -> String {
    let order = place.shown.map(|is_shown| {
        format!("ahead of the next: {}", if is_shown { "shown" } else { "not shown" })
    });
    let figures = (!place.is_recomputed).then(|| "figures not recomputed".to_owned());
    joined(order.into_iter().chain(figures), "; ")
}
