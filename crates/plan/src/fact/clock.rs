//! The clock.

use super::facts;

facts! {
    /// Properties of the clock.
    CLOCK;
    STAMP_COST_NS "stamp_cost_ns" Nanoseconds "mean cost of a time stamp";
    RESOLUTION_NS "resolution_ns" Nanoseconds "smallest step of the clock above 0";
}
