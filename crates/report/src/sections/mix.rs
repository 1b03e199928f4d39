//! Mixes: each member with what was seen of it and what paper says, and the ages of inputs.

use analysis::Analysis;
use analysis::mix::{MEASUREMENT, Member, Mix, sentences};
use analysis::words;

use super::measured::Measured;
use crate::document::{Block, Cell, Column, Line, Table};

pub(super) const SECTION: Measured = Measured {
    id: "mix",
    title: "Mixes: several models at once, each at its own rate",
    introduction: "Each member steps by a schedule of its own; all start at one time. A response is from a \
                   due time to its step's end. On paper it is the longest that fixed priorities \
                   allow with the longest CPU time of each step that was measured, and the longest \
                   start after its due time of the most urgent member as blocking (Joseph and \
                   Pandya 1986).",
    measurements: &[MEASUREMENT],
    blocks: |analysis: &Analysis| analysis.mixes.iter().flat_map(blocks).collect(),
};

fn blocks(mix: &Mix) -> Vec<Block> {
    let notes = Block::notes("", sentences(mix));
    let ages = ages(mix);
    let ages = (!ages.rows.is_empty()).then_some(Block::Table(ages));
    let tables = [Some(Block::Table(members(mix))), ages];
    [notes].into_iter().chain(tables.into_iter().flatten()).collect()
}

fn members(mix: &Mix) -> Table {
    Table {
        caption: "Members, in microseconds: what paper says, and what was seen".to_owned(),
        columns: vec![
            Column::words("Member"),
            Column::words("Policy"),
            Column::words("CPUs"),
            Column::numbers("Period"),
            Column::numbers("Due"),
            Column::numbers("Skipped").in_detail(),
            Column::numbers("Missed"),
            Column::numbers("Longest response"),
            Column::numbers("On paper"),
            Column::numbers("Longest cost"),
            Column::numbers("Usual cost").in_detail(),
            Column::numbers("Blocking").in_detail(),
        ],
        rows: mix.members.iter().map(line).collect(),
        ..Table::default()
    }
}

fn line(member: &Member) -> Line {
    let paper = member.on_paper;
    let response = match paper.map(|paper| paper.response_ns) {
        None => Cell::none("it has no fixed priority"),
        Some(None) => Cell::text("beyond").judged(false),
        Some(Some(ns)) => micros(Some(ns), ""),
    };
    let missed = match member.period_ns {
        None => Cell::none("nothing is due"),
        Some(_) => Cell::number(words::grouped(member.missed), "").bad_if(member.missed > 0),
    };
    Line::of(vec![
        Cell::text(&member.name),
        Cell::text(&member.policy),
        Cell::text(&member.cpus),
        micros(member.period_ns, "best effort"),
        Cell::number(words::grouped(member.due), ""),
        Cell::number(words::grouped(member.skipped), ""),
        missed,
        micros(member.longest_ns.map(i64::unsigned_abs), "best effort"),
        response,
        micros(member.cost_max_ns, "best effort"),
        micros(member.cost_ns, "best effort"),
        micros(paper.map(|paper| paper.blocking_ns), "it has no fixed priority"),
    ])
}

fn ages(mix: &Mix) -> Table {
    let all = mix.members.iter();
    let all = all.flat_map(|member| member.ages.iter().map(move |age| (member, age)));
    let line = |(member, age): (&Member, &analysis::mix::Age)| {
        let age_of = |ns: Option<i64>| micros(ns.map(i64::unsigned_abs), "never used");
        Line::of(vec![
            Cell::text(&member.name),
            Cell::text(&age.from),
            Cell::number(words::grouped(age.uses), ""),
            age_of(age.p50_ns),
            age_of(age.max_ns),
            age_of(age.period_ns),
            age_of(age.bound_ns),
            Cell::number(words::grouped(age.beyond), "").bad_if(age.beyond > 0),
        ])
    };
    Table {
        caption: "How old inputs were when they were used, in microseconds".to_owned(),
        columns: vec![
            Column::words("Member"),
            Column::words("Input from"),
            Column::numbers("Uses"),
            Column::numbers("Median age"),
            Column::numbers("Oldest"),
            Column::numbers("Period"),
            Column::numbers("Period and delay"),
            Column::numbers("Beyond"),
        ],
        rows: all.map(line).collect(),
        ..Table::default()
    }
}

fn micros(ns: Option<u64>, why_none: &str) -> Cell {
    ns.map_or_else(
        || Cell::none(why_none),
        |ns| Cell::number(words::micros(ns as f64), format!("{ns} ns")),
    )
}
