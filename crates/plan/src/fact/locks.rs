//! Contests for a lock.

use super::facts;

facts! {
    /// Facts of every contest.
    CONTESTS;
    LOCK "lock" Text "name of the lock";
    GAVE_UP "gave_up" Count "contests in which a thread gave up waiting for the lock";
}

facts! {
    /// Whether a thread of medium priority delays the high one.
    INVERSION;
    VULNERABLE "vulnerable" YesNo "whether the high thread waits for the medium one with this lock";
    SLOPE "slope" Ratio "additional nanoseconds of waiting for each additional nanosecond of the medium thread's run";
    BLOCKED_NS "blocked_ns" Nanoseconds "median time for which the high thread waited for the lock";
    MEDIUM_RUN_NS "medium_run_ns" Nanoseconds "median run time of the medium thread";
    BY_MEDIUM_RUN "by_medium_run" List "one entry for each run time of the medium thread";
}

facts! {
    /// What contention adds to the time of a lock.
    BREAK;
    BREAK_NS "break_ns" Nanoseconds
        "mean time to the lock under contention minus the mean without (null if no lock was granted)";
    UNCONTENDED_MEAN_NS "uncontended_mean_ns" Nanoseconds
        "mean time to the lock without contention";
}
