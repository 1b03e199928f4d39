//! The answer of a comparison, then its evidence.

use analysis::Analysis;
use analysis::comparison::Comparison;

use super::columns::{Topic, breakable};
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

pub(crate) fn answer(comparison: &Comparison, sentences: Vec<String>) -> Vec<Block> {
    let worst = Block::Table(wakeups::worst_under_loads(&comparison.systems)).filled();
    [Block::notes("", sentences)].into_iter().chain(worst).collect()
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
    let topics = SECTIONS.iter().map(shown).filter_map(Section::filled);
    let mut sections = contrasts::shown(comparison);
    let place = if comparison.contrasts.is_overview() { 0 } else { sections.len() };
    sections.splice(place..place, topics);
    sections
        .into_iter()
        .chain(capacity::shown(analysis, comparison))
        .chain(merit::shown(analysis, comparison))
        .chain(comparison.apart.map(apart::shown))
        .chain(setups::shown(comparison))
        .collect()
}
