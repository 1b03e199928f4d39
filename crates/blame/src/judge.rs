//! From evidence to causes: what each late sample lost its time to.

use std::collections::BTreeMap;

use crate::late::{Late, Wait};
use crate::timeline::{Held, Segment, segments};
use crate::{Cause, Counts, Evidence, What, Window};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Causes and their times in nanoseconds, the largest first. Together with the usual duration
    /// of its own work they add up to the time from due to done.
    pub shares: Vec<(Cause, i64)>,
    /// What had the CPU when; empty if there are only counters.
    pub segments: Vec<Segment>,
}

impl Finding {
    /// Returns the cause of the largest share if it explains at least half of the lateness; a
    /// smaller share only contributes.
    pub fn main(&self, late: &Late) -> Option<&Cause> {
        let (cause, time) = self.shares.first()?;
        (time * 2 >= late.lateness()).then_some(cause)
    }

    /// Returns the time that the thread lost to anything except its own waiting for others.
    pub(crate) fn disturbed_ns(&self) -> i64 {
        let by_others = |(cause, _): &&(Cause, i64)| !matches!(cause, Cause::Blocking { .. });
        self.shares.iter().filter(by_others).map(|(_, time)| time).sum()
    }
}

/// Judges by the trace if it has a window for this sample, otherwise by the counters alone. Its own
/// length is accounted for first.
pub(crate) fn judge(late: &Late, evidence: &Evidence) -> Finding {
    let (mut shares, segments) = match evidence.window(late.number, late.due, late.end) {
        Some(window) if !window.events.is_empty() => by_trace(late, window, evidence),
        _ => (by_counts(late, evidence), Vec::new()),
    };
    *shares.entry(Cause::OwnLength).or_insert(0) += late.own_length();
    let mut shares: Vec<_> = shares.into_iter().filter(|(_, time)| *time > 0).collect();
    shares.sort_by_key(|(_, time)| -time);
    Finding { shares, segments }
}

/// Time of each cause, in nanoseconds.
type Shares = BTreeMap<Cause, i64>;

fn by_trace(late: &Late, window: &Window, evidence: &Evidence) -> (Shares, Vec<Segment>) {
    let segments = with_waits(segments(late, window, evidence), &late.waits);
    let (mut shares, mut wanted) = (BTreeMap::new(), BTreeMap::new());
    let (mut own, mut called) = (0, 0);
    for segment in &segments {
        let time = segment.time();
        let is_before = late.own_length() > 0 && segment.to <= late.start;
        match &segment.what {
            // This is the step before, which is just as long.
            Held::Own | Held::Called(_) | Held::Waited(_) if is_before => {
                *shares.entry(Cause::OwnLength).or_insert(0) += time;
            }
            Held::Own => own += time,
            Held::Called(name) => {
                called += time;
                *wanted.entry(Cause::SystemCall { name: name.clone() }).or_insert(0) += time;
            }
            Held::Waited(on) => {
                *wanted.entry(Cause::Blocking { on: on.clone() }).or_insert(0) += time;
            }
            Held::By(cause) => *shares.entry(cause.clone()).or_insert(0) += time,
            Held::Open(_) => {}
        }
    }
    // Usual work and usual waiting are not causes; only the excess is.
    let mut beyond = (own + wanted.values().sum::<i64>() - late.usual_ns).max(0);
    let mut wanted: Vec<(Cause, i64)> = wanted.into_iter().collect();
    wanted.sort_by_key(|(_, time)| -time);
    for (cause, time) in wanted {
        let share = time.min(beyond);
        beyond -= share;
        *shares.entry(cause).or_insert(0) += share;
    }
    for (cause, time) in own_excess(late, window, evidence, own + called, beyond) {
        *shares.entry(cause).or_insert(0) += time;
    }
    (shares, segments)
}

