//! The periods of the self-test's loop, and the lengths of its disturbances.

use base::Nanos;
use record::Asked;

pub(super) const PERIOD: Nanos = Nanos(2_000_000);
/// Steps that end later than this after their due time are late.
pub(super) const LIMIT: Nanos = Nanos(500_000);
/// Length of a disturbance: longer than a period and the limit, so that a step is due in it.
pub(super) const BURST: Nanos = Nanos(3_000_000);
pub(super) const LENGTH_NS: u64 = BURST.0;
/// One period of this many is disturbed: time to recover, and far below real-time throttling.
pub(super) const PERIODS_AN_EVENT: u64 = 10;
pub(super) const EVERY: Nanos = Nanos(PERIODS_AN_EVENT * PERIOD.0);
/// Default length of a run: time for sixty events.
pub(super) const USUAL_LENGTH: Nanos = Nanos(60 * EVERY.0);

// A disturbance lasts longer than a period and ends long before the next one.
const _: () = assert!(BURST.0 > PERIOD.0 + LIMIT.0 && 3 * BURST.0 < EVERY.0);

/// Returns the maximum number of events in a run.
pub(super) fn events_of(asked: &Asked) -> usize {
    (asked.duration.0 / EVERY.0) as usize + 1
}
