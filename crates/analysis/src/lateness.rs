//! What was late, and why.

use blame::Summary;
use record::{Disturbed, Elsewhere, Family};

use crate::causes::summaries;
use crate::finding::{AboutRuns, Finding, LateCauses};
use crate::phrases::some;
use crate::survey::System;

/// Maximum number of causes that a sentence names; the others are summed up.
const MOST_CAUSES: usize = 6;

/// Returns for each run that looked for causes what was late, and why.
pub fn causes(systems: &[System]) -> Vec<Finding> {
    let mut found = Vec::new();
    for series in systems.iter().flat_map(|system| &system.series) {
        let thing = match Family::of(&series.spec.measurement) {
            Some(Family::Wakeups) => "wake-up",
            Some(Family::Frames) => "frame",
            Some(Family::Models | Family::Mixes) => "step",
            _ => "period",
        };
        for summary in summaries(series) {
            found.push(Finding::Runs(AboutRuns::LateRun {
                run: series.spec.title(),
                thing,
                late: summary.late,
                limit_ns: summary.threshold_ns.cast_unsigned(),
                causes: main_causes(&summary),
            }));
            found.extend(lacking(&summary));
        }
    }
    found
}

fn main_causes(summary: &Summary) -> LateCauses {
    let mains = || summary.causes.iter().filter(|total| total.main_of > 0);
    let explained = mains().map(|total| total.main_of).sum::<u64>() + summary.contributed;
    LateCauses {
        named: mains().take(MOST_CAUSES).cloned().collect(),
        by_others: mains().skip(MOST_CAUSES).map(|total| total.main_of).sum(),
        by_several: summary.contributed,
        no_longer_than_usual: summary.late.saturating_sub(explained),
    }
}

/// Returns the limits of a search for causes: its cost, and the events that its trace lacks.
pub fn lacking(summary: &Summary) -> Vec<Finding> {
    let cost = summary.cost.as_ref().map(|cost| AboutRuns::TracingCost {
        off_ns: cost.off_ns,
        on_ns: cost.on_ns,
        ratio: cost.ratio,
    });
    let not_traced =
        summary.not_traced.as_ref().map(|why| AboutRuns::NotTraced { why: why.clone() });
    let lost = some(summary.lost_events)
        .map(|events| AboutRuns::EventsLost { events: events.cast_unsigned() });
    let untraced = some(summary.late.saturating_sub(summary.traced));
    let untraced = untraced.filter(|_| not_traced.is_none());
    let untraced = untraced.map(|untraced| AboutRuns::NotInTrace {
        untraced,
        late: summary.late,
        no_room: summary.windows_not_kept.cast_unsigned(),
    });
    [cost, not_traced, lost, untraced].into_iter().flatten().map(Finding::Runs).collect()
}

/// Returns for each disturbance the causes to which late events were attributed.
pub fn by_cause(found: &[Disturbed], which: fn(&Disturbed) -> &[Elsewhere]) -> Vec<Finding> {
    let attributed = found.iter().filter(|disturbed| !which(disturbed).is_empty());
    let finding = |disturbed: &Disturbed| {
        Finding::Runs(AboutRuns::Attributed {
            disturbance: disturbed.name.clone(),
            late: which(disturbed).to_vec(),
        })
    };
    attributed.map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::unlabelled;
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
        let run = AboutRuns::LateRun {
            run: "frame".to_owned(),
            thing: "frame",
            late: summary.late,
            limit_ns: 200_000,
            causes: main_causes(&summary),
        };
        let words =
            format!("frame: 15 late frames, more than 200 µs after the due time: {causes}.");
        assert_eq!(run.said().words, words);
        let lacking = unlabelled(&lacking(&summary));
        let expected = [
            "Tracing lengthens the median wake-up from 5 µs to 6 µs (1.2 times).",
            "The kernel lost 5 trace events for lack of room.",
            "10 of 15 are not in the trace (6 for lack of room); their causes are from counters.",
        ];
        assert_eq!(lacking, expected);
    }
}
