//! The answer first: which system is faster, which is steadier, by how much, how sure.

use super::figures::Quality;
use super::row::{Compared, Finding, Row};
use stats::Order;

use super::pairs::{Basis, Contrasts, FALSE_DISCOVERIES, Pair};
use crate::comparison::{Comparison, words_on_published, worst_cases};
use crate::survey::System;
use crate::words;

/// What systems side by side say, in sentences.
pub fn answer(comparison: &Comparison) -> Vec<String> {
    let (systems, contrasts) = (&*comparison.systems, &comparison.contrasts);
    let mut sentences: Vec<String> = Vec::new();
    if comparison.is_of_lab() {
        sentences.extend(worst_cases::sentences(systems));
    }
    if let Some(varied) = &comparison.varied {
        sentences.push(varied.in_words(systems));
        sentences.extend(
            [&FASTER, &STEADIER].map(|words| best(contrasts, systems, words)).into_iter().flatten(),
        );
    }
    for pair in &contrasts.pairs {
        sentences.extend(of_pair(pair, contrasts.basis));
    }
    if contrasts.comparisons > 0 {
        sentences.push(how_sure(contrasts));
        sentences.extend(apart_in_time(contrasts));
    }
    sentences.extend(how_exact(contrasts));
    sentences.extend(words_on_published(comparison));
    sentences.extend(invalid(systems));
    sentences
}

fn of_pair(pair: &Pair, basis: Basis) -> Vec<String> {
    let names @ [reference, other] = pair.names.each_ref().map(String::as_str);
    if let Some(why) = pair.refused {
        return vec![format!("{other} is not compared with {reference}: {why}")];
    }
    let mut sentences = vec![extent(pair, names)];
    if pair.rows.is_empty() {
        return sentences;
    }
    sentences.push(quality(pair, names, &FASTER));
    sentences.push(quality(pair, names, &STEADIER));
    sentences.extend(by_measurement(pair, names));
    sentences.extend(worst_case(pair, names));
    sentences.extend(single(pair, basis));
    sentences
}

/// What was compared, and how much of it shows nothing.
pub(super) fn extent(pair: &Pair, [reference, other]: [&str; 2]) -> String {
    let across: Vec<String> = pair
        .across
        .iter()
        .map(|across| {
            let [one, two] = &across.values;
            format!("{} ({one} against {two})", across.field)
        })
        .collect();
    let across = match across.is_empty() {
        true => String::new(),
        false => format!(" but for their {}", words::listed(&across)),
    };
    let alone = [reference, other].into_iter().zip(&pair.unmatched);
    let alone = alone.filter(|(_, titles)| !titles.is_empty());
    let alone: Vec<String> = alone
        .map(|(name, titles)| format!("{} on {name} alone", words::counted(titles.len(), "row")))
        .collect();
    let alone = match alone.is_empty() {
        true => String::new(),
        false => format!("; {} left out", words::listed(&alone)),
    };
    let matched = words::counted(pair.rows.len(), "row");
    let told = match pair.rows.len() {
        0 => format!(" {}", to_match(&pair.could_match)),
        all => match pair.without_difference() {
            [0, 0] if all == 1 => " A difference is shown.".to_owned(),
            [0, 0] => format!(" A difference is shown in all {all}."),
            [none, 0] => format!(" No difference shown in {none} of {all}."),
            [0, not] => format!(" Not decided in {not} of {all}."),
            [none, not] => {
                format!(" No difference shown in {none} of {all}, not decided in {not}.")
            }
        },
    };
    format!(
        "{other} against {reference}: {matched} with equal specifications{across}{alone}.{told}"
    )
}

/// How rows of other specifications are compared.
fn to_match(fields: &[String]) -> String {
    match fields {
        [] => "`--across FIELD` compares rows that differ in a FIELD, such as policy or load."
            .to_owned(),
        fields => format!(
            "They differ in {}: `--across {}` compares them.",
            words::listed(fields),
            fields.join(",")
        ),
    }
}

/// How a quality is spoken of.
pub(super) struct Words {
    quality: Quality,
    head: &'static str,
    most: &'static str,
    worse: &'static str,
    better: &'static str,
}

pub(super) const FASTER: Words = Words {
    quality: Quality::Speed,
    head: "Faster",
    most: "Fastest",
    worse: "takes longer",
    better: "takes less time",
};
pub(super) const STEADIER: Words = Words {
    quality: Quality::Steadiness,
    head: "Steadier",
    most: "Steadiest",
    worse: "is late more often",
    better: "less often",
};

