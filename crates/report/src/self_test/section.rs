//! Results of self-tests: the injected disturbances compared with the measured and blamed ones.

use analysis::finding::{AboutMachine, NOT_INJECTED, TOO_BUSY, certified, unlabelled};
use analysis::lateness::by_cause;
use analysis::survey::System;
use analysis::words::capital;
use record::{Answer, Disturbed, SelfTest};

use crate::document::{Block, Cell, Section, Table, TableOf};

const INTRODUCTION: &str = "A periodic loop is disturbed on purpose, by known lengths that the injector \
                            records itself. Seen: something was late in the event. Blamed right: its main \
                            cause is the one injected. Measured: the time attributed to that cause, of the \
                            time that could be seen; in the median of events at most 10 % off where \
                            measurements on the machine are certified.";
pub(crate) fn shown(systems: &[System]) -> Option<Section> {
    let tested = systems.iter().filter(|s| !s.disturbed.is_empty());
    let caption =
        |system: &System| if systems.len() > 1 { system.name.clone() } else { String::new() };
    let blocks = tested.flat_map(|system| found(&system.disturbed, &caption(system))).collect();
    let title = "Self-test: is lateness seen, and its cause named correctly?";
    Section::of("self-test", title, INTRODUCTION, blocks).filled()
}

/// Returns the result of one self-test, with its verdict last.
pub(crate) fn of_test(test: &SelfTest) -> Section {
    let verdict = match test.answer {
        Answer::TooBusyToTell => TOO_BUSY.to_owned(),
        _ => format!(
            "Measurements on this machine are {}. {}",
            certified(&test.summary()),
            capital(&AboutMachine::CertifiesMeasurements.said().words)
        ),
    };
    let mut blocks = found(&test.disturbances, "");
    blocks.push(Block::notes("Not covered", vec![NOT_INJECTED.to_owned()]));
    blocks.push(Block::notes("Self-test", vec![verdict]));
    Section { blocks, ..Section::default() }
}

fn found(found: &[Disturbed], caption: &str) -> Vec<Block> {
    let (answer, mut reasons) = Answer::derived_from(found);
    match answer {
        Answer::Certified => {
            reasons.push("Every disturbance was seen, measured and blamed correctly.".to_owned());
        }
        Answer::TooBusyToTell => reasons.push(TOO_BUSY.to_owned()),
        Answer::NotCertified | Answer::BrokenClock => {}
    }
    let notes = [
        ("Result", reasons),
        ("Blamed on something else", unlabelled(&by_cause(found, |d| &d.mistaken))),
        ("Late without injection", unlabelled(&by_cause(found, |d| &d.elsewhere))),
    ];
    let mut blocks = vec![Block::Table(table(found, caption))];
    blocks.extend(Block::all_filled(notes.map(|(title, words)| Block::notes(title, words))));
    blocks
}

fn table(found: &[Disturbed], caption: &str) -> Table {
    let number = |of: fn(&Disturbed) -> Cell| {
        move |found: &Disturbed| match (found.not_injected.is_some(), found.cause.is_empty()) {
            (true, _) => Cell::none("could not be injected"),
            (false, true) => Cell::none("nothing was injected"),
            (false, false) => of(found),
        }
    };
    let late = |place: usize| {
        move |found: &Disturbed| match found.not_injected {
            Some(_) => Cell::none("could not be injected"),
            None => Cell::count(found.late_elsewhere()[place]),
        }
    };
    let was_injected = |found: &Disturbed| found.not_injected.is_none() && !found.cause.is_empty();
    let note = format!(
        "Spoilt: something disturbed the injector itself, so that the length is not known; these are not \
         counted. {NOT_INJECTED}"
    );
    TableOf::of(found)
        .text("Disturbance", |found| match &found.not_injected {
            Some(why) => format!("`{}`, not injected: {why}", found.name),
            None => format!("`{}`", found.name),
        })
        .text("Done", |found| &found.what)
        .detail()
        .number("Injected", number(|found| Cell::count(found.injected)))
        .number("Spoilt", number(|found| Cell::count(found.spoilt)))
        .number("Seen", number(|found| Cell::count(found.seen)))
        .judged(move |found| was_injected(found).then_some(found.seen == found.injected))
        .number("Blamed right", number(|found| Cell::count(found.blamed)))
        .judged(move |found| was_injected(found).then_some(found.is_blamed()))
        .number("Injected time", number(|found| Cell::time(found.injected_ns as f64)))
        .number("Measured", number(|found| Cell::time(found.measured_ns as f64)))
        .number("Late without", late(0))
        .number("of the host", late(1))
        .note(note)
        .table(caption.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;
    use crate::fixture::mistaken_self_test as test;
    use crate::render::terminal::terminal;

    #[test]
    fn reasons_are_reported_and_a_host_that_is_too_busy_has_its_own_answer() {
        let told = |test: &SelfTest| terminal(&Document::untitled(vec![of_test(test)]));
        let text = told(&test());
        assert!(text.contains("not certified on") && text.contains("30 of 40"), "{text}");
        let mut hog = test().disturbances.remove(0);
        (hog.injected, hog.spoilt) = (5, 35);
        let text = told(&SelfTest::of("machine".into(), "9", 0, vec![hog]));
        assert!(text.contains("too busy") && !text.contains("is not certified"), "{text}");
    }
}
