//! What used the CPU while something was late: a bar for each of the worst cases, compared with the
//! time allowed.

use std::collections::BTreeMap;

use blame::{CauseKind, HeldCpu, LateTold};

use super::Figure;
use crate::document::{Axis, COLOURS, Guide, Kind, Look, Mark, Panel, Series, Unit};
use analysis::words;

const ROW: usize = 34;
const THICK: f64 = 0.55;
const OWN: &str = "#DDE2E7";
const OTHER: &str = "#7A8591";

pub(crate) fn blamed(name: &str, what: &str, limit_ns: i64, worst: &[LateTold]) -> Option<Figure> {
    let drawn: Vec<&LateTold> = worst.iter().filter(|l| !l.segments.is_empty()).collect();
    let kinds = kinds(&drawn);
    if kinds.is_empty() {
        return None;
    }
    let label =
        |late: &&LateTold| format!("{}, {}", late.thread, words::grouped(late.index as u64));
    let allowed = limit_ns as f64;
    let ends = drawn.iter().flat_map(|late| &late.segments);
    let longest = ends.map(|held| held.to_ns as f64).fold(allowed, f64::max);
    let limit = [[allowed, drawn.len() as f64], [allowed, -0.5]];
    let late = format!("late from here on ({})", words::time(allowed));
    let x = Axis::linear("time after it was due", Unit::Time, [0.0, longest * 1.03]);
    let y = Axis::rows(drawn.iter().map(label).collect());
    let panel = Panel::new(x, y, kinds.iter().map(|kind| bars(kind, &kinds, &drawn)))
        .guides([Guide::dashed(limit, "").named(&late)]);
    let caption = format!(
        "{what}: who had the CPU from the due time until it was done, in the worst cases, each \
         with its thread and the number of its period."
    );
    Some(Figure::new(name, caption, drawn.len() * ROW, panel))
}

/// The name of a kind of stretch in the legend, and its look.
type Stretch = (String, Look);

const OTHERS: &str = "others, each shorter than these";

/// Returns the kinds of stretches that take the most time in these cases; the rest share one kind.
fn kinds(drawn: &[&LateTold]) -> Vec<Stretch> {
    let mut times: BTreeMap<(bool, String), i64> = BTreeMap::new();
    for held in drawn.iter().flat_map(|late| &late.segments) {
        let is_own = held.kind == CauseKind::OwnWork;
        *times.entry((is_own, name(held))).or_insert(0) += held.to_ns - held.from_ns;
    }
    let mut longest: Vec<((bool, String), i64)> = times.into_iter().collect();
    longest.sort_by_key(|(_, time)| -time);
    let (own_work, longest): (Vec<_>, Vec<_>) =
        longest.into_iter().partition(|((own_work, _), _)| *own_work);
    let others = (longest.len() > COLOURS.len()).then(|| (OTHERS.to_owned(), Look::plain(OTHER)));
    let looks = (0..COLOURS.len()).map(Look::bars);
    let named = longest.into_iter().zip(looks).map(|(((_, name), _), look)| (name, look));
    let own_work = own_work.into_iter().map(|((_, name), _)| (name, Look::plain(OWN)));
    named.chain(others).chain(own_work).collect()
}

/// Returns the name of a stretch: tasks and interrupts by name.
fn name(held: &HeldCpu) -> String {
    match held.kind {
        CauseKind::Unknown => held.kind.name().to_owned(),
        _ => held.words.replace('`', ""),
    }
}

fn bars((kind, look): &Stretch, kinds: &[Stretch], drawn: &[&LateTold]) -> Series {
    let mut marks = Vec::new();
    for (row, late) in drawn.iter().enumerate() {
        for held in &late.segments {
            let name = name(held);
            let shown = kinds.iter().find(|(known, _)| *known == name);
            if shown.map_or(OTHERS, |(known, _)| known) == kind {
                let hover = format!("{name}: {}", words::time((held.to_ns - held.from_ns) as f64));
                let [from, to] = [held.from_ns, held.to_ns].map(|time| time as f64);
                marks.push(Mark::span(from, to, row as f64).hover(hover));
            }
        }
    }
    Series::new(kind, Kind::Spans(THICK), *look, marks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_kinds_have_a_look_each_and_the_rest_share_one() {
        let held = |to_ns, kind, words| HeldCpu { from_ns: 0, to_ns, kind, words };
        let by_task = |task: i64| held(100 - task, CauseKind::Task, format!("task `{task}`"));
        let mut segments: Vec<HeldCpu> = (0..12).map(by_task).collect();
        segments.push(held(5, CauseKind::OwnWork, "the thread itself".to_owned()));
        let (thread, shares) = ("CPU 1".to_owned(), Vec::new());
        let late = LateTold { thread, index: 0, due_ns: 0, took_ns: 100, shares, segments };
        let kinds = kinds(&[&late]);
        let names: Vec<&str> = kinds.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names[..2], ["task 0", "task 1"]);
        assert_eq!(names[COLOURS.len()..], [OTHERS, "the thread itself"]);
        for (place, kind) in kinds.iter().enumerate() {
            assert!(kinds[..place].iter().all(|other| other.1 != kind.1));
        }
    }
}
