//! Mixes at first glance.

use plan::Outcome;

use super::words::{inputs, on_paper, time, verdict};
use super::{MEASUREMENT, Member, Mix};
use crate::answer::{Answer, Line, Remark, SURE, Standing, effort, subject};
use crate::survey::System;
use crate::words;

/// Members that are told by their figures.
const MOST: usize = 6;

/// The answer where all runs are mixes: that of the valid one which missed most, and of the last of
/// those.
pub(crate) fn alone(systems: &[System], outcomes: &[&Outcome], mixes: &[Mix]) -> Option<Answer> {
    let is_mix = |run: &&Outcome| run.header.spec.measurement == MEASUREMENT;
    let valid: Vec<&Mix> = mixes.iter().filter(|mix| mix.valid).collect();
    let mix = *valid.iter().max_by_key(|mix| mix.missed())?;
    if !outcomes.iter().all(is_mix) {
        return None;
    }
    let standing = match mix.missed() {
        0 => Standing::Good,
        _ => Standing::Bad,
    };
    let only = (valid.len() > 1).then(|| {
        let all = words::counted(valid.len(), "run");
        let told = format!("the one of {all} that missed most; the report has all");
        Remark::new("Only", told)
    });
    let paper = on_paper(mix).join("; ");
    let paper = (!paper.is_empty()).then(|| Remark::new("On paper", paper));
    let inputs = inputs(mix).map(|words| Remark::new("Inputs", words));
    let rest = "one run tells what was seen, and a bound from measured costs is no proof";
    let remarks = [only, paper, inputs, Some(Remark::new(SURE, rest))];
    Some(Answer {
        subject: subject(systems),
        effort: effort(outcomes.iter().copied()),
        standing,
        verdict: verdict(mix),
        lines: mix.members.iter().take(MOST).map(line).collect(),
        remarks: remarks.into_iter().flatten().collect(),
    })
}

fn line(member: &Member) -> Line {
    let figures = match member.period_ns {
        Some(_) => vec![
            format!("median {}", time(member.median_ns)),
            format!("longest {}", time(member.longest_ns)),
            format!("missed {} of {}", words::grouped(member.missed), words::grouped(member.due)),
        ],
        None => {
            let steps = member.steps_per_s.map_or("–".to_owned(), words::quantity);
            let share = member.cpu_share.map(|share| format!("CPU {}", words::percent(share)));
            [Some(format!("{steps} steps a second")), share].into_iter().flatten().collect()
        }
    };
    Line { what: member.name.clone(), figures }
}