/// Which of several variants none is shown to be better than, where each was compared with
/// each; of two their pair says it.
pub(super) fn best(contrasts: &Contrasts, systems: &[System], of: &Words) -> Option<String> {
    let [all, pairs] = [systems.len(), contrasts.pairs.len()];
    let head = format!("{} of {all}", of.most);
    if all < 3 {
        return None;
    }
    if pairs < all * (all - 1) / 2 {
        let first = &systems[0].name;
        return Some(format!(
            "{head}: not told, since so many are compared with {first} alone and not each with each."
        ));
    }
    let is_beaten = |place: usize| {
        let meets = |pair: &&Pair| [pair.reference, pair.other].contains(&place);
        let mut winners = contrasts.pairs.iter().filter(meets);
        winners.any(|pair| pair.better(of.quality).is_some_and(|best| best != place))
    };
    let unbeaten = (0..all).filter(|place| !is_beaten(*place));
    let names: Vec<String> = unbeaten.map(|place| systems[place].name.clone()).collect();
    Some(match names.as_slice() {
        [] => format!("{head}: none; each is shown to be worse than another."),
        [name] => format!("{head}: {name}; every other is shown to be worse than another."),
        names if names.len() == all => {
            format!("{head}: not decided; none is shown to be worse than another.")
        }
        names => format!(
            "{head}: not decided between {}; every other is shown to be worse than another.",
            words::listed(names)
        ),
    })
}

/// Which of the two is better, in how many rows and by how much.
pub(super) fn quality(pair: &Pair, [reference, other]: [&str; 2], words: &Words) -> String {
    let shown = pair.rows.iter().filter_map(|row| row.shown(words.quality));
    let (worse, better): (Vec<&Compared>, Vec<&Compared>) = shown.partition(|one| one.is_worse());
    let all = pair.rows.len();
    let head = words.head;
    let count = |finding| {
        let found = pair.rows.iter().map(|row| row.finding(words.quality));
        found.filter(|found| *found == finding).count()
    };
    let (none, not) = (count(Finding::NoDifference), count(Finding::NotDecided));
    if not == all {
        let why = undecided(pair);
        return format!("{head}: not decided between {other} and {reference}: {why}.");
    }
    let not = match not {
        0 => String::new(),
        not => format!(", not decided in {not}"),
    };
    if worse.is_empty() && better.is_empty() {
        return format!(
            "{head}: no difference shown between {other} and {reference} in {none} of {all} \
             rows{not}."
        );
    }
    let winner = match pair.better(words.quality) {
        Some(place) if place == pair.other => other.to_owned(),
        Some(_) => reference.to_owned(),
        None => format!("neither {reference} nor {other} in more rows"),
    };
    let told = |found: &[&Compared], what: &str| match found {
        [] => format!("{what} in none"),
        found => format!("{what} in {} ({})", found.len(), times(found)),
    };
    format!(
        "{head}: {winner}. {other} {}, {}; no difference shown in {none} of {all} rows{not}.",
        told(&worse, words.worse),
        told(&better, words.better),
    )
}

/// Why nothing could be said of a quality, and what would mend it.
fn undecided(pair: &Pair) -> &'static str {
    match pair.rows.iter().all(Row::is_single) {
        true => {
            "one run on a side tells nothing of how far runs differ, so it can never decide; \
             `--repeat 3` can"
        }
        false => {
            "no figure of it was compared run by run; what is late takes several runs of 1000 \
             samples on each side"
        }
    }
}

/// By how much, and of which figures: `mean 1.2 to 3.1 times`.
fn times(found: &[&Compared]) -> String {
    let mut figures: Vec<String> = Vec::new();
    for figure in found.iter().map(|one| one.figure.in_words.to_owned()) {
        if !figures.contains(&figure) {
            figures.push(figure);
        }
    }
    format!("{} {}", words::listed(&figures), how_many(found))
}

/// `1.2 to 3.1 times`.
fn how_many(found: &[&Compared]) -> String {
    let ratios = || found.iter().filter_map(|one| one.ratio());
    let least = ratios().fold(f64::INFINITY, f64::min);
    let most = ratios().fold(0.0, f64::max);
    let [least, most] = [least, most].map(words::quantity);
    match least == most {
        true => format!("{least} times"),
        false => format!("{least} to {most} times"),
    }
}

