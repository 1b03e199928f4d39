//! Matches injected events with late steps by the time that they share.

use std::collections::BTreeMap;

use blame::{Cause, LateTold, Summary};
use record::{Disturbed, Elsewhere, LENGTH_WITHIN};

/// An injected event, from the injector's own record (`CLOCK_MONOTONIC`, ns).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Injected {
    pub(super) from: i64,
    pub(super) to: i64,
    /// For how long of that time the injector did its work.
    pub(super) had: i64,
}

impl Injected {
    /// Returns whether the injector was disturbed so much that its event has no known length.
    fn is_spoilt(&self) -> bool {
        let length = self.to - self.from;
        (self.had as f64) < (1.0 - LENGTH_WITHIN) * length as f64
    }
}

/// Counts the events within `ran`, when the loop could see them. Sets only the counted fields.
pub(super) fn matched(
    injected: &[Injected],
    ran: [i64; 2],
    summary: &Summary,
    is_right: impl Fn(&Cause) -> bool,
    takes_part: impl Fn(&Cause) -> bool,
) -> Disturbed {
    let without = |late: &&LateTold| injected.iter().all(|event| common(event, late) <= 0);
    let mut found = Disturbed {
        not_traced: summary.not_traced.clone(),
        elsewhere: by_cause(summary.late_samples.iter().filter(without)),
        ..Disturbed::default()
    };
    let (mut ratios, mut mistaken) = (Vec::new(), Vec::new());
    let is_seen = |event: &&Injected| event.from >= ran[0] && event.to <= ran[1];
    for event in injected.iter().filter(is_seen) {
        if event.is_spoilt() {
            found.spoilt += 1;
            continue;
        }
        found.injected += 1;
        let late = || summary.late_samples.iter().filter(|late| common(event, late) > 0);
        let Some(most) = late().max_by_key(|late| common(event, late)) else {
            continue;
        };
        let length: i64 = late().map(|late| common(event, late)).sum();
        let shares = late().flat_map(|late| &late.shares);
        let right = shares.filter(|(cause, _)| is_right(cause) || takes_part(cause));
        let measured: i64 = right.map(|(_, time)| time).sum();
        found.seen += 1;
        match most.shares.first() {
            Some((cause, _)) if is_right(cause) => found.blamed += 1,
            _ => mistaken.push(most),
        }
        found.injected_ns += length;
        found.measured_ns += measured;
        ratios.push(measured as f64 / length as f64);
    }
    found.mistaken = by_cause(mistaken.into_iter());
    ratios.sort_by(f64::total_cmp);
    found.length_ratio = ratios.get(ratios.len() / 2).copied();
    found
}

/// Returns how much of an event is between the due time and the end of something late.
fn common(event: &Injected, late: &LateTold) -> i64 {
    (late.due_ns + late.took_ns).min(event.to) - late.due_ns.max(event.from)
}

fn by_cause<'a>(late: impl Iterator<Item = &'a LateTold>) -> Vec<Elsewhere> {
    let mut causes: BTreeMap<&Cause, Elsewhere> = BTreeMap::new();
    for late in late {
        let Some((cause, _)) = late.shares.first() else {
            continue;
        };
        let of_host =
            matches!(cause, Cause::PlatformGap | Cause::Steal | Cause::KernelOrPlatform(_));
        let unknown = || Elsewhere { cause: cause.words(), of_host, count: 0, longest_ns: 0 };
        let known = causes.entry(cause).or_insert_with(unknown);
        known.count += 1;
        known.longest_ns = known.longest_ns.max(late.took_ns);
    }
    causes.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn late(due_ns: i64, took_ns: i64, shares: Vec<(Cause, i64)>) -> LateTold {
        LateTold { thread: "loop".into(), index: 0, due_ns, took_ns, shares, segments: vec![] }
    }

    fn summary(late_samples: Vec<LateTold>) -> Summary {
        Summary {
            threshold_ns: 1,
            late: late_samples.len() as u64,
            missed: 0,
            traced: late_samples.len() as u64,
            late_samples,
            ..Summary::default()
        }
    }

    fn event((from, to): (i64, i64)) -> Injected {
        Injected { from, to, had: to - from }
    }

    const ALWAYS: [i64; 2] = [0, i64::MAX];

    /// Matches events with late steps of which every cause is the right one.
    fn all_right(injected: &[Injected], ran: [i64; 2], told: Vec<LateTold>) -> Disturbed {
        matched(injected, ran, &summary(told), |_| true, |_| false)
    }

    #[test]
    fn events_are_seen_blamed_and_measured_by_the_time_they_share_with_late_steps() {
        let late_steps = vec![
            // Half of the first event, and blamed entirely on it.
            late(1_050, 60, vec![(Cause::Stopped, 50), (Cause::OwnWork, 10)]),
            // Most of the second event, and blamed on something else.
            late(2_000, 90, vec![(Cause::PlatformGap, 80), (Cause::Stopped, 10)]),
            late(5_000, 70, vec![(Cause::Steal, 70)]),
            late(6_000, 40, vec![(Cause::OwnWork, 40)]),
        ];
        let injected = [(1_000, 1_100), (2_010, 2_110), (3_000, 3_100)].map(event);
        let is_right = |cause: &Cause| matches!(cause, Cause::Stopped);
        let found = matched(&injected, ALWAYS, &summary(late_steps), is_right, |_| false);
        assert_eq!((found.injected, found.seen, found.blamed), (3, 2, 1));
        assert_eq!((found.injected_ns, found.measured_ns), (50 + 80, 50 + 10));
        assert!(found.mistaken[0].of_host && found.mistaken.len() == 1);
        assert_eq!(found.late_elsewhere(), [1, 1]);
        assert_eq!(found.elsewhere.iter().map(|e| e.longest_ns).max(), Some(70));
    }

    #[test]
    fn an_event_whose_injector_was_disturbed_is_counted_separately() {
        let stalled = Injected { had: 89, ..event((0, 100)) };
        let late_steps = vec![late(0, 100, vec![(Cause::PlatformGap, 100)])];
        let found = all_right(&[stalled], ALWAYS, late_steps);
        assert_eq!((found.injected, found.spoilt), (0, 1));
        assert_eq!(found.late_elsewhere(), [0, 0]);
    }

    #[test]
    fn an_event_before_the_loop_is_not_counted_and_not_a_false_alarm() {
        let late_steps = vec![late(100, 30, vec![(Cause::Stopped, 30)])];
        let found = all_right(&[event((90, 130))], [100, 900], late_steps);
        assert_eq!((found.injected, found.late_elsewhere()), (0, [0, 0]));
    }

    #[test]
    fn the_length_is_the_median_over_events() {
        let stopped = |due, time| late(due, 100, vec![(Cause::Stopped, time)]);
        let late_steps = vec![stopped(0, 100), stopped(1_000, 95), stopped(2_000, 10)];
        let injected = [(0, 100), (1_000, 1_100), (2_000, 2_100)].map(event);
        assert_eq!(all_right(&injected, ALWAYS, late_steps).length_ratio, Some(0.95));
    }

    #[test]
    fn without_events_everything_late_is_elsewhere() {
        let found = all_right(&[], ALWAYS, vec![late(0, 5, vec![(Cause::OwnWork, 5)])]);
        assert_eq!((found.injected, found.length_ratio), (0, None));
        assert_eq!(found.late_elsewhere(), [1, 0]);
    }
}
