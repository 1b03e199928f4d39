//! Models that run side by side, each at its own rate.

use super::facts;

facts! {
    /// What a member of a mix is, and how long its steps take.
    MIX;
    MEMBER "member" Text "name of the member";
    MEMBER_POLICY "member_policy" Text "policy of the member's threads";
    MEMBER_CPUS "member_cpus" Text "CPUs of the member's threads, in turn";
    MEMBER_PERIOD_NS "member_period_ns" Nanoseconds "period of the member";
    STEP_RUN_MAX_NS "step_run_max_ns" Nanoseconds
        "longest time from a step's first start to its last end";
    STEP_COST_NS "step_cost_ns" Nanoseconds "median CPU time of a step in a thread";
    STEP_COST_MAX_NS "step_cost_max_ns" Nanoseconds "longest CPU time of a step in a thread";
    START_LATE_MAX_NS "start_late_max_ns" Nanoseconds "longest time from due to a step's start";
    AGES "ages" List "how old inputs from others were when they were used, one entry for each source";
    BEST_EFFORT "best_effort" YesNo "whether the member has no deadlines";
    LIMIT_PERCENT "limit_percent" Percent "share of its CPU that a best-effort member may use";
    STEPS_PER_S "steps_per_s" PerSecond "steps of a best-effort member";
    CPU_SHARE "cpu_share" Ratio
        "CPU time of a best-effort member's thread as a share of the run (null for other members)";
}
