//! When the self-test's loop is due, and how long what disturbs it lasts.

use plan::Asked;
use units::Nanos;

/// From one due time to the next.
pub(super) const PERIOD: Nanos = Nanos(2_000_000);
/// What comes later than this is late.
pub(super) const LIMIT: Nanos = Nanos(500_000);
/// How long a disturbance lasts: longer than a period, so that something is due in each
/// of them, and late by more than the limit.
pub(super) const BURST: Nanos = Nanos(3_000_000);
pub(super) const LENGTH_NS: u64 = BURST.0;
/// Every so many periods one is disturbed: time enough to recover, and far below what
/// real-time throttling lets pass.
pub(super) const PERIODS_AN_EVENT: u64 = 10;
pub(super) const EVERY: Nanos = Nanos(PERIODS_AN_EVENT * PERIOD.0);
/// Time for some sixty events.
pub(super) const USUAL_LENGTH: Nanos = Nanos(60 * EVERY.0);

/// How many events a run has room for.
pub(super) fn events_of(asked: &Asked) -> usize {
    (asked.duration.0 / EVERY.0) as usize + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disturbance_lasts_longer_than_a_period_and_ends_before_the_next_one() {
        const { assert!(BURST.0 > PERIOD.0 + LIMIT.0 && 3 * BURST.0 < EVERY.0) };
    }
}
