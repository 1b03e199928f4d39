//! What self-tests found: what was injected against what was measured and blamed.

use crate::document::{Block, Cell, Column, Line, Section, Table};
use plan::{Answer, Disturbed, SelfTest};

use crate::sections::metrics;
use analysis::self_test::{NOT_COVERED, TOO_BUSY, by_cause, certified};
use analysis::survey::System;
use analysis::words;

const INTRODUCTION: &str = "A periodic loop is disturbed on purpose, by known lengths that the \
                            injector writes down itself. Seen: something was late in the event. \
                            Blamed right: its main cause is the one injected. Measured: what that \
                            cause was given of the time that could be seen, in the median of \
                            events at most 10 % off where measurements on the machine are certified.";
const NUMBERS: [&str; 8] = [
    "Injected",
    "Spoilt",
    "Seen",
    "Blamed right",
    "Injected time",
    "Measured",
    "Late without",
    "of the host",
];

/// The section, where self-tests are among the runs.
pub(super) fn shown(systems: &[System]) -> Option<Section> {
    let tested = systems.iter().filter(|s| !s.disturbed.is_empty());
    let blocks: Vec<Block> =
        tested.flat_map(|system| of_machine(system, systems.len() > 1)).collect();
    (!blocks.is_empty()).then(|| {
        Section::of(
            "self-test",
            "Self-test: is what was measured seen and named right?",
            INTRODUCTION,
            blocks,
        )
    })
}

fn of_machine(system: &System, is_one_of_several: bool) -> Vec<Block> {
    let caption = if is_one_of_several { &system.name } else { "" };
    found(&system.disturbed, caption)
}

/// What one self-test found, and its verdict last.
pub(crate) fn of_test(test: &SelfTest) -> Section {
    let verdict = match test.answer {
        Answer::TooBusyToTell => TOO_BUSY.to_owned(),
        _ => format!(
            "What is measured on this machine is {}. It says nothing of how fit the machine is for \
             real-time work.",
            certified(&test.told())
        ),
    };
    let mut blocks = found(&test.disturbances, "");
    blocks.push(Block::notes("Not covered", vec![NOT_COVERED.to_owned()]));
    blocks.push(Block::notes("Self-test", vec![verdict]));
    Section { blocks, ..Section::default() }
}

/// The table of disturbances, then words.
fn found(found: &[Disturbed], caption: &str) -> Vec<Block> {
    let done = Column::words("What was done").in_detail();
    let mut columns = vec![Column::words("Disturbance"), done];
    columns.extend(NUMBERS.map(Column::numbers));
    let table = Table {
        caption: caption.to_owned(),
        columns,
        rows: found.iter().map(line).collect(),
        note: format!(
            "Spoilt: something disturbed the injector itself, so that the length is not known; \
             these are left out. {NOT_COVERED}"
        ),
        folded: false,
    };
    let (answer, mut reasons) = Answer::to(found);
    match answer {
        Answer::Certified => {
            let all = "Every disturbance was seen, measured and blamed as it must be.";
            reasons.push(all.to_owned());
        }
        Answer::TooBusyToTell => reasons.push(TOO_BUSY.to_owned()),
        Answer::NotCertified => {}
    }
    let notes = [
        ("What came of it", reasons),
        ("Blamed on something else", by_cause(found, |d| &d.mistaken)),
        ("Late without injection", by_cause(found, |d| &d.elsewhere)),
    ];
    let told = notes.into_iter().filter(|(_, all)| !all.is_empty());
    let notes = told.map(|(title, sentences)| Block::Notes { title: title.to_owned(), sentences });
    std::iter::once(Block::Table(table)).chain(notes).collect()
}

fn line(found: &Disturbed) -> Line {
    let mut cells = vec![Cell::text(format!("`{}`", found.name)), Cell::text(&found.what)];
    if let Some(why) = &found.not_injected {
        cells.push(Cell {
            text: format!("not injected: {why}"),
            class: "unavailable",
            more_columns: NUMBERS.len() - 1,
            ..Cell::default()
        });
        return Line::of(cells);
    }
    let time = |ns: i64| Cell::number(words::time(ns as f64), format!("{ns} ns"));
    let all = |count: u64, of: u64| metrics::count(count).judged(count == of);
    if found.cause.is_empty() {
        let nothing = || Cell::none("nothing was injected");
        cells.extend((0..NUMBERS.len() - 2).map(|_| nothing()));
    } else {
        cells.extend([
            metrics::count(found.injected),
            metrics::count(found.spoilt),
            all(found.seen, found.injected),
            metrics::count(found.blamed).judged(found.is_blamed()),
            time(found.injected_ns),
            time(found.measured_ns),
        ]);
    }
    cells.extend(found.late_elsewhere().map(metrics::count));
    Line::of(cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;
    use crate::fixture::mistaken_self_test as test;
    use crate::render::terminal::terminal;

    fn told(test: &SelfTest) -> String {
        let sections = vec![of_test(test)];
        terminal(&Document::untitled(sections))
    }

    #[test]
    fn reasons_are_told() {
        let text = told(&test());
        assert!(text.contains("not certified on") && text.contains("30 of 40"), "{text}");
    }

    #[test]
    fn a_host_that_is_too_busy_has_its_own_answer() {
        let mut hog = test().disturbances.remove(0);
        (hog.injected, hog.spoilt) = (5, 35);
        let text = told(&SelfTest::of("machine".into(), "9", 0, vec![hog]));
        assert!(text.contains("too busy to tell"), "{text}");
        assert!(!text.contains("is not certified"), "{text}");
    }
}
