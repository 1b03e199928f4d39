//! A mix in sentences.

use super::{Age, Member, Mix};
use crate::words;

/// Who missed deadlines, and how much best-effort work was done.
#[must_use]
pub fn verdict(mix: &Mix) -> String {
    let paced: Vec<&Member> = mix.members.iter().filter(|m| m.period_ns.is_some()).collect();
    let late: Vec<String> = paced
        .iter()
        .filter(|member| !member.met())
        .map(|member| {
            format!(
                "{} missed {} of {}",
                member.name,
                words::grouped(member.missed),
                words::grouped(member.due)
            )
        })
        .collect();
    let seen = match late.as_slice() {
        [] => format!("No deadline missed by {}", words::counted(paced.len(), "rate")),
        late => format!("Deadlines missed: {}", words::listed(late)),
    };
    let rest = mix.members.iter().find_map(|member| member.steps_per_s);
    let rest = rest.map(|steps| format!("; {} best-effort steps a second", words::quantity(steps)));
    format!("{seen}{}.", rest.unwrap_or_default())
}

/// All that there is to say of a mix, in sentences.
#[must_use]
pub fn sentences(mix: &Mix) -> Vec<String> {
    let verdict = [verdict(mix)].into_iter();
    let more = on_paper(mix).into_iter().chain(ages(mix));
    let sentence = |words: String| format!("{words}.");
    verdict.chain(more.map(sentence)).collect()
}

/// What paper says beside what was seen, what contradicts it first.
pub(super) fn on_paper(mix: &Mix) -> Vec<String> {
    let judged = mix.members.iter();
    let judged = judged.filter_map(|member| Some((member, member.holds_on_paper()?)));
    let judged: Vec<(&Member, bool)> = judged.collect();
    let surprising = judged.iter().filter(|(member, holds)| *holds && !member.met());
    let surprises = surprising.map(|(member, _)| {
        let why = match &member.cause {
            Some(cause) => format!("late most by {cause}"),
            None => "the cause is told with --blame".to_owned(),
        };
        format!("{}: on paper yes, seen no; {why}", member.name)
    });
    let alike = [
        (true, true, "on paper yes, seen yes"),
        (false, false, "on paper no, seen no"),
        (false, true, "on paper no, seen yes: the worst case did not come"),
    ];
    let others = alike.iter().filter_map(|(holds, met, words)| {
        let of =
            judged.iter().filter(|(member, on_paper)| on_paper == holds && member.met() == *met);
        let names: Vec<String> = of.map(|(member, _)| member.name.clone()).collect();
        (!names.is_empty()).then(|| format!("{}: {words}", words::listed(&names)))
    });
    surprises.chain(others).collect()
}

/// Every member with each of its sources.
fn links(mix: &Mix) -> impl Iterator<Item = (&Member, &Age)> {
    let all = mix.members.iter();
    all.flat_map(|member| member.ages.iter().map(move |age| (member, age)))
}

/// How old inputs were at most, in one sentence; `None` where there are none.
pub(super) fn inputs(mix: &Mix) -> Option<String> {
    let beyond: Vec<String> = links(mix)
        .filter(|(_, age)| age.beyond > 0)
        .map(|(member, age)| {
            let of = words::grouped(age.uses);
            format!("{} of {of} in {}", words::grouped(age.beyond), member.name)
        })
        .collect();
    if !beyond.is_empty() {
        return Some(format!(
            "older than their source's period and delay: {}",
            words::listed(&beyond)
        ));
    }
    let share = |age: &Age| {
        let [age, period] = [age.max_ns?, age.period_ns?].map(|ns| ns as f64);
        Some(age / period)
    };
    let by_share = |(_, age): &(&Member, &Age)| share(age).unwrap_or(0.0);
    let (member, age) =
        links(mix).max_by(|one, other| by_share(one).total_cmp(&by_share(other)))?;
    Some(format!(
        "none older than its source's period and delay; oldest in {}: {}, of a period of {}",
        member.name,
        time(age.max_ns),
        time(age.period_ns)
    ))
}

/// How old the inputs from each source were.
fn ages(mix: &Mix) -> impl Iterator<Item = String> {
    links(mix).map(|(member, age)| {
        let beyond = match age.beyond {
            0 => String::new(),
            some => format!(", {some} beyond period and delay"),
        };
        format!(
            "{} has those of {} at {} usually, {} at most, of a period of {}{beyond}",
            member.name,
            age.from,
            time(age.p50_ns),
            time(age.max_ns),
            time(age.period_ns)
        )
    })
}

/// A time, or that there is none.
pub(super) fn time(ns: Option<i64>) -> String {
    ns.map_or_else(|| "–".to_owned(), |ns| words::time(ns as f64))
}
