//! When a thread that another CPU woke got its own CPU, if no event shows it.

use super::{Held, Segment};
use crate::Cause;
use crate::late::Late;

/// A sleeping thread got its CPU between these two times.
pub(super) type Range = [i64; 2];

/// Places each such moment according to the thread's CPU time: the thread slept for the part of the
/// range in which it did not run.
pub(super) fn placed(segments: &mut Vec<Segment>, ranges: &[Range], late: &Late) {
    let Some(counts) = late.counts.filter(|counts| !counts.moved) else { return };
    let runs = |segment: &&Segment| matches!(segment.what, Held::Own | Held::Called(_));
    let own: i64 = (segments.iter().filter(runs)).map(Segment::time).sum();
    let is_no_interruption = |segment: &&Segment| {
        !matches!(segment.what, Held::By(Cause::Interrupt { .. } | Cause::Softirq { .. }))
    };
    let mut gap = (own - counts.cpu_time_ns).max(0);
    for [from, to] in ranges {
        let is_it = |segment: &Segment| segment.from == *from && segment.what == Held::Own;
        let Some(place) = segments.iter().position(is_it) else { continue };
        let Some(slept) = segments[..place].iter().rfind(is_no_interruption) else { continue };
        let time = gap.min(to - from).min(segments[place].time());
        let slept = Segment { from: *from, to: from + time, what: slept.what.clone() };
        segments[place].from += time;
        segments.insert(place, slept);
        gap -= time;
    }
}
