//! The words of a soak: what it shows, its gaps, and what changed.

use stats::Weight;

use super::{Added, Change, Gap, MissCause, Reason, Share, Soak};
use crate::finding::Said;
use crate::held::from_to;
use crate::words::{counted, grouped, time};

const MOST: usize = 10;
/// Most causes that the answer, and a line about an interval, list.
const MOST_CAUSES: usize = 5;

pub fn answer(soak: &Soak) -> Vec<Said> {
    let intervals = counted(soak.intervals as usize, "interval");
    let [due, executed, skipped, missed] =
        [soak.due, soak.executed, soak.skipped, soak.missed].map(grouped);
    let watched =
        format!("{intervals}, {due} due, {executed} executed, {skipped} skipped, {missed} missed.");
    let mut lines = vec![Said::new("Shown", claim(soak)), Said::new("Watched", watched)];
    if let Some((max, at)) = &soak.max {
        lines.push(Said::new("Maximum", format!("{} at {at}.", time(*max as f64))));
    }
    let causes = soak.causes.heaviest();
    let cause = |(cause, missed): &(&MissCause, Weight)| {
        Said::new("Cause", format!("{}, {} missed.", cause.words, periods(*missed)))
    };
    lines.extend(causes.iter().take(MOST_CAUSES).map(cause));
    if let Some(more @ 1..) = causes.len().checked_sub(MOST_CAUSES) {
        lines.push(Said::new("More", format!("{}; --json lists them.", counted(more, "cause"))));
    }
    if soak.invalid > 0 {
        let intervals = counted(soak.invalid as usize, "interval");
        lines.push(Said::new("INVALID", format!("{intervals}, which the claim leaves out.")));
    }
    lines.extend(soak.gaps.iter().take(MOST).map(gap));
    lines.extend(soak.changes.iter().take(MOST).map(change));
    for (all, what) in [(soak.gaps.len(), "gap"), (soak.changes.len(), "change")] {
        if let Some(more @ 1..) = all.checked_sub(MOST) {
            lines.push(Said::new("More", format!("{}; --json lists all.", counted(more, what))));
        }
    }
    lines.push(Said::new("Note", boots(soak.boots)));
    lines
}

/// Returns a number of periods, or the least that it can be.
pub fn periods(missed: Weight) -> String {
    let Weight { at_least, at_most } = missed;
    let bound = if at_least < at_most { "at least " } else { "" };
    format!("{bound}{}", grouped(at_least))
}

pub fn claim(soak: &Soak) -> String {
    let claimed = soak.claimed();
    let Some(rate) = claimed.rate(1) else { return "nothing yet: no valid interval.".to_owned() };
    let periods = short(claimed.due as f64);
    match claimed.missed {
        0 => format!(
            "no miss in {periods} periods: a miss, or a burst of them, begins in fewer than 1 in {} \
             (95 % confidence).",
            short(1.0 / rate.upper)
        ),
        missed => format!(
            "{} missed in {periods} periods: {} (95 % confidence).",
            grouped(missed),
            from_to(rate.lower, rate.upper)
        ),
    }
}

/// Returns a count in full, or in powers of ten from a million on.
fn short(count: f64) -> String {
    if count < 1e6 { grouped(count as u64) } else { format!("{count:.1e}") }
}

fn boots(boots: u64) -> &'static str {
    match boots {
        0 | 1 => "this is one boot, which says nothing about the next one.",
        _ => "the claim joins several boots; it says nothing about the next one.",
    }
}

fn gap(gap: &Gap) -> Said {
    let length = match gap.length_ns {
        Some(length) => time(length.unsigned_abs() as f64),
        None => "unknown time".to_owned(),
    };
    let Gap { from, to, .. } = gap;
    let (between, before) = (format!("from {from} to {to}"), format!("before {to}"));
    let (name, when, what) = match gap.reason {
        Reason::Boot => ("Gap", between, "the machine was started again"),
        Reason::Stopped => ("Gap", between, "the program did not run"),
        Reason::WatchBegan => {
            ("Gap", between, "the last intervals were lost or had no step; another watch began")
        }
        Reason::Suspended => ("Gap", before, "the machine was suspended"),
        Reason::Lost => ("Gap", before, "samples were not taken over in time, and are lost"),
        Reason::Stalled => ("Stalled", before, "not one step; all its periods count as missed"),
        Reason::ClockSet => {
            let way = if gap.length_ns > Some(0) { "forward" } else { "back" };
            let set = format!("the wall clock was set {way} by {length} {before};");
            return Said::new("Clock", format!("{set} nothing is missing."));
        }
    };
    let set = if gap.length_ns.is_none() { "; the wall clock was set back" } else { "" };
    Said::new(name, format!("{length} {when}: {what}{set}."))
}

fn change(change: &Change) -> Said {
    let Change { before, what, from, to } = change;
    Said::new("Changed", format!("{what}, from {from} to {to}, before {before}."))
}

/// Returns the lines about an interval that a user should see at once.
pub fn events(added: &Added) -> Vec<Said> {
    let interval = &added.interval;
    let mut lines: Vec<Said> = added.gaps.iter().map(gap).collect();
    lines.extend(interval.changes.iter().map(change));
    if interval.missed > 0 {
        let share =
            |Share { cause, missed }: &Share| format!("{} {}", cause.words, grouped(*missed));
        let causes: Vec<String> = interval.causes.iter().take(MOST_CAUSES).map(share).collect();
        let (missed, began) = (grouped(interval.missed), &interval.began_at);
        let causes = causes.join(", ");
        let words = format!("{missed} in the interval from {began} on; by cause: {causes}.");
        lines.push(Said::new("Missed", words));
    }
    if !interval.valid {
        let (began, why) = (&interval.began_at, interval.warnings.join("; "));
        lines.push(Said::new("INVALID", format!("the interval from {began} on: {why}")));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_short_from_a_million_on() {
        assert_eq!([999_999.0, 2.1e8].map(short), ["999 999", "2.1e8"]);
    }

    #[test]
    fn without_an_interval_nothing_is_shown() {
        assert_eq!(claim(&Soak::default()), "nothing yet: no valid interval.");
        let last = answer(&Soak::default()).pop().unwrap();
        assert!(last.words.contains("says nothing about the next one"), "{}", last.words);
    }
}
