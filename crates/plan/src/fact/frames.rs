//! Processes with frames.

use super::facts;

facts! {
    /// When frames started, how long they ran, and what they did.
    FRAMES;
    FRAME_PERIOD_NS "frame_period_ns" Nanoseconds "period";
    START_DELAY_MIN_NS "start_delay_min_ns" Nanoseconds "smallest start minus due time";
    START_DELAY_MAX_NS "start_delay_max_ns" Nanoseconds "largest start minus due time";
    START_JITTER_NS "start_jitter_ns" Nanoseconds "largest minus smallest start delay";
    MIN_RUN_NS "min_run_ns" Nanoseconds "shortest run time of a frame";
    AVG_RUN_NS "avg_run_ns" Nanoseconds "mean run time of a frame";
    MAX_RUN_NS "max_run_ns" Nanoseconds "longest run time of a frame";
    RUN_MAX_AT_NS "run_max_at_ns" Nanoseconds "time from the start to the longest frame";
    RUN_JITTER_NS "run_jitter_ns" Nanoseconds "longest minus shortest run time";
    START_PLUS_MAX_RUN_NS "start_plus_max_run_ns" Nanoseconds "start jitter plus longest run time";
    IDLE_AVERAGE_NS "idle_average_ns" Nanoseconds
        "mean time from a frame's end to the next due time";
    IDLE_MIN_NS "idle_min_ns" Nanoseconds "shortest time from a frame's end to the next due time";
    MARKS "marks" List "marks of Murray 2003, such as good_start_jitter or bad_run_jitter";
    INTEGER_ITERATIONS "integer_iterations" Count "iterations of integer work in a frame";
    FLOATING_ITERATIONS "floating_iterations" Count "iterations of floating-point work in a frame";
    INTEGER_ITERATION_NS "integer_iteration_ns" Nanoseconds "time of one iteration of integer work";
    FLOATING_ITERATION_NS "floating_iteration_ns" Nanoseconds
        "time of one iteration of floating-point work";
    BACKGROUND_TURNS "background_turns" Count
        "turns of the background thread, which uses the idle time";
    DATAGRAMS_SENT "datagrams_sent" Count "datagrams sent";
    DATAGRAMS_UNSENT "datagrams_unsent" Count "datagrams that the kernel did not take";
    DATAGRAMS_STRANGE "datagrams_strange" Count "datagrams received that are not answers";
    REPLIES_IN_TIME "replies_in_time" Count "answers received before the next frame";
    REPLIES_LATE "replies_late" Count "answers received after the start of the next frame";
    REPLIES_LOST "replies_lost" Count "answers never received";
    REPLIES_REPEATED "replies_repeated" Count "answers received more than once";
}
