//! Time that the platform takes, and where something was.

use super::facts;

facts! {
    /// Gaps in what a CPU does.
    PLATFORM;
    CAUSE "cause" Text "what the gaps of this row are put down to";
    OBSERVED_NS "observed_ns" Nanoseconds "time observed";
    OBSERVED_PERCENT "observed_percent" Percent "share of the run that was observed";
    TOTAL_NS "total_ns" Nanoseconds "all gaps together";
    SHARE_PERCENT "share_percent" Percent "share of the time observed";
    GAPS_PER_MINUTE "gaps_per_minute" PerMinute "gaps while it was observed";
}

facts! {
    /// Where a row, or the worst of it, was.
    PLACES;
    MAX_ON "max_on" Text "the CPU or thread of the largest value";
    CPUS "cpus" Text "the CPUs of this row's thread, as 0-1,3";
}
