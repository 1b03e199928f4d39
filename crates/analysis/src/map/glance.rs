//! Maps at first glance.

use super::{Edges, Map, Size};
use crate::answer::{Answer, Line, Remark, Standing, effort, subject};
use crate::capacity::conditions;
use crate::survey::System;
use crate::words;

/// Where misses begin and where they are many, on each number of threads of the first map.
#[must_use]
pub fn glance(systems: &[System], maps: &[Map]) -> Answer {
    let first = maps.first();
    let Some((map, all)) = first.and_then(|map| Some((map, map.edges.last()?))) else {
        return Answer {
            verdict: "No size could be tried.".to_owned(),
            ..Answer::default()
        };
    };
    let (standing, verdict) = verdict(map.grid.unit, all);
    let rate = map.grid.spec.parameters.get("rate").map(words::value);
    let of = format!(
        "{}, {}",
        rate.unwrap_or_default(),
        conditions(map.grid.spec)
    );
    let others = (maps.len() > 1).then(|| {
        Remark::new(
            "Others",
            format!("{} more", words::counted(maps.len() - 1, "map")),
        )
    });
    Answer {
        standing,
        verdict,
        lines: map.edges.iter().map(line).collect(),
        remarks: [Remark::new("Of", of)].into_iter().chain(others).collect(),
        subject: subject(systems),
        effort: effort(systems.iter().flat_map(|system| &system.outcomes).copied()),
    }
}

fn verdict(unit: plan::Size, all: &Edges) -> (Standing, String) {
    let told = |size: Size| size.map(|(size, _)| words::size(unit, size));
    let misses = match all.first_miss {
        Some((first, _)) => format!("the first miss was seen at {}", words::grouped(first)),
        None => "no miss was seen at any size".to_owned(),
    };
    match (told(all.shown), told(all.clean)) {
        (Some(shown), _) => (
            Standing::Good,
            format!("SHOWN to hold up to {shown}; {misses}."),
        ),
        (None, Some(clean)) => (
            Standing::Open,
            format!("NO MISS SEEN up to {clean}, not yet shown to hold; {misses}."),
        ),
        (None, None) => (Standing::Bad, format!("NO SIZE HOLDS: {misses}.")),
    }
}

fn line(row: &Edges) -> Line {
    let told =
        |name: &str, size: Size| size.map(|(size, _)| format!("{name} {}", words::grouped(size)));
    let figures = [
        told("no miss to", row.clean),
        told("first miss", row.first_miss),
        told("many from", row.first_many),
    ];
    let threads = |threads| words::counted(threads as usize, "thread");
    Line {
        what: row.threads.map_or_else(|| "all".to_owned(), threads),
        figures: figures.into_iter().flatten().collect(),
    }
}
