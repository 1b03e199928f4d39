//! Work that is due once per period, and how it went over time.

use super::facts;

facts! {
    /// What happened to steps that are due once per period.
    PACE;
    OVERRUN_POLICY "overrun_policy" Text
        "reaction to a step that ended too late: catch-up, skip, slip or stop";
    OVERRUNS "overruns" Count "steps or frames that ended after the next due time";
    MISSED "missed" Count
        "deadlines missed: skipped periods, and late ends for which no period was skipped";
    SLIPPED_NS "slipped_ns" Nanoseconds "how much later than planned the last period was due";
    MISSES_LISTED "misses_listed" Count "number of entries in misses";
    MISSES "misses" List "the first misses, at most misses_listed";
}

facts! {
    /// How a run went over time, in intervals of equal length.
    OVER_TIME;
    STRIP "strip" List "shortest and longest times over time, in at most 400 intervals";
    STOLEN "stolen" List
        "steal time of the CPUs over time, in runs that search for causes";
}
