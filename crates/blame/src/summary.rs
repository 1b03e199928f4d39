//! Summary of all late samples of a run: causes with counts and times.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::judge::{Finding, judge};
use crate::late::Late;
use crate::timeline::Held;
use crate::{Cause, CauseKind, Evidence, What, Window};

const MOST_LISTED: usize = 1_000;
const MOST_DRAWN: usize = 8;
/// Largest number of segments per drawn sample; beyond it, short ones are dropped.
const MOST_SEGMENTS: usize = 400;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Summary {
    /// Time after the due time beyond which a sample is late, in nanoseconds.
    pub threshold_ns: i64,
    /// Number of late samples.
    pub late: u64,
    /// Deadlines that were missed because of these samples; absent in runs of older versions.
    #[serde(default)]
    pub missed: u64,
    /// Late samples that the trace covers; the others are judged by counters alone.
    pub traced: u64,
    /// Causes; first the one that cost the most deadlines, of equal ones the one that took most
    /// time. Each has `cause`, `words`, `main_of` (late samples of which it is the main cause),
    /// `missed` (deadlines missed because of these), `part_of`, `time_ns` and `longest_ns`.
    pub causes: Vec<CauseTotal>,
    /// Late samples with several causes, none of which explains half of the lateness.
    #[serde(default)]
    pub contributed: u64,
    /// Why there was no trace; null if there was one.
    pub not_traced: Option<String>,
    /// Trace events that were lost because the kernel had no room for them.
    pub lost_events: i64,
    /// Parts of the trace around late samples that were dropped for lack of room.
    pub windows_not_kept: i64,
    /// Upper bound of the time from a due time until the timer's interrupt woke the thread, over
    /// all samples, in nanoseconds; absent if there is no complete trace, or no such interrupt in
    /// it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handler_worst_ns: Option<i64>,
    /// Cost of tracing, as median wake-up latency without and with it; null if unknown.
    pub cost: Option<Cost>,
    /// Late samples in the order of their due times; if there are more than 1000, the worst 1000.
    #[serde(alias = "told")]
    pub late_samples: Vec<LateTold>,
    /// The worst late samples, at most 8, each with what had the CPU at which time.
    pub worst: Vec<LateTold>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CauseTotal {
    /// The cause.
    pub cause: Cause,
    /// The cause in words.
    pub words: String,
    /// Number of late samples of which it is the main cause: it has the largest share, and explains
    /// at least half of the lateness.
    pub main_of: u64,
    /// Number of deadlines that were missed because of these samples.
    #[serde(default)]
    pub missed: u64,
    /// Number of late samples of which it has a share.
    pub part_of: u64,
    /// Time that it took of all late samples, in nanoseconds.
    pub time_ns: i64,
    /// Longest time that it took of a sample, in nanoseconds.
    pub longest_ns: i64,
}

/// Median wake-up latency without and with tracing, measured alternately on the first measured CPU.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cost {
    /// Median without tracing, in nanoseconds.
    pub off_ns: f64,
    /// Median with tracing, in nanoseconds.
    pub on_ns: f64,
    /// `on_ns` minus `off_ns`, in nanoseconds.
    pub more_ns: f64,
    /// `on_ns` divided by `off_ns`.
    pub ratio: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LateTold {
    /// Name of the thread.
    pub thread: String,
    /// Index of the sample in the run's own order, from 0.
    pub index: i64,
    /// When it was due, in nanoseconds of `CLOCK_MONOTONIC`.
    pub due_ns: i64,
    /// Time from due to done, in nanoseconds.
    pub took_ns: i64,
    /// Causes and times in nanoseconds, the largest first.
    pub shares: Vec<(Cause, i64)>,
    /// What had the CPU when: start and end in nanoseconds after the due time, the kind of holder,
    /// and its description.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<InJson>"))]
    pub segments: Vec<HeldCpu>,
}

/// A stretch of time in which one thing had the CPU.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "InJson", into = "InJson")]
pub struct HeldCpu {
    /// Times after the due time, in nanoseconds.
    pub from_ns: i64,
    pub to_ns: i64,
    /// The kind of holder; the thread itself is `OwnWork`.
    pub kind: CauseKind,
    /// The holder in words.
    pub words: String,
}

/// Start, end, kind and words.
type InJson = (i64, i64, String, String);

impl From<HeldCpu> for InJson {
    fn from(HeldCpu { from_ns, to_ns, kind, words }: HeldCpu) -> Self {
        (from_ns, to_ns, kind.name().to_owned(), words)
    }
}

impl From<InJson> for HeldCpu {
    fn from((from_ns, to_ns, kind, words): InJson) -> Self {
        let kind = CauseKind::named(&kind).unwrap_or(CauseKind::Unknown);
        Self { from_ns, to_ns, kind, words }
    }
}

pub fn summary(threshold_ns: i64, late: &[Late], evidence: &Evidence) -> Summary {
    let judged = worst_first(late, evidence);
    let traced = judged.iter().filter(|(_, finding)| !finding.segments.is_empty());
    let drawn = judged.iter().take(MOST_DRAWN);
    let contributes = |(late, finding): &&(&Late, Finding)| {
        !finding.shares.is_empty() && finding.main(late).is_none()
    };
    let mut listed: Vec<_> = judged.iter().take(MOST_LISTED).collect();
    listed.sort_by_key(|(late, _)| late.due);
    Summary {
        threshold_ns,
        late: judged.len() as u64,
        missed: judged.iter().map(|(late, _)| late.missed).sum(),
        traced: traced.count() as u64,
        causes: totals(&judged),
        contributed: judged.iter().filter(contributes).count() as u64,
        not_traced: evidence.unavailable.clone(),
        lost_events: evidence.lost,
        windows_not_kept: evidence.not_kept,
        handler_worst_ns: handler_worst(threshold_ns, late, evidence),
        cost: cost(&evidence.cost),
        late_samples: listed
            .iter()
            .map(|(late, finding)| described(late, finding, false))
            .collect(),
        worst: drawn.map(|(late, finding)| described(late, finding, true)).collect(),
    }
}

/// Returns how late the timer's interrupt woke a thread at most. The thread runs after the interrupt,
/// so a sample that is not in the trace bounds its interrupt by its own lateness.
fn handler_worst(threshold_ns: i64, late: &[Late], evidence: &Evidence) -> Option<i64> {
    let window = |late: &Late| evidence.window(late.number, late.due, late.end);
    let traced: Vec<(&Late, &Window)> =
        late.iter().filter_map(|late| Some((late, window(late)?))).collect();
    // A timer never expires early; what wakes the thread later is no timer of this sample.
    let handler = |(late, window): &(&Late, &Window)| {
        let woken = window.events.iter().find(|event| match event.what {
            What::Waking { task, by_interrupt, .. } => {
                task == window.task && by_interrupt && (late.due..=late.end).contains(&event.at)
            }
            _ => false,
        });
        Some(woken?.at - late.due)
    };
    let worst = traced.iter().filter_map(handler).max()?;
    let least = traced.iter().map(|(late, _)| late.end - late.due).min()?;
    let others = if evidence.not_kept > 0 { least } else { threshold_ns };
    (evidence.lost == 0).then(|| worst.max(others))
}

/// Judges samples, and returns those that took longest first. Of each group it keeps only the
/// sample that was disturbed most: the others waited for it.
pub(crate) fn worst_first<'a>(late: &'a [Late], evidence: &Evidence) -> Vec<(&'a Late, Finding)> {
    let mut kept: Vec<(&Late, Finding)> = Vec::new();
    let mut places: BTreeMap<(i64, i64), usize> = BTreeMap::new();
    for late in late {
        let finding = judge(late, evidence);
        let place = late.group.and_then(|group| places.get(&group).copied());
        match place {
            Some(place) if kept[place].1.disturbed_ns() < finding.disturbed_ns() => {
                kept[place] = (late, finding);
            }
            Some(_) => {}
            None => {
                places.extend(late.group.map(|group| (group, kept.len())));
                kept.push((late, finding));
            }
        }
    }
    kept.sort_by_key(|(late, _)| late.due - late.end);
    kept
}