/// In which measurements differences lie, and on whose side.
fn by_measurement(pair: &Pair, [_, other]: [&str; 2]) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    for row in pair.rows.iter().filter(|row| row.differs()) {
        if !names.contains(&row.measurement.as_str()) {
            names.push(&row.measurement);
        }
    }
    let told = |name: &&str| {
        let rows: Vec<&Row> = pair.rows.iter().filter(|row| row.measurement == **name).collect();
        let differing = |is_worse: bool| {
            let any = |row: &&&Row| {
                let mut shown = row.compared.iter().filter(|one| one.is_shown);
                shown.any(|one| one.is_worse() == is_worse)
            };
            rows.iter().filter(any).count()
        };
        let (worse, better) = (differing(true), differing(false));
        let sides = [("worse", worse), ("better", better)];
        let sides = sides.iter().filter(|(_, count)| *count > 0);
        let sides: Vec<String> = sides.map(|(word, count)| format!("{word} in {count}")).collect();
        let of = words::counted(rows.len(), "row");
        format!("`{name}` {} of {of}", words::listed(&sides))
    };
    let told: Vec<String> = names.iter().map(told).collect();
    (!told.is_empty()).then(|| format!("Where {other} differs: {}.", told.join("; ")))
}

/// The longest wake-up of each, and why it decides nothing.
fn worst_case(pair: &Pair, names: [&str; 2]) -> Option<String> {
    let wakeups = || pair.rows.iter().filter(|row| row.measurement == "wakeup");
    let worst = |side: usize| wakeups().filter_map(|row| row.worst[side]).max();
    let [one, other] = [worst(0)?, worst(1)?];
    let told = [one, other]
        .into_iter()
        .zip(names)
        .map(|((ns, _), name)| format!("{name} {}", words::time(ns as f64)));
    let told: Vec<String> = told.collect();
    Some(format!(
        "The longest wake-up seen: {}. A maximum is one moment and grows with the time \
         measured; no test compares two of them. What is compared is how often a high \
         threshold is passed, the same on both sides.",
        words::listed(&told)
    ))
}

/// Rows that cannot tell themselves how far runs differ.
fn single(pair: &Pair, basis: Basis) -> Option<String> {
    let single = pair.rows.iter().filter(|row| row.is_single()).count();
    let known = match basis {
        Basis::Runs => "from the rows that have several, which makes the claim weaker",
        Basis::Exact => return None,
        Basis::Parts => {
            "from how far the parts of a run differ from each other and how far rows usually \
             differ between the two, since no row has several: a weak claim, which tells the rows \
             that stand out, not a difference that all rows share, and nothing of p99 and of what \
             is late"
        }
    };
    (single > 0).then(|| {
        format!(
            "In {} a side has one run. How far runs differ was taken {known}. `--repeat 3` \
             makes the claim their own.",
            words::counted(single, "row")
        )
    })
}

/// What the words rest on.
fn how_sure(contrasts: &Contrasts) -> String {
    format!(
        "How sure: runs are the unit, {} were made, and of the differences shown at most {} are \
         expected to be chance (Benjamini and Hochberg). A ratio up to {} from 1 counts as none. \
         \u{201c}No difference shown\u{201d} is not \u{201c}equal\u{201d}: the intervals tell how large one may be.",
        words::counted(contrasts.comparisons, "comparison"),
        words::percent(FALSE_DISCOVERIES),
        contrasts.margin,
    )
}

/// What is told where nothing needs a test.
pub(super) fn how_exact(contrasts: &Contrasts) -> Option<String> {
    let exact = contrasts.exact();
    (exact > 0).then(|| {
        format!(
            "Exact: equal runs of the lab are equal to the nanosecond, so {} were compared as they              are, and none by a test. A ratio up to {} from 1 counts as none. This holds of these              setups with these lists of runs; another list meets other moments.",
            words::counted(exact, "figure"),
            contrasts.margin,
        )
    })
}

/// What was measured at another time met another machine.
fn apart_in_time(contrasts: &Contrasts) -> Option<String> {
    let pairs = contrasts.pairs.iter();
    let apart = pairs.filter(|pair| pair.order == Order::Apart && !pair.is_exact());
    let apart: Vec<String> = apart
        .map(|Pair { names: [reference, other], .. }| format!("{other} and {reference}"))
        .collect();
    (!apart.is_empty()).then(|| {
        format!(
            "Not made in turns: the runs of {}. What else changed between such times looks like \
             a difference between the two; so times are taken to differ as far as runs do, which \
             makes every interval wider. A campaign that makes both in turns is without this doubt.",
            apart.join("; "),
        )
    })
}

/// How many runs are not used.
fn invalid(systems: &[System]) -> Option<String> {
    let runs: usize = systems.iter().map(|system| system.outcomes.len()).sum();
    let valid: usize = systems.iter().map(|system| system.valid().count()).sum();
    let invalid = runs - valid;
    (invalid > 0).then(|| {
        format!(
            "{} of {} INVALID and not used.",
            words::grouped(invalid as u64),
            words::counted(runs, "run") + if invalid == 1 { " is" } else { " are" },
        )
    })
}
