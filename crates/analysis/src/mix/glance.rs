//! Mixes at first glance.

use plan::Outcome;

use super::{MEASUREMENT, Member, Mix};
use crate::answer::{Answer, Line, Remark, SURE, Standing, effort, subject};
use crate::survey::System;
use crate::words;

/// Members that are told by their figures.
const MOST: usize = 6;

/// The answer where all runs are mixes: that of the last valid one.
pub(crate) fn alone(systems: &[System], outcomes: &[&Outcome], mixes: &[Mix]) -> Option<Answer> {
    let is_mix = |run: &&Outcome| run.header.spec.measurement == MEASUREMENT;
    let mix = mixes.iter().rfind(|mix| mix.valid)?;
    if !outcomes.iter().all(is_mix) {
        return None;
    }
    let paced = || {
        mix.members
            .iter()
            .filter(|member| member.period_ns.is_some())
    };
    let standing = match paced().all(Member::met) {
        true => Standing::Good,
        false => Standing::Bad,
    };
    let mut remarks: Vec<Remark> = on_paper(mix)
        .into_iter()
        .map(|words| Remark::new("On paper", words))
        .collect();
    remarks.extend(ages(mix).map(|words| Remark::new("Inputs", words)));
    let rest = "one run tells what was seen, and a bound from measured costs is no proof";
    remarks.push(Remark::new(SURE, rest));
    Some(Answer {
        subject: subject(systems),
        effort: effort(outcomes.iter().copied()),
        standing,
        verdict: verdict(mix),
        lines: mix.members.iter().take(MOST).map(line).collect(),
        remarks,
    })
}

/// Who missed deadlines, and how much best-effort work was done.
#[must_use]
pub fn verdict(mix: &Mix) -> String {
    let paced: Vec<&Member> = mix
        .members
        .iter()
        .filter(|m| m.period_ns.is_some())
        .collect();
    let late: Vec<String> = paced
        .iter()
        .filter(|member| !member.met())
        .map(|member| format!("{} missed {} of {}", member.name, member.missed, member.due))
        .collect();
    let seen = match late.as_slice() {
        [] => format!(
            "No deadline missed by {}",
            words::counted(paced.len(), "rate")
        ),
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
    let sentence = |words: String| format!("{}.", words::capital(&words));
    verdict.chain(more.map(sentence)).collect()
}

/// What paper says, beside what was seen.
fn on_paper(mix: &Mix) -> Vec<String> {
    let judged = mix.members.iter();
    let judged = judged.filter_map(|member| Some((member, member.holds_on_paper()?)));
    let judged: Vec<(&Member, bool)> = judged.collect();
    let names = |holds: bool, met: bool| -> Vec<String> {
        let of = judged
            .iter()
            .filter(|(member, on_paper)| *on_paper == holds && member.met() == met);
        of.map(|(member, _)| member.name.clone()).collect()
    };
    let mut told = Vec::new();
    let mut tell = |names: Vec<String>, words: &str| {
        if !names.is_empty() {
            told.push(format!("{}: {words}", words::listed(&names)));
        }
    };
    tell(names(true, true), "on paper yes, seen yes");
    tell(names(false, false), "on paper no, seen no");
    tell(
        names(false, true),
        "on paper no, seen yes: the worst case did not come",
    );
    let against = judged
        .iter()
        .filter(|(member, holds)| *holds && !member.met());
    for (member, _) in against {
        let why = match &member.cause {
            Some(cause) => format!("late most by {cause}"),
            None => "the cause is told with --blame".to_owned(),
        };
        tell(
            vec![member.name.clone()],
            &format!("on paper yes, seen no; {why}"),
        );
    }
    told
}

/// How old inputs were.
fn ages(mix: &Mix) -> impl Iterator<Item = String> {
    let all = mix.members.iter();
    let all = all.flat_map(|member| member.ages.iter().map(move |age| (member, age)));
    all.map(|(member, age)| {
        let time = |ns: Option<i64>| ns.map_or("–".to_owned(), |ns| words::time(ns as f64));
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
    .collect::<Vec<_>>()
    .into_iter()
}

fn line(member: &Member) -> Line {
    let figures = match member.period_ns {
        Some(_) => vec![
            format!("median {}", time(member.median_ns)),
            format!("longest {}", time(member.longest_ns)),
            format!("missed {} of {}", member.missed, member.due),
        ],
        None => {
            let steps = member.steps_per_s.map_or("–".to_owned(), words::quantity);
            let share = member
                .cpu_share
                .map(|share| format!("CPU {}", words::percent(share)));
            [Some(format!("{steps} steps a second")), share]
                .into_iter()
                .flatten()
                .collect()
        }
    };
    Line {
        what: member.name.clone(),
        figures,
    }
}

fn time(ns: Option<i64>) -> String {
    ns.map_or_else(|| "–".to_owned(), |ns| words::time(ns as f64))
}