fn totals(judged: &[(&Late, Finding)]) -> Vec<CauseTotal> {
    let mut totals: BTreeMap<&Cause, CauseTotal> = BTreeMap::new();
    for (late, finding) in judged {
        let main = finding.main(late);
        for (cause, time) in &finding.shares {
            let total = totals.entry(cause).or_insert_with(|| CauseTotal {
                cause: cause.clone(),
                words: cause.words(),
                main_of: 0,
                missed: 0,
                part_of: 0,
                time_ns: 0,
                longest_ns: 0,
            });
            if main == Some(cause) {
                total.main_of += 1;
                total.missed += late.missed;
            }
            total.part_of += 1;
            total.time_ns += time;
            total.longest_ns = total.longest_ns.max(*time);
        }
    }
    let mut totals: Vec<CauseTotal> = totals.into_values().collect();
    totals.sort_by_key(|total| Reverse((total.missed, total.time_ns)));
    totals
}

pub(crate) fn described(late: &Late, finding: &Finding, with_segments: bool) -> LateTold {
    let mut segments: Vec<_> = finding.segments.iter().collect();
    if segments.len() > MOST_SEGMENTS {
        segments.sort_by_key(|segment| segment.from - segment.to);
        segments.truncate(MOST_SEGMENTS);
        segments.sort_by_key(|segment| segment.from);
    }
    let segment = |segment: &&crate::Segment| {
        let holder = |cause: &Cause| (cause.kind(), cause.words());
        let (kind, words) = match &segment.what {
            Held::By(cause) => holder(cause),
            Held::Called(name) => holder(&Cause::SystemCall { name: name.clone() }),
            Held::Waited(on) => holder(&Cause::Blocking { on: on.clone() }),
            Held::Own | Held::Open(_) => (CauseKind::OwnWork, "the thread itself".to_owned()),
        };
        HeldCpu { from_ns: segment.from - late.due, to_ns: segment.to - late.due, kind, words }
    };
    LateTold {
        thread: late.thread.clone(),
        index: late.index,
        due_ns: late.due,
        took_ns: late.end - late.due,
        shares: finding.shares.clone(),
        segments: if with_segments { segments.iter().map(segment).collect() } else { Vec::new() },
    }
}

