//! Contests for a lock.

use super::facts;

facts! {
    /// What every contest tells.
    CONTESTS;
    LOCK "lock" Text "name of the lock";
    GAVE_UP "gave_up" Count "contests in which somebody gave up waiting for the lock";
}

facts! {
    /// Whether a thread between holds the high one back.
    INVERSION;
    VULNERABLE "vulnerable" YesNo "whether high waits for medium with this lock";
    SLOPE "slope" Ratio "nanoseconds that high waits longer for each that medium runs longer";
    BLOCKED_NS "blocked_ns" Nanoseconds "median time for which high waited for the lock";
    MEDIUM_RUN_NS "medium_run_ns" Nanoseconds "median run time of the medium thread";
    BY_MEDIUM_RUN "by_medium_run" List "one entry for each length of the medium thread";
}

facts! {
    /// What contention adds to a lock.
    BREAK;
    BREAK_NS "break_ns" Nanoseconds
        "mean time to the lock under contention minus that without (null where none was granted)";
    UNCONTENDED_MEAN_NS "uncontended_mean_ns" Nanoseconds
        "mean time to the lock without contention";
}
