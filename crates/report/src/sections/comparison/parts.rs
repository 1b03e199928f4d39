//! The answer of a comparison, then what stands behind it.

use analysis::Analysis;
use analysis::comparison::{Comparison, NOT_CARRIED, answer as sentences};
use analysis::words;

use super::columns::breakable;
use super::topic::Topic;
use super::{apart, capacity, contrasts, merit, services, setups, tire, wakeups};
use crate::document::{Block, Section, Tone};

const SECTIONS: &[Topic] = &[
    wakeups::SECTION,
    services::MICRO,
    services::INTERRUPTS,
    services::MESSAGES,
    services::LOCKS,
    tire::SECTION,
    services::OTHERS,
];

/// The answer in words, and the worst wake-ups.
pub(crate) fn answer(comparison: &Comparison) -> Section {
    let mut blocks = vec![Block::notes("", answered(comparison))];
    let worst = wakeups::worst(&comparison.systems);
    if !worst.rows.is_empty() {
        blocks.push(Block::Table(worst));
    }
    Section {
        id: "answer".to_owned(),
        title: "The answer".to_owned(),
        tone: Tone::Answer,
        blocks,
        ..Section::default()
    }
}

/// The same where a glance at the answer stands above it.
pub(crate) fn in_full(comparison: &Comparison) -> Section {
    let title = "Every sentence, and the worst wake-ups";
    let blocks = vec![Block::folded(title, answer(comparison).blocks)];
    Section::of("in-full", "The answer in full", "", blocks)
}

/// The answer, and which loads are not in it; lines break between the words of a name only.
fn answered(comparison: &Comparison) -> Vec<String> {
    let mut sentences = sentences(comparison);
    if comparison.is_of_lab() {
        let told = NOT_CARRIED.iter().map(|(load, why)| format!("`{load}` ({why})"));
        let told: Vec<String> = told.collect();
        sentences.push(format!(
            "Loads that the lab cannot carry, and that are in none of these figures: {}.",
            words::listed(&told)
        ));
    }
    let mut names: Vec<&str> = comparison.systems.iter().map(|s| s.name.as_str()).collect();
    // One may begin like another.
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    let whole = |sentence: String, name: &&str| sentence.replace(name, &breakable(name));
    let sentences = sentences.into_iter();
    sentences.map(|sentence| names.iter().fold(sentence, whole)).collect()
}

/// What stands behind the answer.
pub(crate) fn parts(analysis: &Analysis, comparison: &Comparison) -> Vec<Section> {
    let shown = |topic: &Topic| {
        Section::of(topic.id, topic.title, topic.introduction, (topic.blocks)(comparison))
    };
    let own = SECTIONS.iter().map(shown);
    let own = own.filter(|section| !section.blocks.is_empty());
    let contrasts = contrasts::shown(comparison);
    let (before, after) = match comparison.contrasts.is_overview() {
        true => (Vec::new(), contrasts),
        false => (contrasts, Vec::new()),
    };
    before
        .into_iter()
        .chain(own)
        .chain(after)
        .chain(capacity::shown(analysis, comparison))
        .chain(merit::shown(analysis, comparison))
        .chain(comparison.apart.map(apart::shown))
        .chain(setups::shown(comparison))
        .collect()
}
