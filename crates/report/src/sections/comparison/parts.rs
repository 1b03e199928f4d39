//! The answer of a comparison, then its evidence.

use analysis::Analysis;
use analysis::comparison::Comparison;

use super::columns::breakable;
use super::topic::Topic;
use super::{apart, capacity, contrasts, merit, services, setups, tire, wakeups};
use crate::document::{Block, Section};

const SECTIONS: &[Topic] = &[
    wakeups::SECTION,
    services::MICRO,
    services::INTERRUPTS,
    services::MESSAGES,
    services::LOCKS,
    tire::SECTION,
    services::OTHERS,
];

/// Returns the sentences and the worst wake-ups.
pub(crate) fn answer(comparison: &Comparison, sentences: Vec<String>) -> Vec<Block> {
    let worst = Some(wakeups::worst(&comparison.systems)).filter(|worst| !worst.rows.is_empty());
    [Block::notes("", sentences)].into_iter().chain(worst.map(Block::Table)).collect()
}

/// Changes the sentences so that system names break only between words.
pub(crate) fn breakable_names(comparison: &Comparison, sentences: Vec<String>) -> Vec<String> {
    let mut names: Vec<&str> = comparison.systems.iter().map(|s| s.name.as_str()).collect();
    // Longest first, because a name may start with another name.
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    let whole = |sentence: String, name: &&str| sentence.replace(name, &breakable(name));
    let sentences = sentences.into_iter();
    sentences.map(|sentence| names.iter().fold(sentence, whole)).collect()
}

pub(crate) fn parts(analysis: &Analysis, comparison: &Comparison) -> Vec<Section> {
    let shown = |topic: &Topic| {
        Section::of(topic.id, topic.title, topic.introduction, (topic.blocks)(comparison))
    };
    let own = SECTIONS.iter().map(shown);
    let own = own.filter(|section| !section.blocks.is_empty());
    let contrasts = contrasts::shown(comparison);
    let (before, after) = if comparison.contrasts.is_overview() {
        (Vec::new(), contrasts)
    } else {
        (contrasts, Vec::new())
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
