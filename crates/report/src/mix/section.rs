//! Mixes: each member with its measured results and its schedulability analysis, and the ages of
//! inputs.

use analysis::Analysis;
use analysis::finding::labelled;
use analysis::mix::{Age, MEASUREMENT, Member, Mix};

use crate::document::{Block, Cell, Table, TableOf};
use crate::sections::measured::Measured;

const NO_PRIORITY: &str = "it has no fixed priority";

pub(crate) const SECTION: Measured = Measured {
    id: "mix",
    title: "Mixes: several models at once, each at its own rate",
    introduction: "Each member has its own schedule; all start at the same time. A response time is \
                   from a due time to its step's end. The analysis gives the longest response time \
                   with fixed priorities (Joseph and Pandya 1986), from the longest measured CPU time \
                   of each step, and the longest start after its due time of the member with the \
                   highest priority as blocking.",
    measurements: &[MEASUREMENT],
    blocks: |analysis: &Analysis| analysis.mixes.iter().flat_map(blocks).collect(),
};

fn blocks(mix: &Mix) -> Vec<Block> {
    let notes = Block::notes("", labelled(&mix.findings()));
    let mut blocks = vec![notes, Block::Table(members(mix))];
    blocks.extend(Block::Table(ages(mix)).filled());
    blocks
}

fn members(mix: &Mix) -> Table {
    let cost = |ns| micros(ns, "best effort");
    TableOf::of(&mix.members)
        .text("Member", |member| &member.name)
        .text("Policy", |member| &member.policy)
        .text("CPUs", |member| &member.cpus)
        .number("Period", move |member| cost(member.period_ns))
        .number("Due", |member| Cell::count(member.due))
        .number("Skipped", |member| Cell::count(member.skipped))
        .detail()
        .number("Missed", |member| match member.period_ns {
            None => Cell::none("nothing is due"),
            Some(_) => Cell::count(member.missed),
        })
        .bad_if(|member| member.missed > 0)
        .number("Longest response", |member| {
            micros(member.longest_ns.map(i64::unsigned_abs), "best effort")
        })
        .number("By analysis", |member| match member.on_paper.map(|paper| paper.response_ns) {
            None => Cell::none(NO_PRIORITY),
            Some(None) => Cell::text("beyond"),
            Some(ns) => micros(ns, ""),
        })
        .bad_if(|member| member.is_schedulable() == Some(false))
        .number("Longest cost", move |member| cost(member.cost_max_ns))
        .number("Median cost", move |member| cost(member.cost_ns))
        .detail()
        .number("Blocking", |member| {
            micros(member.on_paper.map(|paper| paper.blocking_ns), NO_PRIORITY)
        })
        .detail()
        .table("Members, in microseconds: analysed and seen")
}

fn ages(mix: &Mix) -> Table {
    let members = mix.members.iter();
    let rows: Vec<(&Member, &Age)> =
        members.flat_map(|member| member.ages.iter().map(move |age| (member, age))).collect();
    let age = |of: fn(&Age) -> Option<i64>| {
        move |(_, age): &(&Member, &Age)| micros(of(age).map(i64::unsigned_abs), "never used")
    };
    TableOf::of(&rows)
        .text("Member", |(member, _)| &member.name)
        .text("Input from", |(_, age)| &age.from)
        .number("Uses", |(_, age)| Cell::count(age.uses))
        .number("Median age", age(|age| age.p50_ns))
        .number("Oldest", age(|age| age.max_ns))
        .number("Period", age(|age| age.period_ns))
        .number("Period and delay", age(|age| age.bound_ns))
        .number("Beyond", |(_, age)| Cell::count(age.beyond))
        .bad_if(|(_, age)| age.beyond > 0)
        .table("How old inputs were when they were used, in microseconds")
}

fn micros(ns: Option<u64>, why_none: &'static str) -> Cell {
    Cell::or(ns, why_none, |ns| Cell::micros(ns as f64))
}
