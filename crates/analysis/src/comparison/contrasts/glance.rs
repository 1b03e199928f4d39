//! A comparison at first glance.

use super::answer::{FASTER, STEADIER, best, extent, how_exact, quality};
use super::pairs::Pair;
use crate::answer::{Answer, Line, Remark, effort};
use crate::comparison::{
    Comparison, head, loads_of, words_on_published, worst_by_default, worst_cases, worst_under,
};
use crate::survey::System;
use crate::words;

/// What was compared and which is faster and steadier, with the worst wake-up of each.
#[must_use]
pub fn glance(comparison: &Comparison) -> Answer {
    let (systems, contrasts) = (&*comparison.systems, &comparison.contrasts);
    let names: Vec<String> = systems.iter().map(|system| system.name.clone()).collect();
    let steadiest = match comparison.is_of_lab() {
        true => worst_cases::steadiest_of(systems),
        false => None,
    };
    let steadiest = steadiest.or_else(|| best(contrasts, systems, &STEADIER));
    let pairs = contrasts.pairs.iter();
    let told: Vec<(String, Vec<Remark>)> = pairs.map(|pair| of_pair(pair, systems)).collect();
    let (extents, qualities): (Vec<String>, Vec<Vec<Remark>>) = told.into_iter().unzip();
    let is_single = extents.len() < 2;
    let verdict = steadiest
        .filter(|_| !is_single)
        .or_else(|| extents.first().cloned())
        .or_else(|| words_on_published(comparison));
    let sure = match (contrasts.comparisons, how_exact(contrasts)) {
        (_, Some(_)) => Some("exact: equal runs of the lab are equal to the nanosecond".to_owned()),
        (0, None) => None,
        (count, None) => Some(format!(
            "{}, runs as the unit; no difference shown is not equality",
            words::counted(count, "comparison")
        )),
    };
    Answer {
        subject: words::listed(&names),
        effort: effort(comparison.outcomes()),
        verdict: verdict.unwrap_or_else(|| "There is nothing to compare.".to_owned()),
        lines: wakeups(systems),
        remarks: qualities
            .into_iter()
            .flatten()
            .chain(sure.map(|sure| Remark::new("Sure?", sure)))
            .collect(),
        ..Answer::default()
    }
}

/// What a pair has in common, and which of it is faster and steadier.
fn of_pair(pair: &Pair, systems: &[System]) -> (String, Vec<Remark>) {
    let names = [pair.reference, pair.other].map(|place| systems[place].name.as_str());
    if let Some(why) = pair.refused {
        return (format!("{} is not compared with {}: {why}", names[1], names[0]), Vec::new());
    }
    let qualities = [("Faster", &FASTER), ("Steadier", &STEADIER)];
    let told = qualities.map(|(name, of)| {
        let sentence = quality(pair, names, of);
        let words = sentence.split_once(": ").map_or(&*sentence, |(_, words)| words);
        Remark::new(name, words)
    });
    let told = if pair.rows.is_empty() { Vec::new() } else { told.into() };
    (extent(pair, names), told)
}

/// The worst wake-up of each system under each load.
fn wakeups(systems: &[System]) -> Vec<Line> {
    let loads = loads_of(systems);
    let line = |system: &System| {
        let worst = |load: &String| {
            let real_time = worst_under(system, load);
            // A system that was never asked for real time is told beside the others all the same.
            let (ns, policy) = match real_time {
                Some(ns) => (ns, ""),
                None => (worst_by_default(system, load)?, " (other)"),
            };
            Some(format!("{} {}{policy}", head(load), words::time(ns)))
        };
        let figures: Vec<String> = loads.iter().filter_map(worst).collect();
        (!figures.is_empty())
            .then(|| Line { what: format!("worst wake-up, {}", system.name), figures })
    };
    systems.iter().filter_map(line).collect()
}
