//! What was late, and why, in sentences.

use blame::Summary;
use record::{Disturbed, Elsewhere, Family};

use crate::causes::summaries;
use crate::phrases::{joined, maybe, ns, some};
use crate::survey::System;
use crate::words::{counted, grouped, quantity, time};

/// Maximum number of causes that a sentence names; the others are summed up.
const MOST_CAUSES: usize = 6;

/// Returns for each run that looked for causes what was late, and why.
pub fn causes(systems: &[System]) -> Vec<String> {
    let mut found = Vec::new();
    for series in systems.iter().flat_map(|system| &system.series) {
        let thing = match Family::of(&series.spec.measurement) {
            Some(Family::Wakeups) => "wake-up",
            Some(Family::Frames) => "frame",
            Some(Family::Models | Family::Mixes) => "step",
            _ => "period",
        };
        for summary in summaries(series) {
            let late = counted(summary.late as usize, &format!("late {thing}"));
            let limit = ns(summary.threshold_ns.cast_unsigned());
            let causes = maybe(some(summary.late), |_| format!(": {}", main_causes(&summary)));
            let title = series.spec.title();
            found.push(format!("{title}: {late}, more than {limit} after the due time{causes}."));
            found.extend(lacking(&summary));
        }
    }
    found
}

/// ``10 by task `hog` (fifo:90), 4.8 ms in all, 7 missed; 2 by platform gaps, 0.9 ms in all``.
fn main_causes(summary: &Summary) -> String {
    let mains = || summary.causes.iter().filter(|total| total.main_of > 0);
    let named = mains().take(MOST_CAUSES).map(|total| {
        let time = time(total.time_ns as f64);
        // The time is of every event that it is part of.
        let others = Some(total.part_of).filter(|part_of| *part_of != total.main_of);
        let time = match others {
            Some(part_of) => format!(" (part of {}, {time} in all)", grouped(part_of)),
            None => format!(", {time} in all"),
        };
        let missed = maybe(some(total.missed), |missed| format!(", {} missed", grouped(missed)));
        format!("{} by {}{time}{missed}", grouped(total.main_of), total.words)
    });
    let more: u64 = mains().skip(MOST_CAUSES).map(|total| total.main_of).sum();
    let explained = mains().map(|total| total.main_of).sum::<u64>() + summary.contributed;
    let rest = [
        (more, "by others"),
        (summary.contributed, "by several causes, none of which explains half"),
        (summary.late.saturating_sub(explained), "took no longer than usual"),
    ];
    let rest = rest.into_iter().filter(|(count, _)| *count > 0);
    joined(named.chain(rest.map(|(count, what)| format!("{} {what}", grouped(count)))), "; ")
}

/// Returns the limits of a search for causes: its cost, and the events that its trace lacks.
pub fn lacking(summary: &Summary) -> Vec<String> {
    let cost = summary.cost.as_ref().map(|cost| {
        let ([off, on], times) = ([cost.off_ns, cost.on_ns].map(time), quantity(cost.ratio));
        format!("Tracing lengthens the median wake-up from {off} to {on} ({times} times).")
    });
    let not_traced = summary.not_traced.as_ref().map(|why| {
        format!("Nothing was traced ({why}): causes are from counters, which name no task.")
    });
    let lost = some(summary.lost_events).map(|events| {
        let events = counted(events as usize, "trace event");
        format!("The kernel lost {events} for lack of room.")
    });
    let untraced = some(summary.late.saturating_sub(summary.traced));
    let untraced = untraced.filter(|_| not_traced.is_none()).map(|untraced| {
        let no_room = maybe(some(summary.windows_not_kept), |count| {
            format!(" ({} for lack of room)", grouped(count as u64))
        });
        let share = format!("{} of {}", grouped(untraced), grouped(summary.late));
        format!("{share} are not in the trace{no_room}; their causes are from counters.")
    });
    [cost, not_traced, lost, untraced].into_iter().flatten().collect()
}

/// Returns for each disturbance the causes to which late events were attributed.
pub fn by_cause(found: &[Disturbed], which: fn(&Disturbed) -> &[Elsewhere]) -> Vec<String> {
    let sentence = |disturbed: &Disturbed| {
        let each = which(disturbed).iter().map(|late| {
            let longest = time(late.longest_ns as f64);
            format!("{} by {} (at most {longest})", late.count, late.cause)
        });
        some(joined(each, "; ")).map(|each| format!("`{}`: {each}.", disturbed.name))
    };
    found.iter().filter_map(sentence).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use blame::{Cause, CauseTotal, Cost, SomeTask};

    #[test]
    fn causes_have_counts_and_times() {
        let total = |cause: Cause, main_of, time_ns| CauseTotal {
            words: cause.words(),
            cause,
            main_of,
            missed: if main_of == 10 { 7 } else { 0 },
            part_of: main_of,
            time_ns,
            longest_ns: time_ns,
        };
        let hog = SomeTask { name: "hog".to_owned(), pid: 7, policy: "fifo:90".to_owned() };
        let gaps = total(Cause::PlatformGap, 2, 900_000);
        let summary = Summary {
            threshold_ns: 200_000,
            late: 15,
            missed: 7,
            traced: 5,
            causes: vec![total(Cause::Task(hog), 10, 4_800_000), gaps],
            contributed: 2,
            not_traced: None,
            lost_events: 5,
            windows_not_kept: 6,
            handler_worst_ns: None,
            cost: Some(Cost { off_ns: 5_000.0, on_ns: 6_000.0, more_ns: 1_000.0, ratio: 1.2 }),
            late_samples: Vec::new(),
            worst: Vec::new(),
        };
        let causes = "10 by task `hog` (fifo:90, number 7), 4.8 ms in all, 7 missed; 2 by platform \
                      gaps (hypervisor or firmware), 900 µs in all; 2 by several causes, none of which \
                      explains half; 1 took no longer than usual";
        assert_eq!(main_causes(&summary), causes);
        let lacking = lacking(&summary);
        let expected = [
            "Tracing lengthens the median wake-up from 5 µs to 6 µs (1.2 times).",
            "The kernel lost 5 trace events for lack of room.",
            "10 of 15 are not in the trace (6 for lack of room); their causes are from counters.",
        ];
        assert_eq!(lacking, expected);
    }
}