fn cost([off, on]: &[Vec<i64>; 2]) -> Option<Cost> {
    let (off_ns, on_ns) = (stats::median(off)? as f64, stats::median(on)? as f64);
    Some(Cost { off_ns, on_ns, more_ns: on_ns - off_ns, ratio: on_ns / off_ns })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::tests::{ME, late, on};
    use crate::{cost_track, trace_track};

    #[test]
    fn the_most_disturbed_thread_represents_its_step_and_the_rest_adds_up() {
        let (evidence, hogged) = on(1000, 5000, &crate::judge::tests::hogged());
        let waited = Late {
            number: ME + 1,
            counts: Some(crate::Counts { waits: 2, ..crate::Counts::default() }),
            waits: vec![crate::Wait { from: 1010, to: 4900, on: "barrier" }],
            ..late(1000, 5000)
        };
        let in_step = [waited, hogged].map(|late| Late { group: Some((ME, 1)), ..late });
        let summary = summary(500, &in_step, &evidence);
        assert_eq!((summary.late, summary.traced), (1, 1));
        assert_eq!(summary.causes[0].cause.kind(), CauseKind::Task);
        assert_eq!(summary.causes[0].main_of, 1);
        let all: i64 = summary.causes.iter().map(|total| total.time_ns).sum();
        assert_eq!(all, 4000);
        let drawn = &summary.worst[0].segments;
        assert!(drawn.windows(2).all(|pair| pair[0].to_ns == pair[1].from_ns));
        assert_eq!((drawn[0].from_ns, drawn[drawn.len() - 1].to_ns), (0, 4000));
    }

    #[test]
    fn what_cost_deadlines_comes_before_what_took_more_time() {
        let (evidence, hogged) = on(1000, 5000, &crate::judge::tests::hogged());
        let missed = Late {
            counts: Some(crate::Counts { faults: 1, waits: 2, ..crate::Counts::default() }),
            missed: 3,
            ..late(9_000, 11_000)
        };
        let summary = summary(500, &[hogged, missed], &evidence);
        let order: Vec<_> =
            summary.causes.iter().map(|total| (total.cause.kind(), total.missed)).collect();
        assert_eq!((summary.missed, &order[0]), (3, &(CauseKind::PageFault, 3)), "{order:?}");
        let old = r#"{"cause":{"kind":"steal"},"words":"","main_of":1,"part_of":1,"time_ns":9,"longest_ns":9}"#;
        assert_eq!(serde_json::from_str::<CauseTotal>(old).unwrap().missed, 0);
    }

    #[test]
    fn the_latest_handler_is_that_of_the_trace_or_bounded_by_what_is_not_in_it() {
        let (mut evidence, late) = on(1000, 5000, &crate::judge::tests::hogged());
        let worst = |limit, evidence: &Evidence| {
            summary(limit, std::slice::from_ref(&late), evidence).handler_worst_ns
        };
        assert_eq!(worst(1, &evidence), Some(10));
        assert_eq!(worst(500, &evidence), Some(500), "samples up to the limit are not traced");
        evidence.not_kept = 3;
        assert_eq!(worst(1, &evidence), Some(4000), "they were late by as much at most");
        evidence.lost = 1;
        assert_eq!(worst(1, &evidence), None);
        assert_eq!(worst(1, &Evidence::of(&trace_track(&[], &crate::Names::default()))), None);
    }

    #[test]
    fn the_cost_of_tracing_is_a_difference_of_medians() {
        let [trace, windows] = trace_track(&[], &crate::Names::default());
        let cost = cost_track([vec![10, 12, 900], vec![15, 14, 13]]);
        let summary = summary(1, &[], &Evidence::of(&[trace, windows, cost]));
        let cost = summary.cost.unwrap();
        assert_eq!((cost.off_ns, cost.on_ns, cost.more_ns), (12.0, 14.0, 2.0));
        assert_eq!(summary.late, 0);
    }

    #[test]
    fn a_summary_survives_json() {
        let (evidence, late) = on(1000, 5000, &crate::judge::tests::hogged());
        let summary = summary(500, &[late], &evidence);
        let json = serde_json::to_value(&summary).unwrap();
        assert_eq!(serde_json::from_value::<Summary>(json).unwrap(), summary);
    }
}