/// Splits the time `beyond` that the thread itself ran longer than usual into a platform gap and
/// the most likely other cause.
fn own_excess(
    late: &Late,
    window: &Window,
    evidence: &Evidence,
    own: i64,
    beyond: i64,
) -> [(Cause, i64); 2] {
    let counts = late.counts.unwrap_or_default();
    let happened = |of: fn(&What, i64) -> bool| {
        let within = |event: &&crate::Event| (late.due..late.end).contains(&event.at);
        let mut events = window.events.iter().filter(within);
        events.any(|event| of(&event.what, window.task))
    };
    let moved = |what: &What, own| matches!(what, What::Migrate { task, .. } if *task == own);
    let is_moved = counts.moved || happened(moved);
    // The clock advanced while the thread's CPU time did not: for the kernel it was on the CPU, but
    // the CPU did not run. This does not hold for a thread that moved: it may have been on no CPU.
    let gap = match late.counts {
        Some(counts) if !is_moved => (own - counts.cpu_time_ns).clamp(0, beyond),
        _ => 0,
    };
    let cause = if counts.faults > 0 {
        Cause::PageFault
    } else if is_moved {
        Cause::Migration
    } else if happened(|what, _| matches!(what, What::Frequency { .. })) {
        Cause::Frequency
    } else {
        late.own_work()
    };
    let is_stolen = evidence.stolen(window.cpu, late.due, late.end);
    [(if is_stolen { Cause::Steal } else { Cause::PlatformGap }, gap), (cause, beyond - gap)]
}

/// Marks the thread's own time as waiting where its own time stamps say that it waited, on or off
/// the CPU.
fn with_waits(segments: Vec<Segment>, waits: &[Wait]) -> Vec<Segment> {
    let mut all = Vec::new();
    for segment in segments {
        if !matches!(segment.what, Held::Own | Held::Waited(_)) {
            all.push(segment);
            continue;
        }
        let mut from = segment.from;
        for wait in waits {
            let (start, end) = (wait.from.max(from), wait.to.min(segment.to));
            if start < end {
                let part = |from, to, what| Segment { from, to, what };
                all.push(part(from, start, segment.what.clone()));
                all.push(part(start, end, Held::Waited(wait.on.to_owned())));
                from = end;
            }
        }
        all.push(Segment { from, ..segment });
    }
    all.retain(|segment| segment.from < segment.to);
    all
}

/// Returns the kind of cause as far as counters show it; it gets the whole excess over the usual
/// time.
fn by_counts(late: &Late, evidence: &Evidence) -> Shares {
    let excess = late.excess();
    let unknown = |what: &str| {
        let trace = evidence.unavailable.as_deref().unwrap_or("its part of the trace was not kept");
        Cause::Unknown { why: format!("{what}; {trace}") }
    };
    let worked = |counts: Counts| counts.cpu_time_ns > late.usual_ns + excess / 2;
    let cause = match late.counts {
        _ if evidence.frozen(late.due, late.end) => Cause::Frozen,
        _ if late.shares_by_weight() && evidence.throttled(late.due, late.end) => Cause::Quota,
        None => unknown("nothing was counted"),
        // During the fault, the kernel works for the thread or lets it wait for a disk.
        Some(counts) if counts.faults > 0 && (worked(counts) || counts.waits > 1) => {
            Cause::PageFault
        }
        Some(counts) if counts.moved => Cause::Migration,
        Some(counts) if counts.forced > 0 => Cause::UnknownTask,
        // It ran too little, and the hypervisor took enough.
        Some(counts)
            if !worked(counts) && evidence.stolen_anywhere(late.due, late.end, excess / 2) =>
        {
            Cause::Steal
        }
        Some(_) if let Some(on) = waited_for(late) => Cause::Blocking { on: on.to_owned() },
        Some(counts) if counts.waits > 1 => {
            unknown("it waited within its work, or was stopped; counters cannot distinguish these")
        }
        Some(counts) if worked(counts) => late.own_work(),
        Some(_) => unknown(
            "something else had the CPU when it was due, its timer came late, or the machine \
             stalled; counters cannot distinguish these",
        ),
    };
    // This is the step before, which is just as long.
    let is_long = late.own_length() != 0;
    let before = if is_long { (late.start - late.due).clamp(0, excess) } else { 0 };
    BTreeMap::from([(Cause::OwnLength, before), (cause, excess - before)])
}

/// Returns what the thread waited for by its own time stamps, for at least half of the excess.
fn waited_for(late: &Late) -> Option<&'static str> {
    let waited: i64 = late.waits.iter().map(|wait| wait.to - wait.from).sum();
    let longest = late.waits.iter().max_by_key(|wait| wait.to - wait.from)?;
    (waited * 2 >= late.excess()).then_some(longest.on)
}

#[cfg(test)]
#[path = "judge_tests.rs"]
pub(crate) mod tests;
