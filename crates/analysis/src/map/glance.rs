//! Maps at first glance.

use plan::Axis;

use super::{Edges, Map, Size};
use crate::answer::{Answer, Line, Remark, Standing, effort, subject};
use crate::survey::System;
use crate::words;

/// Where misses begin and where they are many, on each number of threads of the first map.
#[must_use]
pub fn glance(systems: &[System], maps: &[Map]) -> Answer {
    let first = maps.first();
    let Some((map, all)) = first.and_then(|map| Some((map, map.edges.last()?))) else {
        return Answer { verdict: "No size could be tried.".to_owned(), ..Answer::default() };
    };
    let (standing, verdict) = verdict(&map.grid.axis, all);
    let rate = map.grid.rate().into_iter();
    let own = (map.grid.axis != Axis::Masses).then(|| map.grid.model());
    let of: Vec<String> = rate.chain(own).chain([map.grid.conditions()]).collect();
    let of = of.join(", ");
    let others = (maps.len() > 1)
        .then(|| Remark::new("Others", format!("{} more", words::counted(maps.len() - 1, "map"))));
    Answer {
        standing,
        verdict,
        lines: map.edges.iter().map(|row| line(&map.grid.axis, row)).collect(),
        remarks: [Remark::new("Of", of)].into_iter().chain(others).collect(),
        subject: subject(systems),
        effort: effort(systems.iter().flat_map(|system| &system.outcomes).copied()),
    }
}

fn verdict(axis: &Axis, all: &Edges) -> (Standing, String) {
    let told = |size: Size| size.map(|(size, _)| words::place(axis, size));
    let misses = match all.first_miss {
        Some((first, _)) => format!("the first miss was seen at {}", words::bare(axis, first)),
        None => format!("no miss was seen at any {}", axis.noun()),
    };
    match (told(all.shown), told(all.clean)) {
        (Some(shown), _) => (Standing::Good, format!("SHOWN to hold up to {shown}; {misses}.")),
        (None, Some(clean)) => (
            Standing::Open,
            format!("NO MISS SEEN up to {clean}, not yet shown to hold; {misses}."),
        ),
        (None, None) => {
            let noun = axis.noun().to_uppercase();
            (Standing::Bad, format!("NO {noun} HOLDS: {misses}."))
        }
    }
}

fn line(axis: &Axis, row: &Edges) -> Line {
    let told = |name: &str, size: Size| {
        size.map(|(size, _)| format!("{name} {}", words::bare(axis, size)))
    };
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
