//! Time that the platform takes, and where rows were measured.

use super::facts;

facts! {
    /// Gaps in the execution of a CPU.
    PLATFORM;
    CAUSE "cause" Text "cause to which the gaps of this row are attributed";
    OBSERVED_NS "observed_ns" Nanoseconds "time observed";
    OBSERVED_PERCENT "observed_percent" Percent "share of the run that was observed";
    TOTAL_NS "total_ns" Nanoseconds "total time of all gaps";
    SHARE_PERCENT "share_percent" Percent "share of the observed time";
    GAPS_PER_MINUTE "gaps_per_minute" PerMinute "gaps in the observed time";
}

facts! {
    /// Where a row, or its worst value, was measured.
    PLACES;
    MAX_ON "max_on" Text "CPU or thread of the largest value";
    CPUS "cpus" Text "CPUs of this row's thread, as 0-1,3";
}
