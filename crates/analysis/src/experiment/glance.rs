//! An experiment at first glance.

use plan::{KNOWN, Outcome, SHAM};

use super::words::{of_pair, power};
use super::{Experiment, POWER, Trust, briefly, decisive, foremost, in_words};
use crate::answer::{Answer, Line, Remark, SURE, Standing, effort, subject};
use crate::survey::System;
use crate::words;

/// Knobs that have a line of their own.
const MOST_LINES: usize = 7;

/// Which settings matter, by how much, and how far that is to be believed; `None` where anything
/// else was run too.
pub(crate) fn alone(
    told: Option<&Experiment>,
    systems: &[System],
    outcomes: &[&Outcome],
) -> Option<Answer> {
    let told = told.filter(|_| systems.iter().all(|system| system.outcomes.is_empty()))?;
    let (standing, verdict) = verdict(told);
    Some(Answer {
        subject: subject(systems),
        effort: effort(outcomes.iter().copied()),
        standing,
        verdict,
        lines: lines(told),
        remarks: remarks(told),
    })
}

fn verdict(told: &Experiment) -> (Standing, String) {
    let nothing = |why: &str| format!("NOTHING IS CLAIMED: {why}.");
    let left_out = told.left_out.iter().map(|one| one.name.clone());
    let controls_left_out: Vec<String> =
        left_out.filter(|name| [SHAM, KNOWN].contains(&name.as_str())).collect();
    match told.trust {
        Trust::Open if !controls_left_out.is_empty() => (
            Standing::Bad,
            nothing(&format!("{} could not be set", words::listed(&controls_left_out))),
        ),
        Trust::Open => (
            Standing::Open,
            "NOT YET: the experiment ended before it could tell; the same command goes on."
                .to_owned(),
        ),
        Trust::ShamFound => {
            (Standing::Bad, nothing("this experiment finds a knob that does nothing"))
        }
        Trust::KnownMissed => {
            (Standing::Bad, nothing("this experiment does not find a disturbance that is there"))
        }
        Trust::Believed => believed(told),
    }
}

fn believed(told: &Experiment) -> (Standing, String) {
    let helpful: Vec<String> = told.helpful().into_iter().map(str::to_owned).collect();
    let harmful: Vec<String> = told.shown(false).map(|(knob, _)| knob.name.clone()).collect();
    match (helpful.as_slice(), harmful.as_slice()) {
        ([], []) => (
            Standing::Plain,
            "No setting that was tried makes a difference that can be shown.".to_owned(),
        ),
        ([], harmful) => {
            (Standing::Plain, format!("No setting helps; {} shown to harm.", are(harmful)))
        }
        (helpful, _) => match told.to_keep() {
            Err(why) => (Standing::Plain, format!("Keep one, not all: {why}.")),
            Ok(_) => {
                let together = decisive(&told.together);
                let together = together.map(|effect| {
                    let watts = power(&told.together);
                    format!(": together {}{watts}", briefly(effect))
                });
                let together = together.unwrap_or_default();
                (Standing::Good, format!("{} shown to help{together}.", are(helpful)))
            }
        },
    }
}

fn are(names: &[String]) -> String {
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", words::listed(names))
}

/// What was shown first, then what was not.
fn lines(told: &Experiment) -> Vec<Line> {
    let claims = told.trust == Trust::Believed;
    let mut knobs: Vec<_> = told.knobs.iter().collect();
    knobs.sort_by_key(|knob| (decisive(&knob.effects).is_none(), !knob.was_tried_alone));
    let knob = |knob: &&super::KnobTold| Line {
        what: format!("{} {}", knob.name, knob.value),
        figures: vec![in_words(knob)],
    };
    let pairs = told.pairs_shown();
    let pair = |(pair, effect): (&super::PairTold, &super::Effect)| Line {
        what: format!("{} with {}", pair.names[0], pair.names[1]),
        figures: vec![of_pair(pair, effect)],
    };
    let mut lines: Vec<Line> = pairs.map(pair).collect();
    lines.extend(knobs.iter().map(knob));
    lines.truncate(if claims { MOST_LINES } else { 0 });
    lines
}

fn remarks(told: &Experiment) -> Vec<Remark> {
    let left_out: Vec<String> = told.left_out.iter().map(|one| one.name.clone()).collect();
    let left_out = (!left_out.is_empty()).then(|| {
        Remark::new("Left out", format!("{}: could not be set", words::listed(&left_out)))
    });
    let more = told.knobs.len().saturating_sub(MOST_LINES);
    let more = (more > 0).then(|| Remark::new("Others", format!("{more} more in the report")));
    let known = foremost(&told.known).map(|known| {
        let share = words::percent(POWER);
        let sham = foremost(&told.sham).unwrap_or(known);
        let words = format!(
            "a known disturbance was {}, a sham was {}; {share} of such experiments would show {} of {}",
            if told.known.iter().any(|effect| effect.is_shown) { "found" } else { "missed" },
            if told.sham.iter().any(|effect| effect.is_shown) { "found" } else { "not" },
            words::time(sham.without * told.detectable()),
            sham.figure,
        );
        Remark::new(SURE, words)
    });
    [left_out, more, known].into_iter().flatten().collect()
}
