//! What is due once a period, and how it went over time.

use super::facts;

facts! {
    /// What became of steps that are due once a period.
    PACE;
    OVERRUN_POLICY "overrun_policy" Text
        "what follows a step that ended too late: catch-up, skip, slip or stop";
    OVERRUNS "overruns" Count "steps or frames that ended after the next due time";
    MISSED "missed" Count
        "deadlines missed: skipped periods, and late ends for which no period was skipped";
    SLIPPED_NS "slipped_ns" Nanoseconds "how much later than planned the last period is due";
    MISSES_LISTED "misses_listed" Count "how many entries misses has";
    MISSES "misses" List "the first misses, at most misses_listed";
}

facts! {
    /// How a run went over time, in intervals of equal length.
    OVER_TIME;
    STRIP "strip" List "shortest and longest times over time, in at most 400 intervals";
    STOLEN "stolen" List
        "time that a hypervisor took from the CPUs over time, where causes are looked for";
}
